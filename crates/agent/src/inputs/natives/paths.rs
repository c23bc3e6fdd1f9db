//! Paths as inputs, and the paths that are not noted.
//!
//! A path is noted as the program used it, made absolute against the directory of the process; links are not resolved. The files
//! of the JDK and the jars of class path and module path are facts of the whole JVM, not of a test.

use super::callers::{self, ReadPurpose};
use super::{gap, held_notes, note};
use crate::recorder::pending_reads::{self, LoaderRoot};
use crate::sync::lock;
use crate::vm::{JavaEnv, JavaObject, JvmField, JvmtiEnv};
use std::collections::HashSet;
use std::ffi::{CStr, c_char};
use std::sync::{Mutex, OnceLock};
use tamis_catalog::builds::build_info;
use tamis_catalog::jdk::{packages, properties};
use tamis_wire::Input;

/// Paths that are known when the JVM has started.
struct KnownPaths {
    /// The directory of the process; a JVM never leaves it.
    directory: String,
    /// The home of the JDK.
    java_home: String,
    /// The directory of the JDK's settings, if it is elsewhere: distributions link to it.
    settings: String,
    /// Jars of the class path and the module path, and missing entries.
    jars: HashSet<String>,
    /// Directories of both. Class loaders check that they exist, and look up each file in them separately.
    directories: HashSet<String>,
    socket: String,
    /// The directory of this process in `/proc`, by its number; the name `self` is known.
    process: String,
    /// `java.io.File.path`
    file_path: usize,
}

static PLACES: OnceLock<KnownPaths> = OnceLock::new();

/// Files that existed and were opened for writing without being truncated.
static KEPT: Mutex<Option<HashSet<String>>> = Mutex::new(None);

pub(super) fn start(jvmti: JvmtiEnv, jni: JavaEnv, socket: &str, class_path: Vec<String>) {
    let directory = std::env::current_dir().map_or(String::new(), |path| path.to_string_lossy().into_owned());
    let java_home = jvmti.property(properties::HOME).unwrap_or_default();
    // For a JDK 8 the property is the JRE inside it.
    let java_home = java_home.strip_suffix("/jre").unwrap_or(&java_home).to_owned();
    let settings = std::fs::canonicalize(format!("{java_home}/conf/net.properties"));
    let settings = settings.ok().and_then(|file| Some(file.parent()?.to_string_lossy().into_owned()));
    let settings = settings.unwrap_or_default();
    // An empty entry is the directory of the process; an absent path has no entry.
    let paths = [properties::CLASS_PATH, properties::MODULE_PATH].map(|name| jvmti.property(name));
    let entries =
        paths.iter().flatten().flat_map(|path| path.split(':')).map(|entry| absolute(&directory, entry));
    let entries = entries.chain(class_path);
    let (directories, jars) = entries.partition(|entry| std::path::Path::new(entry).is_dir());
    let file = jni.find_class("java/io/File");
    let file_path = file.and_then(|file| jni.field(file, "path", "Ljava/lang/String;"));
    if let Some(file) = file {
        jni.forget(file);
    }
    let file_path = file_path.map_or(0, |field| field as usize);
    let process = format!("/proc/{}", std::process::id());
    let socket = socket.to_owned();
    let places = KnownPaths { directory, java_home, settings, jars, directories, socket, process, file_path };
    if PLACES.set(places).is_ok() && file_path == 0 {
        gap("java.io.File has no path".to_owned());
    }
}

/// An absolute path that is noted.
#[derive(Clone)]
pub(super) struct NotedPath(String);

impl NotedPath {
    /// A `java.lang.String`.
    pub(super) fn string(jni: JavaEnv, text: JavaObject) -> Option<NotedPath> {
        NotedPath::new(&jni.string(text)?)
    }

    /// A `java.io.File`.
    pub(super) fn file(jni: JavaEnv, file: JavaObject) -> Option<NotedPath> {
        let text = jni.object_in(file, PLACES.get()?.file_path as JvmField)?;
        let path = NotedPath::string(jni, text);
        jni.forget(text);
        path
    }

    /// The address of a C string, as in `java.nio.file`.
    pub(super) fn at(address: i64) -> Option<NotedPath> {
        if address == 0 {
            return None;
        }
        // SAFETY: the JDK passes the address of a C string that lives through the native's call.
        let text = unsafe { CStr::from_ptr(address as usize as *const c_char) };
        NotedPath::new(&text.to_string_lossy())
    }

    /// The same, relative to an open directory.
    pub(super) fn below(directory: i32, address: i64) -> Option<NotedPath> {
        let name = NotedPath::at(address);
        if address == 0 || directory < 0 {
            return name;
        }
        // SAFETY: as in `at`.
        let text = unsafe { CStr::from_ptr(address as usize as *const c_char) }.to_string_lossy();
        if text.starts_with('/') {
            return name;
        }
        NotedPath::new(&format!("{}/{text}", opened(directory)?))
    }

    /// The path of an open file or directory.
    pub(super) fn open(descriptor: i32) -> Option<NotedPath> {
        NotedPath::new(&opened(descriptor)?)
    }

