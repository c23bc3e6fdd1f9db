//! Builds the agent and puts it beside our own code, so that the `tamis` binary carries it.
//!
//! Cargo cannot make a shared library part of a binary on stable, and `cargo install` installs none. The agent and the two
//! crates it is made of have no other dependencies, so three calls of the compiler are enough.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let crates =
        Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR")).join("..");
    let classfile = compile(&crates, "classfile", "rlib", &[], &out);
    let wire = compile(&crates, "wire", "rlib", &[], &out);
    compile(&crates, "agent", "cdylib", &[("classfile", &classfile), ("wire", &wire)], &out);
    embed(&crates.join("cli/demo"), &out);
}

/// The demo's project and edits as tables of names and contents.
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
        // Whoever builds the demo by hand leaves outputs behind.
        if path.is_dir() && !path.ends_with("target") && !path.ends_with(".tamis") {
            found.extend(files(&path));
        } else if path.is_file() {
            found.push(path);
        }
    }
    found
}

fn compile(crates: &Path, name: &str, kind: &str, uses: &[(&str, &Path)], out: &Path) -> PathBuf {
    let source = crates.join(name).join("src");
    println!("cargo::rerun-if-changed={}", source.display());
    let result =
        out.join(if kind == "rlib" { format!("libtamis_{name}.rlib") } else { format!("tamis_{name}.so") });
    let mut rustc = Command::new(env::var_os("RUSTC").expect("cargo sets RUSTC"));
    rustc.arg(source.join("lib.rs")).arg("-o").arg(&result);
    rustc.args(["--edition", "2024", "--crate-type", kind, "--crate-name", &format!("tamis_{name}")]);
    // Always fast, whatever profile the CLI is built with: it runs inside the user's tests.
    rustc.args([
        "-C",
        "opt-level=3",
        "-C",
        "codegen-units=1",
        "-C",
        "strip=debuginfo",
        "--cap-lints",
        "allow",
    ]);
    rustc.arg("--target").arg(env::var_os("TARGET").expect("cargo sets TARGET"));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        rustc.arg("-C").arg(format!("linker={}", linker.to_string_lossy()));
    }
    for (name, library) in uses {
        rustc.arg("--extern").arg(format!("tamis_{name}={}", library.display()));
    }
    let status = rustc.status().expect("the compiler runs");
    assert!(status.success(), "the agent does not compile: {status}");
    result
}
