//! Boundaries of tests: the calls of each framework, and the spans that follow from them.

mod failure;
pub(crate) mod frameworks;
pub(crate) mod spans;
