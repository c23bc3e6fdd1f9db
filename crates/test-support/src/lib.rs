//! For tests only: finds JDKs and libraries, compiles Java with a cache, runs JVMs, reads Markdown cases.
//!
//! Product crates depend on this one only as a dev-dependency, and this one depends on none of them: the
//! expectation of a test must not be computed by the code under test.
#![forbid(unsafe_code)]

pub mod gradle;
pub mod jar;
pub mod javac;
pub mod jdk;
pub mod markdown;
pub mod maven;
pub mod run;
