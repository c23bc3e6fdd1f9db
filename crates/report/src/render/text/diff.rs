//! `tamis diff` for people: changes grouped by class, one line each.

use crate::code::{self, MethodListings};
use crate::diff::DiffReport;
use crate::document::Layout;
use crate::names;
use anstyle::{AnsiColor, Style};
use std::collections::BTreeMap;
use std::io::{self, Write};
use tamis_program::diff::{AtomicChange, ChangeKind, ChangedMember};

/// The width of code, if that of the terminal is not known.
const WIDTH: usize = 150;

pub(super) fn write<W: Write>(out: &mut W, report: &DiffReport<'_>, layout: Layout) -> io::Result<()> {
    if report.is_stat {
        return write_stat(out, report.atomic);
    }
    let listings = report.listings.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    let mut classes: BTreeMap<&str, Vec<(&AtomicChange, Option<&MethodListings>)>> = BTreeMap::new();
    for (change, listings) in report.atomic.iter().zip(listings) {
        classes.entry(&change.class).or_default().push((change, listings));
    }
    for (class, changes) in classes {
        let bold = Style::new().bold();
        let is_whole = |change: &AtomicChange| matches!(change.kind, ChangeKind::AF | ChangeKind::DF);
        let whole = changes.iter().map(|(change, _)| change).find(|change| is_whole(change));
        match whole {
            Some(change) => {
                let style = style(change.kind);
                let word = if change.kind == ChangeKind::AF { "added" } else { "deleted" };
                write!(
                    out,
                    "{style}{} {}{style:#}  {word}",
                    change.kind.sign(),
                    tamis_program::names::dotted(class)
                )?;
                if let Some(other) = &change.renamed {
                    let word = if change.kind == ChangeKind::AF { "renamed from" } else { "renamed to" };
                    write!(out, ", {word} {}", tamis_program::names::dotted(other))?;
                }
                writeln!(out, "{}", right(change.kind))?;
            }
            None => {
                let was = changes.iter().find_map(|(change, _)| change.was.as_ref());
                let was = was
                    .map(|name| format!("  ({} before)", tamis_program::names::dotted(name)))
                    .unwrap_or_default();
                writeln!(out, "{bold}{}{bold:#}{was}", tamis_program::names::dotted(class))?;
            }
        }
        for (change, listings) in changes.into_iter().filter(|(change, _)| !is_whole(change)) {
            let style = style(change.kind);
            let what = what(change);
            writeln!(out, "  {style}{} {what}{style:#}{}", change.kind.sign(), right(change.kind))?;
            if let Some(listings) = listings {
                code::write(out, listings, layout.columns.unwrap_or(WIDTH))?;
            }
        }
    }
    stat_line(out, report.atomic)
}

/// Writes how many changes of each kind there are.
fn write_stat<W: Write>(out: &mut W, changes: &[AtomicChange]) -> io::Result<()> {
    let mut kinds: BTreeMap<ChangeKind, usize> = BTreeMap::new();
    for change in changes {
        *kinds.entry(change.kind).or_default() += 1;
    }
    for (kind, count) in kinds {
        let style = style(kind);
        writeln!(out, "{count:>7}  {style}{kind:<4}{style:#} {}", meaning(kind))?;
    }
    stat_line(out, changes)
}

fn stat_line<W: Write>(out: &mut W, changes: &[AtomicChange]) -> io::Result<()> {
    if changes.is_empty() {
        return writeln!(out, "no change that a test can notice");
    }
    let mut classes: Vec<&str> =
        changes.iter().filter(|c| c.kind != ChangeKind::LC).map(|c| c.class.as_str()).collect();
    classes.dedup();
    let lookups = changes.iter().filter(|change| change.kind == ChangeKind::LC).count();
    let count = |n: usize, word: &str, plural: &str| format!("{n} {}", if n == 1 { word } else { plural });
    write!(
        out,
        "{} in {}",
        count(changes.len() - lookups, "change", "changes"),
        count(classes.len(), "class", "classes")
    )?;
    if lookups > 0 {
        write!(out, ", {}", count(lookups, "look-up", "look-ups"))?;
    }
    writeln!(out)
}

/// The changed entity, without its class.
fn what(change: &AtomicChange) -> String {
    let layers = change.layers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let member = match &change.member {
        ChangedMember::Class => "class".to_owned(),
        ChangedMember::Field(name) => format!("field {name}"),
        ChangedMember::Method(name, descriptor) => names::method(&change.class, name, descriptor),
    };
    match &change.receiver {
        Some(receiver) => format!("{member}  no longer found on {}", tamis_program::names::dotted(receiver)),
        None if layers.is_empty() => member,
        None => format!("{member}  {layers}"),
    }
}

fn right(kind: ChangeKind) -> String {
    let dim = Style::new().dimmed();
    format!("  {dim}{kind}{dim:#}")
}

fn style(kind: ChangeKind) -> Style {
    let colour = match kind.sign() {
        '+' => AnsiColor::Green,
        '-' => AnsiColor::Red,
        '>' => AnsiColor::Magenta,
        _ => AnsiColor::Yellow,
    };
    colour.on_default()
}

fn meaning(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::AF => "class added",
        ChangeKind::DF => "class deleted",
        ChangeKind::CH => "class head changed",
        ChangeKind::CF => "field changed, or a class that cannot be read",
        ChangeKind::ASI => "static initialiser added",
        ChangeKind::DSI => "static initialiser deleted",
        ChangeKind::CSI => "static initialiser changed",
        ChangeKind::AI => "constructor added",
        ChangeKind::DI => "constructor deleted",
        ChangeKind::CI => "constructor changed",
        ChangeKind::ASM => "static method added",
        ChangeKind::DSM => "static method deleted",
        ChangeKind::CSM => "static method changed",
        ChangeKind::AIM => "instance method added",
        ChangeKind::DIM => "instance method deleted",
        ChangeKind::CIM => "instance method changed",
        ChangeKind::LC => "look-up changed",
    }
}
