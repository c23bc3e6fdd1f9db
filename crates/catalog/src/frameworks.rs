//! Test frameworks, one file each: how tests, fixtures and suites are recognised, and what tests of a class share.
//!
//! The hooks through which the agent follows a framework are one table in the agent, and their readers are files of the
//! same names there.

pub mod cucumber;
pub mod junit3;
pub mod junit4;
pub mod jupiter;
pub mod platform;
pub mod specs2;
pub mod spek;
pub mod spock;
pub mod tamis;
pub mod testng;
pub mod vintage;

use crate::builds::BUILD_TOOLS;
use crate::class_of;
use crate::name::is_any;
use crate::package::{PackageEntry, has_fixture_annotations};

/// All of them.
pub const FRAMEWORKS: &[FrameworkRow] = &[
    junit3::JUNIT_3,
    junit4::JUNIT_4,
    platform::PLATFORM,
    jupiter::JUPITER,
    vintage::VINTAGE,
    testng::TESTNG,
    spock::SPOCK,
    cucumber::CUCUMBER,
    spek::SPEK,
    specs2::SPECS2,
    tamis::TAMIS,
];

/// A test framework.
#[derive(Clone, Copy, Debug)]
pub struct FrameworkRow {
    /// The name that people use.
    pub name: &'static str,
    /// The versions that tests of ours run.
    pub versions: &'static str,
    /// Why it is treated so.
    pub why: &'static str,
    /// The cases that prove it.
    pub cases: &'static [&'static str],
    /// Its packages, each with what it is to us.
    pub packages: &'static [PackageEntry],
    /// Words in the names of its main classes and archives, in lower case.
    pub words: &'static [&'static str],
    /// Annotations that make a method a test.
    pub test_annotations: &'static [&'static str],
    /// Classes whose subclasses hold tests.
    pub test_superclasses: &'static [&'static str],
    /// How it finds tests that are not annotated.
    pub named_tests: &'static [NamedTests],
    /// Which methods it calls around tests because of their names.
    pub fixtures: &'static [NamedFixtures],
    /// Superclasses whose own fixtures do nothing.
    pub empty_fixtures: &'static [&'static str],
    /// Annotations of classes that say which other tests run; a name that ends in `/` stands for all of a package.
    pub suite_annotations: &'static [&'static str],
    /// The static method without parameters with which it asks a class for a suite.
    pub suite_methods: &'static [&'static str],
    /// State that the tests of a class share, by annotation; a name that ends in `/` is a whole package.
    pub shared_state: &'static [(&'static str, SharedState)],
    /// Settings with which tests of all classes may share something.
    pub shared_state_settings: &'static [&'static str],
    /// How an extension comes to what it shares with other classes.
    pub root_store: &'static [RootStoreCall],
}

impl FrameworkRow {
    pub(crate) const EMPTY: FrameworkRow = FrameworkRow {
        name: "",
        versions: "",
        why: "",
        cases: &[],
        packages: &[],
        words: &[],
        test_annotations: &[],
        test_superclasses: &[],
        named_tests: &[],
        fixtures: &[],
        empty_fixtures: &[],
        suite_annotations: &[],
        suite_methods: &[],
        shared_state: &[],
        shared_state_settings: &[],
        root_store: &[],
    };
}

/// Tests that are found by their names.
#[derive(Clone, Copy, Debug)]
pub struct NamedTests {
    /// In subclasses of this class.
    pub below: &'static str,
    /// Public methods without parameters and result whose names begin so.
    pub prefix: &'static str,
}

/// Methods that are called around tests because of their names.
#[derive(Clone, Copy, Debug)]
pub struct NamedFixtures {
    /// In subclasses of a class of this package.
    pub below: &'static str,
    /// Before a test, or before all of a class.
    pub before: &'static [&'static str],
    /// After a test, or after all of a class.
    pub after: &'static [&'static str],
}

/// When a framework calls a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixtureTime {
    /// Before a test, or before all of a class.
    Before,
    /// After a test, or after all of a class.
    After,
}

/// State that the tests of a class share, so that they are selected together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedState {
    /// They have an order.
    Order,
    /// They may share an object.
    PerhapsObject,
    /// They share an object.
    Object,
    /// They share an object, as all tests of this framework do.
    ObjectAlways(&'static str),
}

/// A call through which an extension comes to a store that outlives a test class.
#[derive(Clone, Copy, Debug)]
pub struct RootStoreCall {
    /// The class.
    pub class: &'static str,
    /// The method.
    pub method: &'static str,
    /// A part of its descriptor.
    pub descriptor: &'static str,
}

/// A word in the names of what runs tests, whichever framework it belongs to.
const ANY_WORD: &str = "test";

column!(WORDS: &str = ""; FRAMEWORKS.words, BUILD_TOOLS.words);
column!(TEST_ANNOTATIONS: &str = ""; FRAMEWORKS.test_annotations);
column!(TEST_SUPERCLASSES: &str = ""; FRAMEWORKS.test_superclasses);
column!(NAMED_TESTS: NamedTests = NamedTests { below: "", prefix: "" };
    FRAMEWORKS.named_tests);
