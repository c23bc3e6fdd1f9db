//! Notes of the build about itself that a library has read, and that nobody has asked for yet.

use crate::sync::lock;
use std::sync::Mutex;

static HELD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A library has read the notes in a file.
pub(super) fn hold(path: String) {
    let mut held = lock(&HELD);
    if !held.contains(&path) {
        held.push(path);
    }
}

/// The files whose notes a library has read: code asks for what is in them.
pub(crate) fn all() -> Vec<String> {
    lock(&HELD).clone()
}
