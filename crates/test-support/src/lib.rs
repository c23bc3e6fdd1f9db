//! For tests only: finds JDKs and libraries, compiles Java and remembers the result, runs JVMs, reads Markdown cases.
//!
//! No crate of the product depends on this one except as a dev-dependency, and this one depends on none of
//! them: what a test expects must not be computed by the code it tests.
#![forbid(unsafe_code)]

pub mod jar;
pub mod javac;
pub mod jdk;
pub mod markdown;
pub mod maven;
pub mod run;
