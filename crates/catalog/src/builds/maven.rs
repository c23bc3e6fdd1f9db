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

/// The option with which Maven asks nothing, and prints no colours unless it is told to.
pub const WITHOUT_QUESTIONS: &str = "--batch-mode";

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

/// A line of Maven's log without colours and other styles, which Maven writes even where there is no terminal.
pub fn without_colours(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.find(|letter: char| !letter.is_ascii_digit() && letter != ';') {
            Some(end) if part.get(end..).is_some_and(|rest| rest.starts_with('m')) => {
                plain.push_str(part.get(end + 1..).unwrap_or_default());
            }
            _ => {
                plain.push_str("\x1b[");
                plain.push_str(part);
            }
        }
    }
    plain
}

/// A goal that Maven begins to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnnouncedGoal<'l> {
    /// `surefire`, `maven-surefire-plugin`
    pub plugin: &'l str,
    /// `test`
    pub goal: &'l str,
    /// The module, if the line names it.
    pub module: Option<&'l str>,
}

impl AnnouncedGoal<'_> {
    /// Whether it runs tests.
    pub fn runs_tests(&self) -> bool {
        self.plugin.contains("surefire") || self.plugin.contains("failsafe")
    }
}

/// The goal that a line of the log, without colours, announces: `[INFO] --- surefire:3.5.4:test (default-test) @ core ---`.
pub fn announced_goal(line: &str) -> Option<AnnouncedGoal<'_>> {
    let rest = line.strip_prefix("[INFO] --- ")?;
    let mut words = rest.split(' ');
    let mut parts = words.next()?.split(':');
    let (plugin, goal) = (parts.next()?, parts.next_back()?);
    let module = words.skip_while(|word| *word != "@").nth(1);
    Some(AnnouncedGoal { plugin, goal, module })
}

/// Whether a line of the log, without colours, is one of an error.
pub fn is_error(line: &str) -> bool {
    line.starts_with("[ERROR]")
}

/// Whether Maven begins to sum up: the errors behind this line repeat earlier ones, with advice about Maven itself.
pub fn is_end(line: &str) -> bool {
    line.strip_prefix("[INFO] ").is_some_and(|rest| {
        rest.starts_with("BUILD FAILURE")
            || rest.starts_with("BUILD SUCCESS")
            || rest.starts_with("Reactor Summary")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_announced_by_maven_and_not_by_a_program_under_test() {
        let known = |line: &str| {
            announced_goal(line).map(|goal| (goal.goal.to_owned(), goal.module.map(str::to_owned)))
        };
        let word = |text: &str| text.to_owned();
        let debian = without_colours(
            "[\x1b[1;34mINFO\x1b[m] \x1b[1m--- \x1b[0;32mmaven-surefire-plugin:2.22.3:test\x1b[m \x1b[1m(default-test)\x1b[m @ \x1b[36mshop\x1b[0;1m ---\x1b[m",
        );
        assert_eq!(known(&debian), Some((word("test"), Some(word("shop")))));
        assert_eq!(
            known("[INFO] --- compiler:3.13.0:compile (default-compile) @ a ---"),
            Some((word("compile"), Some(word("a"))))
        );
        assert_eq!(known("2026-01-31 INFO 17 --- [           main] o.s.b.Application"), None);
        assert!(is_error(&without_colours("[\x1b[1;31mERROR\x1b[m] x")) && is_end("[INFO] BUILD FAILURE"));
        assert_eq!(without_colours("a\x1b[2Kb\x1b["), "a\x1b[2Kb\x1b[");
    }
}
