//! The user's project on disk: class paths, jars and JDK images, read safely, and the build that produces
//! them.
#![forbid(unsafe_code)]

pub mod build;
pub mod class_archive;
pub mod classpath;
pub mod launch;
pub mod repack;
pub mod root;
pub mod runner;
pub mod test_reports;
pub mod user_cache;
