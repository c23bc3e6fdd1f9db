//! Maven's settings outside of the command line: `.mvn/maven.config`, `.mvn/jvm.config`, the environment.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use tamis_catalog::builds::maven as known;

use super::options::CommandWords;

const LONGEST: u64 = 1 << 20;

/// The words of these settings.
#[derive(Debug, Default)]
pub(super) struct MavenSettings {
    /// All options of Maven's JVM, word by word.
    pub(super) options: Vec<OsString>,
    jvm: CommandWords,
    maven: CommandWords,
}

impl MavenSettings {
    /// `environment` has the values of `MAVEN_OPTS` and `MAVEN_ARGS`.
    pub(super) fn read(root: &Path, environment: [Option<OsString>; 2]) -> MavenSettings {
        let [options, arguments] = environment.map(|text| words(&text.unwrap_or_default().to_string_lossy()));
        let file = |name: &str| {
            let mut text = String::new();
            let opened = File::open(root.join(known::SETTINGS_FOLDER).join(name));
            match opened.and_then(|file| file.take(LONGEST).read_to_string(&mut text)) {
                Ok(_) => words(&text),
                Err(_) => Vec::new(),
            }
        };
        let options = [file(known::JVM_SETTINGS), options].concat();
        MavenSettings {
            jvm: CommandWords::of(&options),
            options,
            maven: CommandWords::of(&[file(known::MAVEN_SETTINGS), arguments].concat()),
        }
    }

    /// All properties outside of the command line.
    pub(super) fn properties(&self) -> impl Iterator<Item = &(String, String)> {
        self.maven.properties.iter().chain(&self.jvm.properties)
    }

    /// A property outside of the command line.
    pub(super) fn property(&self, name: &str) -> Option<&str> {
        self.maven.property(name).or_else(|| self.jvm.property(name))
    }
}

/// Since Maven 3.9 each line is one word; before, any white space separated words. Comments are lines.
fn words(text: &str) -> Vec<OsString> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(str::split_whitespace).map(OsString::from).collect()
}
