//! Compares `tamis test` with `mvn test` over the last commits of a project: the number of tests that run,
//! the time with and without recording, and failing tests that would have been skipped.
//!
//! There are three clones, updated to each commit in turn: one for Maven alone, one for `tamis test`, and one
//! for `tamis test --no-record`, which gets a copy of the second one's earlier store. Their order changes
//! from commit to commit. The project itself is only read.

use crate::process::{self, timed};
use crate::table;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The subject of the measurement.
pub(crate) struct History {
    pub(crate) project: PathBuf,
    pub(crate) commits: usize,
    /// Arguments for Maven.
    pub(crate) args: Vec<String>,
}

/// The ways of running the tests of a clone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runner {
    Maven,
    Recording,
    NotRecording,
}

const RUNNERS: [Runner; 3] = [Runner::Maven, Runner::Recording, Runner::NotRecording];

/// The results for one commit; seconds are in the order of [`RUNNERS`].
#[derive(Default)]
struct Seen {
    commit: String,
    tests: usize,
    ran: usize,
    seconds: [f64; 3],
    missed: Vec<String>,
}

impl History {
    pub(crate) fn run(&self) -> Result<()> {
        let project = self.project.canonicalize().with_context(|| self.project.display().to_string())?;
        let folder = tempfile::tempdir()?;
        let clones = ["maven", "recording", "not-recording"].map(|name| folder.path().join(name));
        for clone in &clones {
            git(folder.path(), &["clone", "--quiet", &project.to_string_lossy(), &clone.to_string_lossy()])?;
        }
        let count = self.commits.max(1).to_string();
        let log = git(&project, &["rev-list", "--first-parent", "--max-count", &count, "HEAD"])?;
        let mut commits: Vec<&str> = log.lines().collect();
        commits.reverse();
        let mut all = Vec::new();
        for (number, commit) in commits.iter().enumerate() {
            let seen = self.at(commit, number, &clones)?;
            eprintln!(
                "{} of {}  {}  {} of {} tests, {:.1} s beside {:.1} s of Maven",
                number + 1,
                commits.len(),
                seen.commit,
                seen.ran,
                seen.tests,
                seen.seconds[1],
                seen.seconds[0]
            );
            all.push(seen);
        }
        print(&project, &all);
        Ok(())
    }

    fn at(&self, commit: &str, number: usize, clones: &[PathBuf; 3]) -> Result<Seen> {
        let mut seen = Seen { commit: commit.chars().take(8).collect(), ..Seen::default() };
        let [_, recording, not_recording] = clones;
        let store = not_recording.join(".tamis");
        if store.exists() {
            fs::remove_dir_all(&store)?;
        }
        if recording.join(".tamis").exists() {
            let copied =
                Command::new("cp").arg("-a").arg(recording.join(".tamis")).arg(not_recording).status()?;
            ensure!(copied.success(), "cannot copy {}", recording.join(".tamis").display());
            // Absolute paths identify the starts of JVMs, so the copied record of them must name the other
            // clone.
            let launches = store.join("last/launches.json");
            if let Ok(text) = fs::read_to_string(&launches) {
                let [from, to] = [recording, not_recording].map(|path| path.to_string_lossy());
                fs::write(&launches, text.replace(&*from, &to))?;
            }
        }
        for clone in clones {
            git(clone, &["checkout", "--quiet", "--force", commit])?;
            for reports in reports(clone) {
                fs::remove_dir_all(reports)?;
            }
        }
        for turn in 0..RUNNERS.len() {
            let at = (turn + number) % RUNNERS.len();
            seen.seconds[at] = self.test(RUNNERS[at], &clones[at])?;
        }
        let [maven, recording, not_recording] = clones.each_ref().map(|clone| results(clone));
        let (maven, recording, not_recording) = (maven?, recording?, not_recording?);
        ensure!(!maven.is_empty(), "{commit}: mvn test ran no tests; does it compile offline?");
        (seen.tests, seen.ran) = (maven.len(), recording.len());
        for (clone, ran) in [(&clones[1], &recording), (&clones[2], &not_recording)] {
            let skipped = skipped(clone)?;
            let failed = maven.iter().filter(|result| result.failed);
            let missed =
                failed.filter(|failed| skipped.contains(&failed.class) || skipped.contains(&failed.name));
            // A report means that the test ran after all.
            let missed = missed.filter(|missed| !ran.iter().any(|result| result.name == missed.name));
            seen.missed.extend(missed.map(|missed| missed.name.clone()));
        }
        Ok(seen)
    }

    fn test(&self, runner: Runner, clone: &Path) -> Result<f64> {
        let mut command = match runner {
            Runner::Maven => Command::new("mvn"),
            Runner::Recording | Runner::NotRecording => Command::new(process::tamis()?),
        };
        match runner {
            Runner::Maven => command.arg("test"),
            Runner::Recording => command.args(["test", "--"]),
            Runner::NotRecording => command.args(["test", "--no-record", "--"]),
        };
        // Tests may fail at a commit: that is a result like any other.
        let (took, _) = timed(command.args(["-o", "-B", "-q"]).args(&self.args).current_dir(clone))?;
        Ok(took.wall.as_secs_f64())
    }
}

