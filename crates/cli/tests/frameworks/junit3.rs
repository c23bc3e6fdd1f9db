//! JUnit 3: alone, and as a part of JUnit 4.

use crate::{Suite, newest};
use tamis_test_support::jdk::{Jdk, jdk};

const SOURCES: [(&str, &str); 6] = [
    ("p/ATest.java", "package p; public class ATest extends junit.framework.TestCase {
        protected void setUp() { System.out.println(\"ran setUp\"); }
        public void testOne() { } public void testTwo() { fail(); } public void testThree() { throw new IllegalStateException(); } }"),
    ("p/Base.java", "package p; public abstract class Base extends junit.framework.TestCase { public void testInherited() { } }"),
    ("p/SubTest.java", "package p; public class SubTest extends Base { public void testOwn() { } }"),
    ("p/SetUpTest.java", "package p; public class SetUpTest extends junit.framework.TestCase { public void testA() { }
        public static junit.framework.Test suite() { return new junit.extensions.TestSetup(new junit.framework.TestSuite(SetUpTest.class)) {
            protected void setUp() { System.out.println(\"ran shared setUp\"); } }; } }"),
    ("p/Fixture.java", "package p; public class Fixture extends junit.framework.TestCase { public void testBad() { fail(); } }"),
    ("p/AllTests.java", "package p; import junit.framework.*; public class AllTests extends TestCase {
        public void testNesting() { new TestSuite(Fixture.class).run(new TestResult()); }
        public static Test suite() { TestSuite all = new TestSuite(\"all of p\"); all.addTestSuite(ATest.class); all.addTestSuite(SubTest.class);
            all.addTest(SetUpTest.suite()); all.addTest(new TestSuite(AllTests.class)); return all; } }"),
];

fn check(library: &str, jdk: &Jdk) {
    let suite = Suite::new(jdk, &[library], &SOURCES, &["junit.textui.TestRunner", "p.AllTests"]);
    suite.check(
        &[],
        1,
        "
        class p.ATest  passed
        p.ATest#testOne  passed
        p.ATest#testTwo  failed
        p.ATest#testThree  failed
        ran setUp
        ran setUp
        ran setUp
        class p.SubTest  passed
        p.SubTest#testInherited  passed
        p.SubTest#testOwn  passed
        class p.SetUpTest  passed
        p.SetUpTest#testA  passed
        ran shared setUp
        class p.AllTests  passed
        p.AllTests#testNesting  passed",
    );
    suite.check(
        &["p.ATest", "p.SubTest#testInherited", "p.SetUpTest#testA", "p.Fixture", "p.Base"],
        0,
        "
        p.ATest  skipped
        class p.SubTest  passed
        p.SubTest#testInherited  skipped
        p.SubTest#testOwn  passed
        p.SetUpTest#testA  skipped
        ran shared setUp
        class p.AllTests  passed
        p.AllTests#testNesting  passed",
    );
}

#[test]
fn the_last_version_on_every_jdk() {
    for jdk in newest(8) {
        check("junit:junit:3.8.2", &jdk);
    }
}

#[test]
fn older_and_inside_junit_4() {
    for library in ["junit:junit:3.8.1", "junit:junit:4.13.2"] {
        check(library, &jdk(17));
    }
}

#[test]
fn tests_of_junit_4_in_a_runner_of_junit_3_are_seen_once() {
    let sources = [
        (
            "p/FourTest.java",
            "package p; import org.junit.*; public class FourTest { @Test public void a() { } @Test public void b() { Assert.fail(); } }",
        ),
        (
            "p/AllTests.java",
            "package p; public class AllTests extends junit.framework.TestCase {
             public static junit.framework.Test suite() { return new junit.framework.JUnit4TestAdapter(FourTest.class); } }",
        ),
    ];
    for version in ["junit:junit:4.4", "junit:junit:4.13.2"] {
        let suite = Suite::new(&jdk(17), &[version], &sources, &["junit.textui.TestRunner", "p.AllTests"]);
        let seen = "class p.FourTest  passed\nclass p.FourTest  passed\np.FourTest#a  passed\np.FourTest#b  ";
        suite.check(&[], 1, &format!("{seen}failed"));
        suite.check(&["p.FourTest#b"], 0, &format!("{seen}skipped"));
    }
}
