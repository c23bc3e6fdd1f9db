//! The JDKs for compiling and running in tests.
//!
//! Finds installed JDKs and installs none. A missing JDK is a failure with installation instructions; a test
//! never passes without it. `find` knows the places to search, `version` determines the version.

mod find;
mod version;

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::run;

/// The versions Tamis is tested with: every one with long-term support.
pub const KNOWN: [u32; 5] = [8, 11, 17, 21, 25];

/// The minimum for the JVM ring: the version that most people use, and the newest.
pub const NEEDED: [u32; 2] = [17, 25];

/// One installed JDK, with its compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// The feature version: 8 for `1.8.0_504`, 25 for `25.0.3`.
    pub feature: u32,
    /// The folder with `bin/javac`, with symbolic links resolved.
    pub home: PathBuf,
    /// The full version with the build: two builds of one feature version may compile differently.
    pub version: String,
}

impl Jdk {
    /// A command for `java`, without the caller's Java settings.
    pub fn java(&self) -> Command {
        self.tool("java")
    }

    /// A command for `javac`, without the caller's Java settings.
    pub fn javac(&self) -> Command {
        self.tool("javac")
    }

    /// A command for `javap`, without the caller's Java settings.
    pub fn javap(&self) -> Command {
        self.tool("javap")
    }

    /// A command for any program of this JDK's `bin`.
    pub fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(find::program(&self.home, name));
        run::forget_java_settings(&mut command);
        command
    }
}

/// The JDK of this feature version. If it is missing, the calling test fails with installation instructions.
pub fn jdk(feature: u32) -> Jdk {
    find(feature).unwrap_or_else(|| panic!("{}", missing(&[feature])))
}

/// The JDK of this feature version, if it is installed.
pub fn find(feature: u32) -> Option<Jdk> {
    all().into_iter().find(|jdk| jdk.feature == feature)
}

/// One JDK per installed feature version, oldest first.
pub fn all() -> Vec<Jdk> {
    static FOUND: OnceLock<Vec<Jdk>> = OnceLock::new();
    FOUND.get_or_init(search).clone()
}

/// The same as [`all`], but searched again: for a program that has just installed one.
pub fn search() -> Vec<Jdk> {
    find::all(&find::Places::of_this_machine())
}

/// The JDKs that a test of the JVM ring must cover; each of them is mandatory.
///
/// `cargo xtask test` sets `TAMIS_TEST_JDKS`; without it, as under a plain `cargo test`, they are [`NEEDED`].
/// A missing one fails the calling test.
pub fn required() -> Vec<Jdk> {
    match env::var("TAMIS_TEST_JDKS") {
        Ok(list) => parse_list(&list).unwrap_or_else(|e| panic!("TAMIS_TEST_JDKS: {e}")),
        Err(_) => NEEDED.to_vec(),
    }
    .into_iter()
    .map(jdk)
    .collect()
}

/// The first, the middle and the last one of [`required`], for slow tests that hardly depend on versions. The
/// slow ring uses all of them.
pub fn spread() -> Vec<Jdk> {
    let all = required();
    if env::var_os("TAMIS_SLOW").is_some() {
        return all;
    }
    let last = all.len().saturating_sub(1);
    let wanted = [0, last / 2, last];
    all.into_iter().enumerate().filter(|(at, _)| wanted.contains(at)).map(|(_, jdk)| jdk).collect()
}

/// Parses `8,11,17`: distinct feature versions, at least one.
pub fn parse_list(list: &str) -> Result<Vec<u32>, String> {
    let mut features = Vec::new();
    for word in list.split(',') {
        let feature = word
            .trim()
            .parse()
            .map_err(|_| format!("`{word}` is not a JDK version; write them as 8,11,17,21,25"))?;
        if !features.contains(&feature) {
            features.push(feature);
        }
    }
    Ok(features)
}

/// The message about missing versions: the command that installs them, and the searched places.
pub fn missing(features: &[u32]) -> String {
    let words: Vec<String> = features.iter().map(u32::to_string).collect();
    format!(
        "JDK {} not found; install with: cargo xtask jdks {}\n(looked in {})",
        words.join(", "),
        words.join(" "),
        find::Places::of_this_machine()
    )
}

/// The folder in which `cargo xtask test` installs JDKs: `tamis/jdks` in the user's cache folder.
pub fn install_dir() -> Option<PathBuf> {
    find::Places::of_this_machine().installed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_versions_is_read_in_order_and_without_repeats() {
        assert_eq!(parse_list("25, 8,25").unwrap(), [25, 8]);
    }

    #[test]
    fn a_list_with_anything_but_versions_is_refused() {
        for bad in ["", "8,", "1.8", "jdk-8", "8 11"] {
            assert!(parse_list(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_missing_jdk_is_reported_with_the_command_that_installs_it() {
        assert!(missing(&[8, 11]).contains("cargo xtask jdks 8 11"));
    }

    #[test]
    fn the_needed_jdks_run_and_have_the_right_version() {
        for feature in NEEDED {
            let jdk = jdk(feature);
            let out = run::run(jdk.javac().arg("-version"), run::SHORT).unwrap();
            assert_eq!(out.stdout.trim().strip_prefix("javac ").and_then(version::feature), Some(feature));
        }
    }
}
