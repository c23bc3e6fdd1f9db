//! Reads and writes how test JVMs were started the last time, so that decisions can be made without starting
//! one.
//!
//! The file belongs to this machine and is not part of the traces, so its paths may be absolute. It is only a
//! guess: decisions depend on the present content of the class path that it names.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tamis_project::launch::{Launch, LaunchHistory};

/// Maximum size of the file.
const LARGEST: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Launch")]
struct LaunchFormat {
    module: String,
    directory: String,
    flags: Vec<String>,
    properties: BTreeMap<String, String>,
    #[serde(rename = "settings")]
    runner_settings: BTreeMap<String, String>,
    environment: BTreeMap<String, Option<String>>,
    class_path: Vec<String>,
    watched: Vec<String>,
    #[serde(rename = "given", default)]
    requested_tests: Option<String>,
    #[serde(rename = "own", default)]
    build_files: Vec<String>,
    #[serde(rename = "asked")]
    gate_digest: Option<String>,
    #[serde(rename = "shapes")]
    test_shapes: Option<String>,
}

/// A launch in its stored form.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct StoredLaunch(#[serde(with = "LaunchFormat")] Launch);

#[derive(Default, Serialize, Deserialize)]
struct LaunchFile {
    launches: Vec<StoredLaunch>,
}

/// Reads the launches of a project. There are none if the file cannot be read.
pub fn read_launches(directory: &Path) -> LaunchHistory {
    let read = || -> io::Result<LaunchFile> {
        let file = fs::File::open(path(directory))?;
        let mut text = Vec::new();
        file.take(LARGEST).read_to_end(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    };
    let file = read().unwrap_or_default();
    LaunchHistory { launches: file.launches.into_iter().map(|StoredLaunch(launch)| launch).collect() }
}

/// Replaces the launches of a project.
pub fn write_launches(launches: &LaunchHistory, directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    let launches = launches.launches.iter().cloned().map(StoredLaunch).collect();
    serde_json::to_writer(&mut file, &LaunchFile { launches })?;
    file.persist(path(directory)).map_err(|error| error.error)?;
    Ok(())
}

fn path(directory: &Path) -> PathBuf {
    directory.join("launches.json")
}

#[cfg(test)]
mod tests {
    use super::{read_launches, write_launches};
    use tamis_project::launch::{Launch, LaunchHistory};

    #[test]
    fn launches_are_read_back_and_a_broken_file_has_none() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_launches(folder.path()), LaunchHistory::default());
        let mut launches = LaunchHistory::default();
        launches.add(Launch {
            module: "core".to_owned(),
            flags: vec!["-Xmx1g".to_owned()],
            ..Launch::default()
        });
        launches.add(Launch { module: "core".to_owned(), ..Launch::default() });
        launches.add(Launch { module: "web".to_owned(), ..Launch::default() });
        assert_eq!(launches.launches.len(), 2);
        write_launches(&launches, folder.path()).unwrap();
        assert_eq!(read_launches(folder.path()), launches);
        std::fs::write(folder.path().join("launches.json"), "{\"launches\": 3}").unwrap();
        assert_eq!(read_launches(folder.path()), LaunchHistory::default());
    }
}
