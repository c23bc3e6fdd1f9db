//! `tamis init`: writes a `tamis.toml` with commented examples.

use super::options::here;
use super::say;
use crate::error::CommandError;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use tamis_project::root::find_root;
use tamis_report::words;

const EXAMPLE: &str = include_str!("init.toml");

/// Beside the outermost build file; a file that exists is left alone.
pub(super) fn init() -> Result<ExitCode, CommandError> {
    let path = find_root(&here()?).path().join("tamis.toml");
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(|error| CommandError::Init(path.clone(), error))?;
    file.write_all(EXAMPLE.as_bytes()).map_err(|error| CommandError::Init(path.clone(), error))?;
    say(&words::written(&path));
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::EXAMPLE;

    #[test]
    fn the_example_is_right_with_and_without_its_comments() {
        assert!(EXAMPLE.parse::<toml::Table>().unwrap().is_empty());
        let is_code = |line: &&str| {
            let rest = line.trim_start_matches("# ");
            rest.starts_with(['[', '{', ']'])
                || rest.starts_with("  {")
                || rest.split(' ').nth(1) == Some("=")
        };
        let lines: Vec<&str> =
            EXAMPLE.lines().filter(is_code).map(|line| line.trim_start_matches("# ")).collect();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tamis.toml"), lines.join("\n")).unwrap();
        assert_eq!(crate::rules::read(folder.path()).unwrap().rules.len(), 7);
    }
}
