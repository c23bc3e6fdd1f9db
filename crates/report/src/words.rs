//! Sentences for typed reasons.

use tamis_select::decide::RunReason;

/// Why a test runs, as the end of a sentence that begins with the test.
pub fn run_reason(reason: &RunReason) -> String {
    match reason {
        RunReason::New => "nothing is recorded of it".to_owned(),
        RunReason::Failed => "it failed the last time".to_owned(),
        RunReason::Broken => "it did not end the last time".to_owned(),
        RunReason::NotRun => "it was disabled or aborted the last time".to_owned(),
        RunReason::Flaky => "it has passed and failed with nothing changed".to_owned(),
        RunReason::Always(why) => format!("it always runs: {why}"),
        RunReason::Changed(_) => "something it relied on changed".to_owned(),
        RunReason::Asked => "it was asked for".to_owned(),
    }
}
