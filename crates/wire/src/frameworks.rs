//! Test frameworks and builds' runners: whatever they do, they do to every test.
//!
//! Both sides must agree on which classes these are. One that lies in a library has no probes, because the archives that
//! hold such classes are a fact of every test.

/// Packages of test frameworks, their engines and builds' runners.
const PACKAGES: [&str; 13] = [
    "junit/framework/",
    "junit/runner/",
    "org/junit/",
    "org/testng/",
    "org/opentest4j/",
    "org/apiguardian/",
    "org/apache/maven/surefire/",
    "org/apache/maven/plugin/surefire/",
    "org/gradle/",
    "org/spockframework/runtime/",
    "io/cucumber/junit/",
    "worker/org/gradle/",
    "tamis/runner/", // Ours, of an audit.
];

/// Whether a class, by its internal name, is one of theirs.
pub fn is_framework(class: &str) -> bool {
    PACKAGES.iter().any(|package| class.starts_with(package))
}
