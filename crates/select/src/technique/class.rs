//! Whole classes, as Ekstazi has them: the yardstick.

use super::{FactExtractor, Technique, TestRun};
use crate::facts::FactKind;
use crate::history::ClosureKind;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

/// The technique.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class;

impl Technique for Class {
    fn name(&self) -> &'static str {
        "class"
    }

    fn closure(&self) -> ClosureKind {
        ClosureKind::LeftoverState
    }

    fn extractor(&self) -> Box<dyn FactExtractor> {
        Box::new(Class)
    }
}

impl FactExtractor for Class {
    /// Every class that was touched, and its supertypes.
    fn questions(&mut self, run: TestRun<'_, '_>) -> BitSet<u32> {
        let TestRun { snapshot, code, history, questions: asked, used, test, .. } = run;
        let mut classes = history.touched_by(&used.methods);
        classes.unite(&used.classes);
        classes.unite(&used.touched);
        classes.extend(test);
        let above: Vec<ClassId> = classes.iter().flat_map(|class| snapshot.above(class)).copied().collect();
        classes.extend(above.into_iter().filter(|class| snapshot.is_project(*class)));
        classes.iter().map(|class| asked.class(code, FactKind::Class, class)).collect()
    }
}
