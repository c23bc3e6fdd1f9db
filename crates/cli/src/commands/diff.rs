//! `tamis diff OLD NEW`

use super::say;
use crate::args::{DiffArgs, GlobalArgs, OutputFormat};
use crate::error::CommandError;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use tamis_program::diff::{AtomicChange, ChangedMember};
use tamis_report::{code, json};
use tamis_session::JdkChoice;

pub(crate) fn run(args: &DiffArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let start = Instant::now();
    let options = tamis_session::LoadOptions {
        release: args.release.or(Some(u32::MAX)),
        class_path: args.class_path.as_deref().map(split).unwrap_or_default(),
        jdk: match args.jdk.as_str() {
            "auto" => JdkChoice::Auto,
            "none" => JdkChoice::None,
            home => JdkChoice::At(PathBuf::from(home)),
        },
        lenient: args.lenient,
        index: None,
    };
    let compared = tamis_session::diff(&roots(&args.old), &roots(&args.new), &options)?;
    if !global.quiet {
        compared.notes.iter().for_each(|note| say(&format!("tamis: {note}")));
    }
    let changes = &compared.changes;
    let mut out = BufWriter::new(anstream::stdout());
    match args.format {
        OutputFormat::Json => out.write_all(json::diff(env!("CARGO_PKG_VERSION"), changes).as_bytes())?,
        OutputFormat::Names => {
            for change in changes {
                writeln!(out, "{}", change.entity())?;
            }
        }
        OutputFormat::Human if args.stat => tamis_report::diff::write_stat(&mut out, changes)?,
        OutputFormat::Human => tamis_report::diff::write(&mut out, changes, |change, out| {
            if args.code { show_code(&compared, change, out) } else { Ok(()) }
        })?,
    }
    out.flush()?;
    if global.verbose {
        let (old, new) = compared.counts();
        say(&format!("tamis: {old} and {new} classes compared in {} ms", start.elapsed().as_millis()));
    }
    let changed = args.exit_code && !changes.is_empty();
    Ok(if changed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn show_code(
    compared: &tamis_session::ClassPathDiff,
    change: &AtomicChange,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let ChangedMember::Method(name, descriptor) = &change.member else { return Ok(()) };
    if change.receiver.is_some() {
        return Ok(());
    }
    let listings =
        compared.listings(&change.class, &format!("{name}{descriptor}")).map_err(std::io::Error::other)?;
    let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(150);
    code::write(out, &listings.old, &listings.new, width)
}

/// OLD and NEW may be class paths; a file of that very name comes first.
fn roots(path: &Path) -> Vec<PathBuf> {
    match path.to_str() {
        Some(text) if !path.exists() && text.contains(SEPARATOR) => split(text),
        _ => vec![path.to_owned()],
    }
}

fn split(class_path: &str) -> Vec<PathBuf> {
    class_path.split(SEPARATOR).filter(|part| !part.is_empty()).map(PathBuf::from).collect()
}

const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };
