//! The formats of documents: one file each.

pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod names;
pub(crate) mod teamcity;
pub(crate) mod text;
