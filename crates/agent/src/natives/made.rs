//! x
pub(super) static TABLE: &[super::Native] = &[];
