//! `tamis select`

use super::build::print;
use crate::args::{Choosing, Global};
use crate::error::Error;
use crate::ops::{Collector, Session};
use std::process::ExitCode;

pub(super) fn select(choosing: &Choosing, global: &Global) -> Result<ExitCode, Error> {
    let mut settings = choosing.settings()?;
    let record = std::mem::replace(&mut settings.record, false);
    let collector = Collector::new(None);
    let session = Session::open(&settings, &collector);
    session.decide_all()?;
    settings.record = record;
    print(&collector.decided(&settings), choosing.format, global)?;
    Ok(ExitCode::SUCCESS)
}
