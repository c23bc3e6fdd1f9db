//! `tamis import DIR…`

use super::print;
use crate::args::{GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::path::PathBuf;
use std::process::ExitCode;
use tamis_report::Document;

pub(super) fn import(
    choosing: &SelectionArgs,
    reports: &[PathBuf],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let settings = choosing.import_settings()?;
    let report = tamis_session::import(&settings, reports)?;
    print(Document::Import(&report), choosing.format, global)?;
    Ok(ExitCode::SUCCESS)
}
