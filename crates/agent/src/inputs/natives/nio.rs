//! `java.nio.file`: the system calls of the JDK.
//!
//! A path is the address of a C string. From JDK 21 on some calls return an error number instead of throwing an exception.

use super::files::moved;
use super::natives;
use super::paths::NotedPath;
use crate::inputs::natives::note;
use crate::vm::{JavaEnv, JavaObject};
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use tamis_wire::Input;

pub(super) const NIO: &str = "sun/nio/fs/UnixNativeDispatcher";

// As Linux numbers them on x86-64 and aarch64.
const WRITE_ONLY: i32 = 0o1;
const READ_WRITE: i32 = 0o2;
const EXCLUSIVE: i32 = 0o200;
const TRUNCATE: i32 = 0o1000;

natives! { TABLE:
    [(NIO, "open0", "(JII)I")],
    fn(this, path: i64, flags: i32, mode: i32) -> i32,
    |_| FileOpening::new(NotedPath::at(path)?, flags), |jni: JavaEnv, opening: FileOpening, descriptor| opening.end(jni, descriptor);

    [(NIO, "openat0", "(IJII)I")],
    fn(this, directory: i32, path: i64, flags: i32, mode: i32) -> i32,
    |_| FileOpening::new(NotedPath::below(directory, path)?, flags),
    |jni: JavaEnv, opening: FileOpening, descriptor| opening.end(jni, descriptor);

    // The mode, or 0.
    [(NIO, "stat1", "(J)I")],
    fn(this, path: i64) -> i32, |_| NotedPath::at(path), |jni, path, mode: i32| asked(jni, path, i32::from(mode == 0));

    [(NIO, "exists0", "(J)Z")],
    fn(this, path: i64) -> u8, |_| NotedPath::at(path), |jni, path, exists: u8| asked(jni, path, i32::from(exists == 0));

    [(NIO, "access0", "(JI)V")],
    fn(this, path: i64, mode: i32) -> (), |_| NotedPath::at(path), |jni, path: NotedPath, ()| {
        asked(jni, path.clone(), 0);
        path.permitted(mode);
    };

    [(NIO, "access0", "(JI)I")],
    fn(this, path: i64, mode: i32) -> i32, |_| NotedPath::at(path), |jni, path: NotedPath, error| {
        asked(jni, path.clone(), error);
        path.permitted(mode);
    };

    [(NIO, "readlink0", "(J)[B")],
    fn(this, path: i64) -> JavaObject, |_| NotedPath::at(path), |jni, path, _| asked_link(jni, path);

    [(NIO, "realpath0", "(J)[B")],
    fn(this, path: i64) -> JavaObject, |_| NotedPath::at(path), |jni, path, _| asked(jni, path, 0);

    [(NIO, "opendir0", "(J)J")],
    fn(this, path: i64) -> i64, |_| NotedPath::at(path), |jni: JavaEnv, path: NotedPath, _| {
        if jni.threw() { path.in_doubt() } else { path.listed() }
    };

    [(NIO, "fdopendir", "(I)J")],
    fn(this, descriptor: i32) -> i64, |_| directory(descriptor), |jni: JavaEnv, path: NotedPath, _| {
        if jni.threw() { path.in_doubt() } else { path.listed() }
    };

    [("sun/nio/fs/LinuxWatchService", "inotifyAddWatch", "(IJI)I")],
    fn(this, descriptor: i32, path: i64, mask: i32) -> i32, |_| NotedPath::at(path), |jni: JavaEnv, path: NotedPath, _| {
        if jni.threw() { path.in_doubt() } else { path.listed() }
    };

    [(NIO, "mkdir0", "(JI)V")],
    fn(this, path: i64, mode: i32) -> (), |_| NotedPath::at(path), |jni, path, ()| changed(jni, path);

    [(NIO, "mknod0", "(JIJ)V")],
    fn(this, path: i64, mode: i32, device: i64) -> (), |_| NotedPath::at(path), |jni, path, ()| changed(jni, path);

    [(NIO, "unlink0", "(J)V")],
    fn(this, path: i64) -> (), |_| NotedPath::at(path), |jni, path, ()| changed(jni, path);

    [(NIO, "unlinkat0", "(IJI)V")],
    fn(this, directory: i32, path: i64, flags: i32) -> (),
    |_| NotedPath::below(directory, path), |jni, path, ()| changed(jni, path);

    [(NIO, "rmdir0", "(J)V")],
    fn(this, path: i64) -> (), |_| NotedPath::at(path), |jni, path, ()| changed(jni, path);

    [(NIO, "rename0", "(JJ)V")],
    fn(this, from: i64, to: i64) -> (),
    |_| Some((NotedPath::at(from), NotedPath::at(to))), |jni: JavaEnv, (from, to), ()| moved(from, to, !jni.threw());

    [(NIO, "renameat0", "(IJIJ)V")],
    fn(this, old: i32, from: i64, new: i32, to: i64) -> (),
    |_| Some((NotedPath::below(old, from), NotedPath::below(new, to))),
    |jni: JavaEnv, (from, to), ()| moved(from, to, !jni.threw());

    [(NIO, "link0", "(JJ)V")],
    fn(this, existing: i64, link: i64) -> (),
    |_| Some((NotedPath::at(existing), NotedPath::at(link))), |jni: JavaEnv, (existing, link): (Option<NotedPath>, Option<NotedPath>), ()| {
        if let Some(existing) = existing {
            if jni.threw() { existing.link_in_doubt() } else { existing.read() }
        }
        if let Some(link) = link {
            changed(jni, link);
        }
    };

    [(NIO, "symlink0", "(JJ)V")],
    fn(this, target: i64, link: i64) -> (),
    |_| Some((NotedPath::at(target), NotedPath::at(link))), |jni: JavaEnv, (target, link): (Option<NotedPath>, Option<NotedPath>), ()| {
        // Reads through the link read the target.
        if let Some(target) = target {
            if jni.threw() { target.link_in_doubt() } else { target.read() }
        }
        if let Some(link) = link {
            changed(jni, link);
        }
    };

    [(NIO, "chmod0", "(JI)V")],
    fn(this, path: i64, mode: i32) -> (), |_| NotedPath::at(path), |jni, path, ()| asked(jni, path, 0);

    [(NIO, "fchmodat0", "(IJII)V")],
    fn(this, directory: i32, path: i64, mode: i32, flags: i32) -> (),
    |_| NotedPath::below(directory, path), |jni, path, ()| asked_link(jni, path);

    [(NIO, "chown0", "(JII)V")],
    fn(this, path: i64, user: i32, group: i32) -> (), |_| NotedPath::at(path), |jni, path, ()| asked(jni, path, 0);

    [(NIO, "lchown0", "(JII)V")],
    fn(this, path: i64, user: i32, group: i32) -> (), |_| NotedPath::at(path), |jni, path, ()| asked_link(jni, path);

    [(NIO, "statvfs0", "(JLsun/nio/fs/UnixFileStoreAttributes;)V")],
    fn(this, path: i64, attributes: JavaObject) -> (), |_| Some(()), |_, (), ()| note(Input::Machine("disk".to_owned()));
}

