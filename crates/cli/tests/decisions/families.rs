//! Rules that hold for any edit, tried on one program with many edits (RTSCheck's families).
//!
//! | after | must be selected | may be selected |
//! |---|---|---|
//! | an edit | tests that behave differently in a run without tamis | |
//! | two edits at once | the same | tests selected by either edit |
//! | two edits in two steps | the same | in the second step, tests selected by either edit |
//! | going back, or an edit of nothing | | nothing |
//!
//! The edits add, rename and move classes and methods up and down, and change what they do.

use crate::case::Case;
use crate::compiled::built;
use crate::project::{Built, Project};
use crate::ran::Tests;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::markdown;

/// One edit: texts of the program with their replacements, and tests that it must not select.
pub(crate) struct Edit {
    pub(crate) name: &'static str,
    replace: &'static [(&'static str, &'static str)],
    spares: &'static [&'static str],
    /// Whether it changes nothing that a test could notice or depend on.
    is_nothing: bool,
}

const fn edit(
    name: &'static str,
    replace: &'static [(&'static str, &'static str)],
    spares: &'static [&'static str],
) -> Edit {
    Edit { name, replace, spares, is_nothing: false }
}

const fn nothing(name: &'static str, replace: &'static [(&'static str, &'static str)]) -> Edit {
    Edit { name, replace, spares: &[], is_nothing: true }
}

