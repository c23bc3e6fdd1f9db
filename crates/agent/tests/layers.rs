//! Each module uses only modules of lower layers, so that no two of them depend on each other.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the agent, lowest layer first. A folder is one module.
const LAYERS: [&[&str]; 9] = [
    &["own_code", "process", "sync", "vm"],
    &["instrument"],
    &["probes", "watched_roots"],
    &["state", "threads"],
    &["recorder"],
    &["boundary"],
    &["inputs"],
    &["bridge", "class_load", "connect"],
    &["events"],
];

#[test]
fn modules_use_only_lower_layers() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layer = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    let mut wrong = Vec::new();
    for (module, file) in files(&source) {
        let text = fs::read_to_string(&file).unwrap();
        let folder = if file.ends_with("mod.rs") { file.parent() } else { Some(file.as_path()) };
        let is_root = folder.and_then(Path::parent) == Some(&source);
        assert!(!is_root || !text.contains("\nuse super::"), "{}: use `crate::`", file.display());
        let own = layer(&module).unwrap_or_else(|| panic!("{module} is in no layer"));
        for used in modules_used(&text) {
            if used != module && layer(&used).is_none_or(|used| used >= own) {
                wrong.push(format!("{} uses {used}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// All source files but `lib.rs`, each with its module.
fn files(source: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let mut folders = vec![source.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("lib.rs") {
                let first = path.strip_prefix(source).unwrap().iter().next().unwrap().to_str().unwrap();
                files.push((first.trim_end_matches(".rs").to_owned(), path));
            }
        }
    }
    assert!(!files.is_empty());
    files
}

/// The modules that a file names from the root of the crate.
fn modules_used(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut used = BTreeSet::new();
    for line in code {
        for rest in line.split("crate::").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            assert!(!name.is_empty(), "one `use` per module: {line}");
            used.insert(name);
        }
    }
    used
}
