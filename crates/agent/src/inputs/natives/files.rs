//! `java.io` and `java.util.zip`: files that are opened, examined, listed and changed.
//!
//! After a failed call the agent examines the file itself, to tell a missing file from one that cannot be read. Changed
//! permissions and times do not count as writing: the contents stay the same.

use super::natives;
use super::paths::NotedPath;
use crate::inputs::natives::note;
use crate::vm::{JavaEnv, JavaObject};
use tamis_wire::Input;

const FILES: &str = "java/io/UnixFileSystem";

natives! { TABLE:
    [("java/io/FileInputStream", "open0", "(Ljava/lang/String;)V")],
    fn(this, path: JavaObject) -> (), |jni| NotedPath::string(jni, path), |jni: JavaEnv, path: NotedPath, ()| {
        if jni.threw() { path.in_doubt() } else { path.read() }
    };

    [("java/io/FileOutputStream", "open0", "(Ljava/lang/String;Z)V")],
    fn(this, path: JavaObject, append: u8) -> (), |jni| {
        let path = NotedPath::string(jni, path)?;
        let keeps = append != 0 && path.exists();
        Some((path, keeps))
    }, |jni: JavaEnv, (path, keeps): (NotedPath, bool), ()| {
        match (jni.threw(), keeps) {
            (true, _) => path.in_doubt(),
            (false, true) => path.written_on(),
            (false, false) => path.written(),
        }
    };

    [("java/io/RandomAccessFile", "open0", "(Ljava/lang/String;I)V")],
    fn(this, path: JavaObject, mode: i32) -> (), |jni| {
        let path = NotedPath::string(jni, path)?;
        // RandomAccessFile.O_RDWR
        let before = (mode & 2 != 0).then(|| path.exists());
        Some((path, before))
    }, |jni: JavaEnv, (path, before): (NotedPath, Option<bool>), ()| {
        if jni.threw() {
            return path.in_doubt();
        }
        match before {
            None => path.read(),
            Some(true) => {
                path.clone().read();
                path.written();
            }
            Some(false) => {
                path.clone().missing();
                path.written();
            }
        }
    };

    [("java/util/zip/ZipFile", "open", "(Ljava/lang/String;IJZ)J")],
    fn(this, path: JavaObject, mode: i32, modified: i64, mapped: u8) -> i64,
    |jni| NotedPath::string(jni, path), |jni: JavaEnv, path: NotedPath, _| {
        if jni.threw() { path.in_doubt() } else { path.read() }
    };

    [(FILES, "getBooleanAttributes0", "(Ljava/io/File;)I")],
    fn(this, file: JavaObject) -> i32, |jni| NotedPath::file(jni, file), |_, path: NotedPath, attributes: i32| {
        // FileSystem.BA_EXISTS
        if attributes & 1 != 0 { path.examined() } else { path.missing() }
    };

    [
        (FILES, "getLength", "(Ljava/io/File;)J"),
        (FILES, "getLength0", "(Ljava/io/File;)J"),
    ],
    fn(this, file: JavaObject) -> i64, |jni| NotedPath::file(jni, file), |_, path, length| answered(path, length != 0);

    [
        (FILES, "checkAccess", "(Ljava/io/File;I)Z"),
        (FILES, "checkAccess0", "(Ljava/io/File;I)Z"),
    ],
    fn(this, file: JavaObject, access: i32) -> u8, |jni| NotedPath::file(jni, file), |_, path: NotedPath, yes: u8| {
        answered(path.clone(), yes != 0);
        path.permitted(access);
    };

    [
        (FILES, "list", "(Ljava/io/File;)[Ljava/lang/String;"),
        (FILES, "list0", "(Ljava/io/File;)[Ljava/lang/String;"),
    ],
    fn(this, file: JavaObject) -> JavaObject, |jni| NotedPath::file(jni, file), |_, path: NotedPath, names: JavaObject| {
        if names.is_null() { path.in_doubt() } else { path.listed() }
    };

    [(FILES, "canonicalize0", "(Ljava/lang/String;)Ljava/lang/String;")],
    fn(this, path: JavaObject) -> JavaObject, |jni| NotedPath::string(jni, path), |_, path: NotedPath, _| path.in_doubt();

    [
        (FILES, "createFileExclusively", "(Ljava/lang/String;)Z"),
        (FILES, "createFileExclusively0", "(Ljava/lang/String;)Z"),
    ],
    fn(this, path: JavaObject) -> u8, |jni| NotedPath::string(jni, path), |_, path, created| changed(path, created);

    [
        (FILES, "createDirectory", "(Ljava/io/File;)Z"),
        (FILES, "createDirectory0", "(Ljava/io/File;)Z"),
    ],
    fn(this, file: JavaObject) -> u8, |jni| NotedPath::file(jni, file), |_, path, created| changed(path, created);

    [(FILES, "delete0", "(Ljava/io/File;)Z")],
    fn(this, file: JavaObject) -> u8, |jni| NotedPath::file(jni, file), |_, path, deleted| changed(path, deleted);

    [(FILES, "rename0", "(Ljava/io/File;Ljava/io/File;)Z")],
    fn(this, from: JavaObject, to: JavaObject) -> u8,
    |jni| Some((NotedPath::file(jni, from), NotedPath::file(jni, to))), |_, (from, to), renamed| {
        moved(from, to, renamed != 0)
    };

    [
        (FILES, "setPermission", "(Ljava/io/File;IZZ)Z"),
        (FILES, "setPermission0", "(Ljava/io/File;IZZ)Z"),
    ],
    fn(this, file: JavaObject, access: i32, enable: u8, owner: u8) -> u8,
    |jni| NotedPath::file(jni, file), |_, path, done| answered(path, done != 0);

    [
        (FILES, "setReadOnly", "(Ljava/io/File;)Z"),
        (FILES, "setReadOnly0", "(Ljava/io/File;)Z"),
    ],
    fn(this, file: JavaObject) -> u8, |jni| NotedPath::file(jni, file), |_, path, done| answered(path, done != 0);

    [
        (FILES, "getSpace", "(Ljava/io/File;I)J"),
        (FILES, "getSpace0", "(Ljava/io/File;I)J"),
    ],
    fn(this, file: JavaObject, kind: i32) -> i64, |_| Some(()), |_, (), _| note(Input::Machine("disk".to_owned()));
}

/// The result `answer` proves that the file exists; otherwise the call may have failed.
fn answered(path: NotedPath, answer: bool) {
    if answer { path.examined() } else { path.in_doubt() }
}

fn changed(path: NotedPath, changed: u8) {
    if changed != 0 { path.written() } else { path.link_in_doubt() }
}

/// A file was renamed: its contents under the new name are those under the old one.
pub(super) fn moved(from: Option<NotedPath>, to: Option<NotedPath>, done: bool) {
    if !done {
        if let Some(from) = from {
            from.link_in_doubt();
        }
        return;
    }
    if let Some(from) = from {
        let directory = to.as_ref().is_some_and(NotedPath::is_directory);
        let contents = from.clone();
        if directory {
            contents.examined()
        } else {
            contents.read()
        }
        from.written();
    }
    if let Some(to) = to {
        to.written();
    }
}
