//! Every line of docs/ci.md that begins with `tamis` is executed, and works.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tamis_test_support::{jdk, run};

use crate::PATIENCE;

const POM: &str = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>
  <groupId>p</groupId><artifactId>p</artifactId><version>1</version>
  <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
  <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  <dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope>
  </dependency></dependencies><build><plugins>
  <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>";

const TEST: &str = "package p; public class ATest { @org.junit.Test public void a() { } @org.junit.Test public void b() { } }";

/// The commands of the page: lines of blocks of code, also behind the dash of a list or in quotes.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for block in page.split("```").skip(1).step_by(2) {
        for line in block.lines().skip(1) {
            let line = line.trim().trim_start_matches("- ").trim_start_matches("steps { sh '");
            let line = line.trim_start_matches("sh '").trim_end_matches(['}', ' ']).trim_end_matches('\'');
            let is_names = line.starts_with("names=$(tamis") || line.starts_with("test -z");
            if (line.starts_with("tamis ") || is_names) && !commands.contains(&line.to_owned()) {
                commands.push(line.to_owned());
            }
        }
    }
    commands
}

#[test]
fn the_commands_of_the_page_work() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/ci.md")).unwrap();
    let commands = commands(&page);
    let all: BTreeSet<&str> = commands.iter().map(String::as_str).collect();
    assert!(all.contains("tamis test --require-tests -- -B") && all.len() >= 6, "{commands:#?}");
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("src/test/java/p")).unwrap();
    fs::write(folder.path().join("pom.xml"), POM).unwrap();
    fs::write(folder.path().join("src/test/java/p/ATest.java"), TEST).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_tamis")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let summary = folder.path().join("summary.md");
    let mut shell = Command::new("sh");
    shell.args(["-exc", &commands.join("\n")]).current_dir(folder.path());
    shell.env("PATH", path).env("NO_COLOR", "1").env("JAVA_HOME", jdk::jdk(17).home);
    shell.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", &summary);
    run::forget_java_settings(&mut shell);
    let output = run::run(&mut shell, PATIENCE).unwrap();
    let text = output.stdout + &output.stderr;
    assert_eq!(output.code, Some(0), "{text}");
    let written = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(written("report.html").contains("<title>Tamis report</title>"));
    assert!(written("summary.md").contains("2 passed"), "{}", written("summary.md"));
    assert!(written(".tamis/last/junit.xml").contains("<testsuite "));
    assert!(written(".tamis/last/metrics.txt").contains("tamis_tests_failed 0"));
}
