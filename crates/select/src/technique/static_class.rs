//! Classes that the test class reaches in class files, as STARTS has them. It needs no recorded run.

use super::class::Class;
use super::{FactExtractor, Technique};
use crate::history::ClosureKind;
use crate::static_graph::ReachKind;

/// The technique.
#[derive(Debug)]
pub(super) struct StaticClass;

impl Technique for StaticClass {
    fn name(&self) -> &'static str {
        "static-class"
    }

    fn closure(&self) -> ClosureKind {
        ClosureKind::Entered
    }

    fn reach(&self) -> Option<ReachKind> {
        Some(ReachKind::Classes)
    }

    fn extractor(&self) -> Box<dyn FactExtractor> {
        Box::new(Class)
    }
}
