//! Probes in the basic blocks of methods: their numbers and places.
//!
//! A probe is a plain store. It needs no stack map frame, and none exists where a block is only fallen into.

use tamis_classfile::ClassFile;
use tamis_classfile::flow::ControlFlow;

/// The blocks with probes of a class, by method in the order of the class file.
#[derive(Default)]
pub struct BlockProbes {
    /// The first of the probes.
    first: u32,
    /// The offsets of the blocks.
    methods: Vec<Vec<u32>>,
}

impl BlockProbes {
    /// The blocks of a class.
    pub fn of(class: &ClassFile<'_>) -> BlockProbes {
        let starts = |flow: ControlFlow| {
            let probed = flow.probed_blocks().filter_map(|block| flow.blocks.get(block));
            probed.map(|block| block.start).collect()
        };
        let methods = class
            .methods
            .iter()
            .map(|method| ControlFlow::comparable(class, &method).map_or(Vec::new(), starts));
        BlockProbes { first: 0, methods: methods.collect() }
    }

    /// The number of probes of each method; empty if there is none.
    pub(crate) fn counts(&self) -> Vec<u32> {
        match self.methods.iter().all(Vec::is_empty) {
            true => Vec::new(),
            false => self.methods.iter().map(|blocks| blocks.len() as u32).collect(),
        }
    }

    /// The same with numbers: the probes of blocks follow those of the methods, of which `first` is the first.
    pub(crate) fn after(&self, first: u32) -> BlockProbes {
        BlockProbes { first: first + self.methods.len() as u32, methods: self.methods.clone() }
    }

    /// All probes of blocks.
    pub(crate) fn all(&self, first: u32) -> std::ops::Range<u32> {
        let first = first + self.methods.len() as u32;
        first..first + self.methods.iter().map(Vec::len).sum::<usize>() as u32
    }

    /// The offsets of the blocks of a method, each with its probe.
    pub(crate) fn of_method(&self, index: usize) -> impl Iterator<Item = (u32, u32)> + '_ {
        let before: usize = self.methods.iter().take(index).map(Vec::len).sum();
        let own = self.methods.get(index).into_iter().flatten().copied();
        own.zip(self.first + before as u32..)
    }
}
