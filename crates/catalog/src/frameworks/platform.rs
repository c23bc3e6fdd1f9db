//! The JUnit Platform, which runs the engines of JUnit 5 and 6 and of others.

use super::FrameworkRow;
use crate::package::PackageRole::{NoProbes, ReadsStacks};
use crate::package::package;

/// The row.
pub const PLATFORM: FrameworkRow = FrameworkRow {
    name: "JUnit Platform",
    versions: "1.0 to 6.0",
    why: "It plans all tests before the first one runs. Its suites name classes that lie elsewhere.",
    cases: &["parallel_tests.md", "platform.rs", "projects/junit6"],
    packages: &[
        package("org/opentest4j/", &[NoProbes, ReadsStacks]),
        // Annotations for readers of JUnit's sources: there is no code in it.
        package("org/apiguardian/", &[NoProbes]),
    ],
    words: &["junit"],
    suite_annotations: &["org/junit/platform/suite/api/"],
    ..FrameworkRow::EMPTY
};

/// The file with settings, in a directory of the class path.
pub const SETTINGS_FILE: &str = "junit-platform.properties";

/// Options of the console launcher that name a class path of its own, loaded beside that of the JVM.
pub const CLASS_PATH_OPTIONS: [&str; 4] = ["-cp", "--classpath", "--class-path", "-classpath"];

/// Whether a main class, or the path of an archive, is the console launcher.
pub fn is_console(main: &str) -> bool {
    main == "org.junit.platform.console.ConsoleLauncher"
        || main.rsplit('/').next().is_some_and(|name| name.starts_with("junit-platform-console"))
}
