//! The cache of compiled classes, and its keys.
//!
//! An entry is complete or absent: it is created elsewhere and renamed. Nothing here compiles.

use std::env;
use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{ClassDir, Job, class_dir};
use crate::jdk::Jdk;

/// The cache folder, which many threads and processes use concurrently.
pub(super) struct Cache {
    root: PathBuf,
}

impl Cache {
    pub(super) fn of_this_workspace() -> Cache {
        Cache { root: target_dir().join("javac-cache") }
    }

    #[cfg(test)]
    pub(super) fn at(root: &Path) -> Cache {
        Cache { root: root.to_path_buf() }
    }

    /// The entry of this key, if it exists and was made for exactly this key.
    pub(super) fn get(&self, key: &Key) -> Option<ClassDir> {
        let entry = self.entry(key);
        (fs::read_to_string(entry.join("key")).ok()? == key.text)
            .then(|| ClassDir { path: entry.join("classes") })
    }

    /// The path of this key's entry, whether it exists or not.
    pub(super) fn entry(&self, key: &Key) -> PathBuf {
        self.root.join(&key.name)
    }

    /// A folder for new entries, on the same file system as the cache.
    pub(super) fn workshop(&self) -> io::Result<tempfile::TempDir> {
        fs::create_dir_all(&self.root)?;
        tempfile::Builder::new().prefix(".making-").tempdir_in(&self.root)
    }

    /// Turns a finished folder into the entry of this key. If another process was faster, its entry stays: it
    /// was made from the same input.
    pub(super) fn put(&self, key: &Key, made: &Path) -> io::Result<()> {
        fs::write(made.join("key"), &key.text)?;
        let entry = self.entry(key);
        match fs::rename(made, &entry) {
            Err(_) if self.get(key).is_some() => Ok(()),
            Err(_) if entry.exists() => {
                fs::remove_dir_all(&entry)?; // It does not contain our key, so it is not a valid entry.
                fs::rename(made, &entry)
            }
            result => result,
        }
    }
}

/// Everything that a compiler's output depends on, and a short name for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    name: String,
    /// Stored in the entry and compared, so that a clash of names costs a compilation but gives no wrong
    /// class.
    text: String,
}

impl Key {
    pub(super) fn of(jdk: &Jdk, job: &Job) -> Result<Key, String> {
        let mut text = String::from("javac cache 1\n");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "jdk {} {}", jdk.version, jdk.home.display());
        for arg in &job.args {
            if arg.contains(['\n', '\r']) {
                return Err(format!("an argument of javac with a line break: {arg:?}"));
            }
            let _ = writeln!(text, "arg {arg}");
            for path in named_files(arg) {
                let digest = content(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                let _ = writeln!(text, "  holds {digest} {}", path.display());
            }
        }
        for (index, (path, source)) in job.sources.iter().enumerate() {
            if !stays_below(path) {
                return Err(format!("`{path}` is not the path of a source file below a folder"));
            }
            if job.sources.iter().take(index).any(|(earlier, _)| earlier == path) {
                return Err(format!("`{path}` is given twice"));
            }
            // The length prevents a source text from imitating the next file.
            let _ = writeln!(text, "file {path} {}\n{source}", source.len());
        }
        Ok(Key { name: digest(&[text.as_bytes()]), text })
    }
}

/// Files and folders that an option names, alone or in a list such as a class path. The output depends on
/// their content, so the content belongs in the key. `--option=a:b` is also split at the equals sign.
fn named_files(arg: &str) -> Vec<PathBuf> {
    let value = arg.split_once('=').map_or(arg, |(_, value)| value);
    env::split_paths(value).filter(|path| path.is_absolute() && path.exists()).collect()
}

fn content(path: &Path) -> io::Result<String> {
    if path.is_file() {
        return Ok(digest(&[&fs::read(path)?]));
    }
    let mut files = Vec::new();
    class_dir::walk(path, "", &mut files)?;
    files.sort();
    let parts: Vec<&[u8]> =
        files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes.as_slice()]).collect();
    Ok(digest(&parts))
}

/// 128 bits of the standard library's SipHash. It may change in a future release of Rust, which only empties
/// the cache. It need not resist attacks: the cache is in a target folder.
fn digest(parts: &[&[u8]]) -> String {
    (0u8..2)
        .map(|half| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(half);
            for part in parts {
                hasher.write_usize(part.len());
                hasher.write(part);
            }
            format!("{:016x}", hasher.finish())
        })
        .collect()
}

pub(crate) fn stays_below(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\n', '\r', '\\'])
        && !path.ends_with('/')
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn target_dir() -> PathBuf {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = crate_dir.ancestors().nth(2).unwrap_or(crate_dir);
    // Tests run in their crate's folder, but a relative setting refers to the workspace's folder.
    workspace.join(env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from))
}
