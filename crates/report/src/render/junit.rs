//! JUnit XML, which build servers read: a suite for each class. A proved skip is a skipped test with its trace.
//!
//! Written to a file of our own: beside the reports of the build, other tools would count these tests.

use crate::selection::{DecisionWord, SelectionReport, TestEntry};
use std::io::{self, Write};

pub(crate) fn write<W: Write>(out: &mut W, report: &SelectionReport) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"tamis\">")?;
    let mut rest = report.tests.as_slice();
    while let Some(first) = rest.first() {
        let is_same = |test: &TestEntry| (&test.module, &test.class) == (&first.module, &first.class);
        let number = rest.iter().take_while(|test| is_same(test)).count();
        let (suite, others) = rest.split_at(number);
        write_suite(out, first, suite)?;
        rest = others;
    }
    writeln!(out, "</testsuites>")
}

fn write_suite<W: Write>(out: &mut W, first: &TestEntry, suite: &[TestEntry]) -> io::Result<()> {
    let count = |of: fn(&TestEntry) -> bool| suite.iter().filter(|test| of(test)).count();
    // An empty sum is minus zero.
    let seconds = suite.iter().filter_map(ran_seconds).sum::<f64>() + 0.0;
    writeln!(
        out,
        "  <testsuite name=\"{}\" package=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{seconds:.3}\">",
        escaped(&first.class),
        escaped(&first.module),
        suite.len(),
        count(is_failed),
        count(|test| is_skip(test) || is_ignored(test)),
    )?;
    suite.iter().try_for_each(|test| write_test(out, test))?;
    writeln!(out, "  </testsuite>")
}

fn write_test<W: Write>(out: &mut W, test: &TestEntry) -> io::Result<()> {
    let simple = test.class.rsplit('.').next().unwrap_or(&test.class);
    let name = test.method.as_deref().unwrap_or(simple);
    let seconds = ran_seconds(test).unwrap_or_default();
    write!(
        out,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.3}\"",
        escaped(&test.class),
        escaped(name)
    )?;
    if let Some(evidence) = test.evidence.as_ref().filter(|_| is_skip(test)) {
        writeln!(
            out,
            "><skipped message=\"proved unaffected: trace {} of {}\"/></testcase>",
            escaped(&evidence.trace),
            escaped(&evidence.recorded)
        )
    } else if is_failed(test) {
        let failure = test.failure.clone().unwrap_or_default();
        writeln!(
            out,
            "><failure type=\"{}\" message=\"{}\">{}</failure></testcase>",
            escaped(&failure.error),
            escaped(&failure.message),
            escaped(&failure.trace.join("\n"))
        )
    } else if is_ignored(test) {
        writeln!(out, "><skipped/></testcase>")
    } else {
        writeln!(out, "/>")
    }
}

fn is_skip(test: &TestEntry) -> bool {
    test.decision == DecisionWord::Skip
}

fn is_failed(test: &TestEntry) -> bool {
    matches!(test.outcome.as_deref(), Some("failed" | "unknown" | "crashed"))
}

fn is_ignored(test: &TestEntry) -> bool {
    matches!(test.outcome.as_deref(), Some("ignored" | "aborted"))
}

/// The duration of a test that ran.
fn ran_seconds(test: &TestEntry) -> Option<f64> {
    test.seconds.filter(|_| !is_skip(test))
}

/// Text in an attribute or an element. XML has no other control characters, however they are written.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\n' => xml.push_str("&#10;"),
            '\t' => xml.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            letter if letter.is_control() => xml.push('\u{fffd}'),
            letter => xml.push(letter),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureEntry;
    use crate::selection::EvidenceEntry;

    #[test]
    fn a_proved_skip_names_its_trace_and_a_failure_its_stack() {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        let entry =
            TestEntry { class: "a.T".to_owned(), module: "m".to_owned(), tests: 1, ..TestEntry::default() };
        let evidence = Some(EvidenceEntry {
            trace: "9f2c".to_owned(),
            recorded: "2026".to_owned(),
            ..EvidenceEntry::default()
        });
        report.tests.push(TestEntry {
            decision: DecisionWord::Skip,
            evidence,
            seconds: Some(2.0),
            ..entry.clone()
        });
        let failure = Some(FailureEntry {
            error: "E".to_owned(),
            message: "<a> & \"b\"\u{0}".to_owned(),
            trace: vec!["at a.T.m(T.java:1)".to_owned()],
            ..FailureEntry::default()
        });
        let outcome = Some("failed".to_owned());
        report.tests.push(TestEntry {
            method: Some("m".to_owned()),
            outcome,
            failure,
            seconds: Some(0.5),
            ..entry
        });
        let mut out = Vec::new();
        write(&mut out, &report).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text.lines().skip(2).collect::<Vec<_>>(),
            [
                "  <testsuite name=\"a.T\" package=\"m\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"0.500\">",
                "    <testcase classname=\"a.T\" name=\"T\" time=\"0.000\"><skipped message=\"proved unaffected: trace 9f2c of 2026\"/></testcase>",
                "    <testcase classname=\"a.T\" name=\"m\" time=\"0.500\"><failure type=\"E\" message=\"&lt;a&gt; &amp; &quot;b&quot;\u{fffd}\">at a.T.m(T.java:1)</failure></testcase>",
                "  </testsuite>",
                "</testsuites>",
            ]
        );
    }
}
