//! Repeats a measurement and computes its median.
//!
//! Other work on the machine can only add time, so the best of many short runs is shown beside the median,
//! and the minimum of processor time beside wall-clock time.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// The cost of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) wall: Duration,
    /// User and system time of all threads.
    pub(crate) cpu: Duration,
}

/// The costs of several equal runs.
pub(crate) struct Runs {
    walls: Vec<Duration>,
    cpus: Vec<Duration>,
}

impl Runs {
    /// Runs `work` this many times.
    pub(crate) fn of(runs: usize, mut work: impl FnMut()) -> Runs {
        Runs::collect((0..runs.max(1)).map(|_| once(&mut work)))
    }

    /// Collects the costs of runs measured elsewhere.
    pub(crate) fn collect(runs: impl Iterator<Item = Took>) -> Runs {
        let (mut walls, mut cpus): (Vec<_>, Vec<_>) = runs.map(|took| (took.wall, took.cpu)).unzip();
        walls.sort_unstable();
        cpus.sort_unstable();
        Runs { walls, cpus }
    }

    pub(crate) fn best(&self) -> Duration {
        self.walls.first().copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        self.walls.get(self.walls.len() / 2).copied().unwrap_or_default()
    }

    /// The minimum of processor time.
    pub(crate) fn cpu(&self) -> Duration {
        self.cpus.first().copied().unwrap_or_default()
    }
}

/// Runs `work` once.
pub(crate) fn once(work: impl FnOnce()) -> Took {
    let (wall, cpu) = (Instant::now(), processor_time());
    work();
    Took { wall: wall.elapsed(), cpu: processor_time().saturating_sub(cpu) }
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
