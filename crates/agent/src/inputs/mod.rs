//! Inputs of a test besides code: files, properties, reflection, processes, hosts.

pub(crate) mod jdk_calls;
pub(crate) mod natives;
pub(crate) mod spring;

use crate::recorder::pending_reads::{self, LoaderRoot};
use natives::{callers, paths};

/// This thread is about to define a class, or a class is already loaded.
pub(crate) fn class_loaded(name: &str) {
    pending_reads::defined(name, paths::root);
    callers::loaded(name);
}

/// Whether a path is a directory of the class path, or below one.
pub(crate) fn is_on_class_path(path: &str) -> bool {
    paths::root(path) != LoaderRoot::Elsewhere
}
