//! Footprints of static initialisers, whatever way they end, on every required JDK.

#![allow(clippy::unwrap_used)] // Tests may panic.

mod spoken;

use spoken::{Spoken, compile, run_java, set};
use tamis_test_support::jdk::required;

#[track_caller]
fn check(program: &str, expect: impl Fn(&Spoken, u32)) {
    for jdk in required() {
        let classes = compile(&jdk, program);
        let path = classes.path.to_str().unwrap();
        let arguments = ["-Xcheck:jni", "-Xverify:all", "-cp", path, "p.Main"];
        let spoken = run_java(&jdk, &[&classes.path], &arguments).succeeded(&format!("JDK {}", jdk.feature));
        assert!(!spoken.stdout().contains("JNI"), "JDK {}: {}", jdk.feature, spoken.stdout());
        expect(&spoken, jdk.feature);
    }
}

#[test]
fn an_initialiser_that_throws_is_reported_with_its_footprint() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main { static void after() { }
            public static void main(String[] a) { RunNotifier n = new RunNotifier();
                n.trial(\"first\", () -> { try { Bad.f(); } catch (ExceptionInInitializerError e) { after(); throw e; } });
                n.trial(\"second\", () -> Bad.f()); } }
         class Bad { static int x = Inner.y(); static void f() { } }
         class Inner { static int y() { try { return Deep.z(); } finally { w(); } } static void w() { } }
         class Deep { static { if (true) throw new IllegalStateException(); } static int z() { return 1; } }",
        |spoken, jdk| {
            let (bad, nested) = spoken.init("p/Bad").unwrap();
            assert_eq!(bad, set(&["p/Bad.<clinit>()V", "p/Inner.w()V", "p/Inner.y()I"]), "JDK {jdk}");
            assert_eq!(nested, ["p/Deep"], "JDK {jdk}");
            assert_eq!(spoken.init("p/Deep").unwrap().0, set(&["p/Deep.<clinit>()V"]), "JDK {jdk}");
            assert!(spoken.entered("first").contains("p/Main.after()V"), "JDK {jdk}");
            // The second test fails because of the first one's initialiser. It touches the class, which is
            // reported once.
            assert_eq!(spoken.initialising("p/Bad"), ["first"], "JDK {jdk}");
            let outcomes: Vec<String> = spoken.ended().iter().map(|ended| format!("{ended:?}")).collect();
            assert_eq!(outcomes, ["(\"first\", Failed)", "(\"second\", Failed)"], "JDK {jdk}");
        },
    );
}

#[test]
fn an_initialiser_without_stack_for_its_end_ends_with_its_test() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main { static void late() { }
            static int deep(int n) { try { return deep(n + 1); } catch (StackOverflowError e) { return Bad.x; } }
            public static void main(String[] a) { RunNotifier n = new RunNotifier();
                n.trial(\"first\", () -> { try { deep(0); } catch (LinkageError | StackOverflowError e) { } });
                n.trial(\"second\", () -> late()); } }
         class Bad { static int x = f(0); static int f(int n) { return f(n + 1) + 1; } }",
        |spoken, jdk| {
            if let Some((ran, _)) = spoken.init("p/Bad") {
                assert!(!ran.contains("p/Main.late()V"), "JDK {jdk}: {ran:?}");
            }
            assert!(spoken.entered("first").contains("p/Main.deep(I)I"), "JDK {jdk}");
        },
    );
}

#[test]
fn superclasses_interfaces_and_nested_classes_have_traces_of_their_own() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main {
            public static void main(String[] a) { RunNotifier n = new RunNotifier();
                n.trial(\"all\", () -> new Sub().g()); } }
         interface Face { int F = Log.add(\"Face\"); default void g() { } }
         class Log { static int add(String s) { return s.length(); } }
         class Base { static int b = Log.add(\"Base\"); }
         class Sub extends Base implements Face { static int s = Log.add(\"Sub\") + Nest.n; static class Nest { static int n = Log.add(\"Nest\"); } }",
        |spoken, jdk| {
            for (class, nested) in [("p/Base", vec![]), ("p/Face", vec![]), ("p/Sub", vec!["p/Sub$Nest"]), ("p/Sub$Nest", vec![])] {
                let (ran, inside) = spoken.init(class).unwrap();
                let own = format!("{class}.<clinit>()V");
                assert_eq!(ran, set(&[&own, "p/Log.add(Ljava/lang/String;)I"]), "JDK {jdk}");
                assert_eq!(inside, nested, "JDK {jdk}: {class}");
            }
        },
    );
}

#[test]
fn an_initialiser_may_run_outside_tests_or_across_them() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; import java.util.concurrent.*; class Main {
            static final CountDownLatch begun = new CountDownLatch(1), go = new CountDownLatch(1);
            static void one() { }
            public static void main(String[] a) throws Exception { RunNotifier n = new RunNotifier();
                Early.f();
                Thread t = new Thread(() -> Slow.f()); t.start(); begun.await();
                n.trial(\"one\", () -> one());
                n.trial(\"two\", () -> { go.countDown(); t.join(); });
                n.trial(\"three\", () -> Slow.f()); } }
         class Early { static int x = Integer.parseInt(\"1\"); static void f() { } }
         class Slow { static { Main.begun.countDown(); try { Main.go.await(); } catch (InterruptedException e) { } end(); }
            static void end() { } static void f() { } }",
        |spoken, jdk| {
            assert_eq!(spoken.initialising("p/Early"), Vec::<String>::new(), "JDK {jdk}");
            assert!(spoken.init("p/Early").is_some(), "JDK {jdk}");
            assert_eq!(spoken.initialising("p/Slow"), ["one", "two"], "JDK {jdk}");
            assert!(spoken.init("p/Slow").unwrap().0.contains("p/Slow.end()V"), "JDK {jdk}");
            assert!(spoken.entered("two").contains("p/Slow.end()V"), "JDK {jdk}");
            assert!(!spoken.entered("three").contains("p/Slow.end()V"), "JDK {jdk}");
        },
    );
}
