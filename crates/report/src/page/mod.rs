//! The report of a run as one HTML page, which needs no network and no server.
//!
//! Summary, failures and notes are plain HTML. Everything else is data, compressed, which the page's own script shows:
//! docs/design/report.md says why.

mod columns;

use crate::document::{Document, Format, Layout, print};
use crate::render;
use crate::selection::SelectionReport;
use columns::PageData;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

const PAGE: &str = include_str!("../../page/page.html");
const STYLE: &str = include_str!("../../page/page.css");
const SCRIPT: &str = include_str!("../../page/page.js");

/// The number of failures in the part of the page that needs no script.
const FAILURES: usize = 20;

/// What a page shows beside the document of a run.
#[derive(Clone, Debug, Default)]
pub struct PageExtras {
    /// Both versions of the code, by kind and subject of a fact: `body a.B.f()V`.
    pub code: BTreeMap<String, [String; 2]>,
    /// Earlier runs, if they are shown.
    pub history: Option<PageHistory>,
}

/// Earlier runs, as the store knows them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PageHistory {
    /// The latest first.
    pub runs: Vec<PastRun>,
    /// Tests that did not pass each time, with a letter for each verdict: `..F.`
    pub strips: Vec<(String, String)>,
}

/// The tests of an earlier run, as far as their verdicts are kept.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PastRun {
    /// When it began.
    pub began: String,
    /// The machine on which it ran.
    pub place: String,
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests with another outcome.
    pub other: u64,
    /// The duration of its tests.
    pub microseconds: u64,
}

/// The page.
pub fn page(run: &SelectionReport, extras: &PageExtras) -> String {
    let failed = run.summary.failed.unwrap_or_default();
    let (verdict, class) = match (run.summary.passed, run.summary.exit) {
        (None, _) => ("selection", "other"),
        (Some(_), Some(0)) if run.summary.no_tests.is_none() && !run.summary.interrupted => {
            ("passed", "passed")
        }
        (Some(_), Some(0)) => ("incomplete", "other"),
        (Some(_), _) if run.summary.interrupted => ("interrupted", "other"),
        (Some(_), _) if failed > 0 => ("failed", "failed"),
        (Some(_), _) => ("build failed", "failed"),
    };
    let parts = [
        ("{style}", STYLE.to_owned()),
        ("{verdict-class}", class.to_owned()),
        ("{verdict}", verdict.to_owned()),
        ("{numbers}", numbers(run)),
        ("{summary}", escaped(&summary(run))),
        ("{failures}", failures(run)),
        (
            "{notes}",
            run.notes.iter().map(|note| format!("<p class=\"note\">{}</p>\n", escaped(note))).collect(),
        ),
        ("{script}", SCRIPT.to_owned()),
        ("{data}", packed(&PageData::new(run, extras))),
    ];
    filled(PAGE, &parts)
}

/// The template with all parts. A part is not searched for others.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut page =
        String::with_capacity(template.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut rest = template;
    loop {
        let first = parts
            .iter()
            .filter_map(|(name, text)| Some((rest.find(name)?, *name, text)))
            .min_by_key(|(at, ..)| *at);
        let Some((at, name, text)) = first else { break };
        page.push_str(rest.get(..at).unwrap_or_default());
        page.push_str(text);
        rest = rest.get(at + name.len()..).unwrap_or_default();
    }
    page + rest
}

/// The summary as the terminal has it.
fn summary(run: &SelectionReport) -> String {
    let mut without_notes = run.clone();
    without_notes.notes.clear();
    let mut text = Vec::new();
    // Writing into memory cannot fail.
    let _ = print(&mut text, Document::Selection(&without_notes), Format::Human, Layout::default());
    render::text::plain(&String::from_utf8_lossy(&text))
}

