//! What Tamis remembers between runs.
//!
//! Everything here may be deleted at any time, and costs nothing but speed. It knows nothing of class paths or JDKs,
//! and decides neither what is the same nor what may be skipped.
#![forbid(unsafe_code)]

mod format;
pub mod index;
pub mod launches;
pub mod traces;
