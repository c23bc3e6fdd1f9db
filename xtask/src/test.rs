//! `cargo xtask test`: the one command that checks everything.
//!
//! Says first which JDKs it covers and last how many tests passed. A JDK that is needed and missing is a
//! failure before anything runs; a slow test that did not run is said not to have run.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use tamis_test_support::jdk::{self, Jdk};

use crate::slow::{self, Slow};
use crate::tally::Tally;
use crate::{cargo, lint};

/// Checks format, lints and tests; `listed` is the value of `--jdks`.
pub(crate) fn test(listed: Option<&str>, with_slow: bool, filter: Option<&str>) -> Result<ExitCode> {
    let jdks = choose(listed, jdk::all())?;
    let slow = slow::of_workspace()?;
    announce(&jdks, &slow, with_slow);

    let names: Vec<String> = jdks.iter().map(|jdk| jdk.feature.to_string()).collect();
    let mut round =
        Round { jdks: names.join(","), with_slow, filter, tally: Tally::default(), problems: Vec::new() };
    if filter.is_some() {
        println!("a filter is given: format and lints are not checked");
    } else if let Err(error) = lint::lint() {
        round.problems.push(format!("{error:#}")); // The tests run all the same: one round shows all there is to mend.
    }
    round.cargo_test(&[])?;
    if with_slow {
        round.slow(&slow)?;
    }
    Ok(round.conclude())
}

/// The JDKs to cover: all that are listed, or those of the known ones that are here.
fn choose(listed: Option<&str>, here: Vec<Jdk>) -> Result<Vec<Jdk>> {
    let (wanted, needed) = match listed {
        Some(list) => {
            let list = jdk::parse_list(list).map_err(|e| anyhow!("--jdks: {e}"))?;
            (list.clone(), list)
        }
        None => (jdk::KNOWN.to_vec(), jdk::NEEDED.to_vec()),
    };
    let missing: Vec<u32> =
        needed.into_iter().filter(|feature| !here.iter().any(|jdk| jdk.feature == *feature)).collect();
    if !missing.is_empty() {
        bail!(jdk::missing(&missing));
    }
    Ok(here.into_iter().filter(|jdk| wanted.contains(&jdk.feature)).collect())
}

fn announce(jdks: &[Jdk], slow: &Slow, with_slow: bool) {
    for jdk in jdks {
        println!("covers JDK {:<2}  {}  {}", jdk.feature, jdk.version, jdk.home.display());
    }
    let covered = |feature: &u32| jdks.iter().any(|jdk| jdk.feature == *feature);
    for feature in jdk::KNOWN.iter().filter(|feature| !covered(feature)) {
        match jdk::find(*feature) {
            Some(_) => println!("leaves JDK {feature} out: not listed"),
            None => println!("leaves JDK {feature} out: not found; cargo xtask jdks {feature} installs it"),
        }
    }
    if !with_slow && !slow.targets.is_empty() {
        println!("leaves the slow ring out: {}; --slow runs it", slow.targets.join(", "));
    }
}

/// One `cargo xtask test`, and what came of it so far.
struct Round<'a> {
    jdks: String,
    with_slow: bool,
    filter: Option<&'a str>,
    tally: Tally,
    problems: Vec<String>,
}

impl Round<'_> {
    /// Runs each slow target by its name, so that one that does not run is noticed.
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

    /// Runs `cargo test` with these arguments, shows what it prints, and counts.
    fn cargo_test(&mut self, args: &[&str]) -> Result<Tally> {
        let mut command = cargo::cargo(&["test", "--workspace", "--no-fail-fast"]);
        command.args(args).args(self.filter);
        command.env("TAMIS_TEST_JDKS", &self.jdks).stdout(Stdio::piped());
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
            self.problems.push(format!("{line}: {status}")); // Also when nothing was built, and so nothing failed.
        }
        self.tally.add(counted);
        Ok(counted)
    }

    /// The last line is the tally, whatever happened; so a failure is an exit code here, not an error to print.
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
        for problem in &self.problems {
            eprintln!("xtask: {problem}");
        }
        println!("{}", self.tally);
        if self.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features covered when these are here, or the words of the refusal.
    fn chosen(listed: Option<&str>, here: &[u32]) -> Result<Vec<u32>, String> {
        let here = here.iter().map(|&feature| Jdk { feature, home: "x".into(), version: "x".to_owned() });
        match choose(listed, here.collect()) {
            Ok(jdks) => Ok(jdks.into_iter().map(|jdk| jdk.feature).collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn without_a_list_every_known_jdk_that_is_here_is_covered() {
        assert_eq!(chosen(None, &[8, 17, 19, 25]), Ok(vec![8, 17, 25]));
    }

    #[test]
    fn without_a_list_the_needed_jdks_must_be_here() {
        assert!(chosen(None, &[8, 11, 25]).unwrap_err().contains("cargo xtask jdks 17"));
    }

    #[test]
    fn with_a_list_every_one_of_it_must_be_here_and_no_other_is_covered() {
        assert_eq!(chosen(Some("8,19"), &[8, 17, 19, 25]), Ok(vec![8, 19]));
        assert!(chosen(Some("8,11,21,25"), &[8, 17, 25]).unwrap_err().contains("cargo xtask jdks 11 21"));
        assert!(chosen(Some("1.8"), &[8, 17, 25]).unwrap_err().contains("--jdks"));
    }
}
