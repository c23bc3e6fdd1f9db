//! How test JVMs were started the last time, so that it can be said what they would do now without starting one.
//!
//! A file of this machine, beside the traces and not part of them: paths in it may be absolute. It is believed no more
//! than a guess; what decides is what the class path that it names holds now.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No list of launches is larger.
const LARGEST: u64 = 64 << 20;

/// How one JVM was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The module whose tests it ran.
    pub module: String,
    /// The directory it was started in.
    pub directory: String,
    /// Its options, without class path, main class and what is ours.
    pub flags: Vec<String>,
    /// System properties that it had or was given by the build.
    pub properties: BTreeMap<String, String>,
    /// What else the build told it about how to run tests.
    #[serde(rename = "settings")]
    pub runner_settings: BTreeMap<String, String>,
    /// Environment variables that the build set, or removed, for it.
    pub environment: BTreeMap<String, Option<String>>,
    /// Its class path, in order, manifests followed.
    pub class_path: Vec<String>,
    /// Those of its class path that hold the project's own classes.
    pub watched: Vec<String>,
    /// Which tests it was asked to run, as far as it was told by its command line or the build's settings.
    #[serde(rename = "given", default)]
    pub requested_tests: Option<String>,
    /// Where the build keeps its own notes and reports: no test relies on them.
    #[serde(rename = "own", default)]
    pub build_files: Vec<String>,
    /// What the build was asked to do, as far as it was heard: if it is the same, so is the launch.
    #[serde(rename = "asked")]
    pub gate_digest: Option<String>,
    /// What the classes that lie where its tests do looked like, if the run came to its end.
    #[serde(rename = "shapes")]
    pub test_shapes: Option<String>,
}

/// The launches of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchHistory {
    /// In the order in which JVMs were started.
    pub launches: Vec<Launch>,
}

impl LaunchHistory {
    /// Reads them; none if there are none that can be read.
    pub fn read(directory: &Path) -> LaunchHistory {
        let read = || -> io::Result<LaunchHistory> {
            let file = fs::File::open(path(directory))?;
            let mut text = Vec::new();
            file.take(LARGEST).read_to_end(&mut text)?;
            Ok(serde_json::from_slice(&text)?)
        };
        read().unwrap_or_default()
    }

    /// Replaces them.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        fs::create_dir_all(directory)?;
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        serde_json::to_writer(&mut file, self)?;
        file.persist(path(directory)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Notes a launch in place of the one that it repeats.
    pub fn add(&mut self, launch: Launch) {
        self.launches.retain(|known| {
            (&known.module, &known.class_path, &known.gate_digest)
                != (&launch.module, &launch.class_path, &launch.gate_digest)
        });
        self.launches.push(launch);
    }
}

fn path(directory: &Path) -> PathBuf {
    directory.join("launches.json")
}

#[cfg(test)]
mod tests {
    use super::{Launch, LaunchHistory};

    #[test]
    fn what_is_written_is_read_and_nonsense_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(LaunchHistory::read(folder.path()), LaunchHistory::default());
        let mut launches = LaunchHistory::default();
        launches.add(Launch {
            module: "core".to_owned(),
            flags: vec!["-Xmx1g".to_owned()],
            ..Launch::default()
        });
        launches.add(Launch { module: "core".to_owned(), ..Launch::default() });
        launches.add(Launch { module: "web".to_owned(), ..Launch::default() });
        assert_eq!(launches.launches.len(), 2);
        launches.write(folder.path()).unwrap();
        assert_eq!(LaunchHistory::read(folder.path()), launches);
        std::fs::write(folder.path().join("launches.json"), "{\"launches\": 3}").unwrap();
        assert_eq!(LaunchHistory::read(folder.path()), LaunchHistory::default());
    }
}
