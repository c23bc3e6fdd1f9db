//! Contexts of Spring's test framework: the work of loading one is a part of its own, on which each test depends that is given
//! the context.
//!
//! A context keeps what its libraries have read for earlier tests: templates, texts, settings. So a test depends on files,
//! resources and properties for which libraries asked in earlier tests with the same context.

use super::JvmRecorder;
use super::probe_table::ResolvedFootprint;
use super::span_tracker::RawFootprint;
use crate::facts::Marker;
use crate::history::Footprint;
use tamis_wire::{ContextWork, ProbeRuns};

impl JvmRecorder<'_> {
    /// The marker of the work on a context.
    pub(super) fn context_marker(&mut self, number: u32) -> u32 {
        self.facts.questions.marker(Marker::SpringContext(number))
    }

    /// Work on a context has ended. It counts as a part of the JVM's history when the class that asked for it ends.
    pub(super) fn context_work(&mut self, work: ContextWork) {
        let ContextWork { number, probes: ProbeRuns(probes), nested, notes } = work;
        let charge = RawFootprint {
            probes: probes.into_iter().collect(),
            notes,
            made: self.libraries.loading.pop().unwrap_or_default(),
            ..RawFootprint::default()
        };
        let mut came = self.resolve_shared(&charge, &nested);
        // The cache of contexts itself ran in it. Other contexts count only if they were asked for.
        let all = self.facts.questions.marker(Marker::SpringContexts);
        came.used.finds = came.used.finds.iter().filter(|found| *found != all).collect();
        came.used.leaves = came.used.leaves.iter().filter(|left| *left != all).collect();
        let own = self.context_marker(number);
        came.used.leaves.insert(own);
        let mut made = self.leave_made(&mut came);
        if let Some(made) = &mut made {
            // What a context reads is known to the tests that are given it.
            made.others = made.others.iter().filter(|number| !self.is_input(number)).collect();
        }
        self.libraries.context_parts.push(came.used);
        self.libraries.context_parts.extend(made);
    }

    fn is_input(&self, number: &u32) -> bool {
        self.facts.questions.get(*number).is_some_and(|question| question.kind.is_input())
    }

    /// What the libraries of a context may keep of what they asked for in a part that used it.
    pub(super) fn kept_by_contexts(&self, came: &ResolvedFootprint) -> Option<Footprint> {
        if came.contexts.is_empty() || came.by_libraries.is_empty() {
            return None;
        }
        Some(Footprint {
            others: came.by_libraries.iter().copied().filter(|number| self.is_input(number)).collect(),
            leaves: came.contexts.iter().copied().collect(),
            ..Footprint::default()
        })
    }
}
