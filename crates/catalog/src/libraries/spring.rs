//! Spring: contexts that later test classes are given, and how components are looked for.
//!
//! Spring also takes all variables of the environment: [`environment::SESSION`](crate::environment::SESSION).

use super::LibraryRow;

/// The row.
pub const SPRING: LibraryRow = LibraryRow {
    name: "Spring",
    why: "It keeps its contexts for the classes that come later, which use what the first one filled them with. To find \
          components it reads every class file of a package, and looks only at what is declared there.",
    cases: &[
        "spring_context.md",
        "spring_scan_of_a_body.md",
        "spring_scan_of_an_annotation.md",
        "spring_scan_of_the_order.md",
    ],
    declaration_readers: &["org/springframework/core/type/classreading/"],
    resource_prefixes: &["classpath*:", "classpath:"],
    ..LibraryRow::EMPTY
};

/// A class that runs when a context is used or started.
#[derive(Clone, Copy, Debug)]
pub struct ContextClass {
    /// The class.
    pub class: &'static str,
    /// Whether who runs it may be given a context that others filled.
    pub is_given: bool,
    /// Whether it runs when a context is filled.
    pub is_filled: bool,
}

/// Where spring-test keeps contexts, before 4.2 and since; and what runs only when one is started. The older one does not say
/// which of the two it does.
pub const CONTEXTS: [ContextClass; 3] = [
    ContextClass { class: "org/springframework/test/context/ContextCache", is_given: true, is_filled: true },
    ContextClass {
        class: "org/springframework/test/context/cache/DefaultContextCache",
        is_given: true,
        is_filled: false,
    },
    ContextClass {
        class: "org/springframework/context/support/PostProcessorRegistrationDelegate",
        is_given: false,
        is_filled: true,
    },
];