/// `error` is the error number that newer JDKs return.
fn asked(jni: JavaEnv, path: NotedPath, error: i32) {
    if jni.threw() || error != 0 { path.in_doubt() } else { path.examined() }
}

fn asked_link(jni: JavaEnv, path: NotedPath) {
    if jni.threw() { path.link_in_doubt() } else { path.examined() }
}

fn changed(jni: JavaEnv, path: NotedPath) {
    if jni.threw() { path.link_in_doubt() } else { path.written() }
}

thread_local! {
    /// The directory that this thread opened last, with the path that the program used: it is listed next.
    static DIRECTORY: RefCell<Option<(i32, NotedPath)>> = const { RefCell::new(None) };
}

/// The path of a directory that was opened to be listed.
fn directory(descriptor: i32) -> Option<NotedPath> {
    let last = DIRECTORY.try_with(|last| last.borrow_mut().take()).ok().flatten();
    match last {
        Some((opened, path)) if opened == descriptor => Some(path),
        _ => NotedPath::open(descriptor),
    }
}

/// A file about to be opened.
struct FileOpening {
    path: NotedPath,
    flags: i32,
    /// Whether the file existed before, if that matters.
    before: bool,
}

impl FileOpening {
    fn new(path: NotedPath, flags: i32) -> Option<FileOpening> {
        let writes = flags & (WRITE_ONLY | READ_WRITE) != 0;
        let before = writes && flags & (TRUNCATE | EXCLUSIVE) == 0 && path.exists();
        Some(FileOpening { path, flags, before })
    }

    fn end(self, jni: JavaEnv, descriptor: i32) {
        let FileOpening { path, flags, before } = self;
        if jni.threw() || descriptor < 0 {
            return path.in_doubt();
        }
        let empties = flags & (TRUNCATE | EXCLUSIVE) != 0;
        if flags & READ_WRITE != 0 && !empties {
            let held = path.clone();
            if before {
                held.read()
            } else {
                held.missing()
            }
            path.written();
        } else if flags & (WRITE_ONLY | READ_WRITE) != 0 {
            if before { path.written_on() } else { path.written() }
        } else if is_directory(descriptor) {
            // Opened to be listed, by another call.
            let _ = DIRECTORY.try_with(|last| *last.borrow_mut() = Some((descriptor, path)));
        } else {
            path.read();
        }
    }
}

fn is_directory(descriptor: i32) -> bool {
    // SAFETY: the descriptor was opened just now; `ManuallyDrop` leaves it open.
    let file = ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(descriptor) });
    file.metadata().is_ok_and(|metadata| metadata.is_dir())
}
