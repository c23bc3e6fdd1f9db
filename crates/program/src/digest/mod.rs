//! Decides whether two versions of an entity are the same to a test: one digest per aspect that a test can
//! notice.
//!
//! | layer | of | includes | excludes |
//! |---|---|---|---|
//! | body | method | flags that change running, canonical instructions, handlers, resolved constants, the bodies of lambdas and accessors | constant order, width forms, frames, debug tables, compiler numbering |
//! | linked body | method | body, and the targets of static references where they differ from the named ones | virtual calls: look-up decides their targets |
//! | shape | class, member | members, flags, signatures, permitted, nest, record, enclosing | compiler-made members, member order |
//! | annotations | class, member | all Runtime* attributes and defaults | Kotlin's and Scala's metadata |
//! | debug | class | lines, names of variables and sources, compiler numbers, `Deprecated` | |
//! | supers | class | superclass and interfaces | |
//! | external overrides | class | methods that override something outside the project | |
//! | init | class | `<clinit>`, or its absence | storing the assertion status |
//! | class | class | all but debug | its own name |
//!
//! `docs/digest.md` gives the reasons. Pure: bytes in, records out; an unreadable class becomes an opaque
//! record.

mod annotations;
mod body;
mod class;
mod code_mentions;
mod compiler;
mod constant;
mod family;
mod field_effects;
mod lambda_places;
mod layers;
mod listing;
mod method_traits;
mod module;
mod mutator_names;
mod reference;
mod reflectable;
mod rename;
mod string_table;
mod value;

/// The version of the canonical forms. Raise it whenever a class gives a different record than before: stored
/// digests must never be compared with digests of another meaning.
pub const VERSION: u32 = 10;

pub use class::{ClassSource, Digester, list_methods};
pub use family::family_name;
pub use listing::ListingLine;
pub use value::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
