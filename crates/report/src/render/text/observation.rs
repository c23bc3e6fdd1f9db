//! `tamis run --observe` for people.

use crate::document::Layout;
use crate::observation::{ObservationReport, ObservedTest};
use crate::words;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// One block for each test; classes of libraries only if `layout` is verbose.
pub(super) fn write<W: Write>(out: &mut W, report: &ObservationReport, layout: Layout) -> io::Result<()> {
    report.tests.iter().try_for_each(|test| write_test(out, test, layout.verbose))?;
    report.skipped.iter().try_for_each(|test| writeln!(out, "{test}  skipped"))
}

fn write_test<W: Write>(out: &mut W, test: &ObservedTest, verbose: bool) -> io::Result<()> {
    let style = match test.outcome {
        "passed" => AnsiColor::Green.on_default(),
        "failed" => AnsiColor::Red.on_default(),
        _ => AnsiColor::Yellow.on_default(),
    };
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let milliseconds = test.seconds * 1000.0;
    writeln!(out, "{bold}{}{bold:#}  {style}{}{style:#}  {milliseconds:.1} ms", test.test, test.outcome)?;
    if let Some(whole) = &test.whole {
        writeln!(out, "  {dim}selected as one class: {whole}{dim:#}")?;
    }
    if let Some(always) = &test.always {
        writeln!(out, "  {dim}always runs: {always}{dim:#}")?;
    }
    test.methods.iter().try_for_each(|method| writeln!(out, "  {method}"))?;
    for class in &test.initialised {
        writeln!(out, "  {}", words::initialiser(class))?;
    }
    test.inputs.iter().try_for_each(|input| writeln!(out, "  {input}"))?;
    if verbose {
        test.libraries.iter().try_for_each(|class| writeln!(out, "  library {class}"))
    } else if test.libraries.is_empty() {
        Ok(())
    } else {
        writeln!(out, "  {}", words::library_classes(test.libraries.len()))
    }
}
