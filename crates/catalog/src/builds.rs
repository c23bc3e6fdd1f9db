//! Build tools and what they start tests with, one file each: their files, their JVMs, what they set in JVMs that run tests.

pub mod ant;
pub mod bazel;
pub mod build_info;
pub mod gradle;
pub mod kotlin_daemon;
pub mod maven;
pub mod mill;
pub mod sbt;
pub mod surefire;

use crate::jdk::properties;
use crate::name::{NameSet, begins_any, is_any};
use crate::package::PackageEntry;
use std::path::Path;

/// All of them.
pub const BUILD_TOOLS: &[BuildToolRow] = &[
    maven::MAVEN,
    surefire::SUREFIRE,
    gradle::GRADLE,
    ant::ANT,
    sbt::SBT,
    mill::MILL,
    bazel::BAZEL,
    kotlin_daemon::KOTLIN_DAEMON,
];

/// Their names that have a reason of their own.
pub(crate) const NAMES: &[NameSet] = &[
    build_info::FILES,
    maven::REQUESTING,
    maven::TURNING_OFF,
    gradle::REQUESTING,
    gradle::TURNING_OFF,
    surefire::UNIMPORTANT,
    surefire::CHOOSING,
];

/// A build tool, or a part of one that runs tests.
#[derive(Clone, Copy, Debug)]
pub struct BuildToolRow {
    /// The name that people use.
    pub name: &'static str,
    /// Why it is treated so.
    pub why: &'static str,
    /// The cases that prove it.
    pub cases: &'static [&'static str],
    /// Its packages, each with what it is to us.
    pub packages: &'static [PackageEntry],
    /// Words in the names of its main classes and archives, in lower case.
    pub words: &'static [&'static str],
    /// Files in the directory where a build begins.
    pub build_files: &'static [&'static str],
    /// How the main classes or archives of its own JVMs begin.
    pub main_classes: &'static [&'static str],
    /// Whether tests run in its own JVM unless a build asks for another.
    pub runs_tests_inside: bool,
    /// The setting of a build that gives tests a JVM of their own.
    pub fork_setting: &'static str,
    /// How the main classes or archives of JVMs begin that it starts for tests.
    pub test_mains: &'static [&'static str],
    /// Where it puts the classes of tests.
    pub test_outputs: &'static [&'static str],
    /// Where it reports on tests, within a module.
    pub reports: &'static [&'static str],
    /// How the properties begin that it sets for itself in JVMs that run tests.
    pub own_properties: &'static [&'static str],
    /// The settings among them that hold class paths.
    pub class_path_properties: &'static [&'static str],
    /// Folders in which it remembers earlier builds.
    pub memory: &'static [&'static str],
    /// Whether it keeps the results of its test JVMs and takes them for complete. Then a JVM leaves out tests only if the
    /// build was told before.
    pub keeps_results: bool,
}

impl BuildToolRow {
    pub(crate) const EMPTY: BuildToolRow = BuildToolRow {
        name: "",
        why: "",
        cases: &[],
        packages: &[],
        words: &[],
        build_files: &[],
        main_classes: &[],
        runs_tests_inside: false,
        fork_setting: "",
        test_mains: &[],
        test_outputs: &[],
        reports: &[],
        own_properties: &[],
        class_path_properties: &[],
        memory: &[],
        keeps_results: false,
    };
}

column!(
    /// Files in the directory where a build begins.
    pub BUILD_FILES: &str = ""; BUILD_TOOLS.build_files);
column!(
    /// Where builds report on tests, within a module.
    pub REPORTS: &str = ""; BUILD_TOOLS.reports);
column!(
    /// Folders in which builds remember earlier ones.
    pub MEMORY: &str = ""; BUILD_TOOLS.memory);
column!(TEST_MAINS: &str = ""; BUILD_TOOLS.test_mains);
column!(TEST_OUTPUTS: &str = ""; BUILD_TOOLS.test_outputs);
column!(OWN_PROPERTIES: &str = ""; BUILD_TOOLS.own_properties);
column!(CLASS_PATH_PROPERTIES: &str = ""; BUILD_TOOLS.class_path_properties);

/// The build tool, or the compiler that outlives builds, with this word of a JVM's command line as its main class.
pub fn build_tool(word: &str) -> Option<&'static BuildToolRow> {
    let archive = word.rsplit('/').next().filter(|name| name.ends_with(".jar"));
    BUILD_TOOLS.iter().find(|tool| {
        let is_main = |name: &str| begins_any(tool.main_classes, name.as_bytes());
        is_main(word) || archive.is_some_and(is_main)
    })
}

/// Whether this is the name of a report on the tests of a class: builds agree on it.
pub fn is_report(file: &str) -> bool {
    file.starts_with("TEST-") && file.ends_with(".xml")
}

/// Whether a main class, or the file name of an archive, is what a build starts tests with.
pub fn runs_tests(main: &str) -> bool {
    begins_any(TEST_MAINS, main.as_bytes())
}

/// Whether a build keeps the results of JVMs with this main class, and takes them for complete.
pub fn keeps_results(main: &str) -> bool {
    BUILD_TOOLS.iter().any(|tool| tool.keeps_results && begins_any(tool.test_mains, main.as_bytes()))
}

/// Whether builds put the classes of tests into such a directory.
pub fn is_test_output(directory: &Path) -> bool {
    TEST_OUTPUTS.iter().any(|folder| directory.ends_with(folder))
}

/// Whether a build sets this property for itself.
pub fn is_own_property(property: &str) -> bool {
    begins_any(OWN_PROPERTIES, property.as_bytes())
}

/// Whether a property holds a class path, be it the JDK's or one that a build sets.
pub fn holds_class_path(property: &str) -> bool {
    properties::CLASS_PATHS.has(property) || is_any(CLASS_PATH_PROPERTIES, property.as_bytes())
}

/// The format of reports on tests that build servers read: its name, and the usual name of its file.
pub const SERVER_FORMAT: &str = "junit";
/// The file with such a report.
pub const SERVER_REPORT: &str = "junit.xml";
