//! Embeds the demo's project and its edits in the `tamis` binary.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    embed(&here.join("demo"), &out);
}

/// Writes the demo's project and edits as tables of names and contents.
fn embed(demo: &Path, out: &Path) {
    println!("cargo::rerun-if-changed={}", demo.display());
    let mut project = files(&demo.join("shop"));
    let mut edits = files(&demo.join("edits"));
    project.sort();
    edits.sort();
    let mut text = String::from("const PROJECT: &[(&str, &str)] = &[\n");
    for file in &project {
        let name = file.strip_prefix(demo.join("shop")).expect("a file below it").display().to_string();
        text.push_str(&format!("    ({name:?}, include_str!({:?})),\n", file.display().to_string()));
    }
    text.push_str("];\nconst EDITS: &[&str] = &[\n");
    for file in &edits {
        text.push_str(&format!("    include_str!({:?}),\n", file.display().to_string()));
    }
    text.push_str("];\n");
    std::fs::write(out.join("demo.rs"), text).expect("OUT_DIR can be written");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("a directory entry").path();
        // Building the demo by hand leaves output folders.
        if path.is_dir() && !path.ends_with("target") && !path.ends_with(".tamis") {
            found.extend(files(&path));
        } else if path.is_file() {
            found.push(path);
        }
    }
    found
}
