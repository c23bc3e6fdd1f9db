//! The static graph of 10,000 classes, and what each of 5,000 tests may reach in it, with one thread and with several.
//!
//! The classes are copies of a library under other names; a test begins in one of its methods. Reading the classes is not
//! part of it: `snapshot` measures that.

use crate::classes::{self, Class};
use crate::libraries::jar;
use crate::measure::Runs;
use crate::rename::rename;
use crate::table;
use anyhow::{Context, Result, ensure};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tamis_classfile::access;
use tamis_program::snapshot::{MethodId, Snapshot};
use tamis_project::classpath::{ClassPath, ClassPathOptions};
use tamis_select::static_graph::{ReachKind, StaticGraph, TestRoots};
use tamis_session::{JdkChoice, LoadOptions, load};

const LIBRARY: &str = "org.apache.commons:commons-math3:3.6.1";
const CLASSES: usize = 10_000;
const TESTS: usize = 5_000;

pub(crate) fn run(runs: usize) -> Result<()> {
    let jdk = classes::newest_jdk()?;
    let originals = read(&jar(LIBRARY)?)?;
    let names: HashSet<&[u8]> = originals.iter().map(|class| class.name.as_bytes()).collect();
    let there = tempfile::tempdir()?;
    let mut count = 0;
    for copy in 0..CLASSES.div_ceil(originals.len()) {
        let prefix = format!("x{copy}/");
        for class in originals.iter().take(CLASSES - count) {
            let bytes = rename(&class.bytes, &names, &prefix).with_context(|| class.name.clone())?;
            let path = there.path().join(format!("{prefix}{}.class", class.name));
            fs::create_dir_all(path.parent().context("it has a folder")?)?;
            fs::write(path, bytes)?;
        }
        count += originals.len().min(CLASSES - count);
    }
    let options =
        LoadOptions { jdk: JdkChoice::At(jdk.home.clone()), lenient: true, ..LoadOptions::default() };
    let loaded = load(&[there.path().to_owned()], &options)?;
    let snapshot = &loaded.snapshot;
    ensure!(snapshot.project().len() == CLASSES, "{} classes were loaded", snapshot.project().len());
    let tests = tests(snapshot);
    let mut rows = Vec::new();
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for (name, kind) in
        [("CHA", ReachKind::Hierarchy), ("RTA", ReachKind::Instantiated), ("classes", ReachKind::Classes)]
    {
        for threads in if all > 1 { vec![1, all] } else { vec![1] } {
            let build = || StaticGraph::of(snapshot, kind, threads, &|_| false, &|_| true);
            let graph = build();
            let reached: usize =
                graph.reaches(&tests, threads).iter().map(|reach| reach.used.methods.len()).sum();
            let mut row = |what: String, limit: &str, took: Runs| {
                let ms = |time: Duration| format!("{:.0}", time.as_secs_f64() * 1e3);
                rows.push(vec![what, ms(took.median()), ms(took.best()), ms(took.cpu()), limit.to_owned()]);
            };
            row(format!("{name}, {threads} threads: graph"), "", Runs::of(runs, || drop(build())));
            let took = Runs::of(runs, || drop(build().reaches(&tests, threads)));
            let limit = if kind == ReachKind::Hierarchy && threads == all { "1000" } else { "" };
            row(format!("  with {TESTS} tests, {} methods each", reached / TESTS), limit, took);
        }
    }
    table::print(
        &format!("{CLASSES} classes, copies of {LIBRARY}; {runs} runs each; {all} processors"),
        &["", "ms median", "best", "processor", "at most"],
        &rows,
    );
    Ok(())
}

/// Public methods, evenly chosen.
fn tests(snapshot: &Snapshot) -> Vec<TestRoots> {
    let methods = snapshot.project().flat_map(|class| {
        let record = snapshot.class(class);
        let is_public = |method: &u32| {
            let found = record.methods.get(*method as usize);
            found.is_some_and(|found| found.is(access::PUBLIC) && !found.is(access::ABSTRACT))
        };
        let methods = (0..record.methods.len() as u32).filter(is_public);
        methods.map(|method| MethodId { class, method }).collect::<Vec<_>>()
    });
    let methods: Vec<MethodId> = methods.collect();
    let step = (methods.len() / TESTS).max(1);
    let roots = |method: &MethodId| TestRoots { methods: vec![*method], made: vec![method.class] };
    methods.iter().step_by(step).take(TESTS).map(roots).collect()
}

fn read(jar: &Path) -> Result<Vec<Class>> {
    let path = ClassPath::open(&[jar.to_owned()], &ClassPathOptions::default())?;
    let mut classes = Vec::new();
    for entry in path.classes() {
        let mut bytes = Vec::new();
        path.read(entry, &mut bytes)?;
        classes.push(Class { name: entry.name.to_string(), bytes });
    }
    classes.retain(|class| class.name != "module-info");
    Ok(classes)
}
