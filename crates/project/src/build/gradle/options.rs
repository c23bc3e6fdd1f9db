//! Reads the parts of Gradle's command line that matter here: tasks, excluded tasks, the directory of the build.
//!
//! Gradle itself checks the command line.

use std::ffi::OsString;

/// Options with a value, short and long. The last one is an option of test tasks.
const WITH_VALUE: [(&str, &str); 19] = [
    ("D", "system-prop"),
    ("F", "dependency-verification"),
    ("I", "init-script"),
    ("M", "write-verification-metadata"),
    ("P", "project-prop"),
    ("b", "build-file"),
    ("c", "settings-file"),
    ("g", "gradle-user-home"),
    ("p", "project-dir"),
    ("x", "exclude-task"),
    ("", "configuration-cache-problems"),
    ("", "console"),
    ("", "include-build"),
    ("", "max-workers"),
    ("", "priority"),
    ("", "project-cache-dir"),
    ("", "update-locks"),
    ("", "warning-mode"),
    ("", "tests"),
];

/// The words of a command line by kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct GradleWords {
    /// Tasks, by name or path.
    pub(super) tasks: Vec<String>,
    /// Tasks that are not to run.
    pub(super) excluded: Vec<String>,
    /// The last value of `-p`.
    pub(super) directory: Option<String>,
    /// The names of all other options, without dashes and values.
    pub(super) flags: Vec<String>,
}

impl GradleWords {
    pub(super) fn of(arguments: &[OsString]) -> GradleWords {
        let mut words = GradleWords::default();
        let mut rest = arguments.iter().map(|word| word.to_string_lossy());
        while let Some(word) = rest.next() {
            let Some(option) = word.strip_prefix('-') else {
                words.tasks.push(word.into_owned());
                continue;
            };
            let (name, value) = named(option);
            let long = WITH_VALUE.iter().find(|(short, long)| [*short, *long].contains(&name.as_str()));
            let Some((_, long)) = long.filter(|_| !name.is_empty()) else {
                words.flags.push(name);
                continue;
            };
            let Some(value) = value.or_else(|| rest.next().map(|next| next.into_owned())) else { continue };
            match *long {
                "project-dir" => words.directory = Some(value),
                "exclude-task" => words.excluded.push(value),
                long => words.flags.push(long.to_owned()),
            }
        }
        words
    }
}

/// The name of an option, and the value if it is part of the word: `-pcore`, `--tests=ATest`. A long option may have one
/// dash.
fn named(option: &str) -> (String, Option<String>) {
    let long = option.strip_prefix('-').unwrap_or(option);
    let (name, value) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (long, None),
    };
    let is_known = WITH_VALUE.iter().any(|(_, known)| *known == name);
    let joined = WITH_VALUE.iter().find(|(short, _)| !short.is_empty() && option.starts_with(short));
    match joined {
        Some((short, _)) if !is_known && option.len() > short.len() && !option.starts_with('-') => {
            let value = option.get(short.len()..).unwrap_or_default();
            ((*short).to_owned(), Some(value.strip_prefix('=').unwrap_or(value).to_owned()))
        }
        _ => (name.to_owned(), value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> GradleWords {
        GradleWords::of(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn words_that_are_neither_options_nor_values_are_tasks() {
        for (line, tasks) in [
            ("", ""),
            ("-q -i --offline --no-daemon --parallel --rerun-tasks -m", ""),
            ("-p core -x lint --console plain --tests ATest", ""),
            ("-Pa=b -P a=b -Dx=y -D x -I init.gradle -Ifile --max-workers=2 --max-workers 2", ""),
            (":core:test --tests ATest check", ":core:test check"),
            ("clean test -pcore -p=core", "clean test"),
            ("-g home build", "build"),
        ] {
            assert_eq!(words(line).tasks.join(" "), tasks, "{line}");
        }
    }

    #[test]
    fn directory_exclusions_and_requests_are_read() {
        assert_eq!(words("-p a --project-dir=b").directory.as_deref(), Some("b"));
        assert_eq!(words("-x :a:test --exclude-task b -xc").excluded, [":a:test", "b", "c"]);
        assert_eq!(words("test --tests=A --debug-jvm -m").flags, ["tests", "debug-jvm", "m"]);
        assert_eq!(words("-p").directory, None);
    }
}
