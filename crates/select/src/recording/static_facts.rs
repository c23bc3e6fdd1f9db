//! Facts of a test that follow from the static graph: a static technique takes only the outcome from the run.

use super::JvmRecorder;
use crate::reason::AlwaysReason;
use crate::static_graph::{ReachKind, StaticTests};
use crate::stored::TestKey;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

impl JvmRecorder<'_> {
    /// The facts of a passing test, by number. What the graph cannot follow makes it run always.
    pub(super) fn static_facts(
        &mut self,
        key: &TestKey,
        test: ClassId,
        kind: ReachKind,
        always: &mut Vec<AlwaysReason>,
    ) -> BitSet<u32> {
        let (world, run) = (self.world, self.run);
        let tests =
            self.statics.get_or_insert_with(|| StaticTests::new(world, run.technique, kind, run.threads));
        let reach = tests.reach(test, key.method.as_deref());
        always.extend(reach.gaps.iter().cloned().map(AlwaysReason::Unfollowed));
        let own = tests.questions(&reach, test, &self.facts.answers.code, &mut self.facts.questions);
        always.extend(self.facts.answer_all(&own));
        own
    }
}
