//! Probes at run time: the classes and methods they stand for, and their hits.

pub(crate) mod map;
pub(crate) mod pages;
pub(crate) mod recent;
