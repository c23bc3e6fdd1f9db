//! Gradle.

use super::BuildToolRow;
use crate::package::PackageRole::{NoProbes, ReadsStacks, RunsTests};
use crate::package::package;

/// The row.
pub const GRADLE: BuildToolRow = BuildToolRow {
    name: "Gradle",
    why: "Its own JVMs, which outlive a build, run no tests. The workers that it starts are told later, over a connection, \
          which tests to run.",
    packages: &[
        package("org/gradle/", &[NoProbes, ReadsStacks, RunsTests]),
        package("worker/org/gradle/", &[NoProbes, RunsTests]),
    ],
    build_files: &["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"],
    main_classes: &[
        "org.gradle.launcher.",
        "org.gradle.wrapper.",
        "gradle-wrapper",
        "gradle-gradle-cli-main",
        "gradle-cli-main",
    ],
    test_mains: &["org.gradle.", "worker.org.gradle."],
    test_outputs: &["build/classes/java/test"],
    memory: &[".gradle"],
    ..BuildToolRow::EMPTY
};
