//! Reports of a build about its tests: the XML files that Surefire, Gradle and Ant write.
//!
//! Reads what the files state, and nothing else. They are foreign input: sizes are limited, entities of a document type are
//! not expanded, and a file that is not well formed is an error.

mod xml;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use xml::{XmlEvent, XmlReader};

/// The largest file that is read.
const LARGEST: u64 = 256 << 20;

/// Maximum depth of folders: links may lead in circles.
const DEEPEST: usize = 12;

/// One report: the tests of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestReport {
    /// System properties of the JVM that ran the tests, if the report has them.
    pub properties: BTreeMap<String, String>,
    /// The tests, in the order of the file.
    pub cases: Vec<ReportedTest>,
}

/// A test of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedTest {
    /// Its class.
    pub class: String,
    /// Its name, as the framework displays it.
    pub name: String,
    /// Its outcome.
    pub outcome: ReportedOutcome,
    /// Its duration.
    pub microseconds: u64,
}

/// The outcome of a reported test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReportedOutcome {
    /// It passed.
    Passed,
    /// It was not run.
    Skipped,
    /// It failed.
    Failed,
}

/// Why a file is not a report that can be used.
#[derive(Debug)]
pub enum ReportProblem {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It is larger than any report.
    TooLarge,
    /// It is not well formed, or not a report.
    Malformed,
}

impl From<io::Error> for ReportProblem {
    fn from(error: io::Error) -> ReportProblem {
        ReportProblem::Unreadable(error)
    }
}

/// The reports below a folder, or one report, by name.
pub fn find_reports(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if fs::metadata(path)?.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    add_reports(path, DEEPEST, &mut found);
    found.sort();
    Ok(found)
}

fn add_reports(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && name != "node_modules" {
                add_reports(&path, depth, found);
            }
        } else if name.starts_with("TEST-") && name.ends_with(".xml") {
            found.push(path);
        }
    }
}

impl TestReport {
    /// Reads a report, and the time at which it was written.
    pub fn read(path: &Path) -> Result<(TestReport, SystemTime), ReportProblem> {
        let file = fs::File::open(path)?;
        let modified = file.metadata()?.modified()?;
        let mut text = String::new();
        if file.take(LARGEST + 1).read_to_string(&mut text)? as u64 > LARGEST {
            return Err(ReportProblem::TooLarge);
        }
        Ok((TestReport::parse(&text).ok_or(ReportProblem::Malformed)?, modified))
    }

    /// Reads the text of a report; `None` if it is not well formed, or no report.
    pub fn parse(text: &str) -> Option<TestReport> {
        let mut report = TestReport::default();
        let mut reader = XmlReader::new(text);
        let mut open: Option<ReportedTest> = None;
        let mut is_report = false;
        while let Some(event) = reader.next_event()? {
            match event {
                XmlEvent::Start(element) => match element.name {
                    "testsuite" | "testsuites" => is_report = true,
                    "property" => {
                        if let (Some(name), Some(value)) =
                            (element.attribute("name"), element.attribute("value"))
                        {
                            report.properties.insert(name, value);
                        }
                    }
                    "testcase" => {
                        open = Some(ReportedTest {
                            class: element.attribute("classname").unwrap_or_default(),
                            name: element.attribute("name").unwrap_or_default(),
                            outcome: ReportedOutcome::Passed,
                            microseconds: microseconds(&element.attribute("time").unwrap_or_default()),
                        });
                    }
                    "failure" | "error" | "rerunFailure" | "rerunError" | "flakyFailure" | "flakyError" => {
                        if let Some(open) = &mut open {
                            open.outcome = ReportedOutcome::Failed;
                        }
                    }
                    "skipped" => {
                        if let Some(open) = &mut open {
                            open.outcome = open.outcome.max(ReportedOutcome::Skipped);
                        }
                    }
                    _ => {}
                },
                XmlEvent::End("testcase") => report.cases.extend(open.take()),
                XmlEvent::End(_) => {}
            }
        }
        (is_report && open.is_none()).then_some(report)
    }
}

/// `1.5`, or `1,234.5` with the separators of some builds.
fn microseconds(seconds: &str) -> u64 {
    let seconds: f64 = seconds.replace(',', "").parse().unwrap_or_default();
    // A conversion of this kind cannot overflow: it ends at the largest number.
    (seconds * 1e6) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment > -->
<testsuite name="a.T" time="0.1" tests="3">
  <properties><property name="java.class.path" value="/a &amp; b&#x3a;c"/></properties>
  <testcase name="one" classname="a.T" time="0.25"/>
  <testcase name="two[1]" classname="a.T" time="1,000.5"><failure message="&lt;x>"><![CDATA[<testcase name="no"/>]]></failure></testcase>
  <testcase name='three' classname='a.T'><skipped/><system-out>text</system-out></testcase>
</testsuite>"#;

    #[test]
    fn a_report_is_read() {
        let report = TestReport::parse(REPORT).unwrap();
        assert_eq!(report.properties["java.class.path"], "/a & b:c");
        let cases: Vec<(&str, ReportedOutcome, u64)> =
            report.cases.iter().map(|case| (case.name.as_str(), case.outcome, case.microseconds)).collect();
        let expected = [
            ("one", ReportedOutcome::Passed, 250_000),
            ("two[1]", ReportedOutcome::Failed, 1_000_500_000),
            ("three", ReportedOutcome::Skipped, 0),
        ];
        assert_eq!(cases, expected);
    }

    #[test]
    fn a_file_that_is_cut_off_is_not_a_report() {
        for end in 1..REPORT.len() - 1 {
            if let Some(cut) = REPORT.get(..end) {
                assert_eq!(TestReport::parse(cut), None, "{end}");
            }
        }
        assert_eq!(TestReport::parse("<project></project>"), None);
        assert_eq!(TestReport::parse("<testsuite><testcase name=\"&unknown;\"/></testsuite>"), None);
        assert_eq!(TestReport::parse("<testsuite></testcase></testsuite>"), None);
    }
}
