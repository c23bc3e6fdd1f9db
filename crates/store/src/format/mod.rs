//! The layout on disk, byte for byte: of the index, and of the sets of numbers in the traces' database.
//!
//! The index is one little-endian file, written once and replaced as a whole.
//!
//! ```text
//! header    magic, format version, digest version; checksum of the rest of the header and of the tables;
//!           length of the file, length of the tables, number of roots, number of families
//! tables    each root: its key; one stamp, or one for each file; content digests and names, sorted by name
//!           all families, sorted by key: key; offset, length and checksum of its records; number of writes
//!           since a load last used it
//! records   one block per family, decoded on demand
//! ```
//!
//! A reader checks each length and count against the available bytes before it allocates anything. The checksums
//! show whether the rest is intact. Nothing here opens a file.

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
