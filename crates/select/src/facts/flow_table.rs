//! The flows of methods whose blocks have probes, and numbers for their blocks.

use rustc_hash::FxHashMap;
use tamis_classfile::flow::ControlFlow;
use tamis_program::bitset::BitSet;

/// By method, the blocks that may be reported as entered.
#[derive(Default)]
pub struct FlowTable {
    methods: FxHashMap<u32, MethodFlow>,
    next: u32,
}

struct MethodFlow {
    flow: ControlFlow,
    /// The number of the first probed block; the others follow.
    first: u32,
}

impl FlowTable {
    /// Adds a method. Returns the number of its first probed block. A class that is loaded twice has the same numbers.
    pub fn add(&mut self, method: u32, flow: ControlFlow) -> u32 {
        let count = flow.probed_blocks().count() as u32;
        let next = self.next;
        let known = self.methods.entry(method).or_insert(MethodFlow { flow, first: next });
        if known.first == next {
            self.next += count;
        }
        known.first
    }

    /// The flow of a method and its blocks among these, the first one left out. `None` if its blocks have no probes.
    pub fn entered(&self, method: u32, blocks: &BitSet<u32>) -> Option<(&ControlFlow, BitSet<u32>)> {
        let MethodFlow { flow, first } = self.methods.get(&method)?;
        let probed = flow.probed_blocks().zip(*first..);
        let entered = probed.filter(|(_, number)| blocks.contains(*number)).map(|(block, _)| block as u32);
        Some((flow, entered.collect()))
    }
}
