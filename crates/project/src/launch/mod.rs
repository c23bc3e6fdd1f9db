//! How a JVM was started, as far as tests can depend on it: its first message, its environment, and files of
//! the build.

pub mod class_path;
mod record;

pub use record::{Launch, LaunchHistory};

use crate::maven;
use crate::root::ProjectRoot;
use class_path::ResolvedClassPath;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tamis_wire::Hello;

/// Options whose value is the next argument.
const WITH_VALUE: [&str; 9] = [
    "--add-exports",
    "--add-modules",
    "--add-opens",
    "--add-reads",
    "--enable-native-access",
    "--limit-modules",
    "--patch-module",
    "--upgrade-module-path",
    "--source",
];

/// Options for class paths: the content there counts, not the path.
const CLASS_PATHS: [&str; 5] = ["-cp", "-classpath", "--class-path", "-p", "--module-path"];

/// Properties that the JDK itself reads, unobserved. Other properties count for the tests that read them.
#[rustfmt::skip]
const JDK_PROPERTIES: [&str; 15] = [
    "-Djava.", "-Djavax.", "-Djdk.", "-Dsun.", "-Dcom.sun.", "-Duser.", "-Dfile.", "-Dline.", "-Dhttp.", "-Dhttps.",
    "-Dftp.", "-Dsocks", "-Dnetworkaddress.", "-Dorg.w3c.", "-Dorg.xml.",
];

/// Properties of these kinds that hold paths, and that builds give to every JVM.
const GIVEN_PLACES: [&str; 2] = ["-Djava.class.path=", "-Duser.dir="];

/// Settings of Surefire that hold paths or lists of tests. No test depends on them.
const PLACES: [&str; 21] = [
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
];

/// Settings of these kinds that choose the tests, besides the list of classes.
const CHOOSING: [&str; 8] = [
    "requestedTest",
    "includes",
    "excludes",
    "specificTest",
    "testListResolver",
    "failFastCount",
    "groups",
    "excludedgroups",
];

/// Variables that describe how a shell was started, which tests do not ask for.
pub const VOLATILE: [&str; 12] = [
    "_",
    "COLUMNS",
    "JAVA_MAIN_CLASS_",
    "JAVA_TOOL_OPTIONS",
    "LINES",
    "MAVEN_CMD_LINE_ARGS",
    "NLSPATH",
    "OLDPWD",
    "PWD",
    "SHLVL",
    "TAMIS_",
    "XFILESEARCHPATH",
];

/// Whether a variable is one of these, so that it does not count.
pub fn is_volatile(variable: &str) -> bool {
    VOLATILE.iter().any(|known| {
        variable == *known || (known.ends_with('_') && known.len() > 1 && variable.starts_with(known))
    })
}

/// Variables of a terminal, a log-in or one job of a build server, and their prefixes. They differ between
/// runs. A test that asks for one by name depends on it; a library that reads all variables, as Spring does,
/// is assumed not to.
const OF_SESSION: [&str; 23] = [
    "BUILD_BUILDID",
    "BUILD_BUILDNUMBER",
    "BUILD_DISPLAY_NAME",
    "BUILD_ID",
    "BUILD_NUMBER",
    "BUILD_TAG",
    "BUILD_URL",
    "COLORTERM",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "GPG_AGENT_INFO",
    "GPG_TTY",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "MAIL",
    "MANAGERPID",
    "SESSION_MANAGER",
    "STY",
    "TERM",
    "TMUX",
    "TTY",
    "WINDOWID",
    "WINDOWPATH",
];
const OF_SESSION_BEGIN: [&str; 19] = [
    "BITBUCKET_",
    "BUILDKITE_",
    "CIRCLE_",
    "CI_",
    "DRONE_",
    "GITHUB_",
    "GITLAB_",
    "ITERM_",
    "JENKINS_",
    "KONSOLE_",
    "RUNNER_",
    "SSH_",
    "SUDO_",
    "TEAMCITY_",
    "TERM_",
    "TMUX_",
    "TRAVIS_",
    "VSCODE_",
    "XDG_",
];

/// Whether a variable belongs to a terminal, a log-in or a job.
pub fn is_of_session(variable: &str) -> bool {
    OF_SESSION.contains(&variable) || OF_SESSION_BEGIN.iter().any(|begin| variable.starts_with(begin))
}

