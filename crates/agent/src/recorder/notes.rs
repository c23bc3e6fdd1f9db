//! What was noted besides code, and which code was running then.
//!
//! A thing has one number in a JVM, and is charged at the next boundary. What code asks for once and keeps is found by whoever
//! comes later; so it is told which methods were on the stack.

use super::Recorder;
use crate::threads::stacks;
use crate::vm::JniEnv;
use std::collections::{HashMap, HashSet};
use tamis_wire::{AgentMessage, Input, NumberedInput, ProbeRuns, StackContext};

/// What was noted: numbered once, pending until the next boundary.
#[derive(Default)]
pub(super) struct PendingInputs {
    numbers: HashMap<Input, u32>,
    pub(super) pending: Vec<u32>,
    /// By number: whether it is pending.
    pub(super) is_pending: Vec<bool>,
    /// By number: how often the stack was looked at.
    looks: Vec<u32>,
    /// Which stacks were told of, by number and hash.
    told: HashSet<(u32, u64)>,
}

/// How often it is looked who asks for one and the same thing. What is asked for once and kept is asked for the first time.
const LOOKS: u32 = 32;

/// References to classes that naming the methods of a stack may need.
const FRAMES: i32 = 1024;

/// Whether it is something that code may keep what it learned from, or writes for itself.
fn is_input(what: &Input) -> bool {
    matches!(
        what,
        Input::Read(_)
            | Input::Examined(_)
            | Input::Missing(_)
            | Input::Listed(_)
            | Input::Written(_)
            | Input::Environment(_)
            | Input::Property(_)
            | Input::Machine(_)
    )
}

impl Recorder {
    /// Something other than code is used now, by the code that this thread is in.
    pub(crate) fn note_here(&mut self, jni: JniEnv, what: Input) {
        let counts = is_input(&what);
        let number = self.note(what);
        let Some(looks) = self.notes.looks.get_mut(number as usize).filter(|looks| counts && **looks < LOOKS)
        else {
            return;
        };
        *looks += 1;
        let (jvmti, classes) = (self.jvmti, &mut self.classes);
        let under = jni.with_room_for(FRAMES, || {
            let mut probes = Vec::new();
            stacks::here(jvmti, classes, &mut probes);
            probes
        });
        let Some(probes) = under.filter(|probes| !probes.is_empty()) else { return };
        let hash = probes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, probe| {
            (hash ^ u64::from(*probe)).wrapping_mul(0x0100_0000_01b3)
        });
        if self.notes.told.insert((number, hash)) {
            self.outbox.say(&AgentMessage::Under(StackContext { note: number, probes: ProbeRuns(probes) }));
        }
    }

    /// Something other than code is used now; its number.
    pub(crate) fn note(&mut self, what: Input) -> u32 {
        let number = match self.notes.numbers.get(&what) {
            Some(number) => *number,
            None => {
                let number = self.notes.numbers.len() as u32;
                self.outbox.say(&AgentMessage::Note(NumberedInput { number, what: what.clone() }));
                self.notes.numbers.insert(what, number);
                self.notes.is_pending.push(false);
                self.notes.looks.push(0);
                number
            }
        };
        if let Some(is_pending @ false) = self.notes.is_pending.get_mut(number as usize) {
            *is_pending = true;
            self.notes.pending.push(number);
        }
        number
    }

    /// Whether this was noted before, by anyone.
    pub(crate) fn has_noted(&self, what: &Input) -> bool {
        self.notes.numbers.contains_key(what)
    }
}
