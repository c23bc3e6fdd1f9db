//! Bytes to JVM class-file structures and back: JVMS chapter 4, nothing else.
//!
//! [`ClassFile::parse`] checks every length once and then only borrows: constants, members, attributes and
//! instructions are decoded on demand. Attributes and versions unknown to this crate are passed on as raw
//! bytes. A constant with an unknown tag has no known length, so the file cannot be read past it: that is an
//! error, and the caller falls back to the raw bytes. No input makes this crate panic or allocate more than a
//! small multiple of the input's own size.
//!
//! It knows nothing of files, class paths or digests.
#![forbid(unsafe_code)]

pub mod access;
pub mod descriptor;
mod error;
pub mod flow;
pub mod mutf8;
pub mod opcode;
pub mod read;
pub mod write;

pub use error::{ParseError, WriteError};
pub use read::class::{ClassFile, ClassVersion, Member, Members};
pub use read::pool::{Constant, ConstantPool};
