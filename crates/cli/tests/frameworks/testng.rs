//! TestNG 6 and 7, with its own runner.

use crate::{Suite, newest};
use tamis_test_support::jdk::{Jdk, jdk};

const HEAD: &str = "package p; import org.testng.*; import org.testng.annotations.*; ";

const SOURCES: [(&str, &str); 7] = [
    ("ATest", "public class ATest { @BeforeSuite public void suite() { System.out.println(\"ran suite\"); }
        @BeforeClass public void up() { System.out.println(\"ran ATest.up\"); }
        @AfterClass public void down() { System.out.println(\"ran ATest.down\"); }
        @Test public void one() { } @Test public void two() { Assert.fail(); } @Test(enabled = false) public void three() { }
        @Test public void four() { throw new SkipException(\"\"); } }"),
    ("Base", "public abstract class Base { @Test public void inherited() { } }"),
    ("SubTest", "public class SubTest extends Base { @Test(groups = \"g\") public void own() { } @BeforeGroups(\"g\") public void group() { } }"),
    ("DataTest", "public class DataTest { @DataProvider public Object[][] rows() { System.out.println(\"ran rows\"); return new Object[][] {{1}, {2}}; }
        @Test(dataProvider = \"rows\") public void each(int n) { Assert.assertEquals(n, 1); }
        @Test(invocationCount = 3, threadPoolSize = 2) public void often() { } }"),
    ("MadeTest", "public class MadeTest { final int n; public MadeTest(int n) { this.n = n; }
        @Factory public static Object[] make() { return new Object[] {new MadeTest(1), new MadeTest(2)}; }
        @Test public void a() { Assert.assertEquals(n, 1); } }"),
    ("BadTest", "public class BadTest { @BeforeClass public void up() { throw new IllegalStateException(); } @Test public void never() { } }"),
    ("NeedTest", "public class NeedTest { @Test public void first() { } @Test(dependsOnMethods = \"first\") public void second() { }
        @Test(groups = \"h\") public void third() { } @Test(dependsOnGroups = \"h\") public void fourth() { }
        @BeforeMethod public void each(java.lang.reflect.Method m) { if (m.getName().equals(\"fifth\")) throw new IllegalStateException(); }
        @Test(priority = 9) public void fifth() { } }"),
];

fn suite(version: &str, jdk: &Jdk, more: &[&str]) -> Suite {
    let named: Vec<(String, String)> =
        SOURCES.iter().map(|(name, text)| (format!("p/{name}.java"), format!("{HEAD}{text}"))).collect();
    let sources: Vec<(&str, &str)> =
        named.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut main = vec![
        "org.testng.TestNG",
        "-usedefaultlisteners",
        "false",
        "-verbose",
        "0",
        "-configfailurepolicy",
        "continue",
    ];
    main.extend(more);
    main.extend(["-testclass", "p.ATest,p.SubTest,p.DataTest,p.MadeTest,p.BadTest,p.NeedTest"]);
    // A class is observed around each of its methods, and a method once per instance and thread. How often
    // does not matter.
    Suite::new(jdk, &[&format!("org.testng:testng:{version}")], &sources, &main).each_line_once()
}

const SEEN: &str = "
    class p.ATest  passed
    p.ATest#one  passed
    p.ATest#two  failed
    p.ATest#four  aborted
    ran suite
    ran ATest.up
    ran ATest.down
    class p.SubTest  passed
    p.SubTest#inherited  passed
    p.SubTest#own  passed
    class p.DataTest  passed
    p.DataTest#each  failed
    p.DataTest#often  passed
    ran rows
    class p.MadeTest  passed
    p.MadeTest#a  passed
    p.MadeTest#a  failed
    class p.BadTest  failed
    p.BadTest#never  aborted
    class p.NeedTest  passed
    p.NeedTest#first  passed
    p.NeedTest#second  passed
    p.NeedTest#third  passed
    p.NeedTest#fourth  passed
    p.NeedTest#fifth  failed";

/// Another test depends on the first one, none on the fourth.
const SKIP: [&str; 8] = [
    "p.ATest",
    "p.SubTest#inherited",
    "p.Base#inherited",
    "p.DataTest#each",
    "p.MadeTest#a",
    "p.BadTest",
    "p.NeedTest#first",
    "p.NeedTest#fourth",
];

/// The set-up of the suite may be for other tests, so it runs.
const SKIP_SEEN: &str = "
    p.ATest  skipped
    ran suite
    class p.SubTest  passed
    p.SubTest#inherited  skipped
    p.SubTest#own  passed
    class p.DataTest  passed
    p.DataTest#each  skipped
    p.DataTest#often  passed
    p.MadeTest#a  skipped
    p.BadTest  skipped
    class p.NeedTest  passed
    p.NeedTest#first  passed
    p.NeedTest#second  passed
    p.NeedTest#third  passed
    p.NeedTest#fourth  skipped
    p.NeedTest#fifth  failed";

/// TestNG's exit code distinguishes failed from skipped tests: 1, 2, and 3 for both.
fn check(version: &str, jdk: &Jdk, more: &[&str]) {
    let suite = suite(version, jdk, more);
    suite.check(&[], 3, SEEN);
    suite.check(&SKIP, 3, SKIP_SEEN);
}

#[test]
fn the_last_version_on_every_jdk_that_it_runs_on() {
    for jdk in newest(11) {
        check("7.11.0", &jdk, &[]);
    }
}

#[test]
fn older_versions_are_supported() {
    for version in ["6.8.21", "6.9.10", "6.14.3", "7.0.0", "7.4.0"] {
        check(version, &jdk(17), &[]);
    }
}

#[test]
fn the_last_version_for_java_8_on_jdk_8() {
    check("7.5.1", &jdk(8), &[]);
}

#[test]
fn tests_in_parallel_begin_and_end_once() {
    for version in ["6.14.3", "7.11.0"] {
        check(version, &jdk(17), &["-parallel", "methods", "-threadcount", "4"]);
    }
}

#[test]
fn tests_run_inside_set_up_are_never_skipped() {
    let sources = [
        ("p/Loud.java", "public class Loud { @Test public void good() { System.out.println(\"ran Loud\"); }
            static void run() { TestNG t = new TestNG(false); t.setTestClasses(new Class<?>[] {Loud.class}); t.setVerbose(0); t.run(); }
            static void apart() throws Exception { Thread t = new Thread(Loud::run); t.start(); t.join(); } }"),
        ("p/UpTest.java", "public class UpTest { @BeforeClass public void up() { Loud.run(); } @Test public void a() { } }"),
        ("p/ApartTest.java", "public class ApartTest { @Test public void a() throws Exception { Loud.apart(); } }"),
    ];
    let sources = sources.map(|(path, text)| (path, format!("{HEAD}{text}")));
    let sources: Vec<(&str, &str)> = sources.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let main = [
        "org.testng.TestNG",
        "-usedefaultlisteners",
        "false",
        "-verbose",
        "0",
        "-testclass",
        "p.UpTest,p.ApartTest",
    ];
    let suite = Suite::new(&jdk(17), &["org.testng:testng:7.11.0"], &sources, &main);
    let (code, seen) = suite.observe(&["p.Loud"]);
    assert_eq!((code, seen.matches("ran Loud").count()), (Some(0), 2), "{seen}");
    assert!(!seen.contains("  skipped") && seen.contains("p.ApartTest#a  passed"), "{seen}");
}
