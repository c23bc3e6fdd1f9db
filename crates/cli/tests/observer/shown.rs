//! Prints what a test used, one block for each test.

use std::fmt::Write;

/// A test, or a class with the code that its tests share.
pub(crate) struct ShownTest {
    /// `org.x.ParserTest#flatten`
    pub(crate) name: String,
    /// `passed`, `failed`…
    pub(crate) outcome: &'static str,
    pub(crate) microseconds: u64,
    /// Methods and library classes that it entered.
    pub(crate) entered: Vec<String>,
    /// Classes whose static initialisers it depends on, each with their inputs.
    pub(crate) initialised: Vec<(String, Vec<String>)>,
    /// Other inputs, a line each.
    pub(crate) notes: Vec<String>,
}

/// Library classes are listed only with `all`.
pub(crate) fn write(out: &mut String, test: &ShownTest, all: bool) {
    let milliseconds = test.microseconds as f64 / 1000.0;
    writeln!(out, "{}  {}  {milliseconds:.1} ms", test.name, test.outcome).unwrap();
    let (methods, libraries): (Vec<&String>, Vec<&String>) =
        test.entered.iter().partition(|entered| entered.contains('('));
    methods.iter().for_each(|method| writeln!(out, "  {method}").unwrap());
    for (class, notes) in &test.initialised {
        writeln!(out, "  {class}.<clinit>()V and what it ran").unwrap();
        notes.iter().for_each(|note| writeln!(out, "    {note}").unwrap());
    }
    test.notes.iter().for_each(|note| writeln!(out, "  {note}").unwrap());
    if all {
        libraries.iter().for_each(|class| writeln!(out, "  library {class}").unwrap());
    } else if !libraries.is_empty() {
        writeln!(out, "  and {} library classes", libraries.len()).unwrap();
    }
}
