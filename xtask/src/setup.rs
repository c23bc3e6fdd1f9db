//! The programs that tests need on this machine: JDKs, Maven, rustfmt, clippy and a few others.
//!
//! Installs missing ones if that needs no root, and prints a line for each. Does not know the tests.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, anyhow, bail};
use tamis_test_support::gradle;
use tamis_test_support::jdk::{self, Jdk};

use crate::{cargo, jdks};

/// Whether missing programs are installed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Install {
    Missing,
    Nothing,
}

/// JDKs and variables for a run of the tests.
pub(crate) struct Setup {
    /// The JDKs to cover, oldest first.
    pub(crate) jdks: Vec<Jdk>,
    /// Known JDKs that are not covered.
    pub(crate) left_out: Vec<LeftOut>,
    /// Environment variables of the tests.
    pub(crate) environment: Vec<(&'static str, OsString)>,
}

/// A JDK that is not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    pub(crate) feature: u32,
    pub(crate) reason: &'static str,
}

/// Programs besides Java's that some tests start, with their purpose. They cannot be installed here.
const PROGRAMS: [(&str, &str, &str); 2] = [
    ("git", "a project that changes branches", "apt-get install git"),
    ("taskset", "a JVM that has one processor", "apt-get install util-linux"),
];

/// Finds JDKs and Maven, and installs the missing ones. `listed` is the value of `--jdks`.
pub(crate) fn prepare(listed: Option<&str>, install: Install) -> Result<Setup> {
    let choice = Choice::of(listed)?;
    let mut here = jdk::search();
    let missing = choice.missing(&here);
    if install == Install::Missing && !missing.is_empty() {
        println!("installs JDK {}, which tests run with; --no-install leaves them out", in_words(&missing));
        if let Err(error) = jdks::install(&missing, None) {
            eprintln!("xtask: {error:#}");
        }
        here = jdk::search();
    }
    let (jdks, left_out) = choice.cover(here, install)?;
    for (program, purpose, command) in PROGRAMS {
        if on_path(program).is_none() {
            println!("{program} not found ({purpose}): its tests will fail; install with: {command}");
        }
    }
    if install == Install::Missing && gradle::find().is_none() {
        println!("installs Gradle {}, which tests run with", gradle::VERSION);
        if let Err(error) = gradle::program() {
            println!("Gradle could not be installed: its tests will fail: {error}");
        }
    }
    let environment = maven(&jdks, install);
    Ok(Setup { jdks, left_out, environment })
}

