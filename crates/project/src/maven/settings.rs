//! What a project says to Maven beside the command line: `.mvn/maven.config`, `.mvn/jvm.config`, the environment.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use tamis_catalog::builds::maven as known;

use super::options::CommandWords;

const LONGEST: u64 = 1 << 20;

/// Words of the command line that are not on it, the strongest last.
#[derive(Debug, Default)]
pub(super) struct MavenSettings {
    /// All that Maven's JVM is told, word by word.
    pub(super) options: Vec<OsString>,
    jvm: CommandWords,
    maven: CommandWords,
}

impl MavenSettings {
    /// `environment` is what `MAVEN_OPTS` and `MAVEN_ARGS` say.
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

    /// All properties that are not on the command line itself.
    pub(super) fn properties(&self) -> impl Iterator<Item = &(String, String)> {
        self.maven.properties.iter().chain(&self.jvm.properties)
    }

    /// A property that is not on the command line itself.
    pub(super) fn property(&self, name: &str) -> Option<&str> {
        self.maven.property(name).or_else(|| self.jvm.property(name))
    }
}

/// One word a line is the rule since Maven 3.9, any white space before; a comment is a line.
fn words(text: &str) -> Vec<OsString> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(str::split_whitespace).map(OsString::from).collect()
}
