//! TeamCity: service messages, one on a line.

use crate::selection::{DecisionWord, SelectionReport};
use std::io::{self, Write};

pub(crate) fn write<W: Write>(out: &mut W, report: &SelectionReport) -> io::Result<()> {
    for test in &report.tests {
        let name = escaped(&test.name().replace('#', "."));
        if test.decision == DecisionWord::Skip {
            let trace = test.evidence.as_ref().map_or("", |evidence| &evidence.trace);
            let message = escaped(&format!("proved unaffected: trace {trace}"));
            writeln!(out, "##teamcity[testIgnored name='{name}' message='{message}']")?;
            continue;
        }
        let Some(outcome) = &test.outcome else { continue };
        if outcome == "ignored" || outcome == "aborted" {
            writeln!(out, "##teamcity[testIgnored name='{name}' message='']")?;
            continue;
        }
        writeln!(out, "##teamcity[testStarted name='{name}']")?;
        if outcome != "passed" {
            let failure = test.failure.clone().unwrap_or_default();
            let (message, trace) = (escaped(&failure.headline()), escaped(&failure.trace.join("\n")));
            writeln!(out, "##teamcity[testFailed name='{name}' message='{message}' details='{trace}']")?;
        }
        let milliseconds = (test.seconds.unwrap_or_default() * 1000.0).round();
        writeln!(out, "##teamcity[testFinished name='{name}' duration='{milliseconds}']")?;
    }
    Ok(())
}

/// A value. A bar escapes, and everything beyond ASCII is named by number.
fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => value.push_str("|n"),
            '\r' => value.push_str("|r"),
            '|' | '\'' | '[' | ']' => value.extend(['|', letter]),
            letter if letter.is_ascii() && !letter.is_ascii_control() => value.push(letter),
            letter => letter
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| value.push_str(&format!("|0x{unit:04x}"))),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::TestEntry;

    #[test]
    fn values_are_escaped_with_bars() {
        assert_eq!(escaped("a|b['c']\nä"), "a||b|[|'c|'|]|n|0x00e4");
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        let outcome = Some("passed".to_owned());
        report.tests.push(TestEntry {
            class: "a.T".to_owned(),
            method: Some("m".to_owned()),
            outcome,
            seconds: Some(0.25),
            ..TestEntry::default()
        });
        let mut out = Vec::new();
        write(&mut out, &report).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "##teamcity[testStarted name='a.T.m']\n##teamcity[testFinished name='a.T.m' duration='250']\n"
        );
    }
}
