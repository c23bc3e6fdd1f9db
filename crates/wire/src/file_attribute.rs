//! Attributes of files as inputs: times, permissions, owners.

use crate::format::wire;

/// An attribute of a file that was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeRead {
    /// The file.
    pub path: String,
    /// The attribute.
    pub attribute: FileAttribute,
    /// Whether code of a library read it, and not code of the project.
    pub by_library: bool,
}

wire!(struct AttributeRead { path, attribute, by_library });

/// The attributes of a file that are inputs of the code that reads them. Existence, kind and length are always read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileAttribute {
    /// The time of its last modification.
    Modified,
    /// The time of the last access.
    Accessed,
    /// The time of its creation.
    Created,
    /// Its permissions.
    Permissions,
    /// Its owner and group.
    Owner,
    /// Its number in its file system.
    Key,
    /// Whether this process may read it.
    Readable,
    /// Whether this process may write it.
    Writable,
    /// Whether this process may execute it.
    Executable,
}

wire!(enum FileAttribute {
    1 = Modified, 2 = Accessed, 3 = Created, 4 = Permissions, 5 = Owner, 6 = Key, 7 = Readable, 8 = Writable, 9 = Executable,
});

impl FileAttribute {
    /// All of them.
    pub const ALL: [FileAttribute; 9] = [
        FileAttribute::Modified,
        FileAttribute::Accessed,
        FileAttribute::Created,
        FileAttribute::Permissions,
        FileAttribute::Owner,
        FileAttribute::Key,
        FileAttribute::Readable,
        FileAttribute::Writable,
        FileAttribute::Executable,
    ];

    /// Its word in facts.
    pub fn word(self) -> &'static str {
        match self {
            FileAttribute::Modified => "modified",
            FileAttribute::Accessed => "accessed",
            FileAttribute::Created => "created",
            FileAttribute::Permissions => "permissions",
            FileAttribute::Owner => "owner",
            FileAttribute::Key => "key",
            FileAttribute::Readable => "readable",
            FileAttribute::Writable => "writable",
            FileAttribute::Executable => "executable",
        }
    }

    /// The attribute of a word.
    pub fn from_word(word: &str) -> Option<FileAttribute> {
        FileAttribute::ALL.into_iter().find(|attribute| attribute.word() == word)
    }

    /// Whether it differs between copies of the same file, as after a build or in a fresh clone.
    pub fn is_of_copy(self) -> bool {
        matches!(
            self,
            FileAttribute::Modified | FileAttribute::Accessed | FileAttribute::Created | FileAttribute::Key
        )
    }
}

/// A file was given a time that had just been read from another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CopiedTime {
    /// The file whose time was read.
    pub from: String,
    /// The file that has it now.
    pub to: String,
}

wire!(struct CopiedTime { from, to });
