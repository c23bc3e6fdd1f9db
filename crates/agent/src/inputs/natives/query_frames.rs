//! Finds out from the stack which attributes of a file a program reads, and whose code it is.

use crate::recorder;
use crate::sync::lock;
use crate::vm::{JVMTI, JniEnv, JvmMethod};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Mutex;
use tamis_catalog::jdk::packages;
use tamis_wire::FileAttribute;

/// The code that reads an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::inputs) enum AttributeReader {
    Project,
    Library,
    /// A test framework, or the JDK for itself.
    Other,
}

/// The role of a method on the stack.
#[derive(Clone, Copy)]
enum QueryFrame {
    Program(AttributeReader),
    /// A method of the JDK that returns these attributes; `None` for those that a text names.
    Query(Option<&'static [FileAttribute]>),
    /// A method of the JDK through which a program calls another one.
    Between,
    Jdk,
}

/// Class, method, a part of its descriptor, and the attributes that it returns.
type QueryRow = (&'static str, &'static str, &'static str, Option<&'static [FileAttribute]>);

const FILES: &str = "java/nio/file/Files";
const MODIFIED: Option<&[FileAttribute]> = Some(&[FileAttribute::Modified]);
const OWNER: Option<&[FileAttribute]> = Some(&[FileAttribute::Owner]);

/// The attributes that a text can name.
const NAMED: [FileAttribute; 6] = [
    FileAttribute::Modified,
    FileAttribute::Accessed,
    FileAttribute::Created,
    FileAttribute::Permissions,
    FileAttribute::Owner,
    FileAttribute::Key,
];

/// Methods that return an object with all attributes are not among them: calls of its methods are noted.
const QUERIES: [QueryRow; 10] = [
    ("java/io/File", "lastModified", "", MODIFIED),
    (FILES, "getLastModifiedTime", "", MODIFIED),
    (FILES, "getOwner", "", OWNER),
    (FILES, "getPosixFilePermissions", "", Some(&[FileAttribute::Permissions])),
    (FILES, "getAttribute", "", None),
    (FILES, "readAttributes", "Ljava/lang/String;", None),
    ("sun/nio/fs/AbstractFileSystemProvider", "readAttributes", "Ljava/lang/String;", None),
    ("sun/nio/fs/FileOwnerAttributeViewImpl", "getOwner", "", OWNER),
    ("sun/nio/fs/UnixFileAttributeViews$Posix", "getOwner", "", OWNER),
    ("sun/net/www/protocol/file/FileURLConnection", "initializeHeaders", "", MODIFIED),
];

/// Classes between a program and a query, besides [`packages::BETWEEN`].
const CONNECTIONS: [&str; 2] = ["sun/net/www/protocol/file/FileURLConnection", "java/net/URLConnection"];

/// Frames to read: the JDK has about ten between the program and the native.
const FRAMES: usize = 24;

/// Frames to read where the program itself calls.
const NEAREST: usize = 4;

/// The name of a class that the JVM makes of a lambda or a method reference holds this behind the name of its class.
const LAMBDA: &str = "$$Lambda";

thread_local! {
    /// The attributes that the next call of this thread names.
    static NEXT: RefCell<Option<Vec<FileAttribute>>> = const { RefCell::new(None) };
}

static KNOWN: Mutex<Option<HashMap<usize, QueryFrame>>> = Mutex::new(None);

/// The attributes that the program has asked the JDK for; `None` if it asked for something else, or the JDK for itself.
pub(super) fn query(jni: JniEnv) -> Option<(Vec<FileAttribute>, AttributeReader)> {
    let mut asked = None;
    let attributes = |asked: Option<&[FileAttribute]>| match asked {
        Some(attributes) => attributes.to_vec(),
        None => NEXT.try_with(RefCell::take).ok().flatten().unwrap_or(NAMED.to_vec()),
    };
    for method in JVMTI.get()?.stack::<FRAMES>() {
        match (frame(jni, method), asked) {
            (QueryFrame::Query(attributes), None) => asked = Some(attributes),
            (QueryFrame::Program(AttributeReader::Other), _) => return None,
            (QueryFrame::Program(reader), asked) => return Some((attributes(asked?), reader)),
            (QueryFrame::Jdk, Some(_)) => return None,
            (QueryFrame::Jdk | QueryFrame::Between, None)
            | (QueryFrame::Query(_) | QueryFrame::Between, Some(_)) => {}
        }
    }
    Some((attributes(asked?), AttributeReader::Project))
}

/// The next call of this thread reads the attributes of this name: `size`, `posix:owner,permissions`, `*`.
pub(in crate::inputs) fn name_next(text: &str) {
    let names = text.split_once(':').map_or(text, |(_, names)| names);
    let named = names.split(',').flat_map(|name| -> &[FileAttribute] {
        match name {
            "lastModifiedTime" => &[FileAttribute::Modified],
            "lastAccessTime" => &[FileAttribute::Accessed],
            "creationTime" => &[FileAttribute::Created],
            "permissions" | "mode" => &[FileAttribute::Permissions],
            "owner" | "group" | "uid" | "gid" => &[FileAttribute::Owner],
            "fileKey" | "ino" | "dev" | "nlink" => &[FileAttribute::Key],
            "size" | "isRegularFile" | "isDirectory" | "isSymbolicLink" | "isOther" => &[],
            _ => &NAMED,
        }
    });
    let named = named.copied().collect();
    let _ = NEXT.try_with(|next| next.replace(Some(named)));
}

/// Whose code calls.
pub(super) fn reader(jni: JniEnv) -> AttributeReader {
    let stack = JVMTI.get().map(|jvmti| jvmti.stack::<NEAREST>()).unwrap_or_default();
    let mut program = stack.into_iter().filter_map(|method| match frame(jni, method) {
        QueryFrame::Program(reader) => Some(reader),
        QueryFrame::Query(_) | QueryFrame::Between | QueryFrame::Jdk => None,
    });
    program.next().unwrap_or(AttributeReader::Project)
}

fn frame(jni: JniEnv, method: JvmMethod) -> QueryFrame {
    if let Some(frame) = lock(&KNOWN).get_or_insert_default().get(&(method as usize)) {
        return *frame;
    }
    let frame = look(jni, method).unwrap_or(QueryFrame::Program(AttributeReader::Project));
    lock(&KNOWN).get_or_insert_default().insert(method as usize, frame);
    frame
}

fn look(jni: JniEnv, method: JvmMethod) -> Option<QueryFrame> {
    let jvmti = JVMTI.get()?;
    let class = jvmti.declaring_class(method).ok()?;
    let signature = jvmti.class_signature(class);
    jni.forget(class);
    let signature = signature?;
    let class = signature.strip_prefix('L')?.strip_suffix(';')?;
    let class = class.split_once(LAMBDA).map_or(class, |(host, _)| host);
    let program = |is_watched: bool| {
        QueryFrame::Program(match is_watched {
            true => AttributeReader::Project,
            false if tamis_catalog::has_no_probes(class) => AttributeReader::Other,
            false => AttributeReader::Library,
        })
    };
    match recorder::with(|recorder| recorder.is_watched(class))? {
        Some(is_watched) => return Some(program(is_watched)),
        None if !packages::OWN.has(class) => return Some(program(true)),
        None => {}
    }
    let (name, descriptor) = jvmti.method_name(method).ok()?;
    let queries = QUERIES
        .iter()
        .find(|(owner, query, part, _)| *owner == class && *query == name && descriptor.contains(part));
    Some(match queries {
        Some((_, _, _, attributes)) => QueryFrame::Query(*attributes),
        None if packages::BETWEEN.has(class) || CONNECTIONS.contains(&class) => QueryFrame::Between,
        None => QueryFrame::Jdk,
    })
}
