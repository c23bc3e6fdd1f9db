//! Inputs of a test besides code: files, properties, reflection, processes, hosts.

pub(crate) mod natives;
