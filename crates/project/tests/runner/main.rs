//! The checked-in runner equals the compiled source.

#![allow(clippy::unwrap_used)] // Tests may panic.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use tamis_test_support::{jar, javac, jdk, maven};

/// Compiled against these versions. All later versions have the members that it uses.
const FRAMEWORKS: [&str; 3] =
    ["org.junit.platform:junit-platform-launcher:1.10.2", "junit:junit:4.13.2", "org.testng:testng:6.14.3"];

#[test]
fn the_jar_is_what_its_source_compiles_to() {
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
    let mut sources: Vec<(String, String)> = Vec::new();
    for entry in fs::read_dir(java.join("tamis/runner")).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("tamis/runner/{}", path.file_name().unwrap().to_str().unwrap());
        sources.push((name, fs::read_to_string(path).unwrap()));
    }
    sources.sort();
    let path = env::join_paths(maven::jars(&FRAMEWORKS).unwrap()).unwrap().into_string().unwrap();
    let options = ["--release", "8", "-g:none", "-proc:none", "-Xlint:all,-options,-classfile", "-cp", &path];
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let classes = javac::compile(&jdk::jdk(17), &sources, &options).unwrap();
    for (name, bytes) in classes.classes() {
        assert_eq!(bytes[6..8], [0, 52], "{name} is not for Java 8");
    }
    let compiled = jar::deflated(&classes.files());
    let kept = java.join("runner.jar");
    if env::var_os("TAMIS_BLESS").is_some() {
        fs::write(&kept, &compiled).unwrap();
    }
    assert!(
        fs::read(&kept).unwrap() == compiled,
        "java/runner.jar is not what java/tamis/runner compiles to; renew it with: \
         TAMIS_BLESS=1 cargo test -p tamis-project --test runner"
    );
}

/// JUnit 3 alone, without JUnit 4: single classes, a class with a suite method, failures.
#[test]
fn tests_of_junit_3_are_run_without_junit_4() {
    let path = env::join_paths(maven::jars(&["junit:junit:3.8.2"]).unwrap()).unwrap().into_string().unwrap();
    let sources = [
        (
            "ATest.java",
            "public class ATest extends junit.framework.TestCase {
                 public void testGood() { }
                 public void testBad() { fail(); }
             }",
        ),
        (
            "BTest.java",
            "public class BTest extends junit.framework.TestCase {
                 public BTest(String name) { super(name); }
                 public static junit.framework.Test suite() { return new BTest(\"only\"); }
                 public void only() { }
                 public void testOther() { fail(); }
             }",
        ),
        ("CTest.java", "public class CTest { }"),
    ];
    let jdk = jdk::jdk(17);
    let classes = javac::compile(&jdk, &sources, &["-cp", &path]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [list, results, runner] = ["list", "results", "runner.jar"].map(|name| folder.path().join(name));
    fs::write(&list, "ATest\nBTest\nCTest\nGone\n").unwrap();
    fs::write(&runner, tamis_project::runner::JAR).unwrap();
    let class_path = format!("{path}:{}:{}", classes.path.display(), runner.display());
    let mut java = jdk.java();
    java.args(["-cp", &class_path, tamis_project::runner::MAIN]).arg(&results).arg(&list);
    assert!(java.status().unwrap().success());
    let text = fs::read_to_string(&results).unwrap();
    let told: BTreeSet<&str> = text.lines().collect();
    let expected = [
        "start\tATest#testGood",
        "end\tATest#testGood\tpassed",
        "start\tATest#testBad",
        "end\tATest#testBad\tfailed",
        "start\tBTest#only",
        "end\tBTest#only\tpassed",
        "end\tCTest\tfailed",
        "end\tGone\tfailed",
        "done",
    ];
    assert_eq!(told, expected.into_iter().collect());
}
