//! Boundaries of tests: the calls of each framework, and the spans that follow from them.

pub(crate) mod frameworks;
pub(crate) mod spans;
