//! Reads test cases from Markdown files: a program before, the program after, and the expectations.
//!
//! ````markdown
//! # The body of a default method changes
//! Prose is for people.
//! ```java before/Shape.java
//! interface Shape { default int sides() { return 0; } }
//! ```
//! ```java after/Shape.java
//! interface Shape { default int sides() { return 1; } }
//! ```
//! ```java both/Square.java
//! class Square implements Shape { }
//! ```
//! ```args
//! -g:none
//! ```
//! ```changes
//! CIM Shape.sides()I code
//! ```
//! ````
//!
//! A block is a file (`LANGUAGE before|after|both/PATH`), options of javac (`args`, `args before`,
//! `args after`), or an expectation, identified by its whole info string. Callers define the meaning of
//! expectations. A caller must refuse unknown ones, because a misspelt one would check nothing.

mod fences;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::javac::{self, Job};
use fences::Block;

/// One case: two versions of a program, and the expectations for the step between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The `# Title`: the sentence to print on failure.
    pub title: String,
    /// The file of the case.
    pub path: PathBuf,
    /// Path and text of each file before the step, in the order of the blocks.
    pub before: Vec<(String, String)>,
    /// Path and text of each file after the step.
    pub after: Vec<(String, String)>,
    /// Options of javac before the step.
    pub args_before: Vec<String>,
    /// Options of javac after the step.
    pub args_after: Vec<String>,
    /// The other blocks: info string, such as `changes`, and unchanged lines.
    pub expect: BTreeMap<String, Vec<String>>,
}

impl Case {
    /// The compilation of the program before the step.
    pub fn job_before(&self) -> Job {
        Job { sources: self.before.clone(), args: self.args_before.clone() }
    }

    /// The compilation of the program after the step.
    pub fn job_after(&self) -> Job {
        Job { sources: self.after.clone(), args: self.args_after.clone() }
    }
}

/// `tests/edits/default_method.md:7: a fenced block needs to say what it is`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The file.
    pub path: PathBuf,
    /// The line, starting at 1.
    pub line: usize,
    /// The problem in that line.
    pub what: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.what)
    }
}

impl std::error::Error for Malformed {}

/// All `.md` files of a folder and its subfolders except `README.md`, sorted by path. A folder without any is
/// an error: a ring without cases would pass.
pub fn read_dir(folder: &Path) -> Result<Vec<Case>, Malformed> {
    let mut paths = Vec::new();
    find(folder, &mut paths)?;
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Malformed> {
    let failed = |what: String| Malformed { path: folder.to_path_buf(), line: 0, what };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let before = found.len();
    for entry in entries.map_err(|e| failed(e.to_string()))? {
        let path = entry.path();
        if path.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|end| end == "md") && !path.ends_with("README.md") {
            found.push(path);
        }
    }
    if found.len() == before {
        return Err(failed("no case, that is, no .md file in this folder".to_owned()));
    }
    Ok(())
}

/// Reads one file.
pub fn read(path: &Path) -> Result<Case, Malformed> {
    let text = fs::read_to_string(path).map_err(|e| Malformed {
        path: path.to_path_buf(),
        line: 0,
        what: e.to_string(),
    })?;
    parse(path, &text)
}

/// Parses the text of one file. `path` is only for messages.
pub fn parse(path: &Path, text: &str) -> Result<Case, Malformed> {
    case(path, text).map_err(|(line, what)| Malformed { path: path.to_path_buf(), line, what })
}

fn case(path: &Path, text: &str) -> Result<Case, (usize, String)> {
    let document = fences::read(text)?;
    let title = match document.titles.as_slice() {
        [(_, title)] => title.clone(),
        [] => return Err((1, "no `# Title`".to_owned())),
        [_, (line, _), ..] => return Err((*line, "a second title; one file is one case".to_owned())),
    };
    let mut case = Case {
        title,
        path: path.to_path_buf(),
        before: Vec::new(),
        after: Vec::new(),
        args_before: Vec::new(),
        args_after: Vec::new(),
        expect: BTreeMap::new(),
    };
    for block in document.blocks {
        let line = block.line;
        add(&mut case, block).map_err(|what| (line, what))?;
    }
    if case.before.is_empty() && case.after.is_empty() {
        return Err((1, "no program: neither a before/, an after/ nor a both/ block".to_owned()));
    }
    if case.expect.is_empty() {
        return Err((1, "nothing is expected: no block but programs and args".to_owned()));
    }
    Ok(case)
}

fn add(case: &mut Case, block: Block) -> Result<(), String> {
    let words: Vec<&str> = block.info.split_whitespace().collect();
    match words.as_slice() {
        [] => Err("a fenced block needs to say what it is, as in ```java before/A.java".to_owned()),
        ["args", side @ ..] => {
            let (before, after) = sides(side.first().copied().unwrap_or("both"))?;
            if side.len() > 1 {
                return Err(format!("`{}`: one side at most", block.info));
            }
            let words = || block.lines.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned);
            case.args_before.extend(words().filter(|_| before));
            case.args_after.extend(words().filter(|_| after));
            Ok(())
        }
        [_language, file] if file.contains('/') => {
            let (side, path) = file.split_once('/').unwrap_or_default();
            let (before, after) = sides(side)?;
            if !javac::stays_below(path) {
                return Err(format!("`{path}` is not the path of a file"));
            }
            let text: String = block.lines.iter().map(|line| format!("{line}\n")).collect();
            for (files, wanted) in [(&mut case.before, before), (&mut case.after, after)] {
                if wanted && files.iter().any(|(earlier, _)| earlier == path) {
                    return Err(format!("`{path}` is given twice for one side"));
                }
                if wanted {
                    files.push((path.to_owned(), text.clone()));
                }
            }
            Ok(())
        }
        ["java", ..] => {
            Err(format!("`{}`: a program's file is before/, after/ or both/ and a path", block.info))
        }
        kind => match case.expect.insert(kind.join(" "), block.lines) {
            Some(_) => Err(format!("a second `{}` block", kind.join(" "))),
            None => Ok(()),
        },
    }
}

/// Whether a block belongs to the program before the step, and to the one after.
fn sides(word: &str) -> Result<(bool, bool), String> {
    match word {
        "before" => Ok((true, false)),
        "after" => Ok((false, true)),
        "both" => Ok((true, true)),
        other => Err(format!("`{other}` is none of before, after, both")),
    }
}

#[cfg(test)]
mod tests;