    pub(super) fn new(text: &str) -> Option<NotedPath> {
        let places = PLACES.get()?;
        let path = absolute(&places.directory, text);
        let below = |folder: &str| {
            !folder.is_empty()
                && path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let ignored = below(&places.java_home)
            || below(&places.settings)
            || below("/proc/self")
            || below(&places.process)
            || ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"].contains(&path.as_str())
            || places.jars.contains(&path)
            || path == places.socket;
        (!ignored).then_some(NotedPath(path))
    }

    /// The path.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether the file exists now.
    pub(super) fn exists(&self) -> bool {
        std::fs::metadata(&self.0).is_ok()
    }

    /// Whether the path is a directory now.
    pub(super) fn is_directory(&self) -> bool {
        std::fs::metadata(&self.0).is_ok_and(|metadata| metadata.is_dir())
    }

    pub(super) fn read(self) {
        let is_kept = lock(&KEPT).as_ref().is_some_and(|kept| kept.contains(&self.0));
        if is_kept {
            gap(format!("{} was written to before it was read: what it held before is not known", self.0));
        }
        put(self, Input::Read);
    }

    pub(super) fn examined(self) {
        if !PLACES.get().is_some_and(|places| places.directories.contains(&self.0)) {
            put(self, Input::Examined);
        }
    }

    /// The file does not exist. That a name which was just made up is free is no input.
    pub(super) fn missing(self) {
        if !callers::is_for_new_name() {
            put(self, Input::Missing);
        }
    }

    pub(super) fn listed(self) {
        put(self, Input::Listed);
    }

    pub(super) fn written(self) {
        put(self, Input::Written);
    }

    /// The file was loaded as a native library.
    pub(super) fn loaded(self) {
        note(Input::Library(self.0));
    }

    /// The file existed and keeps its contents, so reading it later also reads the earlier contents. A log file that is only
    /// appended to is not an input, so this is not noted as a read.
    pub(super) fn written_on(self) {
        lock(&KEPT).get_or_insert_default().insert(self.0.clone());
        self.written();
    }

    /// A call failed, or its result is the same as for a missing file.
    pub(super) fn in_doubt(self) {
        match std::fs::metadata(&self.0) {
            Ok(_) => self.examined(),
            Err(error) => self.failed(&error),
        }
    }

    /// As [`NotedPath::in_doubt`], for calls that do not follow links.
    pub(super) fn link_in_doubt(self) {
        match std::fs::symlink_metadata(&self.0) {
            Ok(_) => self.examined(),
            Err(error) => self.failed(&error),
        }
    }

    fn failed(self, error: &std::io::Error) {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        if matches!(error.kind(), NotFound | NotADirectory) { self.missing() } else { self.examined() }
    }
}

/// How class loaders use a directory.
pub(crate) fn root(directory: &str) -> LoaderRoot {
    let Some(places) = PLACES.get() else { return LoaderRoot::Elsewhere };
    if places.directories.contains(directory) {
        return LoaderRoot::Known;
    }
    let is_below =
        |root: &String| directory.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'));
    if places.directories.iter().any(is_below) { LoaderRoot::Below } else { LoaderRoot::Elsewhere }
}

fn put(path: NotedPath, kind: fn(String) -> Input) {
    let is_class_file = pending_reads::is_class_file(&path.0);
    if packages::is_about_limits(&path.0) && callers::is_for_limits() {
        return note(Input::Machine("limits".to_owned()));
    }
    let what = kind(path.0);
    match what {
        Input::Written(_) if is_class_file => {
            pending_reads::take().into_iter().for_each(note);
            note(what);
        }
        Input::Read(path) if is_class_file => match callers::read_purpose() {
            Some(ReadPurpose::Declarations) => note(Input::Declared(path)),
            Some(ReadPurpose::Components) => note(Input::Scanned(path)),
            None => pending_reads::hold(Input::Read(path)).into_iter().for_each(note),
        },
        Input::Read(path) if build_info::is_note(&path) && callers::is_for_build_info() => {
            note(Input::Examined(path.clone()));
            held_notes::hold(path);
        }
        _ if is_class_file => pending_reads::hold(what).into_iter().for_each(note),
        _ => note(what),
    }
}

fn opened(descriptor: i32) -> Option<String> {
    let path = std::fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
    Some(path.to_string_lossy().into_owned())
}

/// Without `.` and empty components; `..` stays, since the component before it may be a link.
fn absolute(directory: &str, path: &str) -> String {
    let mut absolute = String::with_capacity(directory.len() + path.len() + 1);
    let base = if path.starts_with('/') { "" } else { directory };
    for component in base.split('/').chain(path.split('/')) {
        if !component.is_empty() && component != "." {
            absolute.push('/');
            absolute.push_str(component);
        }
    }
    if absolute.is_empty() { "/".to_owned() } else { absolute }
}

#[cfg(test)]
mod tests {
    use super::absolute;

    #[test]
    fn paths_are_made_absolute_and_links_are_not_resolved() {
        for (path, expected) in [
            ("x", "/w/x"),
            ("./x/.//y/", "/w/x/y"),
            ("", "/w"),
            ("../x", "/w/../x"),
            ("/a/./b", "/a/b"),
            ("/", "/"),
        ] {
            assert_eq!(absolute("/w", path), expected, "{path}");
        }
    }
}
