//! Builds the agent as a file beside our own code, so that the `tamis` binary contains it.
//!
//! Stable Cargo cannot put a shared library into a binary, and `cargo install` does not install one. The
//! agent and its two crates have no other dependencies, so three calls of the compiler are enough.

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
}

fn compile(crates: &Path, name: &str, kind: &str, uses: &[(&str, &Path)], out: &Path) -> PathBuf {
    let source = crates.join(name).join("src");
    println!("cargo::rerun-if-changed={}", source.display());
    let result =
        out.join(if kind == "rlib" { format!("libtamis_{name}.rlib") } else { format!("tamis_{name}.so") });
    let mut rustc = Command::new(env::var_os("RUSTC").expect("cargo sets RUSTC"));
    rustc.arg(source.join("lib.rs")).arg("-o").arg(&result);
    rustc.args(["--edition", "2024", "--crate-type", kind, "--crate-name", &format!("tamis_{name}")]);
    // Always optimised, whatever profile the CLI is built with: the agent runs inside the user's tests.
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
