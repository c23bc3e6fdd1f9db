//! The arrays that probes write to: a page is a class with a `boolean[]`.

use crate::instrument::helper_classes::{self, HITS, PAGE};
use crate::vm::{JavaEnv, JavaObject, JniEnv};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering, fence};

/// The pages of this JVM, by number.
#[derive(Default)]
pub(crate) struct ProbePages(Vec<ProbePage>);

/// A page's `boolean[]`.
pub(crate) struct ProbePage {
    /// A global reference.
    array: JavaObject,
    /// Whether it can only be read as a copy.
    copied: bool,
}

// SAFETY: a JNI global reference may be used from any thread.
unsafe impl Send for ProbePage {}

impl ProbePage {
    /// Defines a page; `None` if another thread does so.
    pub(crate) fn define(jni: JavaEnv, page: u32) -> Option<ProbePage> {
        let array = jni.with_locals(|| {
            let class =
                jni.define_boot_class(&helper_classes::page_name(page), &helper_classes::page_class(page))?;
            jni.global(jni.static_object(class, HITS.0, HITS.1)?)
        });
        array.flatten().map(|array| ProbePage { array, copied: jni.copies(array) })
    }
}

impl ProbePages {
    /// The number of pages.
    pub(crate) fn count(&self) -> u32 {
        self.0.len() as u32
    }

    pub(crate) fn add(&mut self, page: ProbePage) {
        self.0.push(page);
    }

    /// Appends the probes that were hit, and clears them. `all` is the number of probes in use.
    pub(crate) fn take_hits(&self, jni: JniEnv, all: u32, probes: &mut Vec<u32>) {
        for (number, page) in self.0.iter().enumerate() {
            let first = number as u32 * PAGE;
            let used = all.saturating_sub(first).min(PAGE) as usize;
            if page.copied {
                for (at, _) in jni.booleans(page.array, used).iter().enumerate().filter(|(_, hit)| **hit != 0)
                {
                    jni.clear_boolean(page.array, at);
                    probes.push(first + at as u32);
                }
                continue;
            }
            jni.with_booleans(page.array, used, |elements, length| {
                take_hits(elements, length, first, probes)
            });
        }
        // The cleared elements are clear for all threads before any of them goes on.
        fence(Ordering::SeqCst);
    }
}

/// Appends the numbers of the elements that are set, and clears them.
///
/// Each element is read once, and cleared if it was set. A thread that enters a method in between finds the probe set: the
/// entry happened before the end of the boundary and is charged as such. An element that is set after it was read stays set.
fn take_hits(elements: *mut u8, length: usize, first: u32, probes: &mut Vec<u32>) {
    const BLOCK: usize = 32;
    /// Eight elements that are all set.
    const ALL: u64 = 0x0101_0101_0101_0101;
    let mut at = 0;
    while at < length {
        let place = elements.wrapping_add(at);
        if !place.cast::<u64>().is_aligned() || at + BLOCK > length {
            take_hit(place, first + at as u32, probes);
            at += 1;
            continue;
        }
        // SAFETY: inside the array and aligned; the JVM writes single bytes meanwhile. The array does not move inside the
        // critical region.
        let word = |i: usize| {
            unsafe { AtomicU64::from_ptr(place.cast::<u64>().wrapping_add(i)) }.load(Ordering::Relaxed)
        };
        let words = [word(0), word(1), word(2), word(3)];
        if words != [0; 4] {
            for (i, mut word) in words.into_iter().enumerate() {
                if word == ALL {
                    // SAFETY: as above.
                    unsafe { AtomicU64::from_ptr(place.cast::<u64>().wrapping_add(i)) }
                        .store(0, Ordering::Relaxed);
                    let first = first + (at + i * 8) as u32;
                    probes.extend(first..first + 8);
                    continue;
                }
                while word != 0 {
                    // Elements are 0 or 1, and the first is the lowest byte.
                    let byte = word.trailing_zeros() as usize / 8;
                    word &= !(0xff << (8 * byte));
                    let element = i * 8 + byte;
                    // SAFETY: one element inside the array.
                    unsafe { AtomicU8::from_ptr(place.wrapping_add(element)) }.store(0, Ordering::Relaxed);
                    probes.push(first + (at + element) as u32);
                }
            }
        }
        at += BLOCK;
    }
}

fn take_hit(place: *mut u8, probe: u32, probes: &mut Vec<u32>) {
    // SAFETY: one element inside the array.
    let byte = unsafe { AtomicU8::from_ptr(place) };
    if byte.load(Ordering::Relaxed) != 0 {
        byte.store(0, Ordering::Relaxed);
        probes.push(probe);
    }
}

#[cfg(test)]
mod tests {
    use super::take_hits;

    #[test]
    fn hits_are_taken_once_whatever_the_alignment() {
        for offset in 0..8 {
            let mut memory = [0u8; 100];
            for hit in [0, 1, 7, 8, 31, 63, 80] {
                memory[offset + hit] = 1;
            }
            let mut probes = Vec::new();
            take_hits(memory[offset..].as_mut_ptr(), 81, 1000, &mut probes);
            assert_eq!(probes, [1000, 1001, 1007, 1008, 1031, 1063, 1080], "offset {offset}");
            assert!(memory.iter().all(|byte| *byte == 0));
            probes.clear();
            take_hits(memory[offset..].as_mut_ptr(), 81, 1000, &mut probes);
            assert_eq!(probes, []);
        }
    }
}
