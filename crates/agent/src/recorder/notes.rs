//! Inputs other than code, and the code that used them.
//!
//! Each input has one number in a JVM and is charged at the next boundary. Code may read an input once and keep the result for
//! later callers, so the methods on the stack are reported as well.

use super::Recorder;
use super::runner_inputs;
use crate::probes::map::FrameOrigin;
use crate::threads::stacks;
use crate::vm::JniEnv;
use std::collections::{HashMap, HashSet};
use tamis_wire::{AgentMessage, Input, NumberedInput, ProbeRuns, StackContext};

/// The inputs of this JVM: each is numbered once, and pending until the next boundary after a use.
#[derive(Default)]
pub(super) struct PendingInputs {
    numbers: HashMap<Input, u32>,
    pending: Vec<u32>,
    /// By number: whether the input is pending.
    is_pending: Vec<bool>,
    /// The pending inputs that only a test framework used, outside of tests.
    by_framework: HashSet<u32>,
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
            | Input::Attribute(_)
    )
}

impl PendingInputs {
    /// Takes the pending inputs.
    pub(super) fn take(&mut self) -> Vec<u32> {
        let notes = std::mem::take(&mut self.pending);
        notes.iter().for_each(|number| self.set_pending(*number, false));
        self.by_framework.clear();
        notes
    }

    fn set_pending(&mut self, number: u32, pending: bool) {
        if let Some(is_pending) = self.is_pending.get_mut(number as usize) {
            *is_pending = pending;
        }
    }

    fn is_pending(&self, number: u32) -> bool {
        self.is_pending.get(number as usize) == Some(&true)
    }

    /// Removes those of these inputs that only a test framework used.
    fn forget(&mut self, inputs: &[Input]) {
        for what in inputs {
            if let Some(number) = self.numbers.get(what).copied()
                && self.by_framework.remove(&number)
            {
                self.set_pending(number, false);
                self.pending.retain(|pending| *pending != number);
            }
        }
    }

    /// Whether the stack is to be read once more for an input.
    fn is_to_be_looked_at(&mut self, number: u32) -> bool {
        let Some(looks) = self.looks.get_mut(number as usize).filter(|looks| **looks < LOOKS) else {
            return false;
        };
        *looks += 1;
        true
    }
}

impl Recorder {
    /// An input is used by the code that this thread is in. `is_on_class_path` knows the class path's directories.
    pub(crate) fn note_here(&mut self, jni: JniEnv, what: Input, is_on_class_path: fn(&str) -> bool) {
        let is_kept = may_be_kept(&what);
        if !self.is_testing() && runner_inputs::may_be_own(&what) {
            self.note_outside(jni, what, is_kept, is_on_class_path);
            return;
        }
        let number = self.note(what);
        if is_kept && self.notes.is_to_be_looked_at(number) {
            let (probes, _) = self.stack_here(jni);
            self.report_stack(number, probes);
        }
    }

    /// An input is used while no test is open.
    fn note_outside(&mut self, jni: JniEnv, what: Input, is_kept: bool, is_on_class_path: fn(&str) -> bool) {
        let (probes, origin) = self.stack_here(jni);
        if runner_inputs::is_own(&what, origin, is_on_class_path) {
            self.notes.forget(&runner_inputs::around(&what));
            return;
        }
        let known = self.notes.numbers.get(&what).copied();
        let was_pending = known.is_some_and(|number| self.notes.is_pending(number));
        let number = self.note(what);
        if origin == FrameOrigin::Framework && !was_pending {
            self.notes.by_framework.insert(number);
        }
        if is_kept && self.notes.is_to_be_looked_at(number) {
            self.report_stack(number, probes);
        }
    }

    /// The probes of the methods on this thread's stack, and whose code it is.
    fn stack_here(&mut self, jni: JniEnv) -> (Vec<u32>, FrameOrigin) {
        let (jvmti, classes) = (self.jvmti, &mut self.classes);
        let read = jni.with_room_for(FRAMES, || {
            let mut probes = Vec::new();
            let origin = stacks::here(jvmti, classes, &mut probes);
            (probes, origin)
        });
        read.unwrap_or_default()
    }

    /// Reports the code that used an input.
    fn report_stack(&mut self, number: u32, probes: Vec<u32>) {
        if probes.is_empty() {
            return;
        }
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
        self.notes.by_framework.remove(&number);
        if !self.notes.is_pending(number) {
            self.notes.set_pending(number, true);
            self.notes.pending.push(number);
        }
        number
    }

    /// Whether this input was used before, by any thread.
    pub(crate) fn has_noted(&self, what: &Input) -> bool {
        self.notes.numbers.contains_key(what)
    }
}
