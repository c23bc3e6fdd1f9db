//! Libraries that keep something between tests, or that are treated in their own way, one file each.

pub mod assertj;
pub mod byte_buddy;
pub mod hamcrest;
pub mod jna;
pub mod loggers;
pub mod property_tables;
pub mod spring;

use crate::name::{begins_any, ends_any};
use crate::package::PackageEntry;
use std::path::Path;

/// All of them.
pub const LIBRARIES: &[LibraryRow] = &[
    hamcrest::HAMCREST,
    assertj::ASSERTJ,
    spring::SPRING,
    byte_buddy::BYTE_BUDDY,
    jna::JNA,
    property_tables::PROPERTY_TABLES,
    loggers::LOGGERS,
    loggers::LOG_WRITERS,
];

/// A library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryRow {
    /// The name that people use.
    pub name: &'static str,
    /// Why it is treated so.
    pub why: &'static str,
    /// The cases that prove it.
    pub cases: &'static [&'static str],
    /// Its packages, each with what it is to us.
    pub packages: &'static [PackageEntry],
    /// Packages of code that reads class files only to see what they declare.
    pub declaration_readers: &'static [&'static str],
    /// Packages of code through which those read them, for whoever asked.
    pub declaration_helpers: &'static [&'static str],
    /// Packages of code that looks for components: at the class itself and at its annotated methods, in their order.
    pub component_scanners: &'static [&'static str],
    /// Packages of code that looks at all methods of the classes that are found.
    pub method_scanners: &'static [&'static str],
    /// How the names of its loggers' types end.
    pub logger_types: &'static [&'static str],
    /// Packages of code that takes all properties of the JVM to look up names of its own, or names that are seen.
    pub property_tables: &'static [&'static str],
    /// Packages of code that reads stack traces for a log.
    pub log_writers: &'static [&'static str],
    /// Packages and classes with which programs read what was logged.
    pub log_readers: &'static [&'static str],
    /// The prefixes of a resource in its settings.
    pub resource_prefixes: &'static [&'static str],
    /// How the paths of folders end in which it keeps scratch files of its own.
    pub scratch_folders: &'static [&'static str],
    /// Programs that it starts and whose output follows from files.
    pub helpers: &'static [HelperProgram],
}

/// A program that a library starts and whose output follows from files.
#[derive(Clone, Copy, Debug)]
pub struct HelperProgram {
    /// A class of the library.
    pub class: &'static str,
    /// The program, as the library names it.
    pub program: &'static str,
    /// All of its arguments.
    pub arguments: &'static [&'static str],
    /// The files from which its output follows.
    pub files: &'static [&'static str],
}

impl LibraryRow {
    pub(crate) const EMPTY: LibraryRow = LibraryRow {
        name: "",
        why: "",
        cases: &[],
        packages: &[],
        declaration_readers: &[],
        declaration_helpers: &[],
        component_scanners: &[],
        method_scanners: &[],
        logger_types: &[],
        property_tables: &[],
        log_writers: &[],
        log_readers: &[],
        resource_prefixes: &[],
        scratch_folders: &[],
        helpers: &[],
    };
}

column!(DECLARATION_READERS: &str = ""; LIBRARIES.declaration_readers);
column!(DECLARATION_HELPERS: &str = ""; LIBRARIES.declaration_helpers);
column!(COMPONENT_SCANNERS: &str = ""; LIBRARIES.component_scanners);
column!(METHOD_SCANNERS: &str = ""; LIBRARIES.method_scanners);
column!(LOGGER_TYPES: &str = ""; LIBRARIES.logger_types);
column!(PROPERTY_TABLES: &str = ""; LIBRARIES.property_tables);
column!(LOG_WRITERS: &str = ""; LIBRARIES.log_writers);
column!(LOG_READERS: &str = ""; LIBRARIES.log_readers);
column!(RESOURCE_PREFIXES: &str = ""; LIBRARIES.resource_prefixes);
column!(SCRATCH_FOLDERS: &str = ""; LIBRARIES.scratch_folders);
column!(HELPERS: HelperProgram = HelperProgram { class: "", program: "", arguments: &[], files: &[] };
    LIBRARIES.helpers);

/// Whether a class reads class files only to see which members they declare, in which order, and how those are annotated.
#[inline]
pub fn reads_declarations(class: &str) -> bool {
    begins_any(DECLARATION_READERS, class.as_bytes())
}

/// Whether a class reads class files for whoever asked it to.
#[inline]
pub fn helps_readers(class: &str) -> bool {
    begins_any(DECLARATION_HELPERS, class.as_bytes())
}

/// Whether a class looks for components.
#[inline]
pub fn scans_for_components(class: &str) -> bool {
    begins_any(COMPONENT_SCANNERS, class.as_bytes())
}

/// Whether a class looks at all methods of the classes that a scan finds.
#[inline]
pub fn scans_methods(class: &str) -> bool {
    begins_any(METHOD_SCANNERS, class.as_bytes())
}

/// Whether a type is that of a logger, by its descriptor.
#[inline]
pub fn is_logger(descriptor: &str) -> bool {
    let class = descriptor.strip_suffix(';');
    class.is_some_and(|class| ends_any(LOGGER_TYPES, class.as_bytes()))
}

/// Whether a class takes all properties to look up names that are seen, or that are its own.
#[inline]
pub fn looks_up_properties(class: impl AsRef<[u8]>) -> bool {
    begins_any(PROPERTY_TABLES, class.as_ref())
}

/// Whether a class reads stack traces for a log.
#[inline]
pub fn writes_logs(class: impl AsRef<[u8]>) -> bool {
    begins_any(LOG_WRITERS, class.as_ref())
}

/// Whether code that names this class may read what was logged.
#[inline]
pub fn reads_logs(class: &str) -> bool {
    begins_any(LOG_READERS, class.as_bytes())
}

/// The program of a library that is started so.
pub fn helper(program: &str, arguments: &[String]) -> Option<&'static HelperProgram> {
    HELPERS.iter().find(|helper| helper.program == program && helper.arguments == arguments)
}

/// Whether a path is in a folder where a library keeps scratch files of its own.
pub fn is_scratch(path: &Path) -> bool {
    path.ancestors().any(|folder| SCRATCH_FOLDERS.iter().any(|scratch| folder.ends_with(scratch)))
}

/// The name of a resource without the word of a library that stands before it.
#[inline]
pub fn without_prefix(name: &str) -> Option<&str> {
    RESOURCE_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))
}
