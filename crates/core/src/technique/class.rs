//! Whole classes, as Ekstazi has them: the yardstick.

use super::Seen;
use crate::fact::About;
use crate::marks::Marks;
use crate::snapshot::ClassId;

/// Every class that was touched, and its supertypes.
pub(super) fn questions(seen: Seen<'_, '_>) -> Marks<u32> {
    let Seen { snapshot, code, history, asked, used, test, .. } = seen;
    let mut classes = history.touched_by(&used.methods);
    classes.unite(&used.classes);
    classes.unite(&used.touched);
    classes.extend(test);
    let above: Vec<ClassId> = classes.iter().flat_map(|class| snapshot.above(class)).copied().collect();
    classes.extend(above.into_iter().filter(|class| snapshot.is_project(*class)));
    classes.iter().map(|class| asked.class(code, About::Class, class)).collect()
}
