//! The inputs of a JVM's tests by number, and the code that was running when they were used.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_wire::{Input, NumberedInput};

/// The code on a stack.
#[derive(Default)]
pub(super) struct StackFootprint {
    /// Methods of the project, by the numbers of the history.
    pub(super) methods: BTreeSet<u32>,
    /// Library classes, by question.
    pub(super) libraries: BTreeSet<u32>,
}

/// All inputs so far.
#[derive(Default)]
pub(super) struct InputLog {
    all: Vec<Input>,
    /// By input, the code that was running when it was used.
    pub(super) stacks: FxHashMap<u32, StackFootprint>,
    /// Inputs that name a class: whether it is a class of tests.
    pub(super) of_tests: FxHashMap<u32, bool>,
}

impl InputLog {
    /// Adds the next input. Inputs are numbered one by one: one out of turn is left out, with all that names it.
    pub(super) fn add(&mut self, input: NumberedInput) -> Option<Input> {
        if input.number as usize != self.all.len() {
            return None;
        }
        self.all.push(input.what.clone());
        Some(input.what)
    }

    /// An input by its number.
    pub(super) fn get(&self, number: u32) -> Option<&Input> {
        self.all.get(number as usize)
    }

    /// All inputs so far.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Input> {
        self.all.iter()
    }
}
