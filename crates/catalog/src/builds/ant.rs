//! Ant.

use super::BuildToolRow;
use crate::package::PackageRole::{NoProbes, ReadsStacks, RunsTests};
use crate::package::package;

/// The row.
pub const ANT: BuildToolRow = BuildToolRow {
    name: "Ant",
    why: "Tests run in its own JVM unless a build asks for a fork. Of that JVM, only the beginning of a test is of interest. Its \
          runners read a file with a name of chance, and write reports. The rest of Ant is a library that tests may use.",
    cases: &["no_tests.rs", "runners.rs"],
    packages: &[
        package("org/apache/tools/ant/taskdefs/optional/junit/", &[NoProbes, ReadsStacks, RunsTests]),
        package("org/apache/tools/ant/taskdefs/optional/junitlauncher/", &[NoProbes, ReadsStacks, RunsTests]),
    ],
    build_files: &["build.xml"],
    main_classes: &["org.apache.tools.ant.launch.Launcher"],
    // Their arguments name that file.
    test_mains: &["org.apache.tools.ant.taskdefs.optional.junit"],
    runs_tests_inside: true,
    fork_setting: "fork=\"true\" in <junit>, or <fork/> in <junitlauncher>",
    ..BuildToolRow::EMPTY
};
