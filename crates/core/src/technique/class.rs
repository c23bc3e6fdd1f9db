//! Whole classes, as Ekstazi has them: the yardstick.

use super::Seen;
use crate::fact::About;
use crate::snapshot::ClassId;
use std::collections::BTreeSet;

/// Every class that was touched, and its supertypes.
pub(super) fn questions(seen: Seen<'_, '_>) -> Vec<u32> {
    let Seen { snapshot, code, history, asked, used, test } = seen;
    let mut classes: BTreeSet<ClassId> = used.classes.iter().chain(&used.touched).chain(test).collect();
    for method in &used.methods {
        classes.extend(history.touched(method));
    }
    let above: Vec<ClassId> = classes.iter().flat_map(|class| snapshot.above(*class)).copied().collect();
    classes.extend(above.into_iter().filter(|class| snapshot.is_project(*class)));
    classes.into_iter().map(|class| asked.class(code, About::Class, class)).collect()
}
