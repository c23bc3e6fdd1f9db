//! JUnit Jupiter, the engine of JUnit 5 and 6.

use super::{FrameworkRow, RootStoreCall, SharedState};

const EXTENSION_CONTEXT: &str = "org/junit/jupiter/api/extension/ExtensionContext";

/// The row.
pub const JUPITER: FrameworkRow = FrameworkRow {
    name: "JUnit Jupiter",
    versions: "5.0 to 6.0",
    why: "Extensions may keep something in a store for all classes: a later class is given what was made for an earlier \
          one. Annotations and settings may give the tests of a class one object, or an order.",
    cases: &[
        "before_all.md",
        "root_store.md",
        "per_class.md",
        "repeated.md",
        "dynamic.md",
        "method_source.md",
        "one_object_for_all_tests_by_a_property.md",
        "one_object_for_all_tests_by_an_annotation_of_the_project.md",
        "platform.rs",
    ],
    words: &["jupiter"],
    test_annotations: &[
        "org/junit/jupiter/api/Test",
        "org/junit/jupiter/api/RepeatedTest",
        "org/junit/jupiter/api/TestFactory",
        "org/junit/jupiter/api/TestTemplate",
        "org/junit/jupiter/params/ParameterizedTest",
    ],
    shared_state: &[
        ("org/junit/jupiter/api/TestMethodOrder", SharedState::Order),
        ("org/junit/jupiter/api/TestInstance", SharedState::PerhapsObject),
    ],
    shared_state_settings: &[
        "junit.jupiter.testinstance.lifecycle.default",
        "junit.jupiter.testmethod.order.default",
    ],
    root_store: &[
        RootStoreCall { class: EXTENSION_CONTEXT, method: "getRoot", descriptor: "" },
        // A store with a scope, since 5.13, may be that of the whole run.
        RootStoreCall { class: EXTENSION_CONTEXT, method: "getStore", descriptor: "$StoreScope;" },
    ],
    ..FrameworkRow::EMPTY
};
