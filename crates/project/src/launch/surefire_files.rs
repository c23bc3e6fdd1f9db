//! The files by which Surefire tells its fork what to do: properties, settings and the tests to run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tamis_catalog::builds::surefire;

/// The content of the files that Surefire names to its fork.
#[derive(Default)]
pub(super) struct SurefireFiles {
    /// System properties.
    pub(super) properties: BTreeMap<String, String>,
    /// Settings of the test run.
    pub(super) settings: BTreeMap<String, String>,
    /// The paths of the files.
    pub(super) files: Vec<String>,
}

pub(super) fn surefire_files(arguments: &[String], directory: &Path) -> SurefireFiles {
    // The files are in a folder that is an earlier argument, or are named with their folder.
    let find = |name: &str| {
        let folders = arguments.iter().map(|folder| directory.join(folder)).filter(|folder| folder.is_dir());
        let mut files = folders.chain([directory.to_owned()]).map(|folder| folder.join(name));
        files.find_map(|file| read(&file).map(|text| (file, text)))
    };
    let mut found = SurefireFiles::default();
    for argument in arguments.iter().filter(|argument| surefire::is_settings_file(argument)) {
        let Some((file, text)) = find(argument) else { continue };
        let into = if surefire::holds_settings(&text) { &mut found.settings } else { &mut found.properties };
        into.extend(java_properties(&text));
        found.files.push(file.display().to_string());
    }
    found
}

/// Reads a file from the JVM's command line, if it is small.
pub(super) fn read(path: &Path) -> Option<String> {
    let small = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() < 16 << 20);
    small.then(|| fs::read(path).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// `key=value` lines as `java.util.Properties` stores them.
pub(super) fn java_properties(text: &str) -> Vec<(String, String)> {
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