/// Adds rustfmt and clippy to the toolchain if they are missing.
pub(crate) fn prepare_lints(install: Install) {
    let answers = |command: &str| {
        let mut command = cargo::cargo(&[command, "--version"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let mut missing = vec![("fmt", "rustfmt"), ("clippy", "clippy")];
    missing.retain(|(command, _)| !answers(command));
    let missing: Vec<&str> = missing.into_iter().map(|(_, component)| component).collect();
    if missing.is_empty() || install == Install::Nothing || on_path("rustup").is_none() {
        return; // The lints name what is missing.
    }
    println!("installs {}, which the lints need", missing.join(" and "));
    if let Err(error) = cargo::run(Command::new("rustup").args(["component", "add"]).args(missing)) {
        eprintln!("xtask: {error:#}");
    }
}

/// Which JDKs to cover, and which of them are required.
struct Choice {
    wanted: Vec<u32>,
    needed: Vec<u32>,
    listed: bool,
}

impl Choice {
    fn of(listed: Option<&str>) -> Result<Choice> {
        let Some(list) = listed else {
            return Ok(Choice { wanted: jdk::KNOWN.to_vec(), needed: jdk::NEEDED.to_vec(), listed: false });
        };
        let list = jdk::parse_list(list).map_err(|e| anyhow!("--jdks: {e}"))?;
        Ok(Choice { wanted: list.clone(), needed: list, listed: true })
    }

    fn missing(&self, here: &[Jdk]) -> Vec<u32> {
        not_among(&self.wanted, here)
    }

    /// The JDKs to cover, and the known ones that are left out.
    fn cover(&self, here: Vec<Jdk>, install: Install) -> Result<(Vec<Jdk>, Vec<LeftOut>)> {
        let missing = not_among(&self.needed, &here);
        if !missing.is_empty() {
            bail!(jdk::missing(&missing));
        }
        let covered: Vec<Jdk> = here.into_iter().filter(|jdk| self.wanted.contains(&jdk.feature)).collect();
        let reason = match (self.listed, install) {
            (true, _) => "not listed",
            (false, Install::Missing) => "not found, and could not be installed",
            (false, Install::Nothing) => "not found",
        };
        let left_out =
            not_among(&jdk::KNOWN, &covered).into_iter().map(|feature| LeftOut { feature, reason }).collect();
        Ok((covered, left_out))
    }
}

fn not_among(features: &[u32], jdks: &[Jdk]) -> Vec<u32> {
    features.iter().copied().filter(|feature| !jdks.iter().any(|jdk| jdk.feature == *feature)).collect()
}

/// Puts `mvn`, and a `java` for it, on the `PATH` of the tests if they are missing.
fn maven(jdks: &[Jdk], install: Install) -> Vec<(&'static str, OsString)> {
    let mut environment = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    if on_path("mvn").is_none() {
        match own_maven(install) {
            Ok(bin) => folders.push(bin),
            Err(error) => println!(
                "mvn not found: tests of builds and frameworks will fail; install with: apt-get install maven ({error:#})"
            ),
        }
    }
    // Without this variable Debian's `mvn` looks for a Java of Debian's. Other Mavens do not start without
    // `java`.
    if env::var_os("JAVA_HOME").is_none()
        && on_path("java").is_none()
        && let Some(jdk) = jdks.iter().find(|jdk| jdk.feature == 17).or(jdks.last())
    {
        println!("java not found on the PATH: Maven runs with JDK {}", jdk.feature);
        folders.push(jdk.home.join("bin"));
        environment.push(("JAVA_HOME", jdk.home.clone().into_os_string()));
    }
    if !folders.is_empty() {
        folders.extend(env::var_os("PATH").iter().flat_map(env::split_paths));
        match env::join_paths(folders) {
            Ok(path) => environment.push(("PATH", path)),
            Err(error) => println!("PATH: {error}"),
        }
    }
    environment
}

/// The `bin` folder of the Maven in the user's cache folder.
fn own_maven(install: Install) -> Result<PathBuf> {
    let Some(folder) = jdk::install_dir().map(|jdks| jdks.with_file_name("maven")) else {
        bail!("neither XDG_CACHE_HOME nor HOME is set");
    };
    let bin = folder.join("usr/share/maven/bin");
    if !is_program(&bin, "mvn") {
        if install == Install::Nothing {
            bail!("--no-install");
        }
        println!("installs Maven, which tests run with");
        cargo::run(Command::new("bash").arg(cargo::workspace().join("xtask/maven.sh")).arg(&folder))?;
    }
    Ok(bin)
}

fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).find(|folder| is_program(folder, program))
}

fn is_program(folder: &Path, name: &str) -> bool {
    folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)).is_file()
}

/// `8, 11, 21`
pub(crate) fn in_words(features: &[u32]) -> String {
    features.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The versions covered if these JDKs are installed, or the error.
    fn covered(listed: Option<&str>, here: &[u32]) -> Result<Vec<u32>, String> {
        let cover = |choice: Choice| choice.cover(jdks(here), Install::Missing);
        match Choice::of(listed).and_then(cover) {
            Ok((jdks, _)) => Ok(jdks.into_iter().map(|jdk| jdk.feature).collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn jdks(features: &[u32]) -> Vec<Jdk> {
        let jdk = |&feature| Jdk { feature, home: "x".into(), version: "x".to_owned() };
        features.iter().map(jdk).collect()
    }

    #[test]
    fn without_a_list_the_installed_known_jdks_are_covered() {
        assert_eq!(Choice::of(None).unwrap().missing(&jdks(&[8, 17, 19, 25])), [11, 21]);
        assert_eq!(covered(None, &[8, 17, 19, 25]), Ok(vec![8, 17, 25]));
    }

    #[test]
    fn without_a_list_the_needed_jdks_must_be_installed() {
        assert!(covered(None, &[8, 11, 25]).unwrap_err().contains("cargo xtask jdks 17"));
    }

    #[test]
    fn with_a_list_exactly_its_jdks_are_covered() {
        assert_eq!(covered(Some("8,19"), &[8, 17, 19, 25]), Ok(vec![8, 19]));
        assert!(covered(Some("8,11,21,25"), &[8, 17, 25]).unwrap_err().contains("cargo xtask jdks 11 21"));
        assert!(covered(Some("1.8"), &[8, 17, 25]).unwrap_err().contains("--jdks"));
    }

    #[test]
    fn a_jdk_is_left_out_with_a_reason() {
        let reason = |listed, install| {
            let (_, left_out) = Choice::of(listed).unwrap().cover(jdks(&[17, 25]), install).unwrap();
            assert_eq!(left_out.iter().map(|jdk| jdk.feature).collect::<Vec<_>>(), [8, 11, 21]);
            left_out[0].reason
        };
        assert_eq!(reason(None, Install::Missing), "not found, and could not be installed");
        assert_eq!(reason(None, Install::Nothing), "not found");
        assert_eq!(reason(Some("17,25"), Install::Missing), "not listed");
    }
}
