//! `tamis diff OLD NEW`

use super::{print, say};
use crate::args::{DiffArgs, GlobalArgs};
use crate::error::CommandError;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use tamis_program::diff::{AtomicChange, ChangedMember};
use tamis_report::code::MethodListings;
use tamis_report::diff::DiffReport;
use tamis_report::{Document, Format, words};
use tamis_session::{ClassPathDiff, JdkChoice, SessionError};

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
    let mut report = DiffReport::new(env!("CARGO_PKG_VERSION"), changes);
    report.is_stat = args.stat;
    if args.code && args.format == Format::Human {
        report.listings =
            changes.iter().map(|change| listings(&compared, change)).collect::<Result<_, SessionError>>()?;
    }
    print(Document::Diff(&report), args.format, global)?;
    if global.verbose {
        let (old, new) = compared.counts();
        say(&format!("tamis: {}", words::compared(old, new, start.elapsed().as_millis())));
    }
    let changed = args.exit_code && !changes.is_empty();
    Ok(if changed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The code of a changed method.
fn listings(compared: &ClassPathDiff, change: &AtomicChange) -> Result<Option<MethodListings>, SessionError> {
    match (&change.member, &change.receiver) {
        (ChangedMember::Method(name, descriptor), None) => {
            compared.listings(&change.class, &format!("{name}{descriptor}")).map(Some)
        }
        _ => Ok(None),
    }
}

/// OLD and NEW may be class paths; a file of exactly that name comes first.
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
