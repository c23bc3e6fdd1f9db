//! `cargo xtask picture`: draws the output of the demo as a picture, docs/demo.svg, for the README.
//!
//! The text is that of a run, with the colours of the terminal. Nothing in the picture is written by hand.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cargo;

/// The title of the demo's edit that is shown.
const EDIT: &str = "# An edit: an added override";

/// The width of a letter and the height of a line.
const LETTER: f64 = 7.25;
const LINE: f64 = 18.0;

/// Where a line is wrapped.
const COLUMNS: usize = 120;

/// Runs the demo, and draws the part about one edit.
pub(crate) fn picture() -> Result<()> {
    cargo::run(&mut cargo::cargo(&["build", "--package", "tamis", "--bin", "tamis"]))?;
    let output = Command::new("target/debug/tamis")
        .arg("demo")
        .env("TAMIS_COLOR", "always")
        .output()
        .context("target/debug/tamis")?;
    if !output.status.success() {
        bail!("the demo failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let plain = |line: &str| spans(line).into_iter().map(|span| span.text).collect::<String>();
    let is_title = |line: &&str| plain(line).starts_with("# ");
    let shown: Vec<&str> = text.lines().skip_while(|line| !plain(line).starts_with(EDIT)).collect();
    let end = shown.iter().skip(1).position(is_title).map_or(shown.len(), |at| at + 1);
    let mut lines: Vec<Vec<Span>> = shown.iter().take(end).flat_map(|line| wrapped(spans(line))).collect();
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    if lines.is_empty() {
        bail!("the demo has no part that begins with {EDIT:?}");
    }
    let path = Path::new("docs/demo.svg");
    std::fs::write(path, draw(&lines)).with_context(|| path.display().to_string())?;
    println!("{}", path.display());
    Ok(())
}

/// Text in one style.
#[derive(Debug, PartialEq)]
struct Span {
    text: String,
    colour: &'static str,
    bold: bool,
}

const PLAIN: &str = "#d5dbe3";

/// The parts of a line with the styles that escape sequences give them.
fn spans(line: &str) -> Vec<Span> {
    let mut parts = line.split('\u{1b}');
    let mut found = Vec::new();
    let (mut colour, mut bold) = (PLAIN, false);
    let mut add = |text: &str, colour, bold| {
        if !text.is_empty() {
            found.push(Span { text: text.to_owned(), colour, bold });
        }
    };
    add(parts.next().unwrap_or_default(), colour, bold);
    for part in parts {
        let (codes, text) = part.trim_start_matches('[').split_once('m').unwrap_or(("", ""));
        for code in codes.split(';') {
            match code {
                "" | "0" => (colour, bold) = (PLAIN, false),
                "1" => bold = true,
                "2" => colour = "#8b95a1",
                "31" => colour = "#ff8f87",
                "32" => colour = "#7bd89b",
                "33" => colour = "#f0c36a",
                _ => {}
            }
        }
        add(text, colour, bold);
    }
    found
}

/// The lines of a terminal that is this wide.
fn wrapped(line: Vec<Span>) -> Vec<Vec<Span>> {
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for Span { text, colour, bold } in line {
        for word in text.split_inclusive(' ') {
            if used > 0 && used + word.chars().count() > COLUMNS {
                lines.push(Vec::new());
                used = 0;
            }
            used += word.chars().count();
            let Some(last) = lines.last_mut() else { continue };
            match last.last_mut() {
                Some(Span { text, colour: known, bold: same }) if (*known, *same) == (colour, bold) => {
                    text.push_str(word);
                }
                _ => last.push(Span { text: word.to_owned(), colour, bold }),
            }
        }
    }
    lines
}

fn draw(lines: &[Vec<Span>]) -> String {
    let columns = |line: &Vec<Span>| line.iter().map(|span| span.text.chars().count()).sum::<usize>();
    let width = lines.iter().map(columns).max().unwrap_or_default() as f64 * LETTER + 40.0;
    let height = lines.len() as f64 * LINE + 40.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"ui-monospace, Menlo, \
         Consolas, monospace\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#12171e\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let y = 30.0 + row as f64 * LINE;
        let mut column = 0;
        for span in line {
            let x = 20.0 + column as f64 * LETTER;
            let weight = if span.bold { " font-weight=\"bold\"" } else { "" };
            let letters = span.text.chars().count();
            // Writing into memory cannot fail.
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y}\" fill=\"{}\"{weight} textLength=\"{:.1}\">{}</text>",
                span.colour,
                letters as f64 * LETTER,
                // Pictures keep only this kind of blank.
                span.text
                    .replace(' ', "\u{a0}")
                    .replace('&', "&amp;")
                    .replace('<', "&lt;")
                    .replace('>', "&gt;")
            );
            column += letters;
        }
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_end_where_the_terminal_ends_them() {
        let span = |text: &str, colour, bold| Span { text: text.to_owned(), colour, bold };
        assert_eq!(
            spans("a\u{1b}[1m\u{1b}[31mb<\u{1b}[0mc"),
            [span("a", PLAIN, false), span("b<", "#ff8f87", true), span("c", PLAIN, false)]
        );
        assert!(draw(&[spans("b <")]).contains(">b\u{a0}&lt;</text>"));
        assert_eq!(wrapped(spans(&"word ".repeat(30))).len(), 2);
    }
}
