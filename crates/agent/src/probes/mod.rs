//! Probes at run time: which class has which, and which were hit.

pub(crate) mod map;
