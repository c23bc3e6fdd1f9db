//! The static graph of small programs: what tests may reach, and what cannot be followed.
#![allow(clippy::unwrap_used)] // Tests may panic.

use std::collections::BTreeSet;
use tamis_program::digest::{ClassSource, Digester, family_name};
use tamis_program::snapshot::{MethodId, Snapshot};
use tamis_select::history::History;
use tamis_select::static_graph::{ReachKind, StaticGraph, StaticReach, TestRoots};
use tamis_test_support::{javac, jdk};

const PROGRAM: &str = "interface Shape { int area(); default int twice() { return 2 * area(); } }
    class Square implements Shape { public int area() { return 4; } public String toString() { return help(); } String help() { return \"\"; } }
    class Circle implements Shape { public int area() { return Pi.of(); } }
    class Pi { static int of() { return 3; } }
    class Registry { static int count; static void add() { count++; } static int get() { return count; } }
    class Lazy { static int VALUE = start(); static int start() { return 7; } }
    class Env { static String home() { return System.getenv(\"HOME\"); } static String by(java.util.function.Supplier<String> s) { return s.get(); } }
    class T {
        int square() { return new Square().twice(); }
        int either(Shape shape) { return shape.area(); }
        int count() { return Registry.get(); }
        int lazy() { return Lazy.VALUE; }
        String lambda() { return Env.by(() -> Env.home()); }
        String reference() { return Env.by(Env::home); }
    }";

fn snapshot() -> Snapshot {
    let classes = javac::compile(&jdk::jdk(17), &[("T.java", PROGRAM)], &["-g"]).unwrap().classes();
    let mut digester = Digester::default();
    let families: BTreeSet<&str> = classes.iter().map(|(name, _)| family_name(name)).collect();
    let mut records = Vec::new();
    for family in families {
        let own = classes.iter().filter(|(name, _)| family_name(name) == family);
        let sources: Vec<ClassSource<'_>> = own.map(|(name, bytes)| ClassSource { name, bytes }).collect();
        records.extend(digester.family(&sources));
    }
    Snapshot::new(records, Vec::new())
}

fn roots(snapshot: &Snapshot, method: &str) -> TestRoots {
    let class = snapshot.find("T").unwrap();
    let record = snapshot.class(class);
    let index = record.methods.iter().position(|found| record.str(found.name) == method).unwrap();
    TestRoots { methods: vec![MethodId { class, method: index as u32 }], made: vec![class] }
}

fn graph(snapshot: &Snapshot, kind: ReachKind, threads: usize) -> StaticGraph<'_> {
    StaticGraph::of(snapshot, kind, threads, &|_| false, &|_| true)
}

/// The methods of other classes that a reach has, as `Square.area`.
fn methods(snapshot: &Snapshot, reach: &StaticReach) -> Vec<String> {
    let history = History::new(snapshot);
    let named = reach.used.methods.iter().map(|number| {
        let id = history.id(number);
        let record = snapshot.class(id.class);
        format!("{}.{}", record.name(), record.str(snapshot.method(id).name))
    });
    named
        .filter(|name| !name.starts_with("T.") && !name.ends_with(".<init>"))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[track_caller]
fn check(method: &str, kind: ReachKind, expected: &[&str], gaps: usize) {
    let snapshot = snapshot();
    let reach = graph(&snapshot, kind, 1).reach(&roots(&snapshot, method));
    assert_eq!(methods(&snapshot, &reach), expected, "{method}");
    assert_eq!(reach.gaps.len(), gaps, "{:?}", reach.gaps);
}

#[test]
fn a_virtual_call_reaches_objects_that_are_made_and_callbacks_of_the_jdk() {
    // `Circle.area` has no object to run on, but what it calls counts: another edge may lead to it.
    let all = ["Pi.of", "Shape.area", "Shape.twice", "Square.area", "Square.help", "Square.toString"];
    check("square", ReachKind::Hierarchy, &all, 0);
    check("square", ReachKind::Instantiated, &all[2..], 0);
}

#[test]
fn a_static_field_leads_to_those_who_write_it() {
    check("count", ReachKind::Hierarchy, &["Registry.add", "Registry.get"], 0);
}

#[test]
fn a_static_initialiser_is_reached() {
    check("lazy", ReachKind::Hierarchy, &["Lazy.<clinit>", "Lazy.start"], 0);
}

#[test]
fn lambdas_and_method_references_lead_to_their_code() {
    check("lambda", ReachKind::Hierarchy, &["Env.by", "Env.home"], 1);
    check("reference", ReachKind::Instantiated, &["Env.by", "Env.home"], 1);
}

#[test]
fn numbers_of_methods_and_results_do_not_depend_on_threads() {
    let snapshot = snapshot();
    let tests: Vec<TestRoots> = ["square", "either", "count", "lazy", "lambda", "reference"]
        .iter()
        .map(|name| roots(&snapshot, name))
        .collect();
    for kind in [ReachKind::Hierarchy, ReachKind::Instantiated, ReachKind::Classes] {
        let shown = |threads| {
            // More tests than one thread takes at a time.
            let many: Vec<TestRoots> = tests.iter().cycle().take(300).cloned().collect();
            let reaches = graph(&snapshot, kind, threads).reaches(&many, threads);
            let show = |reach: &StaticReach| {
                let classes: Vec<_> = reach.used.classes.iter().collect();
                (methods(&snapshot, reach), classes, reach.gaps.clone(), reach.absent.clone())
            };
            reaches.iter().map(show).collect::<Vec<_>>()
        };
        let one = shown(1);
        assert!(one.iter().any(|(methods, classes, ..)| !methods.is_empty() || !classes.is_empty()));
        for threads in [0, 2, 7] {
            assert!(shown(threads) == one, "{kind:?} with {threads} threads");
        }
    }
}
