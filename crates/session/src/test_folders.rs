//! Finds compiled test classes in a project that has no recorded run.

use std::path::{Path, PathBuf};

/// The directories in which builds put the classes of tests.
pub(crate) fn test_class_directories(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let (name, path) = (entry.file_name(), entry.path());
            if name == "test-classes" || path.ends_with("build/classes/java/test") {
                found.push(path);
            } else if depth < 6 && !name.as_encoded_bytes().starts_with(b".") && name != "node_modules" {
                todo.push((path, depth + 1));
            }
        }
    }
    found.sort();
    found
}
