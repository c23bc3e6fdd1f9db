//! Whole classes, as in Ekstazi: the baseline for comparisons.

use super::TestRun;
use crate::facts::FactKind;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

/// Every class that was touched, and its supertypes.
pub(super) fn questions(seen: TestRun<'_, '_>) -> BitSet<u32> {
    let TestRun { snapshot, code, history, questions: asked, used, test, .. } = seen;
    let mut classes = history.touched_by(&used.methods);
    classes.unite(&used.classes);
    classes.unite(&used.touched);
    classes.extend(test);
    let above: Vec<ClassId> = classes.iter().flat_map(|class| snapshot.above(class)).copied().collect();
    classes.extend(above.into_iter().filter(|class| snapshot.is_project(*class)));
    classes.iter().map(|class| asked.class(code, FactKind::Class, class)).collect()
}
