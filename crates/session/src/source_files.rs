//! Finds the source file of a frame of a stack: the file of this name in a folder that ends with the package.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How deep a source file may be below the directory of its module.
const DEEPEST: usize = 24;

/// The number of directory entries after which the search ends.
const MOST_ENTRIES: usize = 100_000;

/// The source files of a project, found once.
pub(crate) struct SourceFiles<'r> {
    root: &'r Path,
    left: usize,
    /// By module, the files by their names.
    modules: BTreeMap<String, BTreeMap<String, Vec<PathBuf>>>,
}

impl<'r> SourceFiles<'r> {
    /// The files below the root of a project.
    pub(crate) fn new(root: &'r Path) -> SourceFiles<'r> {
        SourceFiles { root, left: MOST_ENTRIES, modules: BTreeMap::new() }
    }

    /// The file of `a.ATest.adds(ATest.java:7)`, relative to the root, or of the same name in another module.
    pub(crate) fn file_of(&mut self, module: &str, frame: &str) -> Option<String> {
        let (method, place) = frame.split_once('(')?;
        let name = place.split([':', ')']).next()?;
        let class = method.rsplit_once('.')?.0;
        let package = class.rsplit_once('.').map_or("", |(package, _)| package).replace('.', "/");
        let root = self.root;
        [module, ""].into_iter().find_map(|module| {
            let files = self.files_of(module).get(name)?;
            let is_it = |file: &&PathBuf| file.parent().is_some_and(|folder| folder.ends_with(&package));
            let file = files.iter().find(is_it)?;
            Some(file.strip_prefix(root).ok()?.to_string_lossy().into_owned())
        })
    }

    fn files_of(&mut self, module: &str) -> &BTreeMap<String, Vec<PathBuf>> {
        if !self.modules.contains_key(module) {
            let mut files = BTreeMap::new();
            let folder = if module.is_empty() { self.root.to_owned() } else { self.root.join(module) };
            self.collect(&folder, 0, &mut files);
            self.modules.insert(module.to_owned(), files);
        }
        self.modules.entry(module.to_owned()).or_default()
    }

    fn collect(&mut self, folder: &Path, depth: usize, files: &mut BTreeMap<String, Vec<PathBuf>>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
            let is_output =
                name.starts_with('.') || ["target", "build", "out", "node_modules"].contains(&&*name);
            if kind.is_dir() && depth < DEEPEST && !is_output {
                self.collect(&entry.path(), depth + 1, files);
            } else if kind.is_file() {
                files.entry(name).or_default().push(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SourceFiles;
    use std::fs;

    #[test]
    fn the_file_of_a_frame_is_the_one_in_the_folder_of_its_package() {
        let project = tempfile::tempdir().unwrap();
        for file in ["core/src/test/java/a/T.java", "core/src/test/java/b/T.java", "core/target/a/T.java"] {
            let path = project.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut files = SourceFiles::new(project.path());
        let mut file = |module: &str, frame: &str| files.file_of(module, frame);
        assert_eq!(file("core", "b.T.m(T.java:7)").as_deref(), Some("core/src/test/java/b/T.java"));
        assert_eq!(file("app", "a.T$1.m(T.java:7)").as_deref(), Some("core/src/test/java/a/T.java"));
        assert_eq!(file("core", "c.T.m(T.java:7)"), None);
        assert_eq!(file("core", "a.T.m(Native Method)"), None);
    }
}
