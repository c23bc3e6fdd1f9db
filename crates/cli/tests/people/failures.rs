//! The error of a failed test, from each framework; and the change that first broke a red test.

use crate::Project;

/// Checks the error of the only test, which fails in line 3 of its source.
#[track_caller]
fn check(project: &Project, source: &str) {
    project.compile(&[("p/ATest.java", source)]);
    let (document, output) = project.run();
    let failed: Vec<_> =
        document["tests"].as_array().unwrap().iter().filter(|test| test["outcome"] == "failed").collect();
    assert_eq!(failed.len(), 1, "{output}");
    let failure = &failed[0]["failure"];
    assert_eq!(failure["error"], "java.lang.IllegalStateException", "{output}");
    assert_eq!(failure["message"], "no room\non disk", "{output}");
    assert_eq!(failure["frame"], "p.ATest.fails(ATest.java:3)", "{output}");
    assert_eq!((&failure["file"], &failure["line"]), (&"src/test/java/p/ATest.java".into(), &3.into()));
    let trace: Vec<&str> =
        failure["trace"].as_array().unwrap().iter().filter_map(|line| line.as_str()).collect();
    assert!(trace.contains(&"Caused by: java.io.IOException: full"), "{trace:?}");
    assert!(output.contains("         p.ATest#fails\n"), "named at the end: {output}");
    let xml = std::fs::read_to_string(project.path().join(".tamis/last/junit.xml")).unwrap();
    assert!(xml.contains("message=\"no room&#10;on disk\">at p.ATest.fails(ATest.java:3)"), "{xml}");
}

const THROWS: &str =
    "throw new IllegalStateException(\"no room\\non disk\", new java.io.IOException(\"full\"));";

#[test]
fn of_junit_3() {
    let project = Project::new(&["junit:junit:3.8.2"], &["junit.textui.TestRunner", "p.ATest"]);
    let test = format!(
        "package p; public class ATest extends junit.framework.TestCase {{\npublic void test() {{ }}\npublic void testFails() {{ fails(); }} static void fails() {{ {THROWS} }} }}"
    );
    project.compile(&[("p/ATest.java", &test)]);
    let (document, output) = project.run();
    let failed = document["tests"].as_array().unwrap().iter().find(|test| test["outcome"] == "failed");
    let failure = &failed.unwrap()["failure"];
    assert_eq!(failure["frame"], "p.ATest.fails(ATest.java:3)", "{output}");
    assert_eq!(failure["message"], "no room\non disk", "{output}");
}

#[test]
fn of_junit_4() {
    let test = format!(
        "package p; public class ATest {{\n@org.junit.Test public void passes() {{ }} @org.junit.Test\npublic void fails() {{ {THROWS} }} }}"
    );
    check(&Project::junit4(), &test);
}

#[test]
fn of_jupiter() {
    let console = "org.junit.platform:junit-platform-console-standalone:1.10.2";
    let main = ["org.junit.platform.console.ConsoleLauncher", "execute", "--select-class=p.ATest"];
    let test = format!(
        "package p; import org.junit.jupiter.api.*; class ATest {{\n@Test void passes() {{ }} @Test\nvoid fails() {{ {THROWS} }} }}"
    );
    check(&Project::new(&[console], &main), &test);
}

#[test]
fn of_testng() {
    let project = Project::new(&["org.testng:testng:7.7.1"], &["org.testng.TestNG", "-testclass", "p.ATest"]);
    let test = format!(
        "package p; import org.testng.annotations.*; public class ATest {{\n@Test public void passes() {{ }} @Test\npublic void fails() {{ {THROWS} }} }}"
    );
    check(&project, &test);
}

#[test]
fn a_red_test_keeps_the_change_that_broke_it() {
    let project = Project::junit4();
    let tax =
        |factor: u32| format!("package p; class Tax {{ static int of(int n) {{ return n * {factor}; }} }}");
    let other =
        |number: u32| format!("package p; class Other {{ static int number() {{ return {number}; }} }}");
    let test = "package p; import org.junit.*; public class ATest {
        @Test public void tax() { Assert.assertEquals(4, Tax.of(2)); Assert.assertTrue(Other.number() > 0); } }";
    let compile = |factor, number| {
        let (tax, other) = (tax(factor), other(number));
        project.compile(&[("p/ATest.java", test), ("p/Tax.java", &tax), ("p/Other.java", &other)]);
    };
    compile(2, 1);
    project.run();
    compile(3, 1);
    let (document, output) = project.run();
    assert!(output.contains("because Tax.of changed"), "{output}");
    assert_eq!(document["changes"][0]["tests"], 1, "{document}");
    for number in [1, 2] {
        // Another change does not hide the first one, neither before nor after another failure.
        compile(3, number);
        let explained = project.tamis(&["explain", "--run"]);
        assert!(explained.contains("runs: it failed last time; it failed first at "), "{explained}");
        assert!(
            explained.contains("body  p.Tax.of(I)I  changed") && !explained.contains("Other"),
            "{explained}"
        );
        let (document, output) = project.run();
        let reason = &document["tests"][0]["reason"];
        assert_eq!(
            (&reason["kind"], &reason["entity"]),
            (&"failed".into(), &"p.Tax.of(I)I".into()),
            "{output}"
        );
    }
    compile(2, 2);
    let (document, output) = project.run();
    assert_eq!(document["tests"][0]["outcome"], "passed", "{output}");
    assert!(!project.tamis(&["explain", "ATest"]).contains("failed"));
}

#[test]
fn a_source_file_stands_for_its_classes_and_unknown_names_are_errors() {
    let project = Project::junit4();
    let test =
        "package p; import org.junit.*; public class ATest { @Test public void a() { new Inner().b(); }
        static class Inner { void b() { } } }";
    project.compile(&[("p/ATest.java", test)]);
    project.run();
    let affected = project.tamis(&["affected", "src/test/java/p/ATest.java"]);
    assert!(affected.contains("1 test depends on src/test/java/p/ATest.java"), "{affected}");
    let unknown = project.tamis(&["affected", "Nothing"]);
    assert_eq!(unknown, "tamis: no class, method or file of this project is called Nothing\n");
}
