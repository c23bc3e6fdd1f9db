//! Two canonical listings side by side, so that a person sees why two bodies differ.

use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use tamis_program::digest::ListingLine;

/// Lines that are the same, kept around what differs.
const CONTEXT: usize = 3;

/// Beyond this many cells the lines between the common start and end are not aligned any more.
const CELLS: usize = 4_000_000;

/// One row: a line of the old listing, of the new one, or the same in both.
type Row<'l> = (Option<&'l ListingLine>, Option<&'l ListingLine>);

/// The canonical listings of one method, before and after; empty where it does not exist.
#[derive(Clone, Debug, Default)]
pub struct MethodListings {
    /// Before.
    pub old: Vec<ListingLine>,
    /// After.
    pub new: Vec<ListingLine>,
}

/// A listing as text.
pub fn text(listing: &[ListingLine]) -> String {
    listing.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// Writes the two listings beside each other, `width` columns wide in all.
pub fn write<W: Write>(out: &mut W, listings: &MethodListings, width: usize) -> io::Result<()> {
    let rows = beside(align(&listings.old, &listings.new));
    let half = (width.saturating_sub(9) / 2).max(20);
    let near = |index: usize| {
        let from = index.saturating_sub(CONTEXT);
        rows.iter().skip(from).take(CONTEXT + index - from + 1).any(differs)
    };
    let mut skipped = false;
    for (index, row) in rows.iter().enumerate() {
        if !near(index) {
            if !skipped {
                writeln!(out, "      ⋮")?;
            }
            skipped = true;
            continue;
        }
        skipped = false;
        write_row(out, row, half)?;
    }
    if !rows.iter().any(differs) {
        writeln!(out, "      the same code; its references resolve to other code, or other code calls it")?;
    }
    Ok(())
}

/// One row, on as many lines as its longer side needs.
fn write_row<W: Write>(out: &mut W, row: &Row<'_>, half: usize) -> io::Result<()> {
    let (left, right) = (row.0.map_or("", |line| &line.text), row.1.map_or("", |line| &line.text));
    let (styles, mark) = match row {
        _ if !differs(row) => ([Style::new().dimmed(); 2], ' '),
        (Some(_), Some(_)) => ([AnsiColor::Red.on_default(), AnsiColor::Green.on_default()], '~'),
        (Some(_), None) => ([AnsiColor::Red.on_default(); 2], '-'),
        _ => ([AnsiColor::Green.on_default(); 2], '+'),
    };
    let [left_style, right_style] = styles;
    let (left, right) = (wrap(left, half), wrap(right, half));
    for i in 0..left.len().max(right.len()) {
        let (left, right) = (left.get(i).map_or("", String::as_str), right.get(i).map_or("", String::as_str));
        let mark = if i == 0 { mark } else { ' ' };
        writeln!(
            out,
            "    {left_style}{mark} {left:<half$}{left_style:#} │ {right_style}{right}{right_style:#}"
        )?;
    }
    Ok(())
}

fn differs(row: &Row<'_>) -> bool {
    !matches!(row, (Some(left), Some(right)) if left.key == right.key)
}

/// Cuts a line at words where possible; what follows is indented below the operands.
fn wrap(text: &str, width: usize) -> Vec<String> {
    const INDENT: &str = "        ";
    let mut lines = vec![String::new()];
    for (i, word) in text.split(' ').enumerate() {
        let mut rest = word;
        loop {
            let Some(line) = lines.last_mut() else { return lines };
            let room = width.saturating_sub(line.chars().count() + usize::from(i > 0)).max(1);
            if rest.chars().count() <= room || line.trim().is_empty() {
                let taken: String = rest.chars().take(room).collect();
                if i > 0 && !line.trim().is_empty() || word.is_empty() {
                    line.push(' ');
                }
                line.push_str(&taken);
                rest = rest.get(taken.len()..).unwrap_or_default();
                if rest.is_empty() {
                    break;
                }
            }
            lines.push(INDENT.to_owned());
        }
    }
    lines
}

/// Puts what was taken out beside what came in its place.
fn beside(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let mut out: Vec<Row<'_>> = Vec::with_capacity(rows.len());
    let mut free = 0; // Rows at the end of `out` from which the right side is still empty.
    for row in rows {
        match row {
            (Some(_), None) => {
                out.push(row);
                free += 1;
            }
            (None, Some(line)) if free > 0 => {
                let at = out.len() - free;
                if let Some(slot) = out.get_mut(at) {
                    slot.1 = Some(line);
                }
                free -= 1;
            }
            _ => {
                out.push(row);
                free = 0;
            }
        }
    }
    out
}

/// Aligns by the longest common subsequence, after taking off what both begin and end with.
fn align<'l>(old: &'l [ListingLine], new: &'l [ListingLine]) -> Vec<Row<'l>> {
    let same = |(a, b): &(&ListingLine, &ListingLine)| a.key == b.key;
    let start = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let (a, a_end) = old_rest.split_at(old_rest.len() - end);
    let (b, b_end) = new_rest.split_at(new_rest.len() - end);
    let mut rows: Vec<Row<'l>> = old.iter().zip(new).take(start).map(|(a, b)| (Some(a), Some(b))).collect();
    if a.len().saturating_mul(b.len()) <= CELLS {
        middle(a, b, &mut rows);
    } else {
        rows.extend(a.iter().map(|line| (Some(line), None)));
        rows.extend(b.iter().map(|line| (None, Some(line))));
    }
    rows.extend(a_end.iter().zip(b_end).map(|(a, b)| (Some(a), Some(b))));
    rows
}

fn middle<'l>(a: &'l [ListingLine], b: &'l [ListingLine], rows: &mut Vec<Row<'l>>) {
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    let at = |table: &[u32], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or(0);
    for (i, left) in a.iter().enumerate().rev() {
        for (j, right) in b.iter().enumerate().rev() {
            let value = if left.key == right.key {
                at(&longest, i + 1, j + 1) + 1
            } else {
                at(&longest, i + 1, j).max(at(&longest, i, j + 1))
            };
            if let Some(cell) = longest.get_mut(i * width + j) {
                *cell = value;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    loop {
        match (a.get(i), b.get(j)) {
            (Some(left), Some(right)) if left.key == right.key => {
                rows.push((Some(left), Some(right)));
                i += 1;
                j += 1;
            }
            (Some(left), right) if right.is_none() || at(&longest, i + 1, j) >= at(&longest, i, j + 1) => {
                rows.push((Some(left), None));
                i += 1;
            }
            (_, Some(right)) => {
                rows.push((None, Some(right)));
                j += 1;
            }
            (_, None) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<ListingLine> {
        text.split_whitespace()
            .map(|word| ListingLine { text: word.to_owned(), key: word.to_owned() })
            .collect()
    }

    fn aligned(old: &str, new: &str) -> String {
        let (old, new) = (lines(old), lines(new));
        let row = |row: &Row<'_>| match row {
            (Some(line), Some(_)) => line.text.clone(),
            (Some(line), None) => format!("-{}", line.text),
            (None, line) => format!("+{}", line.map_or("", |line| &line.text)),
        };
        align(&old, &new).iter().map(row).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_was_replaced_stands_beside_what_replaced_it() {
        let listings = MethodListings { old: lines("a b c d"), new: lines("a x d e") };
        let mut out = Vec::new();
        write(&mut out, &listings, 60).unwrap();
        let text = String::from_utf8(out).unwrap();
        let plain: Vec<String> = text
            .replace("\u{1b}[", "\n")
            .lines()
            .map(|l| l.trim_start_matches(|c: char| c.is_ascii_digit() || c == 'm').trim().to_owned())
            .filter(|l| !l.is_empty())
            .collect();
        assert_eq!(plain.join(" "), "a │ a ~ b │ x - c │ d │ d + │ e");
    }

    #[test]
    fn long_lines_are_wrapped_and_lose_nothing() {
        let text = "   1  invokedynamic aaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb c";
        let wrapped = wrap(text, 24);
        assert!(wrapped.iter().all(|line| line.chars().count() <= 24), "{wrapped:?}");
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        assert_eq!(letters(&wrapped.concat()), letters(text));
    }

    #[test]
    fn listings_are_aligned_on_what_they_share() {
        assert_eq!(aligned("a b c d", "a x c d"), "a -b +x c d");
        assert_eq!(aligned("a b c", "a b c"), "a b c");
        assert_eq!(aligned("", "a"), "+a");
        assert_eq!(aligned("a b", ""), "-a -b");
        assert_eq!(aligned("a b c d e", "a c x e"), "a -b c -d +x e");
    }
}