const PROGRAM: &str = "package shop;
/*top*/
interface Priced { int price(); /*default*/ default int rounded() { return price() / 10 * 10; } }
abstract class Item implements Priced {
    final String name;
    Item(String name) { this.name = name; }
    /*item*/
    String label() { return name + \" \" + price(); }
}
class Book extends Item {
    Book(String name) { super(name); }
    /*book*/
    public int price() { return 12; }
    int pages() { return 300; }
}
class Pen extends Item {
    Pen(String name) { super(name); }
    /*pen*/
    public int price() { return 3; }
}
class Rates {
    static int rate = start();
    static int start() { return 20; }
    static int of(int price) { return price * rate / 100; }
    /*rates*/
}
class Cart {
    private final java.util.List<Priced> items = new java.util.ArrayList<>();
    Cart add(Priced item) { items.add(item); return this; }
    int total() { return items.stream().mapToInt(item -> item.price()).sum(); }
    int rounded() { int sum = 0; for (Priced item : items) sum += item.rounded(); return sum; }
    /*cart*/
}
class Greeting { static String of(String name) { return \"Hello \" + name; } }
/*bottom*/
";

pub(crate) const TESTS: &[(&str, &str)] = &[
    ("BookTest", "new Book(\"b\").label()"),
    ("PagesTest", "new Book(\"b\").pages()"),
    ("PenTest", "new Pen(\"p\").label()"),
    ("RoundedTest", "new Book(\"b\").rounded()"),
    ("RatesTest", "Rates.of(200)"),
    ("CartTest", "new Cart().add(new Book(\"b\")).add(new Pen(\"p\")).total()"),
    ("CartRoundedTest", "new Cart().add(new Pen(\"p\")).rounded()"),
    ("GreetingTest", "Greeting.of(\"you\")"),
];

pub(crate) const EDITS: &[Edit] = &[
    edit("a body", &[("return 12;", "return 15;")], &["PenTest", "RatesTest", "GreetingTest", "PagesTest"]),
    edit("a body that few reach", &[("return 300;", "return 301;")], &["BookTest", "CartTest", "PenTest"]),
    edit("an initialiser", &[("return 20;", "return 25;")], &["BookTest", "CartTest", "GreetingTest"]),
    edit(
        "a lambda",
        &[("item -> item.price()", "item -> item.price() + 1")],
        &["CartRoundedTest", "BookTest"],
    ),
    edit(
        "an override is added",
        &[("/*pen*/", "public int rounded() { return 5; }")],
        &["RoundedTest", "BookTest", "PenTest", "GreetingTest"],
    ),
    edit(
        "a default changes",
        &[("/ 10 * 10", "/ 5 * 5")],
        &["BookTest", "PenTest", "CartTest", "GreetingTest"],
    ),
    edit(
        "a method moves up",
        &[("int pages() { return 300; }", ""), ("/*item*/", "int pages() { return 300; }")],
        &["PenTest", "RatesTest", "GreetingTest"],
    ),
    edit(
        "a method moves down",
        &[
            ("String label() { return name + \" \" + price(); }", "abstract String label();"),
            ("/*book*/", "String label() { return name + \" \" + price(); }"),
            ("/*pen*/", "String label() { return name + \" \" + price(); }"),
        ],
        &["RatesTest", "GreetingTest"],
    ),
    edit(
        "a class is renamed",
        &[("class Greeting {", "class Welcome {"), ("Greeting.of(\"you\")", "Welcome.of(\"you\")")],
        &["BookTest", "PenTest", "RatesTest", "CartTest"],
    ),
    edit(
        "a superclass is put in between",
        &[(
            "class Pen extends Item {",
            "abstract class Tool extends Item { Tool(String n) { super(n); } String label() { return \"tool \" + name; } }\nclass Pen extends Tool {",
        )],
        &["BookTest", "RatesTest", "GreetingTest"],
    ),
    nothing(
        "comments and lines",
        &[("/*top*/", "// A comment.\n\n\n"), ("/*cart*/", "\n/* and another */\n")],
    ),
    nothing("a class is added", &[("/*bottom*/", "class Lonely { static int f() { return 1; } }")]),
    nothing("a method that nobody calls is added", &[("/*rates*/", "static int unused() { return 7; }")]),
];

pub(crate) type Names = BTreeSet<String>;
pub(crate) type Files = Vec<(String, String)>;

/// The program after some of the edits; `None` if two of them want the same place.
pub(crate) fn edited(edits: &[&Edit]) -> Option<Files> {
    let tests = TESTS.iter().map(|(name, code)| {
        let text = format!(
            "package shop;\npublic class {name} {{\n    @org.junit.Test public void t() {{ System.out.println({code}); }}\n}}\n"
        );
        (format!("shop/{name}.java"), text)
    });
    let mut files: Files =
        std::iter::once(("shop/Shop.java".to_owned(), PROGRAM.to_owned())).chain(tests).collect();
    for (from, to) in edits.iter().flat_map(|edit| edit.replace) {
        let mut places = files.iter_mut().filter(|(_, text)| text.contains(from));
        let (Some((_, text)), None) = (places.next(), places.next()) else { return None };
        assert_eq!(text.matches(from).count(), 1, "{from}");
        *text = text.replace(from, to);
    }
    Some(files)
}

pub(crate) fn case() -> Case {
    let files = edited(&[]).unwrap();
    let lines = TESTS.iter().map(|(name, _)| format!("skip shop.{name}")).collect();
    let case = markdown::Case {
        title: "families".to_owned(),
        path: PathBuf::from("families"),
        before: files.clone(),
        after: files,
        args_before: Vec::new(),
        args_after: Vec::new(),
        expect: BTreeMap::from([("decisions".to_owned(), lines)]),
    };
    Case::of(case, Path::new("")).unwrap()
}

/// A version of the program, with what its tests do without tamis.
struct Version {
    built: Built,
    does: Tests,
}

struct Ring<'c> {
    project: Project<'c>,
    base: Version,
    recorded: PathBuf,
}

impl Ring<'_> {
    fn selected(&self, built: &Built) -> Names {
        selected(&self.project, built)
    }

