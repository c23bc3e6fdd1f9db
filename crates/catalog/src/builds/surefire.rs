//! Surefire and Failsafe, with which Maven runs tests: the settings that they give the JVMs they start.

use super::BuildToolRow;
use crate::name::NameSet;
use crate::package::PackageRole::{NoProbes, ReadsStacks, RunsTests};
use crate::package::package;

/// The row.
pub const SUREFIRE: BuildToolRow = BuildToolRow {
    name: "Surefire",
    why: "It gives its JVMs files with properties and settings, and takes some properties for itself. What these say of \
          places, and of which tests to run, no test relies on.",
    cases: &["projects/single", "projects/failsafe", "projects/forks", "maven.rs"],
    packages: &[
        package("org/apache/maven/surefire/", &[NoProbes, ReadsStacks, RunsTests]),
        // Its own output about tests, in Maven's JVM and in others.
        package("org/apache/maven/plugin/surefire/", &[NoProbes]),
    ],
    words: &["surefire", "failsafe"],
    test_mains: &["surefire", "org.apache.maven.surefire."],
    reports: &["target/surefire-reports", "target/failsafe-reports"],
    own_properties: &["surefire."],
    class_path_properties: &["surefire.real.class.path", "surefire.test.class.path"],
    ..BuildToolRow::EMPTY
};

/// Its settings that say where things are, or which tests there are.
pub const UNIMPORTANT: NameSet = NameSet {
    name: "settings of Surefire that do not matter",
    prefixes: &[
        "classPathUrl.",
        "surefireClassPathUrl.",
        "tc.",
        "forkNodeConnectionString",
        "forkNumber",
        "mainCliOptions",
        "pluginPid",
        "reportsDirectory",
        "requestedTest",
        "runStatisticsFile",
        "testClassesDirectory",
        "testSuiteDefinitionTestSourceDirectory",
        "includes",
        "excludes",
        "specificTest",
        "testListResolver",
        "failIfNoTests",
        "failFastCount",
        "rerunFailingTestsCount",
        "shutdown",
        "systemExitTimeout",
    ],
    why: "They say where things are, or which tests there are: no test relies on them.",
    cases: &["projects/single", "projects/forks"],
    ..NameSet::EMPTY
};

/// The property with the class path of the tests: that of the JVM names one archive only.
pub const TEST_CLASS_PATH: &str = "surefire.test.class.path";

/// Its settings that say which tests run, besides the list of classes.
pub const CHOOSING: NameSet = NameSet {
    name: "settings of Surefire that choose tests",
    prefixes: &[
        "requestedTest",
        "includes",
        "excludes",
        "specificTest",
        "testListResolver",
        "failFastCount",
        "groups",
        "excludedgroups",
    ],
    why: "A JVM that was asked for some tests only has not met all suites of a project.",
    cases: &["suites.rs"],
    ..NameSet::EMPTY
};

/// Its settings that name files of its own.
pub const OWN_FILES: [&str; 2] = ["reportsDirectory", "runStatisticsFile"];

/// Its setting that turns assertions on.
pub const ASSERTIONS: &str = "enableAssertions";

/// Whether an argument of a JVM that it started names a file with properties or settings.
pub fn is_settings_file(argument: &str) -> bool {
    let name = argument.rsplit('/').next();
    name.is_some_and(|name| name.starts_with("surefire") && name.ends_with("tmp"))
}

/// Whether such a file holds settings, and not properties.
pub fn holds_settings(text: &str) -> bool {
    text.contains("providerConfiguration=") || text.contains("testClassesDirectory=")
}

/// Whether a process is how it finds out, from 2.20 to 3.0.0-M3, that Maven is alive: `ps -o etime= -p 4711`, every few seconds.
pub fn is_life_check(program: &str, arguments: &[String]) -> bool {
    let [option, command] = arguments else { return false };
    let mut words = command.split_whitespace();
    let is_ps = words.next().is_some_and(|word| ["ps", "/bin/ps", "/usr/bin/ps"].contains(&word));
    let rest: Vec<&str> = words.collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let asks =
        matches!(rest.as_slice(), ["-o", "etime=", "-p", pid] | ["-o", "etime=", pid] if is_number(pid));
    program == "/bin/sh" && option == "-c" && is_ps && asks
}

#[cfg(test)]
mod tests {
    use super::is_life_check;

    #[test]
    fn only_what_surefire_asks_is_its_own() {
        let started =
            |program: &str, command: &str| is_life_check(program, &["-c", command].map(str::to_owned));
        let is_own = |command: &str| started("/bin/sh", command);
        assert!(is_own("/bin/ps -o etime= -p 4711") && is_own("ps -o etime= 4711"));
        // Programs of the project's own may bear these names, and change.
        assert!(!started("tools/sh", "ps -o etime= -p 1") && !is_own("tools/ps -o etime= -p 1"));
        for other in
            ["ps -o etime= -p 1; cat x", "ps -o args= -p 1", "cat ps -o etime= -p 1", "ps -o etime= -p x"]
        {
            assert!(!is_own(other), "{other}");
        }
    }
}
