//! Edits of small programs, and the facts of a run that they break.

#![allow(clippy::unwrap_used)] // Tests may panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tamis_program::bitset::BitSet;
use tamis_program::digest::{ClassSource, Digester};
use tamis_program::snapshot::{ClassId, MethodId, Snapshot};
use tamis_select::facts::{CodeFacts, FlowTable, Question, QuestionTable};
use tamis_select::history::{ClosureKind, Footprint, History, LibraryGraph};
use tamis_select::technique::{TestRun, technique};
use tamis_test_support::{javac, jdk};

fn files(folder: &Path, root: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, root, found);
        } else if path.extension().is_some_and(|extension| extension == "class") {
            let name = path.strip_prefix(root).unwrap().with_extension("");
            found.push((name.to_str().unwrap().to_owned(), fs::read(&path).unwrap()));
        }
    }
}

fn snapshot(source: &str) -> Snapshot {
    let classes = javac::compile(&jdk::jdk(17), &[("A.java", source)], &["-g"]).unwrap();
    let mut found = Vec::new();
    files(&classes.path, &classes.path, &mut found);
    let mut digester = Digester::default();
    let mut records = Vec::new();
    let mut families: BTreeSet<&str> = BTreeSet::new();
    for (name, _) in &found {
        families.insert(tamis_program::digest::family_name(name));
    }
    for family in families {
        let sources: Vec<ClassSource<'_>> = found
            .iter()
            .filter(|(name, _)| tamis_program::digest::family_name(name) == family)
            .map(|(name, bytes)| ClassSource { name, bytes })
            .collect();
        records.extend(digester.family(&sources));
    }
    Snapshot::new(records, Vec::new())
}

fn method(snapshot: &Snapshot, class: &str, name: &str) -> MethodId {
    let id = snapshot.find(class).unwrap();
    let record = snapshot.class(id);
    let index = record.methods.iter().position(|method| record.str(method.name).starts_with(name)).unwrap();
    MethodId { class: id, method: index as u32 }
}

/// The facts that an edit breaks. The run entered `entered`; an earlier test of the JVM entered `before`.
fn broken(old: &str, new: &str, entered: &[(&str, &str)], before: &[(&str, &str)]) -> Vec<String> {
    let (old, new) = (snapshot(old), snapshot(new));
    let mut history = History::new(&old);
    let [before, used] = [before, entered].map(|names| {
        let methods = names.iter().map(|(class, name)| history.number(method(&old, class, name)));
        Footprint { methods: methods.collect(), ..Footprint::default() }
    });
    history.record_part(before);
    history.record_part(used.clone());
    let all = history.closure_of(ClosureKind::LeftoverState, &used, &mut Nothing::default());
    let mut code = CodeFacts::new(&old);
    let mut asked = QuestionTable::default();
    let seen = TestRun {
        snapshot: &old,
        code: &code,
        history: &history,
        flows: &FlowTable::default(),
        questions: &mut asked,
        used: &all,
        test: None,
    };
    let numbers = technique("hybrid").unwrap().extractor().questions(seen);
    let questions: BTreeSet<&Question> = numbers.iter().filter_map(|number| asked.get(number)).collect();
    let mut now = CodeFacts::new(&new);
    questions
        .into_iter()
        .filter(|question| code.answer(question) != now.answer(question))
        .map(|question| format!("{} {}", question.kind.word(), question.subject))
        .collect()
}

const PROGRAM: &str = "interface I { default int f() { return 1; } }
    class A implements I { int own() { return 2; } static int s() { return B.count; } }
    class B extends A { static int count = 3; int g() { return new C().h(); } }
    class C { int h() { Runnable r = () -> own(); r.run(); return 4; } void own() { } }";

#[track_caller]
fn check(edit: (&str, &str), entered: &[(&str, &str)], before: &[(&str, &str)], expected: &[&str]) {
    assert!(PROGRAM.contains(edit.0), "{}", edit.0);
    assert_eq!(broken(PROGRAM, &PROGRAM.replace(edit.0, edit.1), entered, before), expected);
}

#[test]
fn a_changed_body_breaks_only_tests_that_entered_it() {
    check(("return 2", "return 20"), &[("A", "own")], &[], &["body A.own()I"]);
    check(("return 2", "return 20"), &[("C", "h")], &[], &[]);
}

#[test]
fn an_override_breaks_tests_that_entered_the_inherited_method_on_its_class() {
    let edit = ("int g()", "public int f() { return 9; } int g()");
    check(edit, &[("I", "f"), ("B", "<init>"), ("A", "<init>")], &[], &["inherits B.f()I"]);
    check(edit, &[("I", "f"), ("A", "<init>")], &[], &[]);
}

