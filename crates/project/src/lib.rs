//! The user's project on disk: class paths, jars and JDK images, read safely.
#![forbid(unsafe_code)]

pub mod classpath;
