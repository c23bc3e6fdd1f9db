//! Live lines: a build's, and an audit's.

use crate::audit::mutants::MutantResult;

/// The state of a build.
pub struct BuildProgress<'b> {
    /// Since it started.
    pub seconds: u64,
    /// The step of the build.
    pub phase: &'b str,
    /// Tests that ended.
    pub done: usize,
    /// Tests that are expected to run.
    pub known: usize,
    /// The recorded duration of those that have not ended.
    pub left_seconds: u64,
    /// The test that runs.
    pub now: Option<String>,
}

impl BuildProgress<'_> {
    /// `tamis  0:07  test  12 of 51 tests, about 3 s left  a.ATest#m`
    pub fn line(&self) -> String {
        let mut line = format!("  tamis  {}:{:02}  {}", self.seconds / 60, self.seconds % 60, self.phase);
        if self.done > 0 || self.known > 0 {
            line.push_str(&format!("  {}", self.done));
            if self.known >= self.done {
                line.push_str(&format!(" of {}", self.known));
            }
            line.push_str(" tests");
            if self.left_seconds > 0 {
                line.push_str(&format!(", about {} s left", self.left_seconds));
            }
        }
        if let Some(now) = &self.now {
            line.push_str(&format!("  {now}"));
        }
        line
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
