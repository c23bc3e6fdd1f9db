//! Ant.

use super::BuildToolRow;

/// The row.
pub const ANT: BuildToolRow = BuildToolRow {
    name: "Ant",
    why: "Tests run in its own JVM unless a build asks for a fork. Of that JVM, only the beginning of a test is of interest.",
    cases: &["no_tests.rs"],
    build_files: &["build.xml"],
    main_classes: &["org.apache.tools.ant.launch.Launcher"],
    runs_tests_inside: true,
    fork_setting: "fork=\"true\" in <junit>, or <fork/> in <junitlauncher>",
    ..BuildToolRow::EMPTY
};
