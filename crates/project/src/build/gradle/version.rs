//! The version of a Gradle, from its files: starting it would take half a second.

use std::fs;
use std::path::Path;

use tamis_catalog::builds::gradle as known;

use crate::build::{BuildError, BuildProgram};

/// Longer than any such file.
const LONGEST: u64 = 1 << 16;

/// Refuses a Gradle that is certainly too old.
pub(super) fn check(program: &BuildProgram) -> Result<(), BuildError> {
    match version(program.path()).filter(|version| is_old(version)) {
        Some(version) => Err(BuildError::OldGradle { version }),
        None => Ok(()),
    }
}

/// The version that a wrapper fetches, or that the folder of a program has.
fn version(program: &Path) -> Option<String> {
    of_wrapper(program).or_else(|| of_libraries(&fs::canonicalize(program).ok()?))
}

fn of_wrapper(program: &Path) -> Option<String> {
    let file = program.parent()?.join(known::WRAPPER_SETTINGS);
    let small = fs::metadata(&file).is_ok_and(|file| file.len() < LONGEST);
    let text = fs::read_to_string(file).ok().filter(|_| small)?;
    let line = text.lines().find(|line| line.trim_start().starts_with("distributionUrl"))?;
    known::version_in(line.rsplit('/').next()?)
}

fn of_libraries(program: &Path) -> Option<String> {
    let libraries = fs::read_dir(program.parent()?.parent()?.join("lib")).ok()?;
    let mut names = libraries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.find(|name| name.starts_with(known::LIBRARY)).and_then(|name| known::version_in(&name))
}

/// Whether a version, such as `8.8` or `6.8.3-rc-1`, is older than the oldest that works.
fn is_old(version: &str) -> bool {
    let mut numbers = version.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let found = (numbers.next().unwrap_or(u32::MAX), numbers.next().unwrap_or(0));
    found < known::OLDEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_a_wrapper_or_the_libraries() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        let program = BuildProgram::Executable(folder.path().join("bin/gradle"));
        let wrapper = BuildProgram::Script(folder.path().join("gradlew"));
        assert!(check(&program).is_ok() && check(&wrapper).is_ok(), "nothing is known");
        write("bin/gradle", "");
        write("lib/gradle-launcher-4.4.1.jar", "");
        assert!(check(&program).unwrap_err().to_string().starts_with("Gradle 4.4.1 is too old: "));
        for (version, is_old) in
            [("6.7.1", true), ("5.6", true), ("6.8", false), ("8.14.1-rc-1", false), ("10.0", false)]
        {
            let url = format!("a=b\ndistributionUrl=https\\://x.example/gradle-{version}-bin.zip\n");
            write("gradle/wrapper/gradle-wrapper.properties", &url);
            assert_eq!(check(&wrapper).is_err(), is_old, "{version}");
        }
        write("gradle/wrapper/gradle-wrapper.properties", "distributionUrl=https\\://x.example/ours.zip\n");
        assert!(check(&wrapper).is_ok(), "a distribution without a version in its name");
    }
}
