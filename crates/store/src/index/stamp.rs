//! Stores stamps, and decides which of them are old enough to be trusted.

use crate::format::STAMP;
use std::time::{Duration, Instant, SystemTime};
use tamis_program::stamp::FileStamp;

/// A stamp in its stored form; `None` if its times do not fit in 64 bits.
pub(super) fn to_bytes(stamp: &FileStamp) -> Option<[u8; STAMP]> {
    let times = [i64::try_from(stamp.mtime_ns).ok()?, i64::try_from(stamp.ctime_ns).ok()?];
    let numbers = [stamp.size, times[0] as u64, times[1] as u64, stamp.inode, stamp.device];
    let mut bytes = [0; STAMP];
    for (place, number) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
        *place = number.to_le_bytes();
    }
    Some(bytes)
}

/// The limit for trusted times: they must be before it. A file written again after the listing has a later
/// time.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeHorizon(i128);

impl TimeHorizon {
    /// Whether both times of a stamp are before the horizon.
    pub(super) fn is_after(self, stamp: &FileStamp) -> bool {
        stamp.mtime_ns.max(stamp.ctime_ns) < self.0
    }
}

/// The coarsest clock of a file system in use: FAT counts in two seconds, HFS+ in one. Plus a tenth, because
/// the kernel takes the time from a clock that ticks 100 to 1,000 times a second.
const GRANULARITY: Duration = Duration::from_millis(2_100);

/// The start of a load. The load lists files only after this time.
#[derive(Clone, Copy, Debug)]
pub struct LoadStart {
    monotonic: Instant,
    wall: SystemTime,
}

impl LoadStart {
    /// Now.
    pub fn now() -> LoadStart {
        LoadStart { monotonic: Instant::now(), wall: SystemTime::now() }
    }

    /// The horizon by a clock that shows `now`. The monotonic clock stops while the machine sleeps, and the
    /// wall clock can be set back, so the larger of their two elapsed times counts.
    pub(super) fn horizon(&self, now: SystemTime) -> TimeHorizon {
        let passed = self.monotonic.elapsed().max(self.wall.elapsed().unwrap_or_default());
        TimeHorizon(nanoseconds(now) - (passed + GRANULARITY).as_nanos() as i128)
    }

    /// An estimate of the horizon by this machine's clock instead of the file system's.
    pub(super) fn likely_horizon(&self) -> TimeHorizon {
        self.horizon(SystemTime::now())
    }
}

fn nanoseconds(time: SystemTime) -> i128 {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => since.as_nanos() as i128,
        Err(before) => -(before.duration().as_nanos() as i128),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_believed_only_if_it_was_past_when_the_load_began() {
        let began = LoadStart::now();
        let at = |ago: u64| nanoseconds(SystemTime::now() - Duration::from_millis(ago));
        let stamp = |mtime_ns, ctime_ns| FileStamp { size: 1, mtime_ns, ctime_ns, inode: 2, device: 3 };
        let horizon = began.likely_horizon();
        assert!(horizon.is_after(&stamp(at(3_000), at(3_000))));
        assert!(!horizon.is_after(&stamp(at(3_000), at(1_000))));
        assert!(!horizon.is_after(&stamp(at(1_000), at(3_000))));
        // A load that took a minute trusts no time within that minute.
        let long_ago = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let slow = LoadStart { monotonic: long_ago, wall: SystemTime::now() };
        assert!(!slow.likely_horizon().is_after(&stamp(at(50_000), at(50_000))));
        // The same if the machine slept during the load, or if its clock was set back.
        let slept =
            LoadStart { monotonic: Instant::now(), wall: SystemTime::now() - Duration::from_secs(60) };
        assert!(!slept.likely_horizon().is_after(&stamp(at(50_000), at(50_000))));
        let set_back = LoadStart { monotonic: long_ago, wall: SystemTime::now() + Duration::from_secs(60) };
        assert!(!set_back.likely_horizon().is_after(&stamp(at(50_000), at(50_000))));
    }
}
