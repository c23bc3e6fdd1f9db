//! The plugin on the disk, and the script that applies it.

use std::io;
use std::path::{Path, PathBuf};

use tamis_program::digest::Digest;

use crate::build::gate::Gate;
use crate::user_cache;

/// The compiled plugin. `tests/gate/jar.rs` compares it with its source, and names the command that updates
/// it.
const JAR: &[u8] = include_bytes!("../../../java/gradle.jar");

/// Writes both to the user's cache, in a folder named after their content, and returns the script. The path of the
/// script is part of what Gradle's configuration cache compares, so it must not change from run to run. If the cache
/// cannot be written, they are written beside the gate, and only the configuration cache is of no use.
pub(super) fn unpack(gate: &Gate) -> io::Result<PathBuf> {
    let folder = user_cache::folder().join("tamis/gradle").join(Digest::of(JAR).to_string());
    write_to(&folder).or_else(|_| {
        let beside = gate.file().parent().unwrap_or(Path::new("/"));
        write_to(&beside.join("gradle"))
    })
}

fn write_to(folder: &Path) -> io::Result<PathBuf> {
    let (jar, script) = (folder.join("tamis-gradle.jar"), folder.join("init.gradle"));
    let text = script_for(&jar);
    user_cache::write_once(&jar, JAR)?;
    user_cache::write_once(&script, text.as_bytes())?;
    Ok(script)
}

fn script_for(jar: &Path) -> String {
    let path = jar.to_string_lossy().replace('\\', "\\\\").replace('\'', "\\'");
    format!(
        "initscript {{ dependencies {{ classpath files('{path}') }} }}\napply plugin: tamis.gradle.Plugin\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_text_of_the_script() {
        let script = script_for(Path::new("/home/d'or/a\\b.jar"));
        assert!(script.contains("files('/home/d\\'or/a\\\\b.jar')"), "{script}");
    }
}
