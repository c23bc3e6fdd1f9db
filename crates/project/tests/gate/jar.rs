//! The checked-in extension equals the compiled source.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tamis_test_support::{jar, javac, jdk, maven};

/// The oldest supported Maven.
const API: &str = "org.apache.maven:maven-core:3.6.3";

fn java() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("java")
}

/// Sources and the index by which Maven finds components, with their paths.
fn sources() -> Vec<(String, String)> {
    let mut sources = Vec::new();
    for folder in ["META-INF/sisu", "tamis/gate"] {
        for entry in fs::read_dir(java().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
            sources.push((name, fs::read_to_string(path).unwrap()));
        }
    }
    sources.sort();
    sources
}

#[test]
fn the_jar_is_what_its_source_compiles_to() {
    let path = maven::jars(&[API]).unwrap();
    let path = env::join_paths(path).unwrap().into_string().unwrap();
    let options = ["--release", "8", "-g:none", "-proc:none", "-Xlint:all,-options", "-Werror", "-cp", &path];
    let sources = sources();
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let classes = javac::compile(&jdk::jdk(17), &sources, &options).unwrap();
    for (name, bytes) in classes.classes() {
        assert_eq!(bytes[6..8], [0, 52], "{name} is not for Java 8");
    }
    let compiled = jar::deflated(&classes.files());
    let kept = java().join("gate.jar");
    if env::var_os("TAMIS_BLESS").is_some() {
        fs::write(&kept, &compiled).unwrap();
    }
    assert!(
        fs::read(&kept).unwrap() == compiled,
        "java/gate.jar is not what java/tamis/gate compiles to; renew it with: \
         TAMIS_BLESS=1 cargo test -p tamis-project --test gate the_jar_is_what"
    );
}