fn numbers(run: &SelectionReport) -> String {
    let summary = &run.summary;
    let mut numbers: Vec<(&str, String)> =
        vec![("run", summary.run.to_string()), ("skip", summary.skip.to_string())];
    let optional = [("passed", summary.passed), ("failed", summary.failed), ("ignored", summary.ignored)];
    numbers.extend(optional.into_iter().filter_map(|(name, number)| Some((name, number?.to_string()))));
    numbers.push(("notes", run.notes.len().to_string()));
    let number = |(name, number): &(&str, String)| {
        format!("<div><dt>{name}</dt><dd id=\"number-{name}\">{number}</dd></div>")
    };
    numbers.iter().map(number).collect()
}

fn failures(run: &SelectionReport) -> String {
    let one = |test: &crate::selection::TestEntry| {
        let error = test.failure.as_ref();
        let headline = error.map_or(String::new(), |error| error.headline());
        let place = error.and_then(|error| Some(format!("{}:{}", error.file.as_ref()?, error.line?)));
        let place = place.or_else(|| error?.frame.clone()).unwrap_or_default();
        format!(
            "<div class=\"failure\"><b>{}</b><pre>{}</pre><p class=\"soft\">{}</p></div>\n",
            escaped(&test.name()),
            escaped(&headline),
            escaped(&place)
        )
    };
    run.failed().take(FAILURES).map(one).collect()
}

/// Text as HTML. Characters that change the direction of text are shown as what they are.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => html.push('\u{fffd}'),
            letter if letter.is_control() && letter != '\n' && letter != '\t' => html.push('\u{fffd}'),
            letter => html.push(letter),
        }
    }
    html
}

/// Compressed, as text without a character that means something in HTML.
fn packed(data: &PageData<'_>) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    // Serialising and compressing into memory cannot fail.
    let json = serde_json::to_vec(data).unwrap_or_default();
    let bytes = encoder.write_all(&json).and_then(|()| encoder.finish()).unwrap_or_default();
    base64(&bytes)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number = group
            .iter()
            .chain([0, 0].iter())
            .take(3)
            .fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
        for at in 0..4 {
            let letter = (number >> (18 - 6 * at)) & 63;
            let is_there = at <= group.len();
            text.push(if is_there {
                char::from(LETTERS.get(letter as usize).copied().unwrap_or(b'='))
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::TestEntry;

    #[test]
    fn bytes_are_encoded_as_every_browser_decodes_them() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn hostile_names_stay_text_and_nothing_is_fetched() {
        let mut run = SelectionReport::new("1.0", "hybrid", "auto");
        run.tests.push(TestEntry {
            class: "</script><img src=x onerror=alert(1)>{data}\u{202e}".to_owned(),
            outcome: Some("failed".to_owned()),
            tests: 1,
            ..TestEntry::default()
        });
        run.notes.push("<b>{script}".to_owned());
        run.finish();
        let page = page(&run, &PageExtras::default());
        assert!(!page.contains("<img") && !page.contains("<b>{") && !page.contains('\u{202e}'), "{page}");
        assert_eq!(page.matches("</script>").count(), 2, "the data and the script");
        assert!(page.contains("default-src 'none'") && !page.contains("http://www.w3.org/1999"));
    }

    #[test]
    fn a_page_of_fifty_thousand_tests_is_smaller_than_a_megabyte() {
        let mut run = SelectionReport::new("1.0", "hybrid", "auto");
        for class in 0..5000 {
            for method in 0..10 {
                run.tests.push(TestEntry {
                    module: format!("m{}", class % 20),
                    class: format!("org.example.part{}.Some{class}Test", class % 300),
                    method: Some(format!("returnsWhatIsExpectedOf{}", (class * 31 + method * 7) % 997)),
                    tests: 1,
                    seconds: Some(f64::from(class * method % 1999) / 1e3),
                    ..TestEntry::default()
                });
            }
        }
        run.finish();
        let bytes = page(&run, &PageExtras::default()).len();
        assert!(bytes < 1 << 20, "{bytes} bytes");
    }
}
