//! The width of the terminal.

use rustix::termios::tcgetwinsize;
use std::os::fd::AsFd;

/// The columns of a terminal at present; `COLUMNS` if the stream is not one.
pub(crate) fn columns(of: impl AsFd) -> Option<usize> {
    let window = tcgetwinsize(of).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    window.or_else(|| std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()))
}
