//! Recognises, by name and first bytes, files that cannot be on a class path.

use super::error::ClassPathError;
use std::path::Path;

/// The number of bytes that [`recognise`] needs from the start of a file.
pub(super) const START: u64 = 512;

/// A kind of file without classes, and the element that the user probably meant.
#[derive(Clone, Copy)]
pub(super) struct WrongEntryKind {
    what: &'static str,
    instead: &'static str,
}

impl WrongEntryKind {
    pub(super) fn error(self, path: &Path) -> ClassPathError {
        ClassPathError::NotClasses { path: path.to_owned(), what: self.what, instead: self.instead }
    }
}

const UNPACK: &str = "unpack it, and give the directory of classes or the jar that was in it";
const GIVE_CLASSES: &str = "give a directory of class files, a jar, or a JDK's home";
const FETCH: &str = "if it should be a jar, fetch it again: a server's answer was stored in its place";

pub(super) const NOT_A_FILE: WrongEntryKind =
    WrongEntryKind { what: "a pipe, socket or device", instead: GIVE_CLASSES };
pub(super) const NAME_NOT_UNICODE: WrongEntryKind = WrongEntryKind {
    what: "a file whose name is not Unicode",
    instead: "rename it: no class can have that name",
};

const BY_EXTENSION: &[(&str, WrongEntryKind)] = &[
    (
        "java",
        WrongEntryKind {
            what: "a Java source file",
            instead: "compile it, and give the directory of class files",
        },
    ),
    (
        "kt",
        WrongEntryKind {
            what: "a Kotlin source file",
            instead: "compile it, and give the directory of class files",
        },
    ),
    (
        "scala",
        WrongEntryKind {
            what: "a Scala source file",
            instead: "compile it, and give the directory of class files",
        },
    ),
    (
        "groovy",
        WrongEntryKind {
            what: "a Groovy source file",
            instead: "compile it, and give the directory of class files",
        },
    ),
];

const BY_START: &[(&[u8], WrongEntryKind)] = &[
    (
        b"",
        WrongEntryKind {
            what: "an empty file",
            instead: "build it again, or leave it out of the class path",
        },
    ),
    (
        b"\xCA\xFE\xBA\xBE",
        WrongEntryKind { what: "a class file under another name", instead: "name it `.class`" },
    ),
    (
        b"\xCA\xFE\xD0\x0D",
        WrongEntryKind { what: "a pack200 archive", instead: "unpack it with unpack200, and give the jar" },
    ),
    (b"JM", WrongEntryKind { what: "a jmod of an unknown version", instead: "give the JDK's home instead" }),
    (b"\x1F\x8B", WrongEntryKind { what: "a gzip archive", instead: UNPACK }),
    (b"BZh", WrongEntryKind { what: "a bzip2 archive", instead: UNPACK }),
    (b"\xFD7zXZ", WrongEntryKind { what: "an xz archive", instead: UNPACK }),
    (b"\x28\xB5\x2F\xFD", WrongEntryKind { what: "a zstd archive", instead: UNPACK }),
    (b"7z\xBC\xAF", WrongEntryKind { what: "a 7z archive", instead: UNPACK }),
    (b"\x7FELF", WrongEntryKind { what: "a native program or library", instead: GIVE_CLASSES }),
    (b"dex\n", WrongEntryKind { what: "Android code", instead: "give the class files it was made from" }),
    (b"<!DOCTYPE", WrongEntryKind { what: "a web page", instead: FETCH }),
    (b"<html", WrongEntryKind { what: "a web page", instead: FETCH }),
    (b"<", WrongEntryKind { what: "an XML file", instead: GIVE_CLASSES }),
    (b"#!", WrongEntryKind { what: "a script without an archive behind it", instead: GIVE_CLASSES }),
];

const TAR: WrongEntryKind = WrongEntryKind { what: "a tar archive", instead: UNPACK };
const UNKNOWN: WrongEntryKind = WrongEntryKind { what: "a file of unknown kind", instead: GIVE_CLASSES };

/// The kind of a file that is neither a zip nor a jmod nor an image.
pub(super) fn recognise(path: &Path, start: &[u8]) -> WrongEntryKind {
    let by_extension = BY_EXTENSION.iter().find(|(e, _)| path.extension().is_some_and(|given| given == *e));
    let by_start = || {
        BY_START
            .iter()
            .find(|(bytes, _)| if bytes.is_empty() { start.is_empty() } else { start.starts_with(bytes) })
    };
    if let Some(kind) = by_extension.map(|(_, kind)| *kind).or_else(|| by_start().map(|(_, kind)| *kind)) {
        return kind;
    }
    if start.get(257..).is_some_and(|rest| rest.starts_with(b"ustar")) { TAR } else { UNKNOWN }
}
