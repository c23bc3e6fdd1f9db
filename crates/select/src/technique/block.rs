//! Basic blocks of methods, as the variant of HyRTS has them.
//!
//! The questions of `hybrid`. Instead of the body of a method of which only some blocks were entered, it asks what a walk over
//! these blocks meets. Where blocks have no probes, the body counts.

use super::hybrid::HybridQuestions;
use super::{FactExtractor, Technique, TestRun};
use crate::facts::walk::shape_of_blocks;
use crate::facts::{FactKind, Question};
use crate::history::ClosureKind;
use rustc_hash::FxHashMap;
use tamis_program::bitset::BitSet;
use tamis_wire::ProbeDetail;

/// The technique.
#[derive(Debug)]
pub(super) struct Block;

impl Technique for Block {
    fn name(&self) -> &'static str {
        "block"
    }

    fn closure(&self) -> ClosureKind {
        ClosureKind::LeftoverState
    }

    fn detail(&self) -> ProbeDetail {
        ProbeDetail::Blocks
    }

    fn extractor(&self) -> Box<dyn FactExtractor> {
        Box::new(BlockQuestions::default())
    }
}

#[derive(Default)]
struct BlockQuestions {
    hybrid: HybridQuestions,
    /// By method and its entered blocks: the question about the walk, if the body does not count.
    walks: FxHashMap<(u32, Vec<u32>), Option<u32>>,
}

impl FactExtractor for BlockQuestions {
    fn questions(&mut self, mut run: TestRun<'_, '_>) -> BitSet<u32> {
        let used = run.used;
        let mut found = BitSet::default();
        let mut whole = BitSet::default();
        for method in used.methods.iter() {
            match self.walk(&mut run, method) {
                Some(question) => _ = found.insert(question),
                None => _ = whole.insert(method),
            }
        }
        found.unite(&self.hybrid.0.bodies(&mut run, &whole));
        self.hybrid.beside_bodies(&mut run, &mut found);
        found
    }
}

impl BlockQuestions {
    /// The question about the walk of a method; `None` if its body counts.
    fn walk(&mut self, run: &mut TestRun<'_, '_>, method: u32) -> Option<u32> {
        let id = run.history.id(method);
        let is_own = run.snapshot.is_own_method(id) && run.snapshot.is_own_class(id.class);
        let is_whole = run.used.whole.contains(method) || run.history.may_have_left(method, run.used);
        if is_whole || !is_own {
            return None;
        }
        let (flow, entered) = run.flows.entered(method, &run.used.blocks)?;
        let key = (method, entered.iter().collect());
        let (code, questions) = (run.code, &mut *run.questions);
        *self.walks.entry(key).or_insert_with(|| {
            let shape = shape_of_blocks(flow, &entered)?;
            let body = code.of_method(FactKind::Body, id.class, id);
            Some(questions.number(Question::new(FactKind::Walk, format!("{} {shape}", body.subject))))
        })
    }
}
