//! How things lie on disk, byte for byte: the index, and the sets of numbers in the traces' database.
//!
//! The index is one file, little-endian, written once and replaced as a whole.
//!
//! ```text
//! header    magic, format version, digest version; checksum of the rest of the header and of the tables;
//!           length of the file, length of the tables, number of roots, number of families
//! tables    each root: its key; one stamp, or one for each file; content digests and names, sorted by name
//!           all families, sorted by key: key; where its records lie, and their checksum; in how many writes
//!           it went unseen
//! records   one block a family, decoded only when asked for
//! ```
//!
//! A reader trusts no length and no count: each is checked against the bytes that are there before anything is
//! allocated. That the rest is what was written is for the checksums to say. Nothing here opens a file.

mod checksum;
mod families;
mod header;
mod input;
mod members;
mod numbers;
mod record;
mod roots;

pub(crate) use checksum::checksum;
pub(crate) use families::{FamilyRow, FamilyRows, ROW};
pub(crate) use header::{HEADER, IndexDamage, IndexHeader};
pub(crate) use input::IndexInput;
pub(crate) use numbers::{LARGEST, decode_numbers, encode_numbers};
pub(crate) use record::{decode, encode};
pub(crate) use roots::{STAMP, StoredFiles, StoredRoot, read_roots, write_root};
