//! Spring: contexts that later test classes are given, and how components are looked for.
//!
//! Spring also takes all variables of the environment: [`environment::SESSION`](crate::environment::SESSION).

use super::LibraryRow;

/// The row.
pub const SPRING: LibraryRow = LibraryRow {
    name: "Spring",
    why: "It keeps its contexts for the classes that come later, which use what the first one filled them with. To find \
          components it reads every class file of a package, and looks only at what is declared there. Of a class that it \
          scans, it looks at the class itself and at the methods with annotations; two libraries look at all methods.",
    cases: &[
        "spring_context.md",
        "spring_scan_of_a_body.md",
        "spring_scan_of_an_annotation.md",
        "spring_scan_of_the_order.md",
        "notes_of_the_build.md",
        "property_through_spring.md",
        "spring_context_of_an_earlier_class.md",
        "spring_component_scan.md",
        "spring_component_scan_of_annotated_methods.md",
        "spring_scan_by_the_project.md",
    ],
    declaration_readers: &["org/springframework/core/type/classreading/"],
    declaration_helpers: &["org/springframework/asm/", "org/springframework/core/"],
    component_scanners: &[
        "org/springframework/boot/",
        "org/springframework/context/annotation/",
        "org/springframework/data/repository/config/",
        "org/springframework/data/util/",
        "org/springframework/orm/jpa/persistenceunit/",
    ],
    method_scanners: &[
        "org/springframework/data/projection/",
        "org/springframework/data/type/",
        "org/springframework/web/service/registry/",
    ],
    property_tables: &["org/springframework/core/env/"],
    resource_prefixes: &["classpath*:", "classpath:"],
    ..LibraryRow::EMPTY
};

/// Where properties are looked up by name, in a table of all of them.
pub const TABLE_OF_PROPERTIES: &str = "org/springframework/core/env/MapPropertySource";
/// What Spring Boot has read of the notes of a build about itself.
pub const BUILD_INFO: &str = "org/springframework/boot/info/InfoProperties";
/// Where tests are given their contexts, since 4.2.
pub const CONTEXT_LOADER: &str =
    "org/springframework/test/context/cache/DefaultCacheAwareContextLoaderDelegate";

/// The classes with hooks.
pub const HOOKED: [&str; 3] = [TABLE_OF_PROPERTIES, BUILD_INFO, CONTEXT_LOADER];

/// The member of Spring's metadata of classes that lists all methods: the package of its owners, and its name.
pub const METHOD_LISTING: (&str, &str) = ("org/springframework/core/type/", "getDeclaredMethods");

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

/// Where spring-test keeps contexts, before 4.2 and since, for those that are not seen to be given; and what runs only when one is started. The older one does not say
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