fn print(project: &Path, all: &[Seen]) {
    let mut rows: Vec<Vec<String>> = all.iter().map(row).collect();
    let mut sum = Seen { commit: "all".to_owned(), ..Seen::default() };
    for seen in all {
        sum.tests += seen.tests;
        sum.ran += seen.ran;
        sum.missed.extend(seen.missed.iter().cloned());
        for (sum, seconds) in sum.seconds.iter_mut().zip(seen.seconds) {
            *sum += seconds;
        }
    }
    rows.push(row(&sum));
    let share = |part: f64, whole: f64| format!("{:.1} %", 100.0 * part / whole);
    rows.push(vec![
        "share".to_owned(),
        String::new(),
        share(sum.ran as f64, sum.tests as f64),
        String::new(),
        share(sum.seconds[1], sum.seconds[0]),
        share(sum.seconds[2], sum.seconds[0]),
        String::new(),
    ]);
    table::print(
        &format!("tamis test over {} commits of {}", all.len(), project.display()),
        &["", "tests", "run", "mvn test", "tamis test", "--no-record", "misses"],
        &rows,
    );
    for missed in &sum.missed {
        println!("missed: {missed}");
    }
}

fn row(seen: &Seen) -> Vec<String> {
    let mut row = vec![seen.commit.clone(), seen.tests.to_string(), seen.ran.to_string()];
    row.extend(seen.seconds.iter().map(|seconds| format!("{seconds:.1} s")));
    row.push(seen.missed.len().to_string());
    row
}

fn git(folder: &Path, args: &[&str]) -> Result<String> {
    let output = Command::new("git").args(args).current_dir(folder).output().context("git")?;
    if !output.status.success() {
        bail!("git {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The result of a test from Surefire's report.
struct Outcome {
    class: String,
    /// `Class#method`, without the text after the method's name.
    name: String,
    failed: bool,
}

/// The folders with Surefire's reports.
fn reports(project: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![project.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.ends_with("target/surefire-reports") {
                found.push(path);
            } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !path.ends_with(".git") {
                folders.push(path);
            }
        }
    }
    found
}

fn results(project: &Path) -> Result<Vec<Outcome>> {
    let mut found = Vec::new();
    for folder in reports(project) {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let is_report = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("TEST-"));
            if is_report && path.extension().is_some_and(|extension| extension == "xml") {
                collect(&String::from_utf8_lossy(&fs::read(&path)?), &mut found);
            }
        }
    }
    Ok(found)
}

/// The tests of one report. Surefire writes one element per line and no `>` in attributes.
fn collect(report: &str, into: &mut Vec<Outcome>) {
    for test in report.split("<testcase ").skip(1) {
        let head = test.split('>').next().unwrap_or_default();
        let body =
            if head.ends_with('/') { "" } else { test.split("</testcase>").next().unwrap_or_default() };
        let attribute = |name: &str| {
            let at = head.find(&format!("{name}=\""))?;
            head.get(at + name.len() + 2..)?.split('"').next()
        };
        let Some((name, class)) =
            attribute(" name").or_else(|| attribute("name")).zip(attribute("classname"))
        else {
            continue;
        };
        if body.contains("<skipped") {
            continue;
        }
        let method = name.split(['[', '(', '{', ' ']).next().unwrap_or_default();
        let failed = body.contains("<failure") || body.contains("<error");
        into.push(Outcome { class: class.to_owned(), name: format!("{class}#{method}"), failed });
    }
}

/// The classes, and tests as `Class#method`, that `tamis` skipped.
fn skipped(project: &Path) -> Result<BTreeSet<String>> {
    let document = fs::read(project.join(".tamis/last/run.json")).context("tamis test left no run.json")?;
    let document: Value = serde_json::from_slice(&document)?;
    let tests = document["tests"].as_array().context("run.json has no tests")?;
    let skips = tests.iter().filter(|test| test["decision"] == "skip");
    Ok(skips
        .filter_map(|test| {
            let class = test["class"].as_str()?;
            Some(match test["method"].as_str() {
                Some(method) => format!("{class}#{method}"),
                None => class.to_owned(),
            })
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::collect;

    #[test]
    fn a_surefire_report_is_parsed() {
        let report = r#"<testsuite name="p.T" tests="4">
  <testcase name="a" classname="p.T" time="0.1"/>
  <testcase name="b[1]" classname="p.T" time="0.1">
    <failure message="x" type="y"><![CDATA[z]]></failure>
  </testcase>
  <testcase name="c(int)" classname="p.T" time="0"><error type="y"/></testcase>
  <testcase name="d" classname="p.T" time="0"><skipped/></testcase>
</testsuite>"#;
        let mut found = Vec::new();
        collect(report, &mut found);
        let found: Vec<_> = found.iter().map(|test| (test.name.as_str(), test.failed)).collect();
        assert_eq!(found, [("p.T#a", false), ("p.T#b", true), ("p.T#c", true)]);
    }
}
