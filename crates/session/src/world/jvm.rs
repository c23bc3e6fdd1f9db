//! Answers about a whole JVM: its JDK, its flags, its settings.

use super::ProjectWorld;
use super::files::content;
use std::path::{Path, PathBuf};
use tamis_catalog::environment::REGION;
use tamis_catalog::jdk::properties;
use tamis_program::digest::{CanonicalOutput, DigestEncoder, EncodingTag};
use tamis_project::classpath::{ClassPath, ClassPathOptions};
use tamis_select::facts::Answer;
use tamis_select::test_classes;
use tamis_select::world::World;

impl ProjectWorld {
    pub(super) fn of_jvm(&self, name: &str) -> Answer {
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Key);
        let mut text = |text: &str| out.bytes(self.root.relative(text).as_bytes());
        match name {
            "jdk" => properties::IDENTITY
                .exact
                .iter()
                .for_each(|name| text(&self.property_value(name).unwrap_or_default())),
            "flags" => self.launch.flags.iter().for_each(|flag| {
                text(flag);
                let directory = Path::new(&self.launch.directory);
                for file in flag_files(flag) {
                    text(&format!("{:?}", content(&directory.join(self.root.absolute(file)))));
                }
            }),
            "settings" => self.launch.runner_settings.iter().for_each(|(name, value)| {
                text(name);
                text(value);
            }),
            "defaults" => {
                properties::DEFAULTS
                    .exact
                    .iter()
                    .for_each(|name| text(&self.property_value(name).unwrap_or_default()));
                REGION.exact.iter().for_each(|name| text(&self.variable(name).unwrap_or_default()));
                // Without a named zone, the machine's counts.
                text(&format!("{:?}", content(Path::new("/etc/localtime"))));
            }
            "framework" => return self.frameworks.digest(),
            // The agent does not see look-ups in archives before the first directory, or in a path without
            // directories.
            "archives" => {
                self.leading_archives().for_each(|entry| text(&format!("{:?}", content(entry))));
            }
            "libraries" => return self.all_libraries(),
            "resources" => return self.all_module_resources(),
            "suites" => return test_classes::answer(self.snapshot()),
            "given" => text(self.launch.requested_tests.as_deref()?),
            _ => return None,
        }
        Some(out.finish())
    }

    /// The archives of other agents that options of the JVM name. Their content is a part of the JVM's flags.
    pub(super) fn open_agents(&self) -> Option<ClassPath> {
        let directory = Path::new(&self.launch.directory);
        let named = self.launch.flags.iter().filter(|flag| flag.starts_with(AGENT));
        let files =
            named.flat_map(|flag| flag_files(flag)).map(|file| directory.join(self.root.absolute(file)));
        let files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
        let options = ClassPathOptions { release: None, follow_manifests: false, threads: 0 };
        ClassPath::open(&files, &options).ok()
    }

    /// The archives that are searched before any directory. Archives of frameworks have facts of their own.
    pub(super) fn leading_archives(&self) -> impl Iterator<Item = &Path> {
        let entries = self.launch.class_path.iter().map(Path::new);
        let leading = entries.take_while(|entry| !entry.is_dir()).filter(|entry| entry.is_file());
        leading.filter(|entry| !self.frameworks.is_one(&self.loaded.libraries, entry))
    }
}

/// The option that names an agent written in Java.
const AGENT: &str = "-javaagent:";

/// The files that an option brings into the JVM: agents, additions to its own classes, more options.
pub(super) fn flag_files(flag: &str) -> impl Iterator<Item = &str> {
    let options = [AGENT, "-agentpath:", "-Xbootclasspath/a:", "-XX:VMOptionsFile=", "-XX:Flags="];
    let files = options.iter().find_map(|option| flag.strip_prefix(option));
    files.into_iter().flat_map(|files| files.split(':')).filter_map(|file| file.split('=').next())
}
