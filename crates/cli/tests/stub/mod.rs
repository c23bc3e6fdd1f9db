//! A stub of JUnit 4 with its class names, so that programs need no jar; and the agent.

#![allow(dead_code)] // Each test program uses only a part.
#![allow(clippy::unwrap_used)] // Tests may panic.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use tamis_test_support::javac;
use tamis_test_support::jdk::Jdk;

pub(crate) const STUBS: [(&str, &str); 4] = [
    ("Plain.java", "public class Plain { }"),
    (
        "org/junit/runner/Description.java",
        "package org.junit.runner; public class Description {
            final String c, m; public Description(String c, String m) { this.c = c; this.m = m; }
            public String getDisplayName() { return m + \"(\" + c + \")\"; }
            public String getClassName() { return c; } public String getMethodName() { return m; } }",
    ),
    (
        "org/junit/runner/notification/Failure.java",
        "package org.junit.runner.notification; public class Failure {
            final org.junit.runner.Description d; public Failure(org.junit.runner.Description d) { this.d = d; }
            public org.junit.runner.Description getDescription() { return d; } }",
    ),
    (
        "org/junit/runner/notification/RunNotifier.java",
        "package org.junit.runner.notification; import org.junit.runner.Description; public class RunNotifier {
            public void fireTestStarted(Description d) { } public void fireTestFinished(Description d) { }
            public void fireTestFailure(Failure f) { } public void fireTestAssumptionFailed(Failure f) { }
            public void fireTestIgnored(Description d) { }
            public interface Body { void run() throws Throwable; }
            public void trial(String name, Body body) { Description d = new Description(\"p.T\", name);
                fireTestStarted(d);
                try { body.run(); } catch (Throwable t) { fireTestFailure(new Failure(d)); } finally { fireTestFinished(d); } }
            public void test(String name, Runnable body) { Description d = new Description(\"p.T\", name);
                fireTestStarted(d);
                try { body.run(); } catch (Throwable t) { fireTestFailure(new Failure(d)); } finally { fireTestFinished(d); } } }",
    ),
];

/// Compiles the program as class `p.Main`, with the stubs.
pub(crate) fn compile(jdk: &Jdk, program: &str) -> javac::ClassDir {
    let mut sources = STUBS.to_vec();
    sources.push(("p/Main.java", program));
    javac::compile(jdk, &sources, &["-g"]).unwrap()
}

/// The agent as the CLI unpacks it.
pub(crate) fn agent() -> PathBuf {
    static AGENT: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, agent) = AGENT.get_or_init(|| {
        let cache = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.args(["run", "--observe", "-q", "--", "true"]).env("XDG_CACHE_HOME", cache.path());
        assert!(command.status().unwrap().success());
        let mut files = std::fs::read_dir(cache.path().join("tamis/agent")).unwrap();
        let agent = files.next().unwrap().unwrap().path();
        (cache, agent)
    });
    agent.clone()
}
