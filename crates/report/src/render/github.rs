//! GitHub Actions: annotations of failures, and the summary of a step in Markdown.

use crate::document::{Document, Layout};
use crate::render::text;
use crate::selection::{SelectionReport, TestEntry};
use crate::words;
use std::io::{self, Write};

/// GitHub shows ten annotations of a kind in a step. The last one counts the failures that have none.
const ANNOTATIONS: usize = 10;

/// GitHub drops the whole summary of a step if it is larger than 1024 KiB.
const LARGEST: usize = 900 << 10;

/// The number of failures in the summary.
const FAILURES: usize = 50;

/// The annotations, one on a line.
pub(crate) fn write<W: Write>(out: &mut W, report: &SelectionReport) -> io::Result<()> {
    let failed: Vec<&TestEntry> = report.failed().collect();
    let shown = if failed.len() > ANNOTATIONS { ANNOTATIONS - 1 } else { failed.len() };
    for test in failed.iter().take(shown) {
        let failure = test.failure.clone().unwrap_or_default();
        let place = match (&failure.file, failure.line) {
            (Some(file), Some(line)) => format!("file={},line={line},", property(file)),
            _ => String::new(),
        };
        let title = property(&test.name());
        writeln!(out, "::error {place}title={title}::{}", message(&failure.headline()))?;
    }
    if failed.len() > shown {
        writeln!(out, "::error title=tamis::{}", message(&words::more_failures(failed.len() - shown)))?;
    }
    Ok(())
}

/// The summary of a step.
pub(crate) fn summary(report: &SelectionReport) -> String {
    let mut lines = Vec::new();
    // Writing into memory cannot fail.
    let _ = text::write(&mut lines, Document::Selection(report), Layout::default());
    let mut page =
        format!("### Tamis\n\n```text\n{}```\n", fenced(&text::plain(&String::from_utf8_lossy(&lines))));
    for test in report.failed().take(FAILURES) {
        let failure = test.failure.clone().unwrap_or_default();
        let trace = failure.trace.join("\n");
        let part = format!(
            "\n<details><summary><code>{}</code></summary>\n\n```text\n{}\n{}\n```\n\n</details>\n",
            html(&test.name()),
            fenced(&failure.headline()),
            fenced(&trace)
        );
        if page.len() + part.len() > LARGEST {
            break;
        }
        page.push_str(&part);
    }
    page
}

/// Text that cannot end a block of code.
fn fenced(text: &str) -> String {
    text.replace("```", "` ` `")
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureEntry;

    fn failing(number: usize) -> SelectionReport {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        for at in 0..number {
            report.tests.push(TestEntry {
                class: format!("a.T{at:02}"),
                method: Some("m, n: 50%".to_owned()),
                tests: 1,
                outcome: Some("failed".to_owned()),
                failure: Some(FailureEntry {
                    error: "java.io.IOException".to_owned(),
                    message: "one\ntwo ```".to_owned(),
                    file: Some("src/a,b/T.java".to_owned()),
                    line: Some(7),
                    ..FailureEntry::default()
                }),
                ..TestEntry::default()
            });
        }
        report.finish();
        report
    }

    fn annotations(number: usize) -> Vec<String> {
        let mut out = Vec::new();
        write(&mut out, &failing(number)).unwrap();
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn annotations_are_escaped_and_never_more_than_github_shows() {
        assert_eq!(
            annotations(1),
            ["::error file=src/a%2Cb/T.java,line=7,title=a.T00#m%2C n%3A 50%25::IOException: one%0Atwo ```"]
        );
        assert_eq!(annotations(10).len(), 10);
        let many = annotations(44);
        assert_eq!(many.len(), 10);
        assert!(many[9].contains("and 35 more"), "{}", many[9]);
    }

    #[test]
    fn the_summary_is_small_and_cannot_be_left_by_a_message() {
        let page = summary(&failing(3));
        assert_eq!(page.matches("```").count(), 8, "{page}");
        let mut large = failing(50);
        for test in &mut large.tests {
            test.failure.as_mut().unwrap().message = "x".repeat(50_000);
        }
        assert!(summary(&large).len() <= LARGEST);
    }
}
