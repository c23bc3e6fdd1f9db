//! The programs of cases, before and after their edits. All are compiled with one start of javac, and their libraries with
//! another one before it.

use crate::case::{Case, Side};
use crate::outside::OutsideClasses;
use crate::script::{ClassTable, PROJECT};
use crate::world::{Surroundings, TableWorld};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use tamis_test_support::javac::{self, ClassDir, Job};
use tamis_test_support::{jdk, maven};

/// The JDK of the scripts.
pub(crate) const JDK: u32 = 17;

/// Folders of classes, by the part of a case that they are from: `lib`, `over`, or none for the program.
type Parts = BTreeMap<String, ClassDir>;

/// The world of each case before and after its edit.
pub(crate) fn worlds(cases: &[Case]) -> Vec<(TableWorld, TableWorld)> {
    let sides: Vec<&Side> = cases.iter().flat_map(|case| [&case.before, &case.after]).collect();
    let libraries = compile(sides.iter().map(|side| library_jobs(side)).collect());
    let of_sides = sides.iter().zip(&libraries);
    let programs = compile(of_sides.map(|(side, libraries)| program_jobs(side, libraries)).collect());
    // All cases of a framework share what lies outside.
    let mut known: BTreeMap<Vec<PathBuf>, Rc<OutsideClasses>> = BTreeMap::new();
    let mut outside = |side: &Side| {
        let jars = frameworks(side);
        let open = || Rc::new(OutsideClasses::open(&jdk::jdk(JDK), &jars));
        Rc::clone(known.entry(jars.clone()).or_insert_with(open))
    };
    let both = cases.iter().zip(programs.chunks(2)).zip(libraries.chunks(2));
    both.map(|((case, programs), libraries)| {
        let ([before, after], [libraries_before, libraries_after]) = (programs, libraries) else {
            panic!("two sides a case")
        };
        let stale = case.stale.iter().map(|class| (class.replace('.', "/"), before.get("")));
        let stale = stale.map(|(class, program)| {
            let bytes = program.map(|program| program.class_bytes(&class)).unwrap_or_default();
            (format!("{class}.class"), bytes)
        });
        let stale: Vec<(String, Vec<u8>)> = stale.collect();
        let [outside_before, outside_after] = [&case.before, &case.after].map(&mut outside);
        let before = world(&case.before, outside_before, before, libraries_before, &[]);
        (before, world(&case.after, outside_after, after, libraries_after, &stale))
    })
    .collect()
}

/// The world of a program in one file.
pub(crate) fn world_of(source: &str) -> TableWorld {
    // The tests of a file share one program: the first one compiles it, and the others find it in the cache.
    static COMPILING: Mutex<()> = Mutex::new(());
    let guard = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
    let side = Side { files: vec![("Program.java".to_owned(), source.to_owned())], ..Side::default() };
    let programs = compile(vec![program_jobs(&side, &Parts::new())]);
    drop(guard);
    let outside = Rc::new(OutsideClasses::open(&jdk::jdk(JDK), &frameworks(&side)));
    world(&side, outside, programs.first().unwrap(), &Parts::new(), &[])
}

fn library_jobs(side: &Side) -> BTreeMap<String, Job> {
    let libraries = side.parts().into_iter().filter(|(part, _)| part.starts_with("lib"));
    libraries.map(|(part, files)| (part, job(files, side, frameworks(side)))).collect()
}

fn program_jobs(side: &Side, libraries: &Parts) -> BTreeMap<String, Job> {
    let mut class_path: Vec<PathBuf> = libraries.values().map(|library| library.path.clone()).collect();
    class_path.extend(frameworks(side));
    let mut parts = side.parts();
    let mut of = |part: &str| {
        let files = parts.remove(part).unwrap_or_default();
        (part.to_owned(), job(files, side, class_path.clone()))
    };
    [of(""), of("over")].into()
}

/// Options as in the ring with JVMs, so that both share what is compiled.
fn job(sources: Vec<(String, String)>, side: &Side, class_path: Vec<PathBuf>) -> Job {
    let class_path: Vec<String> = class_path.iter().map(|path| path.display().to_string()).collect();
    let mut args: Vec<String> = ["-g", "-nowarn", "-proc:none", "-cp"].map(str::to_owned).to_vec();
    args.push(class_path.join(":"));
    args.extend(side.javac.iter().cloned());
    Job { sources, args }
}

fn frameworks(side: &Side) -> Vec<PathBuf> {
    let libraries = side.libraries().1;
    let names: Vec<&str> = libraries.iter().map(String::as_str).collect();
    maven::jars(&names).unwrap_or_else(|e| panic!("{e}"))
}

fn compile(jobs: Vec<BTreeMap<String, Job>>) -> Vec<Parts> {
    let all = jobs.iter().flat_map(|jobs| jobs.values().cloned()).collect();
    let mut compiled = javac::compile_many(&jdk::jdk(JDK), all).into_iter();
    let mut next = || compiled.next().unwrap().unwrap_or_else(|log| panic!("{log}"));
    jobs.into_iter().map(|jobs| jobs.into_keys().map(|part| (part, next())).collect()).collect()
}

/// `stale` holds class files that were not compiled again; they replace the compiled ones.
fn world(
    side: &Side,
    outside: Rc<OutsideClasses>,
    program: &Parts,
    libraries: &Parts,
    stale: &[(String, Vec<u8>)],
) -> TableWorld {
    let flags: Vec<&String> = side.flags.iter().filter(|flag| !flag.starts_with("-D")).collect();
    let mut given = Surroundings {
        classes: ClassTable::default(),
        outside,
        archives: BTreeMap::new(),
        files: BTreeMap::new(),
        properties: properties(&side.flags),
        environment: side.environment.iter().cloned().collect(),
        start: format!("{:?} {flags:?}", side.framework),
    };
    let mut parts = side.parts();
    let beside = PROJECT.trim_end_matches("project");
    for (part, folder) in [("project", String::new()), ("outside", format!("{beside}outside/"))] {
        for (path, text) in parts.remove(part).unwrap_or_default() {
            given.files.insert(format!("{folder}{path}"), text.into_bytes());
        }
    }
    // A class in `over` hides one of the program.
    for (part, root, stale) in [("", "target/classes", stale), ("over", "target/over", &[])] {
        let files = program.get(part).map(ClassDir::files).unwrap_or_default();
        for (path, bytes) in files.into_iter().chain(stale.iter().cloned()) {
            if let Some(class) = path.strip_suffix(".class") {
                given.classes.project.insert(class.to_owned(), bytes.clone());
            }
            given.files.insert(format!("{root}/{path}"), bytes);
        }
    }
    for (archive, library) in libraries.values().enumerate().rev() {
        for (class, bytes) in library.classes() {
            given.archives.insert(class.clone(), archive);
            given.classes.libraries.insert(class, bytes);
        }
    }
    TableWorld::new(given)
}

fn properties(flags: &[String]) -> BTreeMap<String, String> {
    let given = flags.iter().filter_map(|flag| flag.strip_prefix("-D"));
    let given = given.map(|flag| flag.split_once('=').unwrap_or((flag, "")));
    let all = given.chain([("java.home", "/jdk"), ("java.io.tmpdir", "/tmp")]);
    all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
