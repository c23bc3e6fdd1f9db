//! What each test used, for a person.

use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// One test, or one class of tests with what its tests share.
#[derive(Clone, Debug)]
pub struct ObservedTest {
    /// `org.x.ParserTest#flatten`
    pub name: String,
    /// `passed`, `failed`…
    pub outcome: String,
    /// How long it took.
    pub microseconds: u64,
    /// Methods entered and library classes used.
    pub entered: Vec<String>,
    /// Classes whose static initialisers it ran, and what else those used, a line each.
    pub initialised: Vec<(String, Vec<String>)>,
    /// What else it used, a line each.
    pub notes: Vec<String>,
}

/// Writes one block a test; library classes only with `all`.
pub fn write<W: Write>(out: &mut W, tests: &[ObservedTest], all: bool) -> io::Result<()> {
    for test in tests {
        let style = match test.outcome.as_str() {
            "passed" => AnsiColor::Green.on_default(),
            "failed" => AnsiColor::Red.on_default(),
            _ => AnsiColor::Yellow.on_default(),
        };
        let bold = Style::new().bold();
        let milliseconds = test.microseconds as f64 / 1000.0;
        writeln!(out, "{bold}{}{bold:#}  {style}{}{style:#}  {milliseconds:.1} ms", test.name, test.outcome)?;
        let (methods, libraries): (Vec<&String>, Vec<&String>) =
            test.entered.iter().partition(|entered| entered.contains('('));
        for method in methods {
            writeln!(out, "  {method}")?;
        }
        for (class, notes) in &test.initialised {
            writeln!(out, "  {class}.<clinit>()V and what it ran")?;
            for note in notes {
                writeln!(out, "    {note}")?;
            }
        }
        for note in &test.notes {
            writeln!(out, "  {note}")?;
        }
        if all {
            for class in libraries {
                writeln!(out, "  library {class}")?;
            }
        } else if !libraries.is_empty() {
            writeln!(out, "  and {} library classes", libraries.len())?;
        }
    }
    Ok(())
}
