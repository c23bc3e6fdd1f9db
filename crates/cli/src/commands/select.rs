//! `tamis select`

use super::print;
use crate::args::{GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::process::ExitCode;
use tamis_report::Document;
use tamis_session::{ReportBuilder, Session};

pub(super) fn select(choosing: &SelectionArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let mut settings = choosing.settings()?;
    let record = std::mem::replace(&mut settings.record, false);
    let collector = ReportBuilder::new(None);
    let session = Session::open(&settings, &collector);
    session.decide_all()?;
    settings.record = record;
    print(Document::Selection(&collector.decided(&settings)), choosing.format, global)?;
    Ok(ExitCode::SUCCESS)
}
