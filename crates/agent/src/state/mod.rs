//! State that outlives a test: static fields of the project, defaults of the JDK.
//!
//! Both are compared at boundaries, so that the test that changed them is known.

pub(crate) mod defaults;
mod object_graph;
pub(crate) mod statics;
