//! JNA, with which libraries call native code.

use super::{HelperProgram, LibraryRow};

/// The row.
pub const JNA: LibraryRow = LibraryRow {
    name: "JNA",
    why: "On Linux it asks once which native libraries the machine has. The program that it starts prints what stands in a file \
          and does nothing else, so the file is the input. It unpacks its native part into a \
          folder of its own, and removes it again.",
    cases: &["known_helper.md", "scratch_folder_of_a_library.md"],
    helpers: &[HelperProgram {
        class: "com/sun/jna/NativeLibrary",
        program: "/sbin/ldconfig",
        arguments: &["-p"],
        files: &["/etc/ld.so.cache", "/sbin/ldconfig"],
    }],
    scratch_folders: &[".cache/JNA", "JNA/temp"],
    ..LibraryRow::EMPTY
};
