//! Where tests begin and end: what each framework reports, and the spans that come of it.

pub(crate) mod frameworks;
pub(crate) mod spans;
