//! Digesting, linking, listing and comparing class files ends without a panic, whatever their bytes, and the
//! same bytes always give the same result.

#![allow(clippy::unwrap_used)] // Tests may panic.

use proptest::prelude::*;
use std::sync::OnceLock;
use tamis_program::diff::diff;
use tamis_program::digest::{ClassSource, Digester, list_methods};
use tamis_program::record::ClassRecord;
use tamis_program::snapshot::Snapshot;
use tamis_test_support::{javac, jdk};

/// A family with everything that compilers number.
const PROGRAM: &str = r#"
package p;
import java.util.function.*;
class A<T> implements java.io.Serializable {
    enum E { X, Y { int n() { return 2; } }; int n() { return 1; } }
    static final String S = "s" + 1;
    static int x = 12;
    private int hidden;
    Runnable r = () -> System.out.println(x);
    @Deprecated int sw(E e, String s) {
        switch (e) { case X: return 1; case Y: return 2; }
        switch (s) { case "a": return 3; case "b": return 4; default: break; }
        assert x > 0 : "positive";
        try { return Integer.parseInt(s); } catch (NumberFormatException f) { return -1; } finally { x++; }
    }
    Supplier<Supplier<String>> nested() { return () -> { class L { L me; String t() { return S; } } return () -> new L().t(); }; }
    Object anonymous(long q, double d) { return new Object() { public String toString() { return q + "," + d + hidden; } }; }
    <U extends Comparable<U>> U max(U a, U b) { return a.compareTo(b) > 0 ? a : b; }
    Function<String, Integer> f() { return (Function<String, Integer> & java.io.Serializable) Integer::valueOf; }
    class Inner { int peek() { return hidden; } }
    static class B extends A<String> implements Comparable<B> { public int compareTo(B o) { return super.sw(E.X, ""); } }
}
"#;

fn family() -> &'static [(String, Vec<u8>)] {
    static FAMILY: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    FAMILY.get_or_init(|| javac::compile(&jdk::jdk(17), &[("p/A.java", PROGRAM)], &["-g"]).unwrap().classes())
}

/// Calls every function that takes a family.
fn ask(classes: &[(String, Vec<u8>)]) -> Vec<ClassRecord> {
    let sources: Vec<ClassSource<'_>> =
        classes.iter().map(|(name, bytes)| ClassSource { name, bytes }).collect();
    let records = Digester::default().family(&sources);
    assert_eq!(records.len(), classes.len(), "one record per class file");
    let snapshot = Snapshot::new(records.clone(), Vec::new());
    for id in snapshot.project() {
        snapshot.external(id);
        snapshot.all_supers(id);
        snapshot.subclasses(id);
        let class = snapshot.class(id);
        for method in &class.methods {
            snapshot.lookup(id, class.str(method.name), class.str(method.descriptor));
        }
        list_methods(&sources, class.name());
    }
    let original = Digester::default()
        .family(&family().iter().map(|(name, bytes)| ClassSource { name, bytes }).collect::<Vec<_>>());
    let original = Snapshot::new(original, Vec::new());
    diff(&original, &snapshot);
    diff(&snapshot, &original);
    records
}

#[test]
fn the_program_has_no_opaque_class() {
    let records = ask(family());
    assert_eq!(records.len(), 8);
    assert!(records.iter().all(|record| !record.is_opaque()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn mutated_families_give_stable_results(
        class in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut classes = family().to_vec();
        let at = class.index(classes.len());
        let bytes = &mut classes[at].1;
        for (place, value) in edits {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Some(cut) = cut {
            let length = cut.index(bytes.len());
            bytes.truncate(length);
        }
        let once = ask(&classes);
        let mut reversed = classes.clone();
        reversed.reverse();
        let mut again = ask(&reversed);
        let mut once = once;
        let key = |record: &ClassRecord| (record.name().to_owned(), record.layers.class, record.layers.debug);
        once.sort_by_key(key);
        again.sort_by_key(key);
        prop_assert_eq!(once, again, "the order of the files must not matter");
    }

    #[test]
    fn swapped_classes_do_not_panic(a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        let mut classes = family().to_vec();
        let (a, b) = (a.index(classes.len()), b.index(classes.len()));
        classes[a].1 = classes[b].1.clone();
        ask(&classes);
    }
}
