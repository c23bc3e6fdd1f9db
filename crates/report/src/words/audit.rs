//! Sentences of `tamis audit`.

use std::fmt::Display;

/// The first stage.
pub const FINDING_EDITS: &str = "looking for code and files to edit";

/// The second stage.
pub const COPYING: &str = "copying the project and recording its tests in the copy";

/// The third stage.
pub fn trying(tests: usize, mutants: usize) -> String {
    format!("{tests} tests, {mutants} mutants")
}

/// The edit of a resource.
pub fn character_changed(at: usize) -> String {
    format!("one character changed at byte {at}")
}

/// Everything about a miss, as a Markdown file beside the edited classes.
pub struct MissPage<'m> {
    /// The test.
    pub test: &'m str,
    /// The kind of edit.
    pub operator: &'m str,
    /// The edit.
    pub entity: &'m str,
    /// How.
    pub what: &'m str,
    /// The directory or archive.
    pub entry: &'m dyn Display,
    /// Whether it fails without the tests before it.
    pub alone: bool,
    /// The changes and the code.
    pub difference: &'m str,
    /// The facts of the trace.
    pub facts: &'m [String],
}

impl MissPage<'_> {
    /// The page.
    pub fn text(&self) -> String {
        let MissPage { test, operator, entity, what, entry, difference, .. } = self;
        let alone = if self.alone {
            "It fails on its own too."
        } else {
            "It passes on its own: it depends on something that an earlier test left behind."
        };
        format!(
            "# {test} is skipped, and fails\n\n{operator}: `{entity}` {what}, in `{entry}`.\n{alone}\n\n\
             `before/` and `after/` hold the edited files. To try it: record with `tamis test`, copy `after/` over the \
             built classes, and run `tamis select`; then run the test.\n\n\
             ## The difference\n\n```text\n{difference}```\n\n\
             ## The facts of its trace\n\n```text\n{}\n```\n",
            self.facts.join("\n")
        )
    }
}
