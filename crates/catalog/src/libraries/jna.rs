//! JNA, with which libraries call native code.

use super::{HelperProgram, LibraryRow};

/// The row.
pub const JNA: LibraryRow = LibraryRow {
    name: "JNA",
    why: "On Linux it asks once which native libraries the machine has. The program that it starts prints what stands in a file \
          and does nothing else, so the file is the input.",
    cases: &["known_helper.md"],
    helpers: &[HelperProgram {
        class: "com/sun/jna/NativeLibrary",
        program: "/sbin/ldconfig",
        arguments: &["-p"],
        files: &["/etc/ld.so.cache", "/sbin/ldconfig"],
    }],
    ..LibraryRow::EMPTY
};
