//! Libraries that keep something between tests, or that are treated in their own way, one file each.

pub mod assertj;
pub mod byte_buddy;
pub mod hamcrest;
pub mod jna;
pub mod loggers;
pub mod spring;

use crate::name::{begins_any, ends_any};
use crate::package::PackageEntry;

/// All of them.
pub const LIBRARIES: &[LibraryRow] = &[
    hamcrest::HAMCREST,
    assertj::ASSERTJ,
    spring::SPRING,
    byte_buddy::BYTE_BUDDY,
    jna::JNA,
    loggers::LOGGERS,
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
    /// How the names of its loggers' types end.
    pub logger_types: &'static [&'static str],
    /// The prefixes of a resource in its settings.
    pub resource_prefixes: &'static [&'static str],
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
        logger_types: &[],
        resource_prefixes: &[],
        helpers: &[],
    };
}

column!(DECLARATION_READERS: &str = ""; LIBRARIES.declaration_readers);
column!(LOGGER_TYPES: &str = ""; LIBRARIES.logger_types);
column!(RESOURCE_PREFIXES: &str = ""; LIBRARIES.resource_prefixes);
column!(HELPERS: HelperProgram = HelperProgram { class: "", program: "", arguments: &[], files: &[] };
    LIBRARIES.helpers);

/// Whether a class reads class files only to see which members they declare, in which order, and how those are annotated.
#[inline]
pub fn reads_declarations(class: &str) -> bool {
    begins_any(DECLARATION_READERS, class.as_bytes())
}

/// Whether a type is that of a logger, by its descriptor.
#[inline]
pub fn is_logger(descriptor: &str) -> bool {
    let class = descriptor.strip_suffix(';');
    class.is_some_and(|class| ends_any(LOGGER_TYPES, class.as_bytes()))
}

/// The program of a library that is started so.
pub fn helper(program: &str, arguments: &[String]) -> Option<&'static HelperProgram> {
    HELPERS.iter().find(|helper| helper.program == program && helper.arguments == arguments)
}

/// The name of a resource without the word of a library that stands before it.
#[inline]
pub fn without_prefix(name: &str) -> Option<&str> {
    RESOURCE_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))
}
