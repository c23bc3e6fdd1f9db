//! Reads the objects that test frameworks pass to our hooks, one file per framework.

pub(crate) mod junit3;
pub(crate) mod junit4;
pub(crate) mod platform;
pub(crate) mod testng;
