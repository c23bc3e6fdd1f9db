//! Adds up the results that cargo test prints at the end of each test program.
//!
//! Reads lines; runs nothing.

use std::fmt;

/// Tests of one or more test programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
    /// Test programs that ended normally.
    pub(crate) programs: u64,
}

impl Tally {
    /// Counts the line if it is a result: `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; …`.
    pub(crate) fn count(&mut self, line: &str) {
        let Some((_, numbers)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        self.programs += 1;
        for part in numbers.split("; ") {
            let (number, word) = part.split_once(' ').unwrap_or_default();
            let number: u64 = number.parse().unwrap_or(0);
            match word.trim_end() {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {} // Measured, filtered out, duration.
            }
        }
    }

    pub(crate) fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
        self.programs += other.programs;
    }
}

/// The last line of `cargo xtask test`. Scripts read it.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_programs_add_up_and_other_lines_do_not_count() {
        let mut tally = Tally::default();
        for line in [
            "running 4 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.12s",
            "test a::test ... FAILED",
            "test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n",
            "   note: test result: ok. 9 passed; 0 failed",
        ] {
            tally.count(line);
        }
        assert_eq!(tally, Tally { passed: 13, failed: 2, ignored: 1, programs: 2 });
        assert_eq!(tally.to_string(), "13 passed, 2 failed");
    }
}
