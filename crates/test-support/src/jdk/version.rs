//! Determines the version of a JDK.
//!
//! Reads the `release` file and the output of `javac -version`; does not search for JDKs.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run;

/// The feature version and the full version of the JDK in `home`.
pub(super) fn of(home: &Path, javac: &Path) -> Option<(u32, String)> {
    let version = match fs::read_to_string(home.join("release")) {
        Ok(text) => in_release_file(&text)?,
        // Debian's JDK 8 has no such file. Running javac starts a JVM, so the file is tried first.
        Err(_) => asked(javac)?,
    };
    Some((feature(&version)?, version))
}

/// `1.8.0_504` is 8, `25.0.3+9-LTS` is 25, `26-ea` is 26.
pub(super) fn feature(version: &str) -> Option<u32> {
    let number = version.strip_prefix("1.").unwrap_or(version);
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number.get(..end)?.parse().ok()
}

/// The runtime version also contains the build, but JDK 8 never writes it.
fn in_release_file(text: &str) -> Option<String> {
    let value = |key: &str| {
        text.lines().find_map(|line| {
            let value = line.strip_prefix(key)?.strip_prefix('=')?.trim();
            Some(value.trim_matches('"').to_owned())
        })
    };
    value("JAVA_RUNTIME_VERSION").or_else(|| value("JAVA_VERSION"))
}

fn asked(javac: &Path) -> Option<String> {
    let mut command = Command::new(javac);
    run::forget_java_settings(&mut command);
    let out = run::run(command.arg("-version"), run::SHORT).ok()?;
    // JDK 8 prints on stderr, later versions on stdout.
    let line = out.stdout.lines().chain(out.stderr.lines()).find_map(|line| line.strip_prefix("javac "))?;
    Some(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_version_is_the_common_number() {
        for (version, expected) in [
            ("1.8.0_504", Some(8)),
            ("11.0.24+8-post-Debian", Some(11)),
            ("25", Some(25)),
            ("26-ea", Some(26)),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(feature(version), expected, "{version}");
        }
    }

    #[test]
    fn the_version_includes_the_build_if_the_release_file_has_it() {
        let with = "IMPLEMENTOR=\"X\"\nJAVA_RUNTIME_VERSION=\"17.0.15+6-X\"\nJAVA_VERSION=\"17.0.15\"\n";
        assert_eq!(in_release_file(with).unwrap(), "17.0.15+6-X");
        assert_eq!(in_release_file("JAVA_VERSION=\"1.8.0_504\"\n").unwrap(), "1.8.0_504");
        assert_eq!(in_release_file("OS_NAME=\"Linux\"\n"), None);
    }
}
