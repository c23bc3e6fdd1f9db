//! Processes that are started and native libraries that are loaded.

use super::paths::NotedPath;
use super::{natives, note};
use crate::recorder;
use crate::vm::{JavaEnv, JavaObject};
use tamis_wire::{Input, StartedProcess};

const LIBRARY: &str = "java/lang/ClassLoader$NativeLibrary";
const LIBRARIES: &str = "jdk/internal/loader/NativeLibraries";

natives! { TABLE:
    [
        ("java/lang/UNIXProcess", "forkAndExec", "(I[B[B[BI[BI[B[IZ)I"),
        ("java/lang/ProcessImpl", "forkAndExec", "(I[B[B[BI[BI[B[IZ)I"),
    ],
    fn(
        this, mode: i32, helper: JavaObject, program: JavaObject, arguments: JavaObject, count: i32, environment: JavaObject,
        variables: i32, directory: JavaObject, descriptors: JavaObject, redirect: u8
    ) -> i32, |jni| Some((texts(jni, program), texts(jni, arguments))),
    |jni: JavaEnv, (program, arguments): (Vec<String>, Vec<String>), pid: i32| {
        // A process that could not be started has no number; the failure is the input.
        let pid = if jni.threw() { 0 } else { u32::try_from(pid).unwrap_or(0) };
        let program = program.into_iter().next().unwrap_or_default();
        note(Input::Process(StartedProcess { pid, program, arguments }));
        // If it is a JVM, the CLI must know that a test started it before its hello arrives.
        recorder::with(|recorder| recorder.send());
    };

    [(LIBRARY, "load", "(Ljava/lang/String;Z)V")],
    fn(this, path: JavaObject, built_in: u8) -> (), |jni| NotedPath::string(jni, path), |_, path: NotedPath, ()| path.loaded();

    [(LIBRARY, "load0", "(Ljava/lang/String;ZZ)Z")],
    fn(this, path: JavaObject, built_in: u8, throws: u8) -> u8,
    |jni| NotedPath::string(jni, path), |_, path: NotedPath, _| path.loaded();

    [(LIBRARIES, "load", "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z")],
    fn(this, library: JavaObject, path: JavaObject, built_in: u8, jni_library: u8, throws: u8) -> u8,
    |jni| NotedPath::string(jni, path), |_, path: NotedPath, _| path.loaded();

    [(LIBRARIES, "load", "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZ)Z")],
    fn(this, library: JavaObject, path: JavaObject, built_in: u8, throws: u8) -> u8,
    |jni| NotedPath::string(jni, path), |_, path: NotedPath, _| path.loaded();

    [(
        "jdk/internal/loader/RawNativeLibraries",
        "load0",
        "(Ljdk/internal/loader/RawNativeLibraries$RawNativeLibraryImpl;Ljava/lang/String;)Z",
    )],
    fn(this, library: JavaObject, path: JavaObject) -> u8, |jni| LibraryLookup::new(jni, path), |_, library: LibraryLookup, _| library.loaded();
}

/// The argument of `SymbolLookup.libraryLookup`: a path, or a name that the system looks for.
enum LibraryLookup {
    Path(NotedPath),
    Name(String),
}

impl LibraryLookup {
    fn new(jni: JavaEnv, text: JavaObject) -> Option<LibraryLookup> {
        let name = jni.string(text)?;
        if name.contains('/') {
            NotedPath::new(&name).map(LibraryLookup::Path)
        } else {
            Some(LibraryLookup::Name(name))
        }
    }

    fn loaded(self) {
        match self {
            LibraryLookup::Path(path) => path.loaded(),
            LibraryLookup::Name(name) => note(Input::Library(name)),
        }
    }
}

/// The NUL-ended texts of a `byte[]`.
fn texts(jni: JavaEnv, array: JavaObject) -> Vec<String> {
    let bytes = jni.bytes(array, 0, None).unwrap_or_default();
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
    if bytes.is_empty() {
        return Vec::new();
    }
    bytes.split(|byte| *byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}