/// The launch of a JVM, from its first message.
pub fn launch(hello: &Hello, resolved: &ResolvedClassPath, root: &ProjectRoot) -> Launch {
    let mut properties: BTreeMap<String, String> = hello.properties.iter().cloned().collect();
    properties.insert("user.dir".to_owned(), hello.directory.clone());
    let mut arguments = Vec::new();
    for (name, value) in &hello.options {
        // Our own option is first in this variable, and is not the user's.
        arguments.extend(value.split_whitespace().filter(|_| name != "JAVA_TOOL_OPTIONS").map(str::to_owned));
    }
    if let Some(own) = std::env::var_os("JAVA_TOOL_OPTIONS") {
        arguments.extend(own.to_string_lossy().split_whitespace().map(str::to_owned));
    }
    let mut expanded = Vec::new();
    for argument in hello.command.iter().skip(1) {
        expand(argument, Path::new(&hello.directory), &mut expanded);
    }
    let (flags, main, rest) = split(expanded);
    let told = arguments_of(&main, &rest, &resolved.watched, root);
    arguments.extend(flags);
    for argument in &arguments {
        if let Some(property) = argument.strip_prefix("-D") {
            let (name, value) = property.split_once('=').unwrap_or((property, ""));
            properties.insert(name.to_owned(), value.to_owned());
        }
    }
    let SurefireFiles { properties: given, settings, files } = surefire(&rest, Path::new(&hello.directory));
    // Treated as if they were on the command line: Surefire sets them before any test runs, and the JDK reads
    // most of them later.
    let given_flags: Vec<String> = given.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
    let is_place = |flag: &&String| GIVEN_PLACES.iter().any(|place| flag.starts_with(place));
    let given_flags = given_flags.iter().filter(|flag| !is_place(flag));
    properties.extend(given);
    // The JVM does not report it, and on Linux the JDK reads no variable for it.
    properties.entry("java.io.tmpdir".to_owned()).or_insert_with(|| "/tmp".to_owned());
    let own =
        ["reportsDirectory", "runStatisticsFile"].iter().filter_map(|name| settings.get(*name)).cloned();
    let own = own.chain(files).collect();
    let counts = |flag: &&String| {
        !flag.starts_with("-D") || JDK_PROPERTIES.iter().any(|known| flag.starts_with(known))
    };
    let directory = properties.get("basedir").unwrap_or(&hello.directory);
    let given = tests_given(&main, &rest, &settings, root);
    Launch {
        module: root.name(directory),
        directory: hello.directory.clone(),
        flags: arguments.iter().chain(given_flags).filter(counts).map(|flag| root.relative(flag)).collect(),
        properties,
        runner_settings: settings
            .into_iter()
            .filter(|(name, _)| !PLACES.iter().any(|place| name.starts_with(place)))
            .chain(told.map(|told| ("arguments".to_owned(), told)))
            .collect(),
        environment: environment(hello.pid),
        class_path: resolved.searched.clone(),
        watched: resolved.watched.clone(),
        build_files: own,
        requested_tests: given,
        gate_digest: None,
        test_shapes: None,
    }
}

/// The arguments of a test runner without the classes to run. Builds give their own runners files instead.
fn arguments_of(main: &str, rest: &[String], watched: &[String], root: &ProjectRoot) -> Option<String> {
    if is_builds(main) {
        return None;
    }
    let is_class = |name: &str| {
        let file = format!("{}.class", name.split('#').next().unwrap_or_default().replace('.', "/"));
        watched.iter().any(|folder| Path::new(folder).join(&file).is_file())
    };
    let mut told: Vec<String> = Vec::new();
    for word in rest {
        let value = word.rsplit('=').next().unwrap_or_default();
        let word = root.relative(word);
        if !value.split(',').all(is_class) && !told.contains(&word) {
            told.push(word);
        }
    }
    (!told.is_empty()).then(|| told.join("\n"))
}

/// The tests that a JVM is asked to run: settings of the build, or the arguments after the main class. Gradle
/// sends them later.
fn tests_given(
    main: &str,
    rest: &[String],
    settings: &BTreeMap<String, String>,
    root: &ProjectRoot,
) -> Option<String> {
    if is_builds(main) {
        let is_one = |name: &str| CHOOSING.iter().any(|begin| name.starts_with(begin));
        let chosen = settings.iter().filter(|(name, _)| is_one(name));
        let chosen: Vec<String> = chosen.map(|(name, value)| format!("{name}={value}")).collect();
        return (!settings.is_empty()).then(|| root.relative(&chosen.join("\n")));
    }
    Some(root.relative(&rest.join("\n")))
}