column!(NAMED_FIXTURES: NamedFixtures = NamedFixtures { below: "", before: &[], after: &[] };
    FRAMEWORKS.fixtures);
column!(EMPTY_FIXTURES: &str = ""; FRAMEWORKS.empty_fixtures);
column!(SUITE_ANNOTATIONS: &str = ""; FRAMEWORKS.suite_annotations);
column!(SUITE_METHODS: &str = ""; FRAMEWORKS.suite_methods);
column!(SHARED_STATE: (&str, SharedState) = ("", SharedState::Order);
    FRAMEWORKS.shared_state);
column!(ROOT_STORE: RootStoreCall = RootStoreCall { class: "", method: "", descriptor: "" };
    FRAMEWORKS.root_store);
column!(
    /// Settings with which tests of all classes may share something.
    pub SHARED_STATE_SETTINGS: &str = ""; FRAMEWORKS.shared_state_settings);

/// Whether a word of a command line, or the name of an archive, in lower case, is that of something that runs tests.
pub fn names_test_tool(word: &str) -> bool {
    word.contains(ANY_WORD) || WORDS.iter().any(|tool| word.contains(tool))
}

/// Whether an annotation, by its class's internal name, makes a method a test.
#[inline]
pub fn is_test_annotation(class: &str) -> bool {
    is_any(TEST_ANNOTATIONS, class.as_bytes())
}

/// Whether subclasses of a class hold tests.
#[inline]
pub fn is_test_superclass(class: &str) -> bool {
    is_any(TEST_SUPERCLASSES, class.as_bytes())
}

/// How the names of test methods begin in subclasses of a class, if they are found by their names.
#[inline]
pub fn named_tests(superclass: &str) -> Option<&'static str> {
    NAMED_TESTS.iter().find(|tests| tests.below == superclass).map(|tests| tests.prefix)
}

/// When a framework calls a method that is annotated so; `annotation` is a descriptor.
#[inline]
pub fn fixture_by_annotation(annotation: &[u8]) -> Option<FixtureTime> {
    let annotation = annotation.strip_prefix(b"L").filter(|class| has_fixture_annotations(class))?;
    let simple = annotation.rsplit(|byte| *byte == b'/').next()?;
    match simple {
        [b'A', b'f', b't', b'e', b'r', ..] => Some(FixtureTime::After),
        [b'B', b'e', b'f', b'o', b'r', b'e', ..] => Some(FixtureTime::Before),
        _ => None,
    }
}

/// When a framework calls a method of this name, if its class is below one of the package that is returned too.
#[inline]
pub fn fixtures_named(method: &str) -> Option<(&'static str, FixtureTime)> {
    NAMED_FIXTURES.iter().find_map(|fixtures| {
        let time = match method {
            _ if fixtures.before.contains(&method) => FixtureTime::Before,
            _ if fixtures.after.contains(&method) => FixtureTime::After,
            _ => return None,
        };
        Some((fixtures.below, time))
    })
}

/// Whether the fixtures that a superclass itself has do nothing.
#[inline]
pub fn has_empty_fixtures(class: &str) -> bool {
    is_any(EMPTY_FIXTURES, class.as_bytes())
}

/// Whether frameworks find objects of subtypes of this type by themselves, without a test that names them: extensions and
/// listeners that are registered as services or in settings.
pub fn is_found_as_service(class: &str) -> bool {
    const TYPES: [&str; 6] = [
        "org/junit/jupiter/api/extension/",
        "org/junit/platform/launcher/",
        "org/junit/platform/engine/",
        "org/junit/runner/notification/",
        "org/testng/I",
        "org/spockframework/runtime/extension/",
    ];
    TYPES.iter().any(|known| class.starts_with(known))
}

/// Whether an annotation of a class says which other tests run.
#[inline]
pub fn is_suite_annotation(class: &str) -> bool {
    let is_it = |name: &&str| if name.ends_with('/') { class.starts_with(*name) } else { class == *name };
    SUITE_ANNOTATIONS.iter().any(is_it)
}

/// Whether a static method of this name, without parameters, may be asked for a suite.
#[inline]
pub fn is_suite_method(name: &str) -> bool {
    is_any(SUITE_METHODS, name.as_bytes())
}

/// The state that the tests of a class share if it names this descriptor, which may be an annotation.
#[inline]
pub fn shared_state(descriptor: &[u8]) -> Option<SharedState> {
    let class = descriptor.strip_prefix(b"L")?;
    let is_it = |name: &str| match class.strip_prefix(name.as_bytes()) {
        Some(rest) => name.ends_with('/') || rest.first() == Some(&b';'),
        None => false,
    };
    SHARED_STATE.iter().find(|(name, _)| is_it(name)).map(|(_, shared)| *shared)
}

/// Whether a call leads to a store that outlives a test class.
#[inline]
pub fn is_root_store(class: &str, method: &str, descriptor: &str) -> bool {
    ROOT_STORE
        .iter()
        .any(|call| call.class == class && call.method == method && descriptor.contains(call.descriptor))
}

/// The same by an annotation's descriptor.
#[inline]
pub fn is_test_annotation_type(descriptor: &str) -> bool {
    class_of(descriptor.as_bytes()).is_some_and(|class| is_any(TEST_ANNOTATIONS, class))
}
