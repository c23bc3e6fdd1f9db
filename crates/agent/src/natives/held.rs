//! Look-ups of class files, held back until it is known whether a class came of them.
//!
//! A class loader asks one directory after the other for `a/B.class`. If it then defines `a/B`, the class is told as a class,
//! and where it was not found or that its file was read says nothing more. If it does not, the look-up was in vain, or
//! somebody read the file for other reasons: that is noted at the next boundary.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use tamis_trace::Noted;

/// A note about a class file, and whose thread's.
struct Held {
    thread: u64,
    what: Noted,
}

/// As many look-ups as any number of threads may have going on, and few enough to search.
const MOST: usize = 256;

static HELD: Mutex<Vec<Held>> = Mutex::new(Vec::new());

static THREADS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static THREAD: u64 = THREADS.fetch_add(1, Ordering::Relaxed);
}

/// Whether a path is a class file's.
pub(super) fn is_class_file(path: &str) -> bool {
    path.ends_with(".class")
}

/// Holds a note back; which ones have been held for long enough. In a JVM without tests no boundary ever comes.
pub(super) fn hold(what: Noted) -> Vec<Noted> {
    let thread = THREAD.with(|thread| *thread);
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    held.push(Held { thread, what });
    let surplus = if held.len() > MOST { MOST / 2 } else { 0 };
    held.drain(..surplus).map(|held| held.what).collect()
}

/// All that are held, in order: a boundary has come.
pub(crate) fn take() -> Vec<Noted> {
    let held = std::mem::take(&mut *HELD.lock().unwrap_or_else(PoisonError::into_inner));
    held.into_iter().map(|held| held.what).collect()
}

/// This thread defines a class: drops what its look-up left, which are the last notes of this thread. A loader reads a
/// file once, so a second reading was somebody else's and stays.
pub(crate) fn defined(class: &str) {
    let thread = THREAD.with(|thread| *thread);
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let mut at = held.len();
    let mut read = false;
    while at > 0 {
        at -= 1;
        let Some(last) = held.get(at) else { return };
        if last.thread != thread {
            continue;
        }
        let (path, reads) = match &last.what {
            Noted::Read(path) => (path, true),
            Noted::Examined(path) | Noted::Missing(path) => (path, false),
            _ => return,
        };
        let is_its = path
            .strip_suffix(".class")
            .is_some_and(|path| path.strip_suffix(class).is_some_and(|directory| directory.ends_with('/')));
        if !is_its || (reads && read) {
            return;
        }
        read |= reads;
        held.remove(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Noted::{Examined, Missing, Read};

    #[test]
    fn a_look_up_that_ends_in_a_class_leaves_nothing_and_others_stay() {
        let path = |text: &str| text.to_owned();
        hold(Missing(path("/one/a/C.class")));
        hold(Examined(path("/two/a/B.class")));
        hold(Read(path("/two/a/B.class")));
        hold(Missing(path("/one/a/B.class")));
        hold(Examined(path("/two/a/B.class")));
        hold(Read(path("/two/a/B.class")));
        std::thread::spawn(|| defined("a/B")).join().unwrap();
        defined("B");
        defined("a/B");
        let left =
            [Missing(path("/one/a/C.class")), Examined(path("/two/a/B.class")), Read(path("/two/a/B.class"))];
        assert_eq!(take(), left);
        assert_eq!(take(), []);
    }
}
