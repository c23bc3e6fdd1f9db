//! Real test frameworks, from the oldest to the newest version, with the agent in their JVM. Checks exactly
//! which tests and classes begin and end, with which outcome, and that skipped tests leave no trace in the
//! framework's results.

#![allow(clippy::unwrap_used)] // Tests may panic.

mod junit3;
mod junit4;
mod maven;
#[path = "../observer/mod.rs"]
mod observer;
mod platform;
#[path = "../stub/mod.rs"]
mod stub;
mod testng;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tamis_test_support::jdk::{Jdk, spread};
use tamis_test_support::{javac, maven as libraries, run};

/// The first three options find our mistakes, the others shorten short programs.
const FLAGS: [&str; 5] =
    ["-Xcheck:jni", "-Xverify:all", "-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// A program and the way to run it.
struct Suite {
    classes: javac::ClassDir,
    /// Classes compiled from other languages.
    others: Option<tempfile::TempDir>,
    jars: Vec<PathBuf>,
    jdk: Jdk,
    main: Vec<String>,
    each_line_once: bool,
}

impl Suite {
    /// Compiles sources against libraries. `main` is the class to run, with its arguments.
    fn new(jdk: &Jdk, jars: &[&str], sources: &[(&str, &str)], main: &[&str]) -> Suite {
        let jars = libraries::jars(jars).unwrap();
        let class_path: Vec<String> = jars.iter().map(|jar| jar.display().to_string()).collect();
        let class_path = class_path.join(":");
        let arguments = ["-g", "-nowarn", "-proc:none", "-cp", &class_path];
        let classes = javac::compile(jdk, sources, &arguments).unwrap();
        let main = main.iter().map(|argument| (*argument).to_owned()).collect();
        Suite { classes, others: None, jars, jdk: jdk.clone(), main, each_line_once: false }
    }

    /// Also compiles Groovy. Its compiler must be among the libraries.
    fn with_groovy(self, source: &str) -> Suite {
        let compiler = [&self.class_path(), "org.codehaus.groovy.tools.FileSystemCompiler"];
        self.with_another(compiler, "All.groovy", source)
    }

    /// Also compiles Kotlin. Its runtime must be among the libraries; its compiler is fetched.
    fn with_kotlin(self, version: &str, source: &str) -> Suite {
        let library = format!("org.jetbrains.kotlin:kotlin-compiler-embeddable:{version}");
        let jars = libraries::jars(&[&library]).unwrap();
        let jars: Vec<String> = jars.iter().map(|jar| jar.display().to_string()).collect();
        let class_path = self.class_path();
        let compiler = [
            &jars.join(":"),
            "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            "-no-stdlib",
            "-no-reflect",
            "-cp",
            &class_path,
        ];
        self.with_another(compiler, "All.kt", source)
    }

    /// Compiles a file with a compiler: its class path, its main class, its options.
    fn with_another<const N: usize>(mut self, compiler: [&str; N], name: &str, source: &str) -> Suite {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, source).unwrap();
        let mut command = self.jdk.java();
        command.arg("-cp").args(compiler).arg("-d").arg(folder.path()).arg(&file);
        let output = run::run(&mut command, run::SHORT).unwrap();
        assert!(output.success(), "{}{}", output.stdout, output.stderr);
        self.others = Some(folder);
        self
    }

    fn each_line_once(self) -> Suite {
        Suite { each_line_once: true, ..self }
    }

    fn class_path(&self) -> String {
        let mut class_path = vec![self.classes.path.display().to_string()];
        class_path.extend(self.others.iter().map(|folder| folder.path().display().to_string()));
        class_path.extend(self.jars.iter().map(|jar| jar.display().to_string()));
        class_path.join(":")
    }

    /// The lines that the tests print beginning with `ran`, and the observations, both sorted, because
    /// frameworks differ in the order of methods.
    fn observe(&self, skip: &[&str]) -> (Option<i32>, String) {
        let output = self.run(skip);
        let told = output.stdout + &output.stderr;
        assert!(!told.contains("not seen"), "JDK {}: {told}", self.jdk.feature);
        let mut lines: Vec<String> = told.lines().filter_map(seen).collect();
        lines.sort();
        if self.each_line_once {
            lines.dedup();
        }
        (output.code, lines.join("\n"))
    }

    /// The methods of this program that each test entered; for a class, without its tests.
    fn charged(&self) -> BTreeMap<String, BTreeSet<String>> {
        let (mut all, mut name) = (BTreeMap::<String, BTreeSet<String>>::new(), String::new());
        for line in self.run(&[]).stdout.lines() {
            if let Some(method) =
                line.strip_prefix("  ").filter(|line| line.starts_with("p/") && line.ends_with(['V', ';']))
            {
                all.entry(name.clone()).or_default().insert(method.to_owned());
            } else if seen(line).is_some_and(|line| !line.starts_with("ran ")) {
                name = line.split("  ").next().unwrap_or_default().to_owned();
            }
        }
        all
    }

    fn run(&self, skip: &[&str]) -> run::Output {
        let mut command = self.jdk.java();
        command.args(FLAGS).arg("-cp").arg(self.class_path()).args(&self.main);
        let mut output = observer::observe(command, skip, true, run::SHORT);
        // A warning about the launcher of JDK 8; we call no method by this function.
        let launcher = "WARNING in native method: JNI call made without checking exceptions when required to from CallStaticObjectMethod";
        output.stdout = output.stdout.replace(launcher, "");
        for sign in ["FATAL ERROR in native", "WARNING in native", "JNI local refs", "VerifyError"] {
            let is_there = output.stdout.contains(sign) || output.stderr.contains(sign);
            assert!(!is_there, "JDK {}: {}{}", self.jdk.feature, output.stdout, output.stderr);
        }
        output
    }

    #[track_caller]
    fn check(&self, skip: &[&str], code: i32, expected: &str) {
        let (ended, seen) = self.observe(skip);
        let mut expected: Vec<&str> =
            expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        expected.sort_unstable();
        assert_eq!(seen, expected.join("\n"), "JDK {}, {:?} without {skip:?}", self.jdk.feature, self.main);
        assert_eq!(ended, Some(code), "JDK {}, {:?} without {skip:?}", self.jdk.feature, self.main);
    }
}

/// A line that a test printed, or an observed span without its duration.
fn seen(line: &str) -> Option<String> {
    const OUTCOMES: [&str; 7] =
        ["passed", "failed", "aborted", "ignored", "unknown", "not finished", "skipped"];
    if let Some(at) = line.find("ran ").filter(|at| *at == 0 || line.as_bytes().get(at - 1) == Some(&b'.')) {
        return line.get(at..).map(str::to_owned);
    }
    let (name, rest) = line.split_once("  ").filter(|(name, _)| !name.is_empty())?;
    let outcome = OUTCOMES.into_iter().find(|outcome| rest.starts_with(outcome))?;
    Some(format!("{name}  {outcome}"))
}

/// JDKs for the newest version of a framework. Older versions run on one JDK only.
fn newest(since: u32) -> Vec<Jdk> {
    spread().into_iter().filter(|jdk| jdk.feature >= since).collect()
}
