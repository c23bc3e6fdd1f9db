//! Expands an element of a class path as the user writes it: to itself, to the jars of `directory/*`, or to
//! the archives of a JDK.

use super::error::{ClassPathError, ClassPathFault};
use super::jdk;
use super::problem::{ClassPathProblem, ProblemKind};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The files and directories of the element `root`, in a fixed order.
pub(super) fn expand(
    root: &Path,
    problems: &mut Vec<ClassPathProblem>,
) -> Result<Vec<PathBuf>, ClassPathError> {
    if root.file_name().is_some_and(|name| name == "*") {
        let directory = root.parent().unwrap_or(Path::new(""));
        let jars = jars_of(directory)?;
        if jars.is_empty() {
            problems.push(ClassPathProblem {
                place: root.display().to_string(),
                kind: ProblemKind::EmptyWildcard,
            });
        }
        return Ok(jars);
    }
    Ok(jdk::archives(root)?.unwrap_or_else(|| vec![root.to_owned()]))
}

/// The jars of a directory, sorted. The JVM uses the file system's order, which is arbitrary.
pub(super) fn jars_of(directory: &Path) -> Result<Vec<PathBuf>, ClassPathError> {
    files_of(directory, |name| {
        name.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && matches!(end, "jar" | "JAR"))
    })
}

/// The files of a directory whose names are `wanted`, sorted.
pub(super) fn files_of(
    directory: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<PathBuf>, ClassPathError> {
    let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let fault = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ClassPathError::NotFound { path: here.to_owned() },
        _ => ClassPathFault::Io(error).in_file(here),
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(here).map_err(fault)? {
        let name = entry.map_err(fault)?.file_name();
        if name.to_str().is_some_and(&wanted) {
            files.push(directory.join(name));
        }
    }
    files.retain(|path| !path.is_dir());
    files.sort();
    Ok(files)
}
