//! JUnit 4, from its first version to its last.

use crate::{Suite, newest};
use tamis_test_support::jdk::{Jdk, jdk};

const HEAD: &str = "package p; import org.junit.*; import org.junit.runner.*; import org.junit.runners.*; import java.util.*; ";

/// Features of JUnit 4.0.
const SOURCES: [(&str, &str); 13] = [
    ("ATest", "public class ATest { @BeforeClass public static void up() { System.out.println(\"ran ATest.up\"); }
        @Test public void one() { } @Test public void two() { Assert.fail(); } @Ignore @Test public void three() { } }"),
    ("Base", "public abstract class Base { @Test public void inherited() { } }"),
    ("SubTest", "public class SubTest extends Base { @Test public void own() { } }"),
    ("ParamTest", "@RunWith(Parameterized.class) public class ParamTest { final int n; public ParamTest(int n) { this.n = n; }
        @Parameterized.Parameters public static Collection<Object[]> data() { System.out.println(\"ran data\");
            return Arrays.asList(new Object[] {1}, new Object[] {2}); }
        @Test public void a() { } @Test public void b() { Assert.assertEquals(1, n); } }"),
    ("BadUpTest", "public class BadUpTest { @BeforeClass public static void up() { throw new IllegalStateException(); }
        @Test public void never() { } }"),
    ("BadDownTest", "public class BadDownTest { @AfterClass public static void down() { throw new IllegalStateException(); }
        @Test public void fine() { } }"),
    ("SuiteTest", "@RunWith(Suite.class) @Suite.SuiteClasses({ATest.class, SubTest.class}) public class SuiteTest { }"),
    ("OldTest", "public class OldTest extends junit.framework.TestCase { public void testA() { } public void testB() { fail(); } }"),
    ("OwnRunner", "public class OwnRunner extends Runner { final Class<?> c; public OwnRunner(Class<?> c) { this.c = c; }
        Description d(String n) { return Description.createTestDescription(c, n); }
        public Description getDescription() { Description all = Description.createSuiteDescription(c.getName());
            all.addChild(d(\"x\")); all.addChild(d(\"y\")); return all; }
        public void run(org.junit.runner.notification.RunNotifier r) { System.out.println(\"ran OwnRunner\");
            for (Description d : getDescription().getChildren()) { r.fireTestStarted(d); r.fireTestFinished(d); } } }"),
    ("OwnTest", "@RunWith(OwnRunner.class) public class OwnTest { }"),
    ("Fixture", "public class Fixture { @Test public void bad() { Assert.fail(); } @Test public void good() { } }"),
    ("NestingTest", "public class NestingTest { @Test public void outer() { new JUnitCore().run(Fixture.class); } }"),
    ("Go", "public class Go { public static void main(String[] a) throws Exception { JUnitCore core = new JUnitCore();
        for (String c : a) core.run(Class.forName(c)); } }"),
];

fn suite(version: &str, jdk: &Jdk, more: &[(&str, &str)], classes: &[&str]) -> Suite {
    let named: Vec<(String, String)> = SOURCES
        .iter()
        .chain(more)
        .map(|(name, text)| (format!("p/{name}.java"), format!("{HEAD}{text}")))
        .collect();
    let sources: Vec<(&str, &str)> =
        named.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut main = vec!["p.Go"];
    main.extend(classes);
    Suite::new(jdk, &[&format!("junit:junit:{version}")], &sources, &main)
}

const ALL: [&str; 9] = [
    "p.ATest",
    "p.SubTest",
    "p.ParamTest",
    "p.BadUpTest",
    "p.BadDownTest",
    "p.OldTest",
    "p.OwnTest",
    "p.NestingTest",
    "p.SuiteTest",
];

/// A class is observed twice: when its runner is made, which computes parameters, and when it runs.
const ALL_SEEN: &str = "
    class p.ATest  passed
    class p.ATest  passed
    p.ATest#one  passed
    p.ATest#two  failed
    p.ATest#three  ignored
    ran ATest.up
    class p.SubTest  passed
    class p.SubTest  passed
    p.SubTest#inherited  passed
    p.SubTest#own  passed
    class p.ParamTest  passed
    class p.ParamTest  passed
    p.ParamTest#a  passed
    p.ParamTest#a  passed
    p.ParamTest#b  passed
    p.ParamTest#b  failed
    ran data
    class p.BadUpTest  passed
    class p.BadUpTest  failed
    class p.BadDownTest  passed
    class p.BadDownTest  failed
    p.BadDownTest#fine  passed
    class p.OldTest  passed
    class p.OldTest  passed
    p.OldTest#testA  passed
    p.OldTest#testB  failed
    class p.OwnTest  passed
    class p.OwnTest  passed
    p.OwnTest#x  passed
    p.OwnTest#y  passed
    ran OwnRunner
    class p.NestingTest  passed
    class p.NestingTest  passed
    p.NestingTest#outer  passed";

const SUITE_SEEN: &str = "
    class p.SuiteTest  passed
    class p.SuiteTest  passed
    class p.ATest  passed
    class p.ATest  passed
    p.ATest#one  passed
    p.ATest#two  failed
    p.ATest#three  ignored
    ran ATest.up
    class p.SubTest  passed
    class p.SubTest  passed
    p.SubTest#inherited  passed
    p.SubTest#own  passed";

/// A custom runner is skipped as a whole class or not at all. A fixture that a test runs belongs to the test.
const SKIP: [&str; 9] = [
    "p.ATest",
    "p.SubTest#inherited",
    "p.ParamTest#a",
    "p.BadUpTest#never",
    "p.BadDownTest#nonsense",
    "p.OldTest#testB",
    "p.OwnTest#x",
    "p.OwnTest#y",
    "p.Fixture",
];

const SKIP_SEEN: &str = "
    class p.ATest  passed
    p.ATest  skipped
    class p.SubTest  passed
    class p.SubTest  passed
    p.SubTest#inherited  skipped
    p.SubTest#own  passed
    class p.ParamTest  passed
    class p.ParamTest  passed
    p.ParamTest#a  skipped
    p.ParamTest#b  passed
    p.ParamTest#b  failed
    ran data
    class p.BadUpTest  passed
    p.BadUpTest#never  skipped
    class p.BadDownTest  passed
    class p.BadDownTest  failed
    p.BadDownTest#fine  passed
    class p.OldTest  passed
    class p.OldTest  passed
    p.OldTest#testA  passed
    p.OldTest#testB  skipped
    class p.OwnTest  passed
    class p.OwnTest  passed
    p.OwnTest#x  passed
    p.OwnTest#y  passed
    ran OwnRunner
    class p.NestingTest  passed
    class p.NestingTest  passed
    p.NestingTest#outer  passed";

const SKIP_SUITE_SEEN: &str = "
    class p.SuiteTest  passed
    class p.SuiteTest  passed
    class p.ATest  passed
    class p.SubTest  passed
    class p.SubTest  passed
    p.SubTest#own  passed";

fn check(version: &str, jdk: &Jdk) {
    let suite = suite(version, jdk, &[], &ALL);
    suite.check(&[], 0, &[ALL_SEEN, SUITE_SEEN].concat());
    suite.check(&SKIP, 0, &[SKIP_SEEN, SKIP_SUITE_SEEN].concat());
}

#[test]
fn the_last_version_on_every_jdk() {
    for jdk in newest(8) {
        check("4.13.2", &jdk);
    }
}

#[test]
fn older_versions_are_supported() {
    for version in ["4.0", "4.4", "4.5", "4.8.2", "4.11"] {
        check(version, &jdk(17));
    }
}

/// Features of later versions.
const LATER: [(&str, &str); 9] = [
    ("EnclosingTest", "@RunWith(org.junit.experimental.runners.Enclosed.class) public class EnclosingTest {
        public static class One { @Test public void a() { } } public static class Two { @Test public void b() { } } }"),
    ("TheoryTest", "@RunWith(org.junit.experimental.theories.Theories.class) public class TheoryTest {
        @org.junit.experimental.theories.DataPoints public static int[] all = {1, 2};
        @org.junit.experimental.theories.Theory public void holds(int n) { Assert.assertTrue(n > 0); }
        @org.junit.experimental.theories.Theory public void breaks(int n) { Assert.assertTrue(n > 1); } }"),
    ("Slow", "public interface Slow { }"),
    ("CategoryTest", "public class CategoryTest { @org.junit.experimental.categories.Category(Slow.class) @Test public void slow() { }
        @Test public void fast() { } }"),
    ("SlowTest", "@RunWith(org.junit.experimental.categories.Categories.class)
        @org.junit.experimental.categories.Categories.IncludeCategory(Slow.class)
        @Suite.SuiteClasses(CategoryTest.class) public class SlowTest { }"),
    ("RuleTest", "public class RuleTest {
        @ClassRule public static final org.junit.rules.ExternalResource shared = new org.junit.rules.ExternalResource() {
            protected void before() { System.out.println(\"ran class rule\"); } };
        @Rule public org.junit.rules.TestRule each = new org.junit.rules.ExternalResource() {
            protected void before() { System.out.println(\"ran rule\"); } };
        @Test public void a() { } @Test public void b() { Assume.assumeTrue(false); } }"),
    ("AssumingTest", "public class AssumingTest { @BeforeClass public static void up() { Assume.assumeTrue(false); } @Test public void never() { } }"),
    ("IgnoredTest", "@Ignore public class IgnoredTest { @Test public void never() { } }"),
    ("DelegatingTest", "@RunWith(DelegatingTest.Both.class) public class DelegatingTest {
        public static class Both extends BlockJUnit4ClassRunner {
            public Both(Class<?> c) throws Exception { super(c); }
            public void run(org.junit.runner.notification.RunNotifier n) { super.run(n); System.out.println(\"ran after\"); } }
        @Test public void a() { } @Test(timeout = 10000) public void b() { } }"),
];

const LATER_CLASSES: [&str; 8] = [
    "p.OwnTest",
    "p.EnclosingTest",
    "p.TheoryTest",
    "p.SlowTest",
    "p.RuleTest",
    "p.AssumingTest",
    "p.IgnoredTest",
    "p.DelegatingTest",
];

#[test]
fn enclosed_theories_categories_rules_assumptions_and_delegating_runners() {
    for version in ["4.12", "4.13.2"] {
        let suite = suite(version, &jdk(17), &LATER, &LATER_CLASSES);
        suite.check(
            &[],
            0,
            "
            class p.OwnTest  passed
            class p.OwnTest  passed
            p.OwnTest#x  passed
            p.OwnTest#y  passed
            ran OwnRunner
            class p.EnclosingTest  passed
            class p.EnclosingTest  passed
            class p.EnclosingTest$One  passed
            class p.EnclosingTest$One  passed
            class p.EnclosingTest$Two  passed
            class p.EnclosingTest$Two  passed
            p.EnclosingTest$One#a  passed
            p.EnclosingTest$Two#b  passed
            class p.TheoryTest  passed
            class p.TheoryTest  passed
            p.TheoryTest#holds  passed
            p.TheoryTest#breaks  failed
            class p.SlowTest  passed
            class p.SlowTest  passed
            class p.CategoryTest  passed
            class p.CategoryTest  passed
            p.CategoryTest#slow  passed
            class p.RuleTest  passed
            class p.RuleTest  passed
            p.RuleTest#a  passed
            p.RuleTest#b  aborted
            ran class rule
            ran rule
            ran rule
            class p.AssumingTest  passed
            class p.AssumingTest  aborted
            class p.IgnoredTest  passed
            class p.IgnoredTest  ignored
            class p.DelegatingTest  passed
            class p.DelegatingTest  passed
            p.DelegatingTest#a  passed
            p.DelegatingTest#b  passed
            ran after",
        );
        let skip = [
            "p.EnclosingTest$One",
            "p.TheoryTest#breaks",
            "p.CategoryTest#slow",
            "p.RuleTest",
            "p.IgnoredTest",
            "p.DelegatingTest#a",
            "p.DelegatingTest#b",
            "p.OwnTest",
        ];
        suite.check(
            &skip,
            0,
            "
            class p.OwnTest  passed
            p.OwnTest  skipped
            class p.EnclosingTest  passed
            class p.EnclosingTest  passed
            class p.EnclosingTest$One  passed
            class p.EnclosingTest$Two  passed
            class p.EnclosingTest$Two  passed
            p.EnclosingTest$One  skipped
            p.EnclosingTest$Two#b  passed
            class p.TheoryTest  passed
            class p.TheoryTest  passed
            p.TheoryTest#holds  passed
            p.TheoryTest#breaks  skipped
            class p.SlowTest  passed
            class p.SlowTest  passed
            class p.CategoryTest  passed
            p.CategoryTest#slow  skipped
            class p.RuleTest  passed
            p.RuleTest  skipped
            class p.AssumingTest  passed
            class p.AssumingTest  aborted
            class p.IgnoredTest  passed
            p.IgnoredTest  skipped
            class p.DelegatingTest  passed
            p.DelegatingTest#a  skipped
            p.DelegatingTest#b  skipped",
        );
    }
}

#[test]
fn tests_in_parallel_begin_and_end_once() {
    let go = [(
        "Parallel",
        "public class Parallel { public static void main(String[] a) throws Exception {
            JUnitCore.runClasses(new org.junit.experimental.ParallelComputer(true, true), ATest.class, SubTest.class, ParamTest.class); System.exit(0); } }",
    )];
    for version in ["4.8.2", "4.13.2"] {
        let suite = suite(version, &jdk(17), &go, &[]);
        let suite = Suite { main: vec!["p.Parallel".to_owned()], ..suite }.each_line_once();
        suite.check(
            &["p.SubTest#own", "p.ParamTest"],
            0,
            "
            class p.ATest  passed
            p.ATest#one  passed
            p.ATest#two  failed
            p.ATest#three  ignored
            ran ATest.up
            class p.SubTest  passed
            p.SubTest#inherited  passed
            p.SubTest#own  skipped
            class p.ParamTest  passed
            p.ParamTest  skipped
            ran data",
        );
    }
}

/// Classes that run tests inside a test or inside the set-up of a class, on its own thread or on another.
const NESTING: [(&str, &str); 5] = [
    ("Loud", "public class Loud { @Test public void good() { System.out.println(\"ran Loud\"); }
        static void run() { JUnitCore.runClasses(Loud.class); }
        static void apart() { Thread t = new Thread(new Runnable() { public void run() { Loud.run(); } }); t.start();
            try { t.join(); } catch (InterruptedException e) { throw new IllegalStateException(e); } } }"),
    ("ApartTest", "public class ApartTest { @Test public void a() { Loud.apart(); } }"),
    ("UpTest", "public class UpTest { @BeforeClass public static void up() { Loud.run(); } @Test public void a() { } }"),
    ("UpOldTest", "public class UpOldTest { @BeforeClass public static void up() {
        junit.textui.TestRunner.run(new junit.framework.JUnit4TestAdapter(Loud.class)); } @Test public void a() { } }"),
    ("UpApartTest", "public class UpApartTest { @BeforeClass public static void up() { Loud.apart(); } @Test public void a() { } }"),
];

#[test]
fn tests_run_inside_a_test_or_set_up_are_part_of_it_and_never_skipped() {
    let classes = ["p.ApartTest", "p.UpTest", "p.UpOldTest"];
    for jdk in newest(8) {
        let suite = suite("4.13.2", &jdk, &NESTING, &classes);
        // Set-up makes the runner before it asks JUnit to run it.
        let seen = "
            class p.Loud  passed
            class p.Loud  passed
            class p.ApartTest  passed
            class p.ApartTest  passed
            p.ApartTest#a  passed
            class p.UpTest  passed
            class p.UpTest  passed
            p.UpTest#a  passed
            class p.UpOldTest  passed
            class p.UpOldTest  passed
            p.UpOldTest#a  passed
            ran Loud
            ran Loud
            ran Loud";
        suite.check(&["p.Loud"], 0, seen);
        let (_, apart) = self::suite("4.13.2", &jdk, &NESTING, &["p.UpApartTest"]).observe(&["p.Loud"]);
        assert!(apart.contains("ran Loud") && !apart.contains("skipped"), "JDK {}: {apart}", jdk.feature);
    }
}

#[test]
fn set_up_counts_for_the_class_and_construction_for_the_test() {
    for version in ["4.5", "4.13.2"] {
        let charged = suite(version, &jdk(17), &[], &["p.ATest", "p.ParamTest"]).charged();
        let has =
            |name: &str, method: &str| charged.get(name).is_some_and(|methods| methods.contains(method));
        assert!(has("class p.ATest", "p/ATest.up()V"), "{version}: {charged:?}");
        assert!(has("p.ATest#one", "p/ATest.<init>()V"), "{version}: {charged:?}");
        assert!(!has("p.ATest#one", "p/ATest.up()V"), "{version}: {charged:?}");
        assert!(!has("p.ATest#one", "p/ATest.two()V"), "{version}: {charged:?}");
        assert!(
            has("class p.ParamTest", "p/ParamTest.data()Ljava/util/Collection;"),
            "{version}: {charged:?}"
        );
        assert!(has("p.ParamTest#a", "p/ParamTest.<init>(I)V"), "{version}: {charged:?}");
    }
}

#[test]
fn an_unknown_framework_is_a_gap_and_nothing_is_skipped() {
    let sources = [
        (
            "org/junit/runner/notification/RunNotifier.java",
            "package org.junit.runner.notification; public class RunNotifier { public void testBegins(Object description) { } }",
        ),
        (
            "junit/framework/TestResult.java",
            "package junit.framework; public class TestResult { public void startTest(Test test) { } public void endTest(Test test) { }
             public void addError(Test test, Throwable t) { } public void addFailure(Test test, Throwable t) { } }",
        ),
        ("junit/framework/Test.java", "package junit.framework; public interface Test { }"),
        (
            "junit/framework/TestCase.java",
            "package junit.framework; public class TestCase implements Test { String name; public String getName() { return name; }
             public void run(TestResult r) { r.startTest(this); System.out.println(\"ran \" + name); r.endTest(this); } }",
        ),
        (
            "p/Main.java",
            "package p; public class Main extends junit.framework.TestCase { Main() { super.name = \"a\"; }
             public static void main(String[] a) { if (a.length > 0) new org.junit.runner.notification.RunNotifier();
                new Main().run(new junit.framework.TestResult()); } }",
        ),
    ];
    let sources = sources.map(|(path, text)| (path, text.replace("String name;", "protected String name;")));
    let sources: Vec<(&str, &str)> = sources.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let suite = Suite::new(&jdk(17), &["org.hamcrest:hamcrest-core:1.3"], &sources, &["p.Main"]);
    suite.check(&["p.Main"], 0, "p.Main  skipped");
    let suite = Suite { main: vec!["p.Main".to_owned(), "new".to_owned()], ..suite };
    let output = suite.run(&["p.Main"]);
    assert!(output.stdout.contains("ran a") && output.stdout.contains("p.Main#a  passed"), "{output:?}");
    let gap = "not seen: org/junit/runner/notification/RunNotifier.fireTestStarted is not there: boundaries are unknown, nothing is skipped";
    assert!(output.stderr.contains(gap), "{output:?}");
}
