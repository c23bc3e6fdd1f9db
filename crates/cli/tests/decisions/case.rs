//! Reads a case file: a program before and after an edit, how it is started, and which tests must run.
//!
//! `tests/decisions/README.md` describes the blocks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tamis_test_support::markdown;

/// One case.
pub(crate) struct Case {
    pub(crate) title: String,
    /// The path below `tests/decisions`.
    pub(crate) path: PathBuf,
    pub(crate) before: Side,
    pub(crate) after: Side,
    first_jdk: u32,
    last_jdk: u32,
    /// The JDK that runs the program after the edit, if it is not the one that compiled it.
    pub(crate) runtime_after: Option<u32>,
    /// Options of `tamis run`.
    pub(crate) tamis: Vec<String>,
    /// Tests that do not pass before the edit.
    pub(crate) failing: Vec<String>,
    pub(crate) declared: Vec<Declared>,
    /// Classes that were not compiled again.
    pub(crate) stale: Vec<String>,
    pub(crate) open: bool,
    /// Techniques for which the exact selection is declared.
    pub(crate) techniques: Vec<TechniqueSelection>,
}

/// A line of `techniques`: the tests that run with one technique and granularity.
pub(crate) struct TechniqueSelection {
    pub(crate) technique: String,
    pub(crate) granularity: String,
    pub(crate) runs: Vec<String>,
}

/// A program and how it is started.
#[derive(Clone, Default)]
pub(crate) struct Side {
    /// Paths below `over/`, `lib…/`, `project/`, `outside/`, or in the program.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) javac: Vec<String>,
    /// `junit4`, `junit5` or `testng`, and optionally a version.
    pub(crate) framework: Option<Vec<String>>,
    pub(crate) environment: Vec<(String, String)>,
    /// Options of the JVM.
    pub(crate) flags: Vec<String>,
    /// A command put before `tamis`.
    pub(crate) command: Vec<String>,
    pub(crate) attributes: Vec<FileAttributes>,
}

/// Attributes that a file of a side gets.
#[derive(Clone)]
pub(crate) struct FileAttributes {
    /// The path, as in the blocks of files.
    pub(crate) path: String,
    /// The time of its modification, in seconds since 1970.
    pub(crate) modified: Option<u64>,
    /// Its permissions.
    pub(crate) mode: Option<u32>,
}

/// A line of `decisions`.
pub(crate) struct Declared {
    pub(crate) verdict: Verdict,
    /// A class, or `Class#method`.
    pub(crate) test: String,
    /// `body: a.B.f()V`, `changed: a.B.f()V`, or a kind of reason.
    pub(crate) reason: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It must run, and what it does changes.
    Run,
    /// It runs, although nothing changes for it.
    Needless,
    Skip,
}

impl Case {
    pub(crate) fn of(case: markdown::Case, folder: &Path) -> Result<Case, String> {
        let path = case.path.strip_prefix(folder).unwrap_or(&case.path).to_path_buf();
        let side = |files, javac| Side { files, javac, ..Side::default() };
        let mut read = Case {
            title: case.title,
            before: side(case.before, case.args_before),
            after: side(case.after, case.args_after),
            first_jdk: 17,
            last_jdk: u32::MAX,
            runtime_after: None,
            tamis: Vec::new(),
            failing: Vec::new(),
            declared: Vec::new(),
            stale: Vec::new(),
            open: false,
            techniques: Vec::new(),
            path,
        };
        for (info, lines) in case.expect {
            let lines: Vec<String> = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
            read.take(&info, lines).map_err(|what| format!("{}: {what}", read.path.display()))?;
        }
        if read.declared.is_empty() {
            return Err(format!("{}: nothing is declared", read.path.display()));
        }
        Ok(read)
    }

    /// Whether this JDK can compile and run the case.
    pub(crate) fn fits(&self, feature: u32) -> bool {
        (self.first_jdk..=self.last_jdk).contains(&feature)
    }

