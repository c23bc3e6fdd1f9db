//! `cargo xtask test`: the one command that checks everything.
//!
//! The first lines of its output name the JDKs that it covers; the last one counts the tests that passed. It
//! fails before running anything if a needed JDK is missing. Tests that do not run (slow, or of a missing
//! JDK) are listed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::gaps::{self, Gaps};
use crate::setup::{self, Install, Setup};
use crate::slow::{self, Slow};
use crate::tally::Tally;
use crate::{cargo, lint};

/// Checks format, lints and tests. `listed` is the value of `--jdks`.
pub(crate) fn test(
    listed: Option<&str>,
    install: Install,
    with_slow: bool,
    filter: Option<&str>,
) -> Result<ExitCode> {
    let slow = slow::of_workspace()?;
    let setup = setup::prepare(listed, install)?;
    let covered: Vec<u32> = setup.jdks.iter().map(|jdk| jdk.feature).collect();
    let left_out: Vec<u32> = setup.left_out.iter().map(|jdk| jdk.feature).collect();
    let gaps = gaps::of(&cargo::workspace(), &covered, &left_out)?;
    announce(&setup, &slow, with_slow);

    let names: Vec<String> = covered.iter().map(u32::to_string).collect();
    let mut environment = setup.environment;
    environment.push(("TAMIS_TEST_JDKS", names.join(",").into()));
    let mut round =
        Round { environment, gaps, with_slow, filter, tally: Tally::default(), problems: Vec::new() };
    if filter.is_some() {
        println!("a filter is given: format and lints are not checked");
    } else {
        setup::prepare_lints(install);
        if let Err(error) = lint::lint() {
            round.problems.push(format!("{error:#}")); // The tests run anyway, to show all faults at once.
        }
    }
    round.cargo_test(&[])?;
    if with_slow {
        round.slow(&slow)?;
    }
    Ok(round.conclude())
}

fn announce(setup: &Setup, slow: &Slow, with_slow: bool) {
    for jdk in &setup.jdks {
        println!("covers JDK {:<2}  {}  {}", jdk.feature, jdk.version, jdk.home.display());
    }
    for jdk in &setup.left_out {
        println!("leaves JDK {} out: {}", jdk.feature, jdk.reason);
    }
    if !with_slow && !slow.targets.is_empty() {
        println!("leaves the slow ring out: {}; --slow runs it", slow.targets.join(", "));
    }
}

/// One `cargo xtask test`, with its results so far.
struct Round<'a> {
    environment: Vec<(&'static str, OsString)>,
    gaps: Gaps,
    with_slow: bool,
    filter: Option<&'a str>,
    tally: Tally,
    problems: Vec<String>,
}

impl Round<'_> {
    /// Runs each slow target by its name, so that a target that does not run is noticed.
    fn slow(&mut self, slow: &Slow) -> Result<()> {
        let mut programs: BTreeMap<&str, u64> = BTreeMap::new();
        for target in &slow.targets {
            *programs.entry(target).or_default() += 1;
        }
        if programs.is_empty() {
            self.problems.push("--slow: there is no slow test in this workspace".to_owned());
        }
        for (target, expected) in programs {
            let counted = self.cargo_test(&["--features", slow::FEATURE, "--test", target])?;
            let empty = counted.passed + counted.failed == 0 && self.filter.is_none();
            if counted.programs != expected || empty {
                self.problems.push(format!("slow target {target} did not run to its end, or is empty"));
            }
        }
        Ok(())
    }

    /// Runs `cargo test` with these arguments, copies its output, and counts.
    fn cargo_test(&mut self, args: &[&str]) -> Result<Tally> {
        let mut command = cargo::cargo(&["test", "--workspace", "--no-fail-fast"]);
        command.args(args).args(self.filter);
        if !self.gaps.skip.is_empty() {
            command.arg("--").args(self.gaps.skip.iter().flat_map(|name| ["--skip", name]));
        }
        command.envs(self.environment.iter().map(|(key, value)| (key, value))).stdout(Stdio::piped());
        if self.with_slow {
            command.env("TAMIS_SLOW", "1");
        }
        let line = cargo::line(&command);
        println!("{line}");
        let mut child = command.spawn().with_context(|| line.clone())?;
        let mut counted = Tally::default();
        let mut output = BufReader::new(child.stdout.take().context("no stdout")?);
        let mut bytes = Vec::new();
        while output.read_until(b'\n', &mut bytes)? > 0 {
            io::stdout().write_all(&bytes)?;
            counted.count(&String::from_utf8_lossy(&bytes));
            bytes.clear();
        }
        let status = child.wait()?;
        if !status.success() {
            self.problems.push(format!("{line}: {status}")); // Also if the build failed, so that no test did.
        }
        self.tally.add(counted);
        Ok(counted)
    }

    /// The tally is always the last line, so a failure is an exit code here and not an error to print.
    fn conclude(mut self) -> ExitCode {
        if self.tally.passed + self.tally.failed == 0 {
            self.problems.push(match self.filter {
                Some(filter) => format!("no test ran that has `{filter}` in its name"),
                None => "no test ran".to_owned(),
            });
        }
        if self.tally.ignored > 0 {
            println!("{} ignored tests did not run", self.tally.ignored);
        }
        for line in &self.gaps.lines {
            println!("not run: {line}");
        }
        for problem in &self.problems {
            eprintln!("xtask: {problem}");
        }
        println!("{}", self.tally);
        if self.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
