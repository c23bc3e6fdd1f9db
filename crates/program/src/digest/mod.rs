//! Are these two versions of an entity the same to a test? One digest for each thing a test can notice.
//!
//! | layer | of | holds | does not hold |
//! |---|---|---|---|
//! | body | method | flags that change running, canonical instructions, handlers, resolved constants, the bodies of lambdas and accessors | constant order, width forms, frames, debug tables, compiler numbering |
//! | linked body | method | body, and what its static references resolve to where that is not what they name | virtual calls: the look-up decides those |
//! | shape | class, member | members, flags, signatures, permitted, nest, record, enclosing | what the compiler made, member order |
//! | annotations | class, member | all Runtime* attributes and defaults | Kotlin's and Scala's metadata |
//! | debug | class | lines, names of variables and sources, compiler numbers, `Deprecated` | |
//! | supers | class | superclass and interfaces | |
//! | external overrides | class | methods that override something outside the project | |
//! | init | class | `<clinit>`, or its absence | storing the assertion status |
//! | class | class | all but debug | its own name |
//!
//! `docs/digest.md` says why. Pure: bytes in, records out; a class that cannot be read becomes an opaque record.

mod annotations;
mod body;
mod class;
mod code_mentions;
mod compiler;
mod constant;
mod family;
mod field_effects;
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

/// The version of the canonical forms. To be raised whenever a class gives another record than before, so that no
/// digest that was kept is compared with one that means something else.
pub const VERSION: u32 = 9;

pub use class::{ClassSource, Digester, list_methods};
pub use family::family_name;
pub use listing::ListingLine;
pub use value::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
