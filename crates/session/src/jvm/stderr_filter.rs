//! Removes the JVM's remark on our options from the error output of a command.
//!
//! Every JVM that finds `JAVA_TOOL_OPTIONS` prints a line on standard error before any agent starts. People,
//! and builds that compare this output, should see the same as without us. Everything else passes unchanged
//! and at once.

use std::io::{self, Read, Write};

const REMARK: &[u8] = b"Picked up JAVA_TOOL_OPTIONS: ";

/// Copies `from` to `to` until it ends, without remarks on our options. If other options were set `before`,
/// the remark shows those instead.
pub(crate) fn copy(mut from: impl Read, mut to: impl Write, ours: &str, before: &str) -> io::Result<()> {
    let mut filter =
        StderrFilter { held: Vec::new(), passing: false, ours: ours.as_bytes(), before: before.as_bytes() };
    let mut buffer = [0; 8192];
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut out = Vec::with_capacity(count);
        for byte in buffer.get(..count).unwrap_or_default() {
            filter.byte(*byte, &mut out);
        }
        to.write_all(&out)?;
        to.flush()?;
    }
    to.write_all(&filter.held)?;
    to.flush()
}

struct StderrFilter<'a> {
    /// The present line, as long as it may be a remark.
    held: Vec<u8>,
    /// Whether the present line is certainly not a remark.
    passing: bool,
    ours: &'a [u8],
    before: &'a [u8],
}

impl StderrFilter<'_> {
    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.passing {
            out.push(byte);
            self.passing = byte != b'\n';
            return;
        }
        self.held.push(byte);
        let text = self.held.get(style(&self.held)..).unwrap_or_default();
        if byte == b'\n' {
            self.line(out);
        } else if !REMARK.starts_with(text) && !text.starts_with(REMARK) && !is_style(text) {
            out.append(&mut self.held);
            self.passing = true;
        }
    }

    /// Handles a complete line.
    fn line(&mut self, out: &mut Vec<u8>) {
        let (style, text) = self.held.split_at(style(&self.held));
        let is_ours = text.starts_with(REMARK) && text.windows(self.ours.len()).any(|part| part == self.ours);
        if !is_ours {
            out.append(&mut self.held);
            return;
        }
        out.extend_from_slice(style);
        if !self.before.is_empty() {
            out.extend_from_slice(REMARK);
            out.extend_from_slice(self.before);
            out.push(b'\n');
        }
        self.held.clear();
    }
}

/// Number of bytes in the complete styles at the start of a line. Maven prints styles even without a
/// terminal.
fn style(line: &[u8]) -> usize {
    let mut length = 0;
    while let Some(rest) = line.get(length..)
        && let Some(end) = rest.iter().position(|byte| *byte == b'm')
        && rest.get(..end).is_some_and(is_style)
    {
        length += end + 1;
    }
    length
}

/// Whether this is the beginning of a style: escape, bracket, numbers.
fn is_style(text: &[u8]) -> bool {
    match text {
        [0x1b] => true,
        [0x1b, b'[', numbers @ ..] => numbers.iter().all(|byte| byte.is_ascii_digit() || *byte == b';'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result does not depend on the pieces in which the text arrives.
    fn copied(text: &str, before: &str) -> String {
        let mut results: Vec<String> = Vec::new();
        for step in 1..=text.len().max(1) {
            let pieces = text.as_bytes().chunks(step).map(|piece| piece as &[u8]);
            let from =
                pieces.fold(Box::new(io::empty()) as Box<dyn Read>, |all, piece| Box::new(all.chain(piece)));
            let mut to = Vec::new();
            copy(from, &mut to, "-agentpath:/x/a.so=/s", before).unwrap();
            results.push(String::from_utf8(to).unwrap());
        }
        results.dedup();
        assert_eq!(results.len(), 1, "{results:?}");
        results.remove(0)
    }

    #[test]
    fn only_remarks_on_our_options_are_removed() {
        let ours = "Picked up JAVA_TOOL_OPTIONS: -agentpath:/x/a.so=/s\n";
        assert_eq!(copied(&format!("one\n{ours}two\n"), ""), "one\ntwo\n");
        assert_eq!(copied(ours, "-Dx=1"), "Picked up JAVA_TOOL_OPTIONS: -Dx=1\n");
        let theirs = "Picked up JAVA_TOOL_OPTIONS: -Dx=1\nPicked up\nPicked up J";
        assert_eq!(copied(theirs, ""), theirs);
        assert_eq!(copied("", ""), "");
        assert_eq!(copied(&format!("\x1b[0m\x1b[1;2m{ours}two\x1b[0m"), ""), "\x1b[0m\x1b[1;2mtwo\x1b[0m");
        let styled = "\x1b[0mred\n\x1b[0m\n\x1b\x1b[\x1b[3;Picked";
        assert_eq!(copied(styled, ""), styled);
    }
}
