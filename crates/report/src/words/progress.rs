//! Live lines: a build's, and an audit's.

use super::grouped;
use crate::audit::mutants::MutantResult;

/// The step of a build that was interrupted.
pub const STOPPING: &str = "stopping; Ctrl-C again ends tamis at once";

/// The state of a build.
#[derive(Clone, Debug, Default)]
pub struct BuildProgress {
    /// Since it started.
    pub seconds: u64,
    /// The step of the build.
    pub phase: String,
    /// Tests that ended.
    pub done: usize,
    /// Tests that are expected to run.
    pub known: usize,
    /// Tests that failed.
    pub failed: usize,
    /// The expected time for those that have not ended; nothing if it is not known.
    pub left_seconds: Option<u64>,
    /// The class and the method of the test that runs.
    pub now: Option<(String, Option<String>)>,
}

impl BuildProgress {
    /// `tamis  0:07  test  12 of 51 tests, 1 failed, about 3 s left  adds  MoneyTest  shop.pricing`, in at most so many columns.
    /// What says least goes first: the package, the class, the words.
    pub fn line(&self, columns: usize) -> String {
        let clock = format!("{}:{:02}", self.seconds / 60, self.seconds % 60);
        let mut parts = vec![format!("  tamis  {clock}"), self.phase.clone()];
        let is_testing = self.done > 0 || self.known > 0;
        let is_narrow = columns < 60;
        if is_testing {
            let of =
                if self.known >= self.done { format!(" of {}", grouped(self.known)) } else { String::new() };
            let mut tests = format!("{}{of}", grouped(self.done));
            tests.push_str(if is_narrow { "" } else { " tests" });
            if self.failed > 0 {
                tests.push_str(&format!(", {} failed", grouped(self.failed)));
            }
            if let Some(left) = self.left_seconds.filter(|left| *left > 0) {
                let left = if left >= 120 { format!("{} min", left / 60) } else { format!("{left} s") };
                tests.push_str(&if is_narrow {
                    format!(", ~{left}")
                } else {
                    format!(", about {left} left")
                });
            }
            parts.push(tests);
        }
        if let Some((class, method)) = &self.now {
            let (package, class) = class.rsplit_once('.').unwrap_or(("", class));
            let names = [method.as_deref().unwrap_or_default(), class, package];
            parts.extend(names.into_iter().filter(|name| !name.is_empty()).map(str::to_owned));
        }
        fitted(&parts.join("  "), columns)
    }
}

/// The first part of a line, in at most so many columns of a terminal; a line that is cut ends with an ellipsis.
fn fitted(line: &str, columns: usize) -> String {
    let letters: Vec<char> =
        line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let total: usize = letters.iter().copied().map(width).sum();
    if total <= columns {
        return letters.into_iter().collect();
    }
    let (mut shown, mut used) = (String::new(), 0);
    for letter in letters {
        used += width(letter);
        if used + 1 > columns {
            break;
        }
        shown.push(letter);
    }
    if columns > 0 {
        shown.push('…');
    }
    shown
}

/// The columns of a letter: two for those of East Asian scripts and for pictures, none for accents that are added.
fn width(letter: char) -> usize {
    match u32::from(letter) {
        0x0300..=0x036f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The state of an audit, after a mutant.
pub fn audit_progress(done: usize, of: usize, seconds_each: f64, missed: usize, entity: &str) -> String {
    let left = seconds_each * of.saturating_sub(done) as f64;
    let left = if left >= 90.0 { format!("{:.0} min", left / 60.0) } else { format!("{left:.0} s") };
    let a_minute = 60.0 / seconds_each.max(0.001);
    format!(
        "  audit  {done} of {of} mutants, {a_minute:.0} a minute, about {left} left, {missed} missed  {entity}"
    )
}

/// The result of a mutant.
pub fn mutant_tried(done: usize, of: usize, tried: &MutantResult) -> String {
    let MutantResult { operator, entity, what, tests, depends, selected, selected_class, .. } = tried;
    let miss = if tried.misses.is_empty() { "" } else { "  MISS" };
    format!(
        "  {done}/{of}  {operator}: {entity} {what}  {depends} of {tests} tests depend, {selected} selected (class {selected_class}){miss}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_every_width_and_names_the_test_before_its_package() {
        let progress = BuildProgress {
            seconds: 67,
            phase: "test".to_owned(),
            done: 12,
            known: 1251,
            failed: 1,
            left_seconds: Some(37),
            now: Some(("shop.pricing.MoneyTest".to_owned(), Some("加算adds".to_owned()))),
        };
        assert_eq!(
            progress.line(120),
            "  tamis  1:07  test  12 of 1,251 tests, 1 failed, about 37 s left  加算adds  MoneyTest  shop.pricing"
        );
        assert_eq!(progress.line(50), "  tamis  1:07  test  12 of 1,251, 1 failed, ~37 s…");
        for columns in 0..200 {
            let used: usize = progress.line(columns).chars().map(width).sum();
            assert!(used <= columns, "{columns}: {used}");
        }
    }
}
