//! The JDKs that tests compile and run with.
//!
//! Finds what is installed; installs nothing. A JDK that is not here is a failure that says how to get it,
//! never a test that passes without it. Where to look is `find`'s job, which version it is `version`'s.

mod find;
mod version;

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::run;

/// The versions Tamis is tested with: every one with long-term support.
pub const KNOWN: [u32; 5] = [8, 11, 17, 21, 25];

/// The versions without which the JVM ring proves too little: what people run now, and the newest.
pub const NEEDED: [u32; 2] = [17, 25];

/// One installed JDK, with its compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// The number people say: 8 for `1.8.0_504`, 25 for `25.0.3`.
    pub feature: u32,
    /// The folder that holds `bin/javac`, symbolic links resolved.
    pub home: PathBuf,
    /// The whole version, build included: two builds of one feature version may compile differently.
    pub version: String,
}

impl Jdk {
    /// A command for `java`, free of the caller's Java settings.
    pub fn java(&self) -> Command {
        self.tool("java")
    }

    /// A command for `javac`, free of the caller's Java settings.
    pub fn javac(&self) -> Command {
        self.tool("javac")
    }

    /// A command for `javap`, free of the caller's Java settings.
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

/// The JDK of this feature version; without it the calling test fails and says what installs it.
pub fn jdk(feature: u32) -> Jdk {
    find(feature).unwrap_or_else(|| panic!("{}", missing(&[feature])))
}

/// The JDK of this feature version, if it is here.
pub fn find(feature: u32) -> Option<Jdk> {
    all().into_iter().find(|jdk| jdk.feature == feature)
}

/// One JDK for each feature version that is here, oldest first.
pub fn all() -> Vec<Jdk> {
    static FOUND: OnceLock<Vec<Jdk>> = OnceLock::new();
    FOUND.get_or_init(search).clone()
}

/// The same as [`all`], but searched again: for a program that has just installed one.
pub fn search() -> Vec<Jdk> {
    find::all(&find::Places::of_this_machine())
}

/// The JDKs that a test of the JVM ring must cover, every one of them.
///
/// `cargo xtask test` names them in `TAMIS_TEST_JDKS`; without it, as under a plain `cargo test`, they are
/// [`NEEDED`]. A missing one fails the calling test.
pub fn required() -> Vec<Jdk> {
    match env::var("TAMIS_TEST_JDKS") {
        Ok(list) => parse_list(&list).unwrap_or_else(|e| panic!("TAMIS_TEST_JDKS: {e}")),
        Err(_) => NEEDED.to_vec(),
    }
    .into_iter()
    .map(jdk)
    .collect()
}

/// The first, the last and the middle one of [`required`]: for what takes long and hardly depends on versions. All of them in
/// the slow ring.
pub fn spread() -> Vec<Jdk> {
    let all = required();
    if env::var_os("TAMIS_SLOW").is_some() {
        return all;
    }
    let last = all.len().saturating_sub(1);
    let wanted = [0, last / 2, last];
    all.into_iter().enumerate().filter(|(at, _)| wanted.contains(at)).map(|(_, jdk)| jdk).collect()
}

/// Reads `8,11,17`: feature versions, each once, at least one.
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

/// What to tell a person when these versions are not here: the command that installs them, and where we looked.
pub fn missing(features: &[u32]) -> String {
    let words: Vec<String> = features.iter().map(u32::to_string).collect();
    format!(
        "JDK {} not found; install with: cargo xtask jdks {}\n(looked in {})",
        words.join(", "),
        words.join(" "),
        find::Places::of_this_machine()
    )
}

/// Where `cargo xtask test` puts the JDKs that it installs, and where they are found again: `tamis/jdks` in the user's cache
/// folder.
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
    fn the_needed_jdks_run_and_are_what_they_say() {
        for feature in NEEDED {
            let jdk = jdk(feature);
            let out = run::run(jdk.javac().arg("-version"), run::SHORT).unwrap();
            assert_eq!(out.stdout.trim().strip_prefix("javac ").and_then(version::feature), Some(feature));
        }
    }
}
