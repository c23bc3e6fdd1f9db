//! One class on a class path: its name and its location.

use super::error::OneLine;
use super::image::ResourceLocation;
use super::root::OpenedRoot;
use super::zip::{EntryRefusal, ZipEntry};
use super::{ClassPath, ClassPathRoot};
use std::fmt::{self, Display, Formatter};
use tamis_program::stamp::FileStamp;

/// A class on a class path.
#[derive(Clone, Debug)]
pub struct ClassEntry {
    /// Its path within the root, without `.class`: `a/b/C`. The name inside the class file may differ.
    pub name: Box<str>,
    /// The stamp of the class file, or of the archive that contains it.
    pub stamp: FileStamp,
    pub(super) root: u32,
    pub(super) place: EntryPlace,
}

/// The location of a class within its root.
#[derive(Clone, Copy, Debug)]
pub(super) enum EntryPlace {
    /// The file with its name in a directory, or the root itself if that is a single class file.
    File,
    /// An entry of a jar or jmod.
    Zip {
        /// The `N` of `META-INF/versions/N`; 0 for the base.
        version: u16,
        /// An unreadable entry still hides entries after it, as in the JVM.
        packed: Result<ZipEntry, EntryRefusal>,
    },
    /// A resource of a JDK image.
    Image(ResourceLocation),
}

impl ClassEntry {
    /// The index in [`ClassPath::roots`] of the root that contains this class.
    pub fn root(&self) -> usize {
        self.root as usize
    }

    /// The package, with `/`; empty for the unnamed one.
    pub fn package(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// The location for display: `lib/x.jar!/a/b/C.class`.
    pub fn location<'a>(&'a self, class_path: &'a ClassPath) -> impl Display + 'a {
        EntryLocation { entry: self, root: class_path.roots.get(self.root()) }
    }

    /// The rank among entries of the same name in one root: the highest comes first.
    pub(super) fn version(&self) -> u16 {
        match self.place {
            EntryPlace::Zip { version, .. } => version,
            EntryPlace::File | EntryPlace::Image(_) => 0,
        }
    }
}

/// Displays the location of an entry.
pub(super) struct EntryLocation<'a> {
    pub(super) entry: &'a ClassEntry,
    pub(super) root: Option<&'a ClassPathRoot>,
}

impl Display for EntryLocation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = OneLine(&self.entry.name);
        let Some(root) = self.root else { return write!(f, "{name}.class") };
        let path = root.path.to_string_lossy();
        let path = OneLine(&path);
        match (&root.opened, self.entry.place) {
            (OpenedRoot::ClassFile, _) => write!(f, "{path}"),
            (OpenedRoot::Directory, _) if path.0.ends_with('/') => write!(f, "{path}{name}.class"),
            (OpenedRoot::Directory, _) => write!(f, "{path}/{name}.class"),
            (OpenedRoot::Jar(_), EntryPlace::Zip { version: 1.., .. }) => {
                write!(f, "{path}!/META-INF/versions/{}/{name}.class", self.entry.version())
            }
            (OpenedRoot::Jar(_), _) => write!(f, "{path}!/{name}.class"),
            (OpenedRoot::Jmod(_), _) => write!(f, "{path}!/classes/{name}.class"),
            (OpenedRoot::Image(image), EntryPlace::Image(located)) => {
                write!(f, "{path}!/{}/{name}.class", OneLine(image.module(&located)))
            }
            (OpenedRoot::Image(_), _) => write!(f, "{path}!/{name}.class"),
        }
    }
}
