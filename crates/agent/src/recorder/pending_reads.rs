//! Look-ups of class files, held back until it is known whether a class was defined from them.
//!
//! A class loader asks one directory after the other for `a/B.class`. If it then defines `a/B`, the class itself is reported,
//! and the look-up adds nothing. If it does not, the file was missing or was read for another reason: both are inputs, noted at
//! the next boundary.
//!
//! A boundary waits for look-ups of other threads that have not ended. Otherwise every test that runs beside them would depend
//! on the whole class file.

use crate::sync::lock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tamis_wire::Input;

/// An input that is a class file, its thread, and since when it is held.
struct PendingRead {
    thread: u64,
    what: Input,
    since: Instant,
}

/// Limit on inputs that are held: enough for many threads, few enough to search.
const MOST: usize = 256;

/// Longer than the time from reading a class file to the definition of its class, even on a busy machine.
const PATIENCE: Duration = Duration::from_millis(20);

/// Limit on waits that end without a definition, because the files are read for another reason.
const MOST_USELESS: u32 = 50;

static HELD: Mutex<Vec<PendingRead>> = Mutex::new(Vec::new());

static USELESS_WAITS: AtomicU32 = AtomicU32::new(0);

static THREADS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static THREAD: u64 = THREADS.fetch_add(1, Ordering::Relaxed);
}

/// Whether a path names a class file.
pub(crate) fn is_class_file(path: &str) -> bool {
    path.ends_with(".class")
}

/// Holds an input back. Returns the oldest ones if there are too many: a JVM without tests has no boundaries.
pub(crate) fn hold(what: Input) -> Vec<Input> {
    let thread = THREAD.with(|thread| *thread);
    let mut held = all();
    held.push(PendingRead { thread, what, since: Instant::now() });
    let surplus = if held.len() > MOST { MOST / 2 } else { 0 };
    held.drain(..surplus).map(|held| held.what).collect()
}

/// Takes all inputs that are held, in order.
pub(crate) fn take() -> Vec<Input> {
    std::mem::take(&mut *all()).into_iter().map(|held| held.what).collect()
}

/// Takes all inputs that are held, at a boundary: first waits until no other thread is about to define a class.
pub(crate) fn settle() -> Vec<Input> {
    let thread = THREAD.with(|thread| *thread);
    let is_look_up = |held: &PendingRead| held.thread != thread && !matches!(held.what, Input::Missing(_));
    let comes = |held: &PendingRead| is_look_up(held) && held.since.elapsed() < PATIENCE;
    let mut waited = Duration::ZERO;
    while waited < PATIENCE && USELESS_WAITS.load(Ordering::Relaxed) < MOST_USELESS && all().iter().any(comes)
    {
        std::thread::sleep(PATIENCE / 200);
        waited += PATIENCE / 200;
    }
    if !waited.is_zero() && all().iter().any(is_look_up) {
        USELESS_WAITS.fetch_add(1, Ordering::Relaxed);
    }
    take()
}

fn all() -> MutexGuard<'static, Vec<PendingRead>> {
    lock(&HELD)
}

/// How class loaders use a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoaderRoot {
    /// An entry of the class path.
    Known,
    /// A package below an entry.
    Below,
    /// Neither; another loader may search it.
    Elsewhere,
}

/// This thread defines a class: drops the inputs that its look-up left.
pub(crate) fn defined(class: &str, root: impl Fn(&str) -> LoaderRoot) {
    let thread = THREAD.with(|thread| *thread);
    let mut held = all();
    if !held.is_empty() {
        forget(&mut held, thread, class, root);
    }
}

/// Drops the last inputs of the thread that are files from which this class could be defined. A loader reads a file once, so a
/// second read belongs to other code. A missing file stays, unless its directory is on the class path.
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

    fn left(inputs: &[Input], class: &str) -> Vec<Input> {
        let by = |thread: u64, what: Input| PendingRead { thread, what, since: Instant::now() };
        let held = inputs.iter().map(|what| by(1, what.clone()));
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
    fn a_look_up_that_defines_a_class_is_dropped_and_others_stay() {
        let [one, two, other] = ["/one/a/B.class", "/two/a/B.class", "/one/a/C.class"].map(str::to_owned);
        let look_up = [Missing(one.clone()), Examined(two.clone()), Read(two.clone())];
        assert_eq!(left(&look_up, "a/B"), []);
        // Class `B` of the package without a name is not the class `a/B` that these files may hold.
        assert_eq!(left(&look_up, "B"), look_up);
        assert_eq!(left(&look_up, "x/a/B"), look_up);
        let tried = [Missing(other), Missing(one)];
        assert_eq!(left(&tried, "a/B"), tried[..1]);
        // Other code read the file before the loader did.
        assert_eq!(left(&[&look_up[1..], &look_up[1..]].concat(), "a/B"), look_up[1..]);
    }

    #[test]
    fn a_missing_file_stays_if_its_directory_is_not_on_the_class_path() {
        let [three, four] = ["/three/a/B.class", "/four/a/B.class"].map(str::to_owned);
        let look_up = [Missing(three), Examined(four.clone()), Read(four)];
        assert_eq!(left(&look_up, "a/B"), look_up[..1]);
    }

    #[test]
    fn a_boundary_waits_for_a_class_that_another_thread_defines_and_otherwise_not_for_long() {
        let read = Read("/three/a/B.class".to_owned());
        let settled = |defines: bool| {
            let (sender, receiver) = std::sync::mpsc::channel();
            let by = std::thread::spawn({
                let read = read.clone();
                move || {
                    sender.send(hold(read)).unwrap();
                    std::thread::sleep(PATIENCE / 4);
                    if defines {
                        defined("a/B", |_| LoaderRoot::Elsewhere);
                    }
                }
            });
            assert_eq!(receiver.recv().unwrap(), []);
            let settled = settle();
            by.join().unwrap();
            settled
        };
        // On a busy machine the thread may sleep for longer.
        assert!((0..20).any(|_| settled(true).is_empty()));
        assert_eq!(settled(false), std::slice::from_ref(&read));
    }
}
