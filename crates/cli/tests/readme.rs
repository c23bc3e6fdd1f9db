//! The README shows the output of the commands, on checked-in classes that equal their compiled sources.

#![allow(clippy::unwrap_used)] // Tests may panic.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tamis_test_support::{javac, jdk};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn the_readme_shows_the_output_of_diff() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("`tamis diff docs").unwrap();
    let args = format!("diff docs{}", rest.split_once('`').unwrap().0);
    let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
    let output =
        tamis.args(args.split_whitespace()).current_dir(root()).env("NO_COLOR", "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("look-up"), "the example shows one: {printed}");
    assert!(readme.contains(&format!("```text\n{printed}```")), "README has another text than:\n{printed}");
}

/// A text without its times.
fn timeless(text: &str) -> String {
    let is_time = |word: &str| word.parse::<f64>().is_ok();
    let line =
        |line: &str| line.split_whitespace().filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_readme_shows_the_output_of_the_demo() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().any(|line| line.starts_with("cargo run --release -- demo ")));
    let shown = readme.split("```text\n").find(|block| block.starts_with("# An edit")).unwrap();
    let shown = timeless(shown.split_once("```").unwrap().0);
    let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
    let output = tamis.arg("demo").env("NO_COLOR", "1").output().unwrap();
    let (printed, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}{errors}");
    // Maven resets the terminal's colours even without a terminal.
    let printed = timeless(&printed.replace("\u{1b}[0m", ""));
    assert!(printed.contains(&shown), "README has another text than:\n{printed}");
}

#[test]
fn the_example_classes_equal_their_compiled_sources() {
    for side in ["before", "after"] {
        let sources = root().join("docs/example/src").join(side).join("shop");
        let mut files: Vec<(String, String)> = fs::read_dir(sources)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                (
                    format!("shop/{}", path.file_name().unwrap().to_str().unwrap()),
                    fs::read_to_string(path).unwrap(),
                )
            })
            .collect();
        files.sort();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let compiled = javac::compile(&jdk::jdk(17), &files, &["--release", "17"]).unwrap();
        for (name, bytes) in compiled.classes() {
            let kept =
                fs::read(root().join("docs/example").join(side).join(format!("{name}.class"))).unwrap();
            assert!(
                kept == bytes,
                "docs/example/{side}/{name}.class is not what javac 17 makes of its source"
            );
        }
    }
}
