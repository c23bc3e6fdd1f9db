//! Runs the same work on many items, on a few threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The number of threads for the option `threads`: 0 means one per processor.
pub(super) fn thread_count(threads: usize) -> usize {
    match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        wish => wish,
    }
}

/// Applies `work` to every item. The results are in the order of the items.
pub(super) fn map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut done = on_threads(threads, worker).into_iter().flatten().collect::<Vec<_>>();
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Processes `first` and all items that `work` adds to its list. Each thread has its own result.
pub(super) fn drain<T: Send, R: Default + Send>(
    first: Vec<T>,
    threads: usize,
    work: impl Fn(T, &mut Vec<T>, &mut R) + Sync,
) -> Vec<R> {
    let queue =
        WorkQueue { state: Mutex::new(QueueState { waiting: first, active: 0 }), changed: Condvar::new() };
    let worker = || {
        let (mut result, mut more) = (R::default(), Vec::new());
        while let Some(item) = queue.next() {
            work(item, &mut more, &mut result);
            queue.done(&mut more);
        }
        result
    };
    on_threads(threads.max(1), worker)
}

/// Runs `worker` on that many threads, including the current one.
fn on_threads<R: Send>(threads: usize, worker: impl Fn() -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(&worker)).collect();
        let mut results = vec![worker()];
        for other in others {
            results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    })
}

struct WorkQueue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

struct QueueState<T> {
    waiting: Vec<T>,
    /// Items in progress, each of which may add others.
    active: usize,
}

impl<T> WorkQueue<T> {
    /// The next item; `None` when no item is left and none can be added.
    fn next(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(item) = state.waiting.pop() {
                state.active += 1;
                return Some(item);
            }
            if state.active == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, more: &mut Vec<T>) {
        let mut state = self.lock();
        state.waiting.append(more);
        state.active -= 1;
        if state.active == 0 || !state.waiting.is_empty() {
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
