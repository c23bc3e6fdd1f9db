//! Finds the tests that may use a static field in which a test has just left something for the first time.
//!
//! A test gets the value only through code that names the field, or through code of the class that declares it, which may
//! hand it out in any way. Traces name the classes of all code that ran, so they tell which tests cannot have got it.

use crate::decide::SkipEvidence;
use crate::facts::Question;
use crate::stored::StoredTraces;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_program::record::ClassRecord;
use tamis_program::snapshot::Snapshot;
use tamis_wire::TestId;

/// The tests among these whose traces name a class that may hand out one of these fields, `a/B.name` each. A trace that
/// cannot be read counts as one that does, and so does a static trace: it does not tell what earlier tests left.
pub(crate) fn users(
    fields: &[String],
    snapshot: &Snapshot,
    stored: &StoredTraces,
    evidence: &FxHashMap<TestId, SkipEvidence>,
) -> Vec<TestId> {
    let classes = classes(fields, snapshot);
    let is_use: Vec<bool> = stored.facts.iter().map(|fact| names_any(&fact.question, &classes)).collect();
    let uses_none = |index: usize| is_use.get(index) == Some(&false);
    // Many tests have the same set of facts.
    let mut by_set: FxHashMap<usize, bool> = FxHashMap::default();
    let mut is_user = |set: usize| *by_set.entry(set).or_insert_with(|| !stored.all(set, uses_none));
    let mut users: Vec<TestId> = evidence
        .iter()
        .filter(|(_, held)| held.is_static || is_user(held.set))
        .map(|(test, _)| test.clone())
        .collect();
    users.sort_unstable();
    users
}

/// The canonical names of the classes that declare these fields, and of those whose code names them.
fn classes<'s>(fields: &[String], snapshot: &'s Snapshot) -> FxHashSet<&'s str> {
    let fields: Vec<(&str, &str)> = fields.iter().filter_map(|field| field.rsplit_once('.')).collect();
    let is_meant = |record: &ClassRecord| {
        fields.iter().any(|(class, name)| {
            // Code may name a field by a class that inherits it.
            let names = |owner: &str| {
                let is_below =
                    |owner| snapshot.above(owner).iter().any(|above| snapshot.class(*above).name() == *class);
                owner == *class || snapshot.find(owner).is_some_and(is_below)
            };
            record.name() == *class
                || record.references.iter().any(|reference| {
                    reference.kind.is_field()
                        && record.str(reference.name) == *name
                        && names(record.str(reference.owner))
                })
        })
    };
    let records = snapshot.project().map(|class| snapshot.class(class));
    records.filter(|record| is_meant(record)).map(ClassRecord::canonical_name).collect()
}

/// Whether a question is about one of these classes or a member of it. Names of members begin with the class and a dot.
fn names_any(question: &Question, classes: &FxHashSet<&str>) -> bool {
    let subject = &*question.subject;
    let is_class = |end: usize| subject.get(..end).is_some_and(|name| classes.contains(name));
    question.kind.is_code()
        && (classes.contains(subject) || subject.match_indices('.').any(|(at, _)| is_class(at)))
}
