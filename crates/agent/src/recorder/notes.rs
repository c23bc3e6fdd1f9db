//! Inputs other than code, and the code that used them.
//!
//! Each input has one number in a JVM and is charged at the next boundary. Code may read an input once and keep the result for
//! later callers, so the methods on the stack are reported as well.

use super::Recorder;
use crate::threads::stacks;
use crate::vm::JniEnv;
use std::collections::{HashMap, HashSet};
use tamis_wire::{AgentMessage, Input, NumberedInput, ProbeRuns, StackContext};

/// The inputs of this JVM: each is numbered once, and pending until the next boundary after a use.
#[derive(Default)]
pub(super) struct PendingInputs {
    numbers: HashMap<Input, u32>,
    pub(super) pending: Vec<u32>,
    /// By number: whether the input is pending.
    pub(super) is_pending: Vec<bool>,
    /// By number: how often the stack was read.
    looks: Vec<u32>,
    /// The stacks that were reported: number of the input, hash of the stack.
    reported: HashSet<(u32, u64)>,
}

/// How often the stack is read for the same input. Code that keeps an input is on the stack of the first use.
const LOOKS: u32 = 32;

/// Local references for the classes of the methods on a stack.
const FRAMES: i32 = 1024;

/// Whether code may keep the result for later callers, or write the input itself.
fn may_be_kept(what: &Input) -> bool {
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
    /// An input is used by the code that this thread is in.
    pub(crate) fn note_here(&mut self, jni: JniEnv, what: Input) {
        let is_reported = may_be_kept(&what);
        let number = self.note(what);
        let Some(looks) =
            self.notes.looks.get_mut(number as usize).filter(|looks| is_reported && **looks < LOOKS)
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
        if self.notes.reported.insert((number, hash)) {
            self.outbox.queue(&AgentMessage::Under(StackContext { note: number, probes: ProbeRuns(probes) }));
        }
    }

    /// An input is used; returns its number.
    pub(crate) fn note(&mut self, what: Input) -> u32 {
        let number = match self.notes.numbers.get(&what) {
            Some(number) => *number,
            None => {
                let number = self.notes.numbers.len() as u32;
                self.outbox.queue(&AgentMessage::Note(NumberedInput { number, what: what.clone() }));
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

    /// Whether this input was used before, by any thread.
    pub(crate) fn has_noted(&self, what: &Input) -> bool {
        self.notes.numbers.contains_key(what)
    }
}
