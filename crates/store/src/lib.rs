//! Storage between runs: recorded traces, an index of digests, launches.
//!
//! Everything here may be deleted at any time, which costs only time. Knows nothing about class paths or
//! JDKs, and decides neither whether something changed nor whether a test runs.
#![forbid(unsafe_code)]

mod format;
pub mod index;
pub mod launches;
pub mod traces;
