//! Reads the parts of Maven's command line that matter here: goals and properties.
//!
//! One table has the options of Maven 3.6 to 4.0: a word that is an option only in another version is an
//! error there anyway. Maven itself checks the command line.

use std::ffi::OsString;

/// Options with a value, short and long. The value of `--color` is optional, but the next word is taken as
/// one.
const WITH_VALUE: [(&str, &str); 22] = [
    ("D", "define"),
    ("P", "activate-profiles"),
    ("T", "threads"),
    ("af", "at-file"),
    ("b", "builder"),
    ("canf", "cache-artifact-not-found"),
    ("", "color"),
    ("emp", "encrypt-master-password"),
    ("ep", "encrypt-password"),
    ("f", "file"),
    ("fos", "fail-on-severity"),
    ("gs", "global-settings"),
    ("gt", "global-toolchains"),
    ("is", "install-settings"),
    ("it", "install-toolchains"),
    ("l", "log-file"),
    ("pl", "projects"),
    ("ps", "project-settings"),
    ("rf", "resume-from"),
    ("s", "settings"),
    ("sadp", "strict-artifact-descriptor-policy"),
    ("t", "toolchains"),
];

/// Long options without a value. They are needed because Maven accepts unambiguous prefixes.
const WITHOUT_VALUE: [&str; 32] = [
    "also-make",
    "also-make-dependents",
    "batch-mode",
    "check-plugin-updates",
    "debug",
    "enc",
    "errors",
    "fail-at-end",
    "fail-fast",
    "fail-never",
    "force-interactive",
    "help",
    "ignore-transitive-repositories",
    "lax-checksums",
    "legacy-local-repository",
    "no-plugin-registry",
    "no-plugin-updates",
    "no-snapshot-updates",
    "no-transfer-progress",
    "non-interactive",
    "non-recursive",
    "offline",
    "quiet",
    "raw-streams",
    "resume",
    "shell",
    "show-version",
    "strict-checksums",
    "up",
    "update-plugins",
    "update-snapshots",
    "verbose",
];

/// The words of a command line by kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CommandWords {
    /// Phases and goals.
    pub(super) goals: Vec<String>,
    /// The last value of `-f`.
    pub(super) file: Option<String>,
    /// The values of `-D`, in order. Without `=` the value is `true`, as in Maven.
    pub(super) properties: Vec<(String, String)>,
    /// The index of `--`, after which no word is an option.
    pub(super) end_of_options: Option<usize>,
}

impl CommandWords {
    pub(super) fn of(arguments: &[OsString]) -> CommandWords {
        let mut words = CommandWords::default();
        let mut rest = arguments.iter().map(|word| word.to_string_lossy()).enumerate();
        while let Some((index, word)) = rest.next() {
            if words.end_of_options.is_some() || !word.starts_with('-') || word == "-" {
                words.goals.push(word.into_owned());
            } else if word == "--" {
                words.end_of_options = Some(index);
            } else if let Some((option, value)) = valued(&word) {
                match value.map(str::to_owned).or_else(|| rest.next().map(|(_, next)| next.into_owned())) {
                    Some(value) if option == "define" => words.properties.push(property(&value)),
                    Some(value) if option == "file" => words.file = Some(value),
                    _ => {}
                }
            }
        }
        words
    }

    /// The effective value of a property: the last one.
    pub(super) fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The long name of an option with a value, and the value if it is part of the word.
fn valued(word: &str) -> Option<(&'static str, Option<&str>)> {
    let name = word.trim_start_matches('-');
    let (before, after) = match name.split_once('=') {
        Some((before, after)) => (before, Some(after)),
        None => (name, None),
    };
    let exact =
        WITH_VALUE.iter().find(|(short, long)| !before.is_empty() && [*short, *long].contains(&before));
    if let Some((_, long)) = exact {
        return Some((long, after));
    }
    if word.starts_with("--") {
        return begun_by(before).map(|long| (long, after));
    }
    // `-T2`, `-Pfast`, `-Dx=y`: one letter with the value in the same word, unless the word is an option such
    // as `-am`.
    let joined = WITH_VALUE.iter().find(|(short, _)| short.len() == 1 && name.starts_with(short));
    joined.filter(|_| !FLAGS.contains(&name)).map(|(short, long)| (*long, name.get(short.len()..)))
}

/// Short options without a value that begin like one with a value.
const FLAGS: [&str; 3] = ["fae", "ff", "fn"];

/// The option with a value that has this prefix. Versions differ in the other options with the prefix, so all
/// of them must take a value.
fn begun_by(beginning: &str) -> Option<&'static str> {
    let flag = WITHOUT_VALUE.iter().any(|long| long.starts_with(beginning));
    let mut begun = WITH_VALUE.iter().map(|(_, long)| *long).filter(|long| long.starts_with(beginning));
    begun.next().filter(|_| !flag)
}

fn property(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, "true"));
    (name.trim().to_owned(), value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> CommandWords {
        CommandWords::of(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn words_that_are_neither_options_nor_values_are_goals() {
        for (line, goals) in [
            ("", ""),
            ("-o -q -B -am -amd -fae -ff -fn -nsu -ntp -U -X -e", ""),
            ("-pl core -am verify", "verify"),
            ("-f x/pom.xml -P a,b -T 2C -s a -gs b -t c -gt d -l e -rf :f -b g", ""),
            ("-T2 -Pfast -Dx=y -D x=y clean -fx.xml install", "clean install"),
            (
                "--projects core --define x=y --file=x test-compile surefire:test",
                "test-compile surefire:test",
            ),
            ("--proj core --thr 2 --also-make package", "package"),
            ("--color always -fos WARN -is x -canf true verify", "verify"),
            ("-projects core -file x", ""),
            ("-o -- verify -x", "verify -x"),
            ("-pl", ""),
            ("--- - -=x", "-"),
        ] {
            assert_eq!(words(line).goals.join(" "), goals, "{line}");
        }
    }

    #[test]
    fn the_last_property_and_the_last_file_count() {
        let words = words("-Da=1 -D a=2 --define b -Dc= -f x -fy");
        let of = |name| words.property(name);
        assert_eq!((of("a"), of("b"), of("c"), of("d")), (Some("2"), Some("true"), Some(""), None));
        assert_eq!(words.file.as_deref(), Some("y"));
    }
}