    fn does(&self, built: &Built) -> Tests {
        self.project.lay(built);
        let (tests, log) = self.project.run_plainly(built);
        assert_eq!(tests.len(), TESTS.len(), "{log}");
        tests
    }
}

/// The tests that behave differently in two versions.
pub(crate) fn must_run(from: &Tests, to: &Tests) -> Names {
    to.iter().filter(|(name, does)| from.get(*name) != Some(does)).map(|(name, _)| name.clone()).collect()
}

/// The tests that tamis would run now.
pub(crate) fn selected(project: &Project<'_>, built: &Built) -> Names {
    project.lay(built);
    let told = project.decide(built, false);
    let entries = told["tests"].as_array().unwrap().iter();
    let run = entries.filter(|entry| entry["decision"] == "run");
    run.map(|entry| format!("{}#t", entry["class"].as_str().unwrap())).collect()
}

#[test]
fn rules_hold_for_any_edit() {
    for jdk in jdk::required().into_iter().filter(|jdk| [17, 25].contains(&jdk.feature)) {
        hold(&jdk);
    }
}

fn hold(jdk: &Jdk) {
    let pairs: Vec<(usize, usize)> = (0..EDITS.len())
        .flat_map(|first| (first + 1..EDITS.len()).map(move |second| (first, second)))
        .collect();
    let of = |chosen: &[usize]| edited(&chosen.iter().map(|at| &EDITS[*at]).collect::<Vec<_>>());
    let mut programs = vec![of(&[]).unwrap()];
    programs.extend((0..EDITS.len()).map(|at| of(&[at]).unwrap()));
    let pairs: Vec<((usize, usize), Files)> = pairs
        .into_iter()
        .filter_map(|(first, second)| Some(((first, second), of(&[first, second])?)))
        .collect();
    assert!(pairs.len() > 60, "{} pairs", pairs.len());
    programs.extend(pairs.iter().map(|(_, files)| files.clone()));
    let mut versions = built(jdk, programs).into_iter();

    let case = case();
    let project = Project::new(&case);
    let base = versions.next().unwrap();
    project.lay(&base);
    let (does, log) = project.run(&base);
    assert_eq!(does.len(), TESTS.len(), "{log}");
    let recorded = project.keep_store();
    let ring = Ring { project, base: Version { built: base, does }, recorded };
    assert_eq!(ring.selected(&ring.base.built), Names::new(), "written again without a change");

    let mut wrong: Vec<String> = Vec::new();
    let singles: Vec<(Version, Names)> = EDITS
        .iter()
        .map(|edit| {
            let built = versions.next().unwrap();
            let does = ring.does(&built);
            let (must, selected) = (must_run(&ring.base.does, &does), ring.selected(&built));
            let name = edit.name;
            if !must.is_subset(&selected) {
                wrong.push(format!("{name}: MISS: {:?}", must.difference(&selected)));
            }
            for spared in edit.spares.iter().map(|test| format!("shop.{test}#t")) {
                assert!(ring.base.does.contains_key(&spared), "{spared} is no test");
                if selected.contains(&spared) {
                    wrong.push(format!("{name}: {spared} runs"));
                }
            }
            if edit.is_nothing && !selected.is_empty() {
                wrong.push(format!("{name}: {selected:?}"));
            }
            assert!(edit.is_nothing || !selected.is_empty(), "{name} is an edit");
            (Version { built, does }, selected)
        })
        .collect();

    for (turn, (((first, second), _), built)) in pairs.iter().zip(versions).enumerate() {
        let name = format!("{} and {}", EDITS[*first].name, EDITS[*second].name);
        let ((one, of_one), (_, of_other)) = (&singles[*first], &singles[*second]);
        let either: Names = of_one.union(of_other).cloned().collect();
        let selected = ring.selected(&built);
        if !selected.is_subset(&either) {
            wrong.push(format!("{name}: more than both: {:?}", selected.difference(&either)));
        }
        // Running takes time: only some pairs are run, and all of them in the slow ring.
        if !cfg!(feature = "slow") && turn % 7 != 0 {
            continue;
        }
        let does = ring.does(&built);
        let must = must_run(&ring.base.does, &does);
        if !must.is_subset(&selected) {
            wrong.push(format!("{name}: MISS: {:?}", must.difference(&selected)));
        }
        // In two steps, and back in one.
        ring.project.lay(&one.built);
        ring.project.run(&one.built);
        let step = ring.selected(&built);
        let must = must_run(&one.does, &does);
        if !must.is_subset(&step) {
            wrong.push(format!("{name}, the second step: MISS: {:?}", must.difference(&step)));
        }
        if !step.is_subset(&either) {
            wrong.push(format!("{name}, the second step: {:?}", step.difference(&either)));
        }
        ring.project.run(&built);
        for (back, known) in [("", &ring.base.built), (" and forth", &one.built), (" once more", &built)] {
            let selected = ring.selected(known);
            if !selected.is_empty() {
                wrong.push(format!("{name}, back{back}: {selected:?}"));
            }
        }
        ring.project.restore(&ring.recorded);
    }
    assert!(wrong.is_empty(), "JDK {}\n{}\n", jdk.feature, wrong.join("\n"));
}
