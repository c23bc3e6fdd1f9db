//! A folder of compiled classes.
//!
//! Reads class files as names and bytes, without interpreting them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The output of one compilation. Tests share it, so it must not be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassDir {
    /// The root of the packages, as for `-cp`.
    pub path: PathBuf,
}

impl ClassDir {
    /// The bytes of a class, named `a/B$C` or `a.B$C`. A missing class fails the calling test.
    pub fn class_bytes(&self, name: &str) -> Vec<u8> {
        let file = self.path.join(format!("{}.class", name.replace('.', "/")));
        fs::read(file).unwrap_or_else(|e| {
            let names: Vec<String> = self.classes().into_iter().map(|(name, _)| name).collect();
            panic!("no class {name} ({e}); there are: {}", names.join(" "))
        })
    }

    /// Every class, as `a/B$C` and its bytes, sorted by name.
    pub fn classes(&self) -> Vec<(String, Vec<u8>)> {
        let mut classes: Vec<(String, Vec<u8>)> = self
            .files()
            .into_iter()
            .filter_map(|(name, bytes)| Some((name.strip_suffix(".class")?.to_owned(), bytes)))
            .collect();
        classes.sort(); // Again: `B.class` comes after `B$C.class`, but `B` before `B$C`.
        classes
    }

    /// Every file, including resources, as its path with `/` and its bytes, sorted by path; suitable for
    /// [`crate::jar`].
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        walk(&self.path, "", &mut files).unwrap_or_else(|e| panic!("{}: {e}", self.path.display()));
        files.sort();
        files
    }

    /// Copies all files into `folder`, for a test that changes them.
    pub fn copy_to(&self, folder: &Path) -> io::Result<ClassDir> {
        for (name, bytes) in self.files() {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            fs::write(file, bytes)?;
        }
        fs::create_dir_all(folder)?;
        Ok(ClassDir { path: folder.to_path_buf() })
    }
}

/// Adds the files below `folder`, with `prefix` before their names.
pub(super) fn walk(folder: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, fs::read(entry.path())?));
        }
    }
    Ok(())
}
