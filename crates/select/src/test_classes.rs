//! Classes of the project that runners start from: test classes, and suites, which choose other tests to run.
//!
//! A test whose class is in a library runs because a `suite()` method, a factory or an annotation in the
//! project chooses it. Several may choose the same test, each with objects of its own. A trace of such a test
//! stands for all of them, so the complete set of suites must be known.

use crate::facts::{Answer, CodeFacts, FactKind};
use tamis_classfile::access;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_program::record::{ClassRecord, MethodRecord, ReferenceKind};
use tamis_program::snapshot::{ClassId, Snapshot};

/// Annotations that make a method a test.
pub const ANNOTATIONS: [&str; 7] = [
    "org/junit/Test",
    "org/junit/jupiter/api/Test",
    "org/junit/jupiter/api/RepeatedTest",
    "org/junit/jupiter/api/TestFactory",
    "org/junit/jupiter/api/TestTemplate",
    "org/junit/jupiter/params/ParameterizedTest",
    "org/testng/annotations/Test",
];

/// Superclasses whose subclasses hold tests.
pub const SUPERCLASSES: [&str; 2] = ["junit/framework/TestCase", "spock/lang/Specification"];

/// Annotations of suites, and a package whose annotations all belong to suites.
const SUITES: [&str; 2] = ["org/junit/runner/RunWith", "org/testng/annotations/Factory"];
const SUITE_PACKAGE: &str = "org/junit/platform/suite/api/";

/// The static method from which JUnit 3 gets a class's suite.
const METHOD: &str = "suite";

/// Maximum depth of meta-annotations.
const COMPOSED: usize = 4;

/// Whether a class of this name is a test class of the project.
pub fn is_test_class(snapshot: &Snapshot, class: &str) -> bool {
    let id = snapshot.find(class).filter(|id| snapshot.is_project(*id));
    id.is_some_and(|id| is_test(snapshot, id))
}

/// Whether a class of the project contains tests.
pub fn is_test(snapshot: &Snapshot, id: ClassId) -> bool {
    let record = snapshot.class(id);
    if record.access & (access::ABSTRACT | access::INTERFACE) != 0 || record.canonical.is_some() {
        return false;
    }
    let (above, missing) = snapshot.supertypes(id);
    let mut names = above.iter().map(|id| snapshot.class(*id).name()).chain(missing);
    let bears = |id: &ClassId| annotations(snapshot.class(*id)).any(|name| ANNOTATIONS.contains(&name));
    names.any(|name| SUPERCLASSES.contains(&name)) || [id].iter().chain(&above).any(bears)
}

/// Whether a class of the project may choose other tests to run.
fn is_suite(snapshot: &Snapshot, id: ClassId) -> bool {
    let says = |id: &ClassId| {
        let record = snapshot.class(*id);
        let is_suite = |method: &MethodRecord| is_suite_method(record, method);
        names_suites(snapshot, record, COMPOSED) || record.methods.iter().any(is_suite)
    };
    [id].iter().chain(snapshot.above(id)).any(says)
}

/// Whether JUnit 3 takes a method for a suite: it is public and static, has no parameters, and returns an
/// object.
pub fn is_suite_method(record: &ClassRecord, method: &MethodRecord) -> bool {
    record.str(method.name) == METHOD
        && method.is(access::PUBLIC)
        && method.is(access::STATIC)
        && record.str(method.descriptor).starts_with("()L")
}

/// Whether a class has an annotation of suites, or an annotation of the project that itself has one.
fn names_suites(snapshot: &Snapshot, record: &ClassRecord, depth: usize) -> bool {
    annotations(record).any(|name| {
        let own = || snapshot.find(name).filter(|id| snapshot.is_project(*id)).map(|id| snapshot.class(id));
        let is_annotation = |record: &&ClassRecord| record.access & access::ANNOTATION != 0;
        SUITES.contains(&name)
            || name.starts_with(SUITE_PACKAGE)
            || (depth > 0
                && own().filter(is_annotation).is_some_and(|own| names_suites(snapshot, own, depth - 1)))
    })
}

fn annotations(record: &ClassRecord) -> impl Iterator<Item = &str> {
    let named = record.references.iter().filter(|found| found.kind == ReferenceKind::Annotated);
    named.map(|found| record.str(found.owner))
}

/// Suites that a build may hand to a runner directly.
pub fn suites(snapshot: &Snapshot) -> impl Iterator<Item = ClassId> {
    let is_whole = |id: &ClassId| snapshot.class(*id).access & (access::ABSTRACT | access::INTERFACE) == 0;
    snapshot.project().filter(move |id| is_whole(id) && is_suite(snapshot, *id))
}

/// All classes that may choose other tests to run, with their shapes.
pub fn answer(snapshot: &Snapshot) -> Answer {
    let mut code = CodeFacts::new(snapshot);
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    for id in snapshot.project().filter(|id| is_suite(snapshot, *id)) {
        out.bytes(snapshot.class(id).name().as_bytes());
        let question = code.of_class(FactKind::Shape, id);
        out.digest(&code.answer(&question).unwrap_or_else(|| Digest::of(b"")));
    }
    Some(out.finish())
}
