//! Probes at run time: which class has which, and which were hit.

pub(crate) mod map;
pub(crate) mod pages;
pub(crate) mod recent;
