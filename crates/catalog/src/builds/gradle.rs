//! Gradle.

use super::BuildToolRow;
use crate::name::NameSet;
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
    build_files: BUILD_FILES,
    main_classes: &[
        "org.gradle.launcher.",
        "org.gradle.wrapper.",
        "gradle-wrapper",
        "gradle-gradle-cli-main",
        "gradle-cli-main",
    ],
    test_mains: &["org.gradle.", "worker.org.gradle."],
    test_outputs: &["build/classes/java/test", "build/classes/kotlin/test", "build/classes/groovy/test"],
    reports: &["build/test-results"],
    own_properties: &["org.gradle.test.", "org.gradle.internal.", "org.gradle.native"],
    memory: &[".gradle"],
    keeps_results: true,
    ..BuildToolRow::EMPTY
};

/// Files in the directory of a project.
pub const BUILD_FILES: &[&str] =
    &["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"];

/// Files in the directory where a build begins.
pub const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];

/// The program.
pub const PROGRAM: &str = "gradle";
/// The script that a project brings, which fetches Gradle.
pub const WRAPPER: &str = "gradlew";
/// The settings of that script, beside it.
pub const WRAPPER_SETTINGS: &str = "gradle/wrapper/gradle-wrapper.properties";

/// How the names of a library begin whose name has the version of Gradle.
pub const LIBRARY: &str = "gradle-launcher-";

/// The oldest version that works.
pub const OLDEST: (u32, u32) = (6, 8);

/// The task that runs the tests of a project.
pub const TEST_TASK: &str = "test";

/// A task of our plugin that does nothing. Excluded, it is part of what Gradle's configuration cache compares.
pub const MARK: &str = ":tamis";

/// The variable with the file of the gate, for our plugin.
pub const GATE_VARIABLE: &str = "TAMIS_GATE";

/// What our plugin calls Gradle in a question, before the version.
pub const ASKING: &str = "gradle";

/// Options by which a person asks for certain tests, or for all of them, or to look at them while they run.
pub const REQUESTING: NameSet = NameSet {
    name: "requests to Gradle",
    exact: &["tests", "debug-jvm", "rerun", "rerun-tasks"],
    why: "Whoever asks for certain tests is given them, whatever is known of them.",
    cases: &["projects/gradle_single"],
    ..NameSet::EMPTY
};

/// Options with which no task runs.
pub const TURNING_OFF: NameSet = NameSet {
    name: "options of Gradle that turn tests off",
    exact: &["m", "dry-run", "test-dry-run"],
    why: "Where no tests are to run, nothing is to be decided.",
    cases: &["projects/gradle_single"],
    ..NameSet::EMPTY
};

/// The version in the name of a distribution or a library: `gradle-8.8-bin.zip`, `gradle-launcher-8.8.jar`.
pub fn version_in(name: &str) -> Option<String> {
    let at = name.find(|letter: char| letter.is_ascii_digit())?;
    let version = name.get(at..)?;
    let end = ["-bin", "-all", "-src", ".jar", ".zip"].iter().filter_map(|end| version.find(end)).min();
    version.get(..end?).map(str::to_owned)
}

/// The task that a line of the log announces, if it does: `> Task :core:test`.
pub fn announced_task(line: &str) -> Option<&str> {
    line.strip_prefix("> Task ")?.split(' ').next()
}
