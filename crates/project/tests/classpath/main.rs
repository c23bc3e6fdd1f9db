//! Class paths on a real disk: found classes, errors, problems, and resistance to malicious files.
#![allow(clippy::unwrap_used)] // Tests and their helper functions may panic.

mod directories;
mod hostile_images;
mod hostile_jars;
mod image_writer;
mod jars;
mod jdk_classes;
mod jvm_agrees;
mod manifests;
mod roots;

use std::fs;
use std::path::{Path, PathBuf};
use tamis_project::classpath::{ClassPath, ClassPathError, ClassPathOptions};

/// The directory of one test, deleted at its end.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new() -> Disk {
        Disk(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and its parent directories.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn link(&self, name: &str, to: impl AsRef<Path>) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, &path).unwrap();
        path
    }

    fn open(&self, roots: &[&str]) -> ClassPath {
        self.open_for(None, roots)
    }

    fn open_for(&self, release: Option<u32>, roots: &[&str]) -> ClassPath {
        self.try_open_for(release, roots).unwrap()
    }

    fn try_open_for(&self, release: Option<u32>, roots: &[&str]) -> Result<ClassPath, ClassPathError> {
        let roots: Vec<_> = roots.iter().map(|root| self.at(root)).collect();
        ClassPath::open(&roots, &ClassPathOptions { release, ..ClassPathOptions::default() })
    }

    /// A message or location without its variable part.
    fn shown(&self, text: impl ToString) -> String {
        let text = text.to_string();
        assert!(!text.contains('\n'), "{text} is more than a line");
        text.replace(&format!("{}/", self.0.path().display()), "")
    }

    fn problems(&self, class_path: &ClassPath) -> Vec<String> {
        class_path.problems().iter().map(|problem| self.shown(problem)).collect()
    }

    /// The location of the class with this name; empty if there is none.
    fn found(&self, class_path: &ClassPath, name: &str) -> String {
        class_path.find(name).map(|entry| self.shown(entry.location(class_path))).unwrap_or_default()
    }

    fn refusal(&self, class_path: &ClassPath, name: &str) -> String {
        let mut buffer = vec![1];
        let error = class_path.read(class_path.find(name).unwrap(), &mut buffer).unwrap_err();
        assert!(buffer.is_empty(), "a failed read must leave the buffer empty");
        self.shown(error)
    }
}

fn names(class_path: &ClassPath) -> Vec<&str> {
    class_path.classes().iter().map(|entry| entry.name.as_ref()).collect()
}

fn text(class_path: &ClassPath, name: &str) -> String {
    let mut buffer = Vec::new();
    class_path.read(class_path.find(name).unwrap(), &mut buffer).unwrap();
    String::from_utf8(buffer).unwrap()
}