/// Whether a main class or archive is a build's own runner.
fn is_builds(main: &str) -> bool {
    let of_a_build = ["surefire", "org.apache.maven.surefire.", "org.gradle.", "worker.org.gradle."];
    let name = main.rsplit('/').next().unwrap_or_default();
    of_a_build.iter().any(|build| name.starts_with(build))
}

/// Splits arguments into options of the JVM, the main class, jar or module, and the rest.
fn split(arguments: Vec<String>) -> (Vec<String>, String, Vec<String>) {
    let (mut flags, mut main) = (Vec::new(), String::new());
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        if CLASS_PATHS.contains(&argument.as_str()) {
            rest.next();
        } else if CLASS_PATHS
            .iter()
            .any(|known| argument.strip_prefix(known).is_some_and(|rest| rest.starts_with('=')))
        {
        } else if WITH_VALUE.contains(&argument.as_str()) {
            let value = rest.next().unwrap_or_default();
            flags.push(format!("{argument}={value}"));
        } else if matches!(argument.as_str(), "-jar" | "-m" | "--module") {
            main = rest.next().unwrap_or_default();
            break;
        } else if !argument.starts_with('-') {
            main = argument;
            break;
        } else {
            flags.push(argument);
        }
    }
    (flags, main, rest.collect())
}

/// Replaces an argument file (`java @file`) by its words.
fn expand(argument: &str, directory: &Path, into: &mut Vec<String>) {
    let content = argument.strip_prefix('@').and_then(|file| read(&directory.join(file)));
    let Some(content) = content else { return into.push(argument.to_owned()) };
    let mut word = String::new();
    let (mut quote, mut any, mut comment) = (None, false, false);
    for letter in content.chars().chain(['\n']) {
        match (quote, letter) {
            (_, '\n') if comment => comment = false,
            _ if comment => {}
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), letter) => word.push(letter),
            (None, '"' | '\'') => (quote, any) = (Some(letter), true),
            (None, '#') if word.is_empty() => comment = true,
            (None, letter) if letter.is_whitespace() => {
                if any || !word.is_empty() {
                    into.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (None, letter) => word.push(letter),
        }
    }
}

/// The content of the files that Surefire names to its fork.
#[derive(Default)]
struct SurefireFiles {
    /// System properties.
    properties: BTreeMap<String, String>,
    /// Settings of the test run.
    settings: BTreeMap<String, String>,
    /// The paths of the files.
    files: Vec<String>,
}

fn surefire(arguments: &[String], directory: &Path) -> SurefireFiles {
    let is_file = |name: &str| {
        name.rsplit('/').next().is_some_and(|name| name.starts_with("surefire") && name.ends_with("tmp"))
    };
    // The files are in a folder that is an earlier argument, or are named with their folder.
    let find = |name: &str| {
        let folders = arguments.iter().map(|folder| directory.join(folder)).filter(|folder| folder.is_dir());
        let mut files = folders.chain([directory.to_owned()]).map(|folder| folder.join(name));
        files.find_map(|file| read(&file).map(|text| (file, text)))
    };
    let mut found = SurefireFiles::default();
    for argument in arguments.iter().filter(|argument| is_file(argument)) {
        let Some((file, text)) = find(argument) else { continue };
        let is_settings = text.contains("providerConfiguration=") || text.contains("testClassesDirectory=");
        let into = if is_settings { &mut found.settings } else { &mut found.properties };
        into.extend(java_properties(&text));
        found.files.push(file.display().to_string());
    }
    found
}

