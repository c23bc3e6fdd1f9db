//! The checked-in extension and plugin equal the compiled sources.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tamis_test_support::{jar, javac, jdk, maven};

/// A jar in `java/`, the folders with its sources, and the libraries that it is compiled with.
struct CheckedInJar {
    file: &'static str,
    folders: &'static [&'static str],
    api: &'static [&'static str],
}

/// With the oldest supported Maven.
const EXTENSION: CheckedInJar = CheckedInJar {
    file: "gate.jar",
    folders: &["META-INF/sisu", "tamis/ask", "tamis/gate"],
    api: &["org.apache.maven:maven-core:3.6.3"],
};

/// With the first Gradle that has isolated actions. All else is in Gradle 6.8.
const PLUGIN: CheckedInJar = CheckedInJar {
    file: "gradle.jar",
    folders: &["tamis/ask", "tamis/gradle"],
    api: &["dev.gradleplugins:gradle-api:8.8", "org.codehaus.groovy:groovy-xml:3.0.21"],
};

fn java() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("java")
}

impl CheckedInJar {
    /// Sources, and the index by which Maven finds components, with their paths.
    fn sources(&self) -> Vec<(String, String)> {
        let mut sources = Vec::new();
        for folder in self.folders {
            for entry in fs::read_dir(java().join(folder)).unwrap() {
                let path = entry.unwrap().path();
                let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
                sources.push((name, fs::read_to_string(path).unwrap()));
            }
        }
        sources.sort();
        sources
    }

    #[track_caller]
    fn check(&self) {
        let path = env::join_paths(maven::jars(self.api).unwrap()).unwrap().into_string().unwrap();
        let options = ["--release", "8", "-g:none", "-proc:none", "-Xlint:all,-options,-classfile,-path"];
        let options = [&options[..], &["-Werror", "-cp", &path]].concat();
        let sources = self.sources();
        let sources: Vec<(&str, &str)> =
            sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let classes = javac::compile(&jdk::jdk(17), &sources, &options).unwrap();
        for (name, bytes) in classes.classes() {
            assert_eq!(bytes[6..8], [0, 52], "{name} is not for Java 8");
        }
        let compiled = jar::deflated(&classes.files());
        let kept = java().join(self.file);
        if env::var_os("TAMIS_BLESS").is_some() {
            fs::write(&kept, &compiled).unwrap();
        }
        assert!(
            fs::read(&kept).unwrap() == compiled,
            "java/{} is not what its sources compile to; renew it with: \
             TAMIS_BLESS=1 cargo test -p tamis-project --test gate what_its_source",
            self.file
        );
    }
}

#[test]
fn the_extension_is_what_its_source_compiles_to() {
    EXTENSION.check();
}

#[test]
fn the_plugin_is_what_its_source_compiles_to() {
    PLUGIN.check();
}
