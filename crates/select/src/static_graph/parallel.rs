//! Work on many elements with several threads. The result is in the order of the elements.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of elements that a thread takes at a time.
const BLOCK: usize = 64;

/// Applies `work` to each element; 0 threads are one for each processor.
pub(super) fn map<T: Sync, R: Send>(threads: usize, all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let threads = threads.min(all.len().div_ceil(BLOCK));
    if threads <= 1 {
        return all.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let one = || {
        let mut done: Vec<(usize, Vec<R>)> = Vec::new();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            let Some(elements) = all.chunks(BLOCK).nth(block) else { return done };
            done.push((block, elements.iter().map(&work).collect()));
        }
    };
    let mut blocks = std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(one)).collect();
        let mut blocks = one();
        for helper in helpers {
            match helper.join() {
                Ok(done) => blocks.extend(done),
                // The same as without threads: a panic of the work is a panic of the caller.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        blocks
    });
    blocks.sort_unstable_by_key(|(block, _)| *block);
    blocks.into_iter().flat_map(|(_, done)| done).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_order_does_not_depend_on_threads() {
        let all: Vec<usize> = (0..1000).collect();
        let expected: Vec<usize> = all.iter().map(|number| number * 2).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(super::map(threads, &all, |number| number * 2), expected);
        }
        assert!(super::map(3, &[], |number: &usize| *number).is_empty());
    }
}
