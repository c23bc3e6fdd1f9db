//! How a JVM was started, as far as tests can depend on it: its first message, its environment, and files of
//! the build.

pub mod class_path;
pub mod environment;
pub mod machine;
mod record;
mod surefire_files;

pub use record::{Launch, LaunchHistory};

use crate::root::ProjectRoot;
use class_path::ResolvedClassPath;
use std::collections::BTreeMap;
use std::path::Path;
use surefire_files::{SurefireFiles, read, surefire_files};
use tamis_catalog::builds::maven::MODULE_DIRECTORY;
use tamis_catalog::builds::{self, surefire};
use tamis_catalog::environment::TOOL_OPTIONS;
use tamis_catalog::jdk::properties as jdk;
use tamis_program::names::ClassName;
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

/// The launch of a JVM, from its first message.
pub fn launch(hello: &Hello, resolved: &ResolvedClassPath, root: &ProjectRoot) -> Launch {
    let mut properties: BTreeMap<String, String> = hello.properties.iter().cloned().collect();
    properties.insert(jdk::DIRECTORY.to_owned(), hello.directory.clone());
    let mut arguments = Vec::new();
    for (name, value) in &hello.options {
        // Our own option is first in this variable, and is not the user's.
        arguments.extend(value.split_whitespace().filter(|_| name != TOOL_OPTIONS).map(str::to_owned));
    }
    if let Some(own) = std::env::var_os(TOOL_OPTIONS) {
        arguments.extend(own.to_string_lossy().split_whitespace().map(str::to_owned));
    }
    let mut expanded = Vec::new();
    for argument in hello.command.iter().skip(1).filter(|argument| !is_ours(argument, &hello.token)) {
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
    let SurefireFiles { properties: given, settings, files } =
        surefire_files(&rest, Path::new(&hello.directory));
    // Treated as if they were on the command line: Surefire sets them before any test runs, and the JDK reads
    // most of them later.
    let given_flags: Vec<String> = given.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
    let name = |flag: &str| Some(flag.strip_prefix("-D")?.split_once('=')?.0.to_owned());
    let is_place = |flag: &&String| name(flag).is_some_and(|name| jdk::PLACES.has(name));
    let given_flags = given_flags.iter().filter(|flag| !is_place(flag));
    properties.extend(given);
    // The JVM does not report it, and on Linux the JDK reads no variable for it.
    properties.entry(jdk::TEMPORARY.to_owned()).or_insert_with(|| jdk::TEMPORARY_DEFAULT.to_owned());
    let own = surefire::OWN_FILES.iter().filter_map(|name| settings.get(*name)).cloned();
    let own = own.chain(files).collect();
    let counts = |flag: &&String| flag.strip_prefix("-D").is_none_or(|property| jdk::OWN.has(property));
    let directory = properties.get(MODULE_DIRECTORY).unwrap_or(&hello.directory);
    let given = tests_given(&main, &rest, &settings, root);
    Launch {
        module: root.name(directory),
        directory: hello.directory.clone(),
        flags: arguments.iter().chain(given_flags).filter(counts).map(|flag| root.relative(flag)).collect(),
        properties,
        runner_settings: settings
            .into_iter()
            .filter(|(name, _)| !surefire::UNIMPORTANT.has(name))
            .chain(told.map(|told| ("arguments".to_owned(), told)))
            .collect(),
        environment: environment::of_process(hello.pid),
        class_path: resolved.searched.clone(),
        watched: resolved.watched.clone(),
        build_files: own,
        requested_tests: given,
        gate_digest: None,
        test_shapes: None,
    }
}

/// Whether an argument is the one with which a build gave our agent to a JVM.
fn is_ours(argument: &str, token: &str) -> bool {
    let before = argument.strip_suffix(token).filter(|_| !token.is_empty());
    before.is_some_and(|before| before.starts_with("-agentpath:") && before.ends_with(','))
}

/// The arguments of a test runner without the classes to run. Builds give their own runners files instead.
fn arguments_of(main: &str, rest: &[String], watched: &[String], root: &ProjectRoot) -> Option<String> {
    if is_builds(main) {
        return None;
    }
    let is_class = |name: &str| {
        let file = format!("{}.class", ClassName::from_dotted(name.split('#').next().unwrap_or_default()));
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
        let chosen = settings.iter().filter(|(name, _)| surefire::CHOOSING.has(name));
        let chosen: Vec<String> = chosen.map(|(name, value)| format!("{name}={value}")).collect();
        return (!settings.is_empty()).then(|| root.relative(&chosen.join("\n")));
    }
    Some(root.relative(&rest.join("\n")))
}

/// Whether a main class or archive is a build's own runner.
fn is_builds(main: &str) -> bool {
    builds::runs_tests(main.rsplit('/').next().unwrap_or_default())
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

#[cfg(test)]
mod tests {
    use super::surefire_files::java_properties;
    use super::*;
    use std::fs;

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
        let found = surefire_files(&arguments, folder.path());
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