    /// The test classes, in the order in which they are run.
    pub(crate) fn classes(&self) -> Vec<&str> {
        let mut classes: Vec<&str> = Vec::new();
        for declared in &self.declared {
            let class = declared.test.split_once('#').map_or(declared.test.as_str(), |(class, _)| class);
            // A nested class runs with its outer class.
            let class = class.split_once('$').map_or(class, |(outer, _)| outer);
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes
    }

    fn take(&mut self, info: &str, lines: Vec<String>) -> Result<(), String> {
        let words = || lines.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned);
        let bad = || format!("`{info}` is not a block of this ring, or not with this content");
        let (kind, side) = info.split_once(' ').unwrap_or((info, "both"));
        match (kind, side) {
            ("decisions", "both") => {
                self.declared = lines.iter().map(|line| declared(line)).collect::<Result<_, _>>()?;
                return Ok(());
            }
            ("jdk", "both") => {
                let (first, last) = lines.first().and_then(|line| line.split_once('-')).ok_or_else(bad)?;
                self.first_jdk = first.trim().parse().map_err(|_| bad())?;
                if !last.trim().is_empty() {
                    self.last_jdk = last.trim().parse().map_err(|_| bad())?;
                }
                return Ok(());
            }
            ("runtime", "after") => {
                self.runtime_after =
                    Some(lines.first().and_then(|line| line.trim().parse().ok()).ok_or_else(bad)?);
                return Ok(());
            }
            ("tamis", "both") => {
                self.tamis.extend(words());
                return Ok(());
            }
            ("failing", "both") => {
                self.failing.extend(words());
                return Ok(());
            }
            ("stale", "both") => {
                self.stale.extend(words());
                return Ok(());
            }
            ("techniques", "both") => {
                self.techniques = lines.iter().filter_map(|line| technique_selection(line)).collect();
                return Ok(());
            }
            ("open", "both") if !lines.is_empty() => {
                self.open = true;
                return Ok(());
            }
            _ => {}
        }
        let sides: &mut [&mut Side] = match side {
            "both" => &mut [&mut self.before, &mut self.after],
            "before" => &mut [&mut self.before],
            "after" => &mut [&mut self.after],
            _ => return Err(bad()),
        };
        for side in sides {
            match kind {
                "framework" => side.framework = Some(words().collect()),
                "env" => {
                    for line in &lines {
                        let (name, value) = line.split_once('=').ok_or_else(bad)?;
                        side.environment.push((name.to_owned(), value.to_owned()));
                    }
                }
                "properties" => side.flags.extend(lines.iter().map(|line| format!("-D{line}"))),
                "flags" => side.flags.extend(words()),
                "command" => side.command.extend(words()),
                "attributes" => {
                    for line in &lines {
                        side.attributes.push(attributes(line).ok_or_else(bad)?);
                    }
                }
                _ => return Err(bad()),
            }
        }
        Ok(())
    }
}

/// `class/method TestA#tF1 TestB`
fn technique_selection(line: &str) -> Option<TechniqueSelection> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let (technique, granularity) = name.split_once('/').unwrap_or((name, "auto"));
    Some(TechniqueSelection {
        technique: technique.to_owned(),
        granularity: granularity.to_owned(),
        runs: words.map(str::to_owned).collect(),
    })
}

/// `data.txt modified=1000000000 mode=640`
fn attributes(line: &str) -> Option<FileAttributes> {
    let mut words = line.split_whitespace();
    let mut read = FileAttributes { path: words.next()?.to_owned(), modified: None, mode: None };
    for word in words {
        match word.split_once('=')? {
            ("modified", seconds) => read.modified = Some(seconds.parse().ok()?),
            ("mode", mode) => read.mode = Some(u32::from_str_radix(mode, 8).ok()?),
            _ => return None,
        }
    }
    Some(read)
}

fn declared(line: &str) -> Result<Declared, String> {
    let mut words = line.split_whitespace();
    let verdict = match words.next() {
        Some("run") => Verdict::Run,
        Some("run?") => Verdict::Needless,
        Some("skip") => Verdict::Skip,
        _ => return Err(format!("`{line}` begins with none of run, run?, skip")),
    };
    let test = words.next().ok_or_else(|| format!("`{line}` names no test"))?.to_owned();
    let reason: Vec<&str> = words.collect();
    Ok(Declared { verdict, test, reason: (!reason.is_empty()).then(|| reason.join(" ")) })
}

impl Side {
    /// Files by their folder: the special folder that they begin with, or none for the program's.
    pub(crate) fn parts(&self) -> BTreeMap<String, Vec<(String, String)>> {
        let mut parts: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for (path, text) in &self.files {
            let special =
                |folder: &str| folder.starts_with("lib") || ["over", "project", "outside"].contains(&folder);
            let (part, path) = match path.split_once('/') {
                Some((folder, rest)) if special(folder) => (folder, rest),
                _ => ("", path.as_str()),
            };
            parts.entry(part.to_owned()).or_default().push((path.to_owned(), text.clone()));
        }
        parts
    }

    /// The framework's name and its libraries.
    pub(crate) fn libraries(&self) -> (&str, Vec<String>) {
        let words: Vec<&str> = self.framework.iter().flatten().map(String::as_str).collect();
        let (name, version) = match words.as_slice() {
            [] => ("junit4", None),
            [name] => (*name, None),
            [name, version, ..] => (*name, Some(*version)),
        };
        let libraries = match name {
            "junit4" => vec![format!("junit:junit:{}", version.unwrap_or("4.13.2"))],
            "junit5" => {
                let version = version.unwrap_or("5.13.4");
                let platform = version.replacen('5', "1", 1);
                vec![
                    format!("org.junit.jupiter:junit-jupiter-engine:{version}"),
                    format!("org.junit.jupiter:junit-jupiter-params:{version}"),
                    format!("org.junit.platform:junit-platform-launcher:{platform}"),
                ]
            }
            "testng" => vec![format!("org.testng:testng:{}", version.unwrap_or("7.5.1"))],
            other => panic!("`{other}` is no framework of this ring"),
        };
        (name, libraries)
    }
}