/// Reads a file from the JVM's command line, if it is small.
fn read(path: &Path) -> Option<String> {
    let small = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() < 16 << 20);
    small.then(|| fs::read(path).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// `key=value` lines as `java.util.Properties` stores them.
fn java_properties(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter(|line| !line.starts_with(['#', '!']));
    lines
        .filter_map(|line| {
            let mut key = String::new();
            let mut letters = line.chars();
            loop {
                match letters.next()? {
                    '=' => break,
                    '\\' => key.push(letters.next()?),
                    letter => key.push(letter),
                }
            }
            let mut value = String::new();
            while let Some(letter) = letters.next() {
                value.push(if letter == '\\' { letters.next().unwrap_or('\\') } else { letter });
            }
            Some((key, value))
        })
        .collect()
}

/// The differences between the environment of a process and ours.
fn environment(pid: u32) -> BTreeMap<String, Option<String>> {
    let Ok(bytes) = fs::read(format!("/proc/{pid}/environ")) else { return BTreeMap::new() };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut theirs: BTreeMap<String, String> = bytes
        .split(|byte| *byte == 0)
        .filter_map(|entry| {
            let at = entry.iter().position(|byte| *byte == b'=')?;
            Some((text(entry.get(..at)?), text(entry.get(at + 1..)?)))
        })
        .collect();
    // Our own options for Maven's JVM are not the user's, and may differ the next time.
    if let Some(options) = theirs.remove(maven::OPTIONS)
        && let Some(own) = maven::without_ours(&options)
    {
        theirs.insert(maven::OPTIONS.to_owned(), own);
    }
    let ours: BTreeMap<String, String> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .collect();
    let mut differences: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (name, value) in &theirs {
        if ours.get(name) != Some(value) {
            differences.insert(name.clone(), Some(value.clone()));
        }
    }
    for name in ours.keys().filter(|name| !theirs.contains_key(*name)) {
        differences.insert(name.clone(), None);
    }
    differences.retain(|name, _| !is_volatile(name));
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn options_end_at_the_main_class_and_exclude_class_paths() {
        let (flags, main, rest) =
            split(words("-Xmx1g -cp a:b --add-opens x/y=z --class-path=q -Dk=v -ea org.x.Main -Xnot"));
        assert_eq!(flags, ["-Xmx1g", "--add-opens=x/y=z", "-Dk=v", "-ea"]);
        assert_eq!((main.as_str(), rest), ("org.x.Main", words("-Xnot")));
        let (_, main, rest) = split(words("-jar a.jar dir x"));
        assert_eq!((main.as_str(), rest), ("a.jar", words("dir x")));
    }

    #[test]
    fn runner_arguments_count_without_the_test_classes() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ATest.class"), "").unwrap();
        let watched = [folder.path().display().to_string()];
        // The name of this root does not decide whether a runner is a build's.
        let root = ProjectRoot::new(Path::new("/surefire"));
        let told = |main: &str, rest: &str| arguments_of(main, &words(rest), &watched, &root);
        assert_eq!(
            told("org.x.Main", "--config a=1 -c ATest -c ATest#t"),
            Some("--config\na=1\n-c".to_owned())
        );
        assert_eq!(told("org.junit.runner.JUnitCore", "ATest"), None);
        assert_eq!(told("/surefire/surefirebooter1.jar", "a b"), None);
        assert_eq!(told("worker.org.gradle.process.internal.worker.GradleWorkerMain", "a"), None);
    }

    #[test]
    fn argument_files_are_read_as_java_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("args"), "-Xmx1g # no\n\"-Da=b c\"\n'--x' -y\"z\"").unwrap();
        let mut found = Vec::new();
        expand("@args", folder.path(), &mut found);
        expand("@none", folder.path(), &mut found);
        assert_eq!(found, ["-Xmx1g", "-Da=b c", "--x", "-yz", "@none"]);
    }

    #[test]
    fn files_for_surefires_fork_are_found_in_the_named_folder() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("target/surefire");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("surefire-1tmp"), "providerConfiguration=x\nreportsDirectory=/r\n").unwrap();
        fs::write(own.join("surefire_0-2tmp"), "my.prop=hello\n").unwrap();
        let arguments = words(&format!("a.jar {} run1 surefire-1tmp surefire_0-2tmp", own.display()));
        let found = surefire(&arguments, folder.path());
        assert_eq!(found.properties.get("my.prop").map(String::as_str), Some("hello"));
        assert_eq!(found.settings.get("reportsDirectory").map(String::as_str), Some("/r"));
        assert_eq!(found.files.len(), 2);
    }

    #[test]
    fn properties_are_read_as_java_writes_them() {
        let text = "#c\nforkNode=pipe\\://1\na\\=b=c=d\nempty=\n";
        let expected = [("forkNode", "pipe://1"), ("a=b", "c=d"), ("empty", "")];
        let expected: Vec<_> = expected.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        assert_eq!(java_properties(text), expected);
    }
}
