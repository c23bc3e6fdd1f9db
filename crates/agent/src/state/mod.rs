//! State that outlives a test: static fields of the project, defaults of the JDK.

pub(crate) mod defaults;
pub(crate) mod statics;
