//! Members that the test reaches in a static graph of calls, as TLDR has them. It needs no recorded run.
//!
//! The questions are those of `hybrid`, about the methods that the graph reaches instead of those that were entered.

use super::hybrid::HybridQuestions;
use super::{FactExtractor, Technique};
use crate::history::ClosureKind;
use crate::static_graph::ReachKind;

/// The technique, with the receivers that it assumes of virtual calls.
#[derive(Debug)]
pub(super) struct StaticMember(pub(super) ReachKind);

impl Technique for StaticMember {
    fn name(&self) -> &'static str {
        "static-member"
    }

    fn closure(&self) -> ClosureKind {
        ClosureKind::Entered
    }

    fn reach(&self) -> Option<ReachKind> {
        Some(self.0)
    }

    fn extractor(&self) -> Box<dyn FactExtractor> {
        Box::new(HybridQuestions::default())
    }
}
