//! Look-ups of class files, held back until it is known whether a class came of them.
//!
//! A class loader asks one directory after the other for `a/B.class`. If it then defines `a/B`, the class is told as a class,
//! and where it was not found or that its file was read says nothing more. If it does not, the look-up was in vain, or
//! somebody read the file for other reasons: that is noted at the next boundary. A boundary waits for the look-ups that other
//! threads are in the midst of: else every test that runs beside them would depend on the whole file.

use crate::sync::lock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tamis_wire::Input;

/// A note about a class file, whose thread's, and since when it is held.
struct PendingRead {
    thread: u64,
    what: Input,
    since: Instant,
}

/// As many look-ups as any number of threads may have going on, and few enough to search.
const MOST: usize = 256;

/// Longer than a class takes from its file to its definition, on a machine that does much else.
const PATIENCE: Duration = Duration::from_millis(20);

/// Files that are read for other reasons are waited for in vain; not more often than this.
const MOST_IN_VAIN: u32 = 50;

static HELD: Mutex<Vec<PendingRead>> = Mutex::new(Vec::new());

static IN_VAIN: AtomicU32 = AtomicU32::new(0);

static THREADS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static THREAD: u64 = THREADS.fetch_add(1, Ordering::Relaxed);
}

/// Whether a path is a class file's.
pub(crate) fn is_class_file(path: &str) -> bool {
    path.ends_with(".class")
}

/// Holds a note back; which ones have been held for long enough. In a JVM without tests no boundary ever comes.
pub(crate) fn hold(what: Input) -> Vec<Input> {
    let thread = THREAD.with(|thread| *thread);
    let mut held = all();
    held.push(PendingRead { thread, what, since: Instant::now() });
    let surplus = if held.len() > MOST { MOST / 2 } else { 0 };
    held.drain(..surplus).map(|held| held.what).collect()
}

/// All that are held, in order.
pub(crate) fn take() -> Vec<Input> {
    std::mem::take(&mut *all()).into_iter().map(|held| held.what).collect()
}

/// The same at a boundary, when no other thread is between a class's file and its definition.
pub(crate) fn settle() -> Vec<Input> {
    let thread = THREAD.with(|thread| *thread);
    let is_look_up = |held: &PendingRead| held.thread != thread && !matches!(held.what, Input::Missing(_));
    let comes = |held: &PendingRead| is_look_up(held) && held.since.elapsed() < PATIENCE;
    let mut waited = Duration::ZERO;
    while waited < PATIENCE && IN_VAIN.load(Ordering::Relaxed) < MOST_IN_VAIN && all().iter().any(comes) {
        std::thread::sleep(PATIENCE / 200);
        waited += PATIENCE / 200;
    }
    if !waited.is_zero() && all().iter().any(is_look_up) {
        IN_VAIN.fetch_add(1, Ordering::Relaxed);
    }
    take()
}

fn all() -> MutexGuard<'static, Vec<PendingRead>> {
    lock(&HELD)
}

/// What a directory is to class loaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoaderRoot {
    /// One of the class path.
    Known,
    /// A package below one.
    Below,
    /// Neither: it may be one of another loader.
    Elsewhere,
}

/// This thread defines a class: drops what its look-up left.
pub(crate) fn defined(class: &str, root: impl Fn(&str) -> LoaderRoot) {
    let thread = THREAD.with(|thread| *thread);
    let mut held = all();
    if !held.is_empty() {
        forget(&mut held, thread, class, root);
    }
}

/// Drops the last notes of the thread, as far as they are about files that this class could come from. A loader reads a file
/// once, so a second reading was somebody else's. What is missing stays unless the class path was searched.
fn forget(held: &mut Vec<PendingRead>, thread: u64, class: &str, root: impl Fn(&str) -> LoaderRoot) {
    let mut at = held.len();
    let mut read = false;
    while at > 0 {
        at -= 1;
        let Some(last) = held.get(at) else { return };
        if last.thread != thread {
            continue;
        }
        let (path, reads, misses) = match &last.what {
            Input::Read(path) => (path, true, false),
            Input::Examined(path) => (path, false, false),
            Input::Missing(path) => (path, false, true),
            _ => return,
        };
        let directory = path.strip_suffix(".class").and_then(|path| path.strip_suffix(class));
        let Some(directory) = directory.and_then(|directory| directory.strip_suffix('/')) else { return };
        let root = root(directory);
        if root == LoaderRoot::Below || (reads && read) {
            return;
        }
        if root == LoaderRoot::Known || !misses {
            read |= reads;
            held.remove(at);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test may stop at the first surprise.
mod tests {
    use super::*;
    use Input::{Examined, Missing, Read};

    fn left(notes: &[Input], class: &str) -> Vec<Input> {
        let by = |thread: u64, what: Input| PendingRead { thread, what, since: Instant::now() };
        let held = notes.iter().map(|what| by(1, what.clone()));
        let other = by(2, Missing("/one/a/B.class".to_owned()));
        let mut held: Vec<PendingRead> = held.chain([other]).collect();
        forget(&mut held, 1, class, |directory| match directory {
            "/one" | "/two" => LoaderRoot::Known,
            "/one/a" | "/two/a" => LoaderRoot::Below,
            _ => LoaderRoot::Elsewhere,
        });
        assert_eq!(held.pop().map(|held| held.thread), Some(2));
        held.into_iter().map(|held| held.what).collect()
    }

    #[test]
    fn a_look_up_that_ends_in_a_class_leaves_nothing_and_others_stay() {
        let [one, two, other] = ["/one/a/B.class", "/two/a/B.class", "/one/a/C.class"].map(str::to_owned);
        let look_up = [Missing(one.clone()), Examined(two.clone()), Read(two.clone())];
        assert_eq!(left(&look_up, "a/B"), []);
        // Of two packages that were tried, one has the class.
        assert_eq!(left(&look_up, "B"), look_up);
        assert_eq!(left(&look_up, "x/a/B"), look_up);
        let tried = [Missing(other), Missing(one)];
        assert_eq!(left(&tried, "a/B"), tried[..1]);
        // Somebody read the file before the loader did.
        assert_eq!(left(&[&look_up[1..], &look_up[1..]].concat(), "a/B"), look_up[1..]);
    }

    #[test]
    fn directories_that_are_not_on_the_class_path_may_be_a_loaders() {
        let [three, four] = ["/three/a/B.class", "/four/a/B.class"].map(str::to_owned);
        let look_up = [Missing(three), Examined(four.clone()), Read(four)];
        assert_eq!(left(&look_up, "a/B"), look_up[..1]);
    }

    #[test]
    fn a_boundary_waits_for_the_class_that_another_thread_defines_and_for_nothing_else_long() {
        let read = Read("/three/a/B.class".to_owned());
        let settled = |defines: bool| {
            let (tell, told) = std::sync::mpsc::channel();
            let by = std::thread::spawn({
                let read = read.clone();
                move || {
                    tell.send(hold(read)).unwrap();
                    std::thread::sleep(PATIENCE / 4);
                    if defines {
                        defined("a/B", |_| LoaderRoot::Elsewhere);
                    }
                }
            });
            assert_eq!(told.recv().unwrap(), []);
            let settled = settle();
            by.join().unwrap();
            settled
        };
        // A busy machine may let it sleep for longer.
        assert!((0..20).any(|_| settled(true).is_empty()));
        assert_eq!(settled(false), std::slice::from_ref(&read));
    }
}