#[test]
fn an_override_breaks_a_test_that_met_an_object_of_an_earlier_test() {
    let edit = ("int g()", "public int f() { return 9; } int g()");
    check(edit, &[("I", "f")], &[("B", "<init>"), ("A", "<init>")], &["inherits B.f()I"]);
}

#[test]
fn a_static_initialiser_breaks_tests_that_touch_its_class() {
    let edit = ("count = 3", "count = 30");
    check(edit, &[("A", "s")], &[], &["init B"]);
    check(edit, &[("C", "h")], &[], &[]);
}

#[test]
fn a_lambda_breaks_only_tests_that_entered_it() {
    let edit = ("() -> own()", "() -> { own(); own(); }");
    check(edit, &[("C", "lambda$")], &[], &["body C.h()I~0"]);
    check(edit, &[("C", "h")], &[], &[]);
}

#[test]
fn a_new_method_that_external_code_may_call_breaks_tests_that_made_the_object() {
    let edit = ("void own() { }", "void own() { } public String toString() { return \"\"; }");
    check(edit, &[("C", "<init>")], &[], &["external C"]);
    check(edit, &[("A", "own")], &[], &[]);
}

/// A library graph without libraries.
#[derive(Default)]
struct Nothing(BitSet<u32>);

impl LibraryGraph for Nothing {
    fn named_by(&mut self, _: MethodId) -> Arc<[u32]> {
        [].into()
    }

    fn named_in(&mut self, _: u32) -> Arc<[u32]> {
        [].into()
    }

    fn initialised(&self) -> &BitSet<u32> {
        &self.0
    }

    fn init(&self, _: u32) -> Option<&Footprint> {
        None
    }

    fn is_made_for(&mut self, _: ClassId, _: &BitSet<u32>) -> bool {
        true
    }
}

/// One library class, named by a method of the project or by another library class. Its initialiser ran a
/// method.
struct One {
    initialised: BitSet<u32>,
    by: Option<MethodId>,
    init: Footprint,
}

const LIBRARY: u32 = 7;
const OTHER: u32 = 3;

impl LibraryGraph for One {
    fn named_by(&mut self, method: MethodId) -> Arc<[u32]> {
        if self.by == Some(method) { [LIBRARY].into() } else { [].into() }
    }

    fn named_in(&mut self, class: u32) -> Arc<[u32]> {
        if class == OTHER { [LIBRARY].into() } else { [].into() }
    }

    fn initialised(&self) -> &BitSet<u32> {
        &self.initialised
    }

    fn init(&self, class: u32) -> Option<&Footprint> {
        (class == LIBRARY).then_some(&self.init)
    }

    fn is_made_for(&mut self, _: ClassId, _: &BitSet<u32>) -> bool {
        true
    }
}

#[test]
fn a_library_initialisers_footprint_counts_for_tests_that_use_the_library() {
    let program = snapshot(PROGRAM);
    let [entered, other, ran] =
        [("C", "h"), ("C", "own"), ("A", "s")].map(|(class, name)| method(&program, class, name));
    let mut history = History::new(&program);
    let number = history.number(ran);
    let init = Footprint { methods: [number].into_iter().collect(), ..Footprint::default() };
    let used = |method: MethodId, others: &[u32]| Footprint {
        methods: [history.number(method)].into_iter().collect(),
        others: others.iter().copied().collect(),
        ..Footprint::default()
    };
    let cases = [
        // The test's code names the class, the test uses the class itself, or it uses another class that
        // names it.
        (used(entered, &[]), Some(entered), true),
        (used(entered, &[LIBRARY]), None, true),
        (used(entered, &[OTHER]), None, true),
        (used(other, &[]), Some(entered), false),
    ];
    // The initialiser touches B, whose own initialiser ran a constructor.
    let of_b = Footprint {
        methods: [history.number(method(&program, "C", "<init>"))].into_iter().collect(),
        ..Footprint::default()
    };
    let made = history.number(method(&program, "C", "<init>"));
    history.initialised(program.find("B").unwrap(), &of_b, false);
    for (used, by, counts) in cases {
        let mut outside = One { initialised: [LIBRARY].into_iter().collect(), by, init: init.clone() };
        let all = history.closure_of(ClosureKind::LeftoverState, &used, &mut outside);
        assert_eq!((all.methods.contains(number), all.methods.contains(made)), (counts, counts));
        // Before the initialiser has run it does not count.
        outside.initialised = BitSet::default();
        assert!(
            !history.closure_of(ClosureKind::LeftoverState, &used, &mut outside).methods.contains(number)
        );
    }
}
