//! x
pub(super) static TABLE: &[super::Native] = &[];
pub(super) fn start(_jni: crate::vm::Jni) {}
