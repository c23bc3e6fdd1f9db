//! Which methods test frameworks call around tests, and which of these cannot cause further calls.

use tamis_program::record::{FixtureKind, ReferenceKind};
use tamis_program::snapshot::{MethodId, Snapshot};

/// Frameworks that call fixtures by name: prefix of their classes, methods before a test, methods after it.
const NAMED: [(&str, &[&str], &[&str]); 2] = [
    ("junit/framework/", &["setUp"], &["tearDown"]),
    ("spock/lang/", &["setup", "setupSpec"], &["cleanup", "cleanupSpec"]),
];

/// Its `setUp` and `tearDown` are empty, so calling them is harmless.
const TEST_CASE: &str = "junit/framework/TestCase";

/// The fixture kind of a method, by its annotation or its name.
pub(super) fn of(snapshot: &Snapshot, method: MethodId) -> FixtureKind {
    let (class, record) = (snapshot.class(method.class), snapshot.method(method));
    let name = class.str(record.name);
    let mut named = NAMED.iter().filter(|(_, before, after)| before.contains(&name) || after.contains(&name));
    if record.conduct.fixture != FixtureKind::No {
        return record.conduct.fixture;
    }
    let Some((framework, before, _)) = named.next() else { return FixtureKind::No };
    let (above, missing) = snapshot.supertypes(method.class);
    let above = above.into_iter().map(|class| snapshot.class(class).name());
    match above.chain(missing).any(|class| class.starts_with(framework)) {
        true if before.contains(&name) => FixtureKind::Before,
        true => FixtureKind::After,
        false => FixtureKind::No,
    }
}

/// Whether all calls of a method stay in the project, or are known to cause no further calls.
pub(super) fn is_plain(snapshot: &Snapshot, method: MethodId) -> bool {
    let record = snapshot.class(method.class);
    let is_projects = |owner: &str| snapshot.find(owner).is_some_and(|class| snapshot.is_project(class));
    let is_call = |kind: ReferenceKind| {
        matches!(kind, ReferenceKind::Static | ReferenceKind::Special | ReferenceKind::Virtual)
    };
    let mut calls = record.references_of(method.method as usize).filter(|reference| is_call(reference.kind));
    snapshot.method(method).conduct.is_plain
        && calls.all(|call| record.str(call.owner) == TEST_CASE || is_projects(record.str(call.owner)))
}
