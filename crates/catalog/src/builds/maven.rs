//! Maven: its files, the properties with which people ask something of it, what it writes.

use super::BuildToolRow;
use crate::name::NameSet;

/// The row.
pub const MAVEN: BuildToolRow = BuildToolRow {
    name: "Maven",
    why: "Its own JVM runs no tests unless somebody asks for that; nothing is asked of it.",
    cases: &["projects/single", "projects/modules"],
    build_files: &[POM, WRAPPER],
    main_classes: &["org.codehaus.plexus.classworlds.launcher.Launcher"],
    test_outputs: &["test-classes"],
    ..BuildToolRow::EMPTY
};

/// The build file of a module.
pub const POM: &str = "pom.xml";

/// The folder that marks the top of a project, and the files in it with options for Maven's JVM and for Maven.
pub const SETTINGS_FOLDER: &str = ".mvn";
/// Options for Maven's JVM, in the folder of settings.
pub const JVM_SETTINGS: &str = "jvm.config";
/// Options for Maven, in the folder of settings.
pub const MAVEN_SETTINGS: &str = "maven.config";

/// The program, and the script that a project brings.
pub const PROGRAM: &str = "mvn";
/// The script that a project brings, which fetches Maven.
pub const WRAPPER: &str = "mvnw";

/// The variable with options for Maven's JVM.
pub const JVM_VARIABLE: &str = "MAVEN_OPTS";

/// The variable with options for Maven.
pub const MAVEN_VARIABLE: &str = "MAVEN_ARGS";

/// The property with extensions that are loaded beside those of the project.
pub const EXTENSIONS: &str = "maven.ext.class.path";

/// The property with the directory of a module, in JVMs that run its tests.
pub const MODULE_DIRECTORY: &str = "basedir";

/// Properties by which a person asks for certain tests, or to look at them while they run.
pub const REQUESTING: NameSet = NameSet {
    name: "requests to Maven",
    exact: &[
        "test",
        "it.test",
        "surefire.rerunFailingTestsCount",
        "failsafe.rerunFailingTestsCount",
        "maven.surefire.debug",
        "maven.failsafe.debug",
    ],
    why: "Whoever asks for certain tests is given them, whatever is known of them.",
    cases: &["projects/single"],
    ..NameSet::EMPTY
};

/// Properties that turn all tests off.
pub const TURNING_OFF: NameSet = NameSet {
    name: "properties that turn tests off",
    exact: &["skipTests", "maven.test.skip", "maven.test.skip.exec"],
    why: "Where no tests are to run, nothing is to be decided.",
    cases: &["projects/single"],
    ..NameSet::EMPTY
};

/// Whether a property, on a command line or in a build file, has tests run inside Maven's JVM.
pub fn is_for_tests_inside(property: &str, value: &str) -> bool {
    match property {
        "forkCount" | "surefire.forkCount" | "failsafe.forkCount" => value.trim() == "0",
        "forkMode" | "surefire.forkMode" => value.trim() == "never",
        _ => false,
    }
}

/// A line of Maven's log without colours.
pub fn without_colours(line: &str) -> String {
    line.replace("\x1b[m", "").replace("\x1b[1m", "").replace("\x1b[0m", "")
}

/// The goal that a line of the log announces, if it does: `--- surefire:3.5.4:test (default-test) @ core ---`.
pub fn announced_goal(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(" --- ")?;
    let goal = rest.split(' ').next().unwrap_or_default();
    Some(goal.rsplit(':').next().unwrap_or(goal))
}

/// Whether a line of the log, without colours, is one of an error.
pub fn is_error(line: &str) -> bool {
    line.starts_with("[ERROR]") || line.contains("ERROR\x1b")
}
