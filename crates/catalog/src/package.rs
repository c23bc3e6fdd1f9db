//! The roles of packages of test tools: six of the eight answers to "is this a test framework?".
//!
//! The other two are the columns [`fixtures`](crate::frameworks::FrameworkRow::fixtures) and
//! [`words`](crate::frameworks::FrameworkRow::words). The answers differ, and each row shows where. No difference was meant to be
//! taken away when the lists became one table.

use crate::builds::BUILD_TOOLS;
use crate::frameworks::FRAMEWORKS;
use crate::libraries::LIBRARIES;
use crate::name::{NameSet, begins_any};

/// A package, and all below it.
#[derive(Clone, Copy, Debug)]
pub struct PackageEntry {
    /// `org/junit/`
    pub prefix: &'static str,
    /// Its roles.
    pub roles: &'static [PackageRole],
}

/// The role of a package of a test tool. The eight questions, of which the last two are not about packages:
///
/// | is this a test framework? | predicate | asked for |
/// |---|---|---|
/// | does it treat all tests alike? | [`has_no_probes`] | every loaded class of a library |
/// | does it read stack traces of failures? | [`reads_stacks`] | every class that is instrumented |
/// | are there hooks in it? | [`has_hooks`] | every class that is instrumented, and methods on stacks |
/// | does it run the tests of a build? | [`is_runner`] | every method on a stack outside of tests |
/// | do its annotations make fixtures? | [`fixture_by_annotation`](crate::frameworks::fixture_by_annotation) | every annotation of a method |
/// | does it make what its annotations name, for each test? | [`owns_annotations`] | every annotation |
/// | does it find fixtures by their names? | [`fixtures_named`](crate::frameworks::fixtures_named) | every method of the project |
/// | does a command line name it? | [`names_test_tool`](crate::frameworks::names_test_tool) | every JVM without code of the project |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageRole {
    /// [`has_no_probes`]
    NoProbes,
    /// [`reads_stacks`]
    ReadsStacks,
    /// [`has_hooks`]
    HasHooks,
    /// [`is_runner`]
    RunsTests,
    /// [`fixture_by_annotation`](crate::frameworks::fixture_by_annotation)
    FixtureAnnotations,
    /// [`owns_annotations`]
    OwnAnnotations,
}

pub(crate) const fn package(prefix: &'static str, roles: &'static [PackageRole]) -> PackageEntry {
    PackageEntry { prefix, roles }
}

impl PackageEntry {
    const fn is(self, role: PackageRole) -> bool {
        let mut at = 0;
        while at < self.roles.len() {
            if self.roles[at] as u8 == role as u8 {
                return true;
            }
            at += 1;
        }
        false
    }
}

macro_rules! prefixes {
    ($name:ident, $role:ident) => {
        column!($name: &str = "";
            for entry in FRAMEWORKS.packages, BUILD_TOOLS.packages, LIBRARIES.packages;
            if entry.is(PackageRole::$role) => entry.prefix);
    };
}

prefixes!(NO_PROBES, NoProbes);
prefixes!(READS_STACKS, ReadsStacks);
prefixes!(HAS_HOOKS, HasHooks);
prefixes!(RUNS_TESTS, RunsTests);
prefixes!(FIXTURE_ANNOTATIONS, FixtureAnnotations);
prefixes!(OWN_ANNOTATIONS, OwnAnnotations);

/// Why there are these roles.
pub(crate) const ROLES: &[NameSet] = &[
    NameSet {
        name: "packages without probes",
        prefixes: NO_PROBES,
        why: "Test frameworks and builds' runners do the same for every test. The archives that hold their classes are a \
              fact of every test, so that probes in them would only cost time.",
        cases: &["framework.md"],
        ..NameSet::EMPTY
    },
    NameSet {
        name: "packages that read stack traces",
        prefixes: READS_STACKS,
        why: "They read the stack traces of failures, to shorten them and to show them. No test depends on that.",
        cases: &["moved.md", "printed.md"],
        ..NameSet::EMPTY
    },
    NameSet {
        name: "packages with hooks",
        prefixes: HAS_HOOKS,
        why: "The agent looks for hooks in their classes. On a stack, their methods divide what runs a test from the program \
              that started it.",
        cases: &["junit3.md", "suite.md", "testng.md", "parallel_tests.md"],
        ..NameSet::EMPTY
    },
    NameSet {
        name: "packages that run the tests of a build",
        prefixes: RUNS_TESTS,
        why: "Outside of tests they use files, properties and connections for themselves. What they give to tests are settings \
              and properties of the JVM, which are known.",
        cases: &["inputs_of_the_runner.md"],
        ..NameSet::EMPTY
    },
    NameSet {
        name: "packages whose annotations make fixtures",
        prefixes: FIXTURE_ANNOTATIONS,
        why: "A method that is annotated with one of their Before… and After… annotations runs around tests: what it sets \
              back is not left for the next test.",
        cases: &["restored_in_tear_down.md", "tear_down_annotation_removed.md", "tear_down_added.md"],
        ..NameSet::EMPTY
    },
    NameSet {
        name: "packages that make what their annotations name",
        prefixes: OWN_ANNOTATIONS,
        why: "The framework makes what such an annotation names for each test anew, so that nothing of it is kept for \
              the next test. A library may ask once and keep the answer.",
        cases: &["named_by_an_annotation.md", "annotation_of_what_others_use.md", "enum_source.md"],
        ..NameSet::EMPTY
    },
];

/// Whether a class, by its internal name, does to every test what it does to one: it gets no probes, and the archives that
/// hold such classes are a fact of every test. Agent and CLI must agree on it.
#[inline]
pub fn has_no_probes(class: impl AsRef<[u8]>) -> bool {
    begins_any(NO_PROBES, class.as_ref())
}

/// Whether a class reads the stack traces of failures, on which no test depends.
#[inline]
pub fn reads_stacks(class: impl AsRef<[u8]>) -> bool {
    begins_any(READS_STACKS, class.as_ref())
}

/// Whether a class may have hooks of the agent. What called such a class, on a stack, is a program that starts tests.
#[inline]
pub fn has_hooks(class: impl AsRef<[u8]>) -> bool {
    begins_any(HAS_HOOKS, class.as_ref())
}

/// Whether a class is of the part of a build that runs tests, copies of libraries that it brings included.
#[inline]
pub fn is_runner(class: impl AsRef<[u8]>) -> bool {
    begins_any(RUNS_TESTS, class.as_ref())
}

/// Whether what an annotation names is made by its framework, for each test anew.
#[inline]
pub fn owns_annotations(annotation: impl AsRef<[u8]>) -> bool {
    begins_any(OWN_ANNOTATIONS, annotation.as_ref())
}

/// Whether annotations of this type make fixtures if they are called so.
#[inline]
pub(crate) fn has_fixture_annotations(annotation: &[u8]) -> bool {
    begins_any(FIXTURE_ANNOTATIONS, annotation)
}
