//! Compilers, one file each: the annotations and attributes that they write for themselves, and the names that they make up.

pub mod groovy;
pub mod javac;
pub mod kotlin;
pub mod scala;

use crate::class_of;
use crate::name::is_any;

/// All of them.
pub const COMPILERS: &[CompilerRow] = &[javac::JAVAC, kotlin::KOTLIN, scala::SCALA, groovy::GROOVY];

/// A compiler.
#[derive(Clone, Copy, Debug)]
pub struct CompilerRow {
    /// The name that people use.
    pub name: &'static str,
    /// Why it is treated so.
    pub why: &'static str,
    /// The cases that prove it.
    pub cases: &'static [&'static str],
    /// Annotations with what it wants to know again. They change with every declaration, and only it and its library of
    /// reflection look at them.
    pub metadata: &'static [&'static str],
    /// Attributes with the same.
    pub metadata_attributes: &'static [&'static str],
    /// How the names of its source files end.
    pub sources: &'static [&'static str],
    /// Annotations with lines, and names of sources and variables, where it has no attribute for them.
    pub debug: &'static [&'static str],
}

impl CompilerRow {
    pub(crate) const EMPTY: CompilerRow = CompilerRow {
        name: "",
        why: "",
        cases: &[],
        metadata: &[],
        metadata_attributes: &[],
        sources: &[],
        debug: &[],
    };
}

column!(METADATA: &str = ""; COMPILERS.metadata);
column!(METADATA_ATTRIBUTES: &str = ""; COMPILERS.metadata_attributes);
column!(DEBUG: &str = ""; COMPILERS.debug);
column!(SOURCES: &str = ""; COMPILERS.sources);

/// Whether an annotation, by its descriptor, holds what only compilers read.
#[inline]
pub fn is_metadata(annotation: &[u8]) -> bool {
    class_of(annotation).is_some_and(|class| is_any(METADATA, class))
}

/// Whether an attribute holds what only compilers read.
#[inline]
pub fn is_metadata_attribute(name: &[u8]) -> bool {
    is_any(METADATA_ATTRIBUTES, name)
}

/// Whether an annotation, by its descriptor, holds lines and names of variables.
#[inline]
pub fn is_debug(annotation: &[u8]) -> bool {
    class_of(annotation).is_some_and(|class| is_any(DEBUG, class))
}

/// Whether files with this ending are sources of one of them.
#[inline]
pub fn is_source(ending: &str) -> bool {
    is_any(SOURCES, ending.as_bytes())
}
