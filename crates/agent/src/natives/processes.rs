//! Processes that are started and native libraries that are loaded.

use super::paths::Path;
use super::{natives, note};
use crate::recorder::recorder;
use crate::vm::{Jni, Object};
use tamis_trace::{Noted, Process};

const LIBRARY: &str = "java/lang/ClassLoader$NativeLibrary";
const LIBRARIES: &str = "jdk/internal/loader/NativeLibraries";

natives! { TABLE:
    [
        ("java/lang/UNIXProcess", "forkAndExec", "(I[B[B[BI[BI[B[IZ)I"),
        ("java/lang/ProcessImpl", "forkAndExec", "(I[B[B[BI[BI[B[IZ)I"),
    ],
    fn(
        this, mode: i32, helper: Object, program: Object, arguments: Object, count: i32, environment: Object,
        variables: i32, directory: Object, descriptors: Object, redirect: u8
    ) -> i32, |jni| Some((texts(jni, program), texts(jni, arguments))),
    |jni: Jni, (program, arguments): (Vec<String>, Vec<String>), pid: i32| {
        // One that could not be started has no number: that it could not is what was seen.
        let pid = if jni.threw() { 0 } else { u32::try_from(pid).unwrap_or(0) };
        let program = program.into_iter().next().unwrap_or_default();
        note(Noted::Process(Process { pid, program, arguments }));
        // If it is a JVM, whoever hears its hello must know that it is a test's.
        if let Some(recorder) = recorder().as_mut() {
            recorder.send();
        }
    };

    [(LIBRARY, "load", "(Ljava/lang/String;Z)V")],
    fn(this, path: Object, built_in: u8) -> (), |jni| Path::text(jni, path), |_, path: Path, ()| path.loaded();

    [(LIBRARY, "load0", "(Ljava/lang/String;ZZ)Z")],
    fn(this, path: Object, built_in: u8, throws: u8) -> u8,
    |jni| Path::text(jni, path), |_, path: Path, _| path.loaded();

    [(LIBRARIES, "load", "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z")],
    fn(this, library: Object, path: Object, built_in: u8, jni_library: u8, throws: u8) -> u8,
    |jni| Path::text(jni, path), |_, path: Path, _| path.loaded();

    [(LIBRARIES, "load", "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZ)Z")],
    fn(this, library: Object, path: Object, built_in: u8, throws: u8) -> u8,
    |jni| Path::text(jni, path), |_, path: Path, _| path.loaded();

    [(
        "jdk/internal/loader/RawNativeLibraries",
        "load0",
        "(Ljdk/internal/loader/RawNativeLibraries$RawNativeLibraryImpl;Ljava/lang/String;)Z",
    )],
    fn(this, library: Object, path: Object) -> u8, |jni| Library::new(jni, path), |_, library: Library, _| library.loaded();
}

/// What `SymbolLookup.libraryLookup` is given: a path, or a name that the system looks for.
enum Library {
    Path(Path),
    Name(String),
}

impl Library {
    fn new(jni: Jni, text: Object) -> Option<Library> {
        let name = jni.string(text)?;
        if name.contains('/') { Path::new(&name).map(Library::Path) } else { Some(Library::Name(name)) }
    }

    fn loaded(self) {
        match self {
            Library::Path(path) => path.loaded(),
            Library::Name(name) => note(Noted::Library(name)),
        }
    }
}

/// The NUL-ended texts of a `byte[]`.
fn texts(jni: Jni, array: Object) -> Vec<String> {
    let bytes = jni.bytes(array, 0, None).unwrap_or_default();
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
    if bytes.is_empty() {
        return Vec::new();
    }
    bytes.split(|byte| *byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}
