//! A failed test: its name, its error, and the line of the project where it happened.

use crate::failure::FailureEntry;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// The number of lines of a message that are shown.
const LINES: usize = 12;

pub(super) fn write<W: Write>(out: &mut W, test: &str, failure: Option<&FailureEntry>) -> io::Result<()> {
    let (red, dim) = (AnsiColor::Red.on_default().bold(), Style::new().dimmed());
    writeln!(out, "{red}   FAIL{red:#}  {}", plain(test))?;
    let Some(failure) = failure else { return Ok(()) };
    let headline = failure.headline();
    for line in headline.lines().take(LINES) {
        writeln!(out, "         {}", plain(line))?;
    }
    if headline.lines().count() > LINES {
        writeln!(out, "         {dim}…{dim:#}")?;
    }
    let place = match (&failure.file, failure.line) {
        (Some(file), Some(line)) => format!("  ({file}:{line})"),
        _ => String::new(),
    };
    match &failure.frame {
        Some(frame) => writeln!(out, "         {dim}at {}{place}{dim:#}", plain(frame)),
        None => Ok(()),
    }
}

/// A text without control characters, which would move the cursor or change the colours of the terminal.
fn plain(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() && letter != '\t' { '\u{fffd}' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_message_frame_and_file_and_cannot_write_escapes() {
        let failure = FailureEntry {
            error: "java.io.IOException".to_owned(),
            message: "no\u{1b}[2J room\non the disk".to_owned(),
            frame: Some("a.T.m(T.java:7)".to_owned()),
            file: Some("core/src/test/java/a/T.java".to_owned()),
            line: Some(7),
            trace: Vec::new(),
        };
        let mut out = Vec::new();
        write(&mut out, "a.T#m", Some(&failure)).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("IOException: no\u{fffd}[2J room\n         on the disk\n"), "{text}");
        assert!(text.contains("at a.T.m(T.java:7)  (core/src/test/java/a/T.java:7)"), "{text}");
    }
}
