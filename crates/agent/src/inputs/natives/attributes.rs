//! Attributes of files: times, permissions, owners.
//!
//! One native method reads all attributes of a file, whichever are needed. So the stack tells which method of the JDK the program
//! called, and with it which attributes the program gets. An object that holds all of them is known by the number of its file, for
//! the calls that read it. What test frameworks and the JDK read for themselves is not noted.

use super::nio::NIO;
use super::paths::NotedPath;
use super::query_frames::{self, AttributeReader};
use super::{gap, natives, note};
use crate::sync::lock;
use crate::vm::{JavaEnv, JavaObject, JniEnv, JvmField};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use tamis_wire::{AttributeRead, CopiedTime, FileAttribute, Input};

natives! { TABLE:
    [
        ("java/io/UnixFileSystem", "getLastModifiedTime", "(Ljava/io/File;)J"),
        ("java/io/UnixFileSystem", "getLastModifiedTime0", "(Ljava/io/File;)J"),
    ],
    fn(this, file: JavaObject) -> i64, |jni| NotedPath::file(jni, file), |jni: JavaEnv, path: NotedPath, time: i64| {
        if time == 0 {
            return path.in_doubt();
        }
        path.clone().examined();
        saw_time(path.text(), time);
        note_query(jni.quiet(), &path);
    };

    [
        ("java/io/UnixFileSystem", "setLastModifiedTime", "(Ljava/io/File;J)Z"),
        ("java/io/UnixFileSystem", "setLastModifiedTime0", "(Ljava/io/File;J)Z"),
    ],
    fn(this, file: JavaObject, time: i64) -> u8, |jni| NotedPath::file(jni, file), |_, path: NotedPath, done: u8| {
        if done == 0 {
            return path.in_doubt();
        }
        path.clone().examined();
        time_set(&path, time);
    };

    [(NIO, "stat0", "(JLsun/nio/fs/UnixFileAttributes;)V")],
    fn(this, path: i64, attributes: JavaObject) -> (), |_| Some(NotedPath::at(path)),
    |jni, path, ()| examined(jni, path, attributes, 0, NotedPath::in_doubt);

    [(NIO, "stat0", "(JLsun/nio/fs/UnixFileAttributes;)I")],
    fn(this, path: i64, attributes: JavaObject) -> i32, |_| Some(NotedPath::at(path)),
    |jni, path, error| examined(jni, path, attributes, error, NotedPath::in_doubt);

    [(NIO, "lstat0", "(JLsun/nio/fs/UnixFileAttributes;)V")],
    fn(this, path: i64, attributes: JavaObject) -> (), |_| Some(NotedPath::at(path)),
    |jni, path, ()| examined(jni, path, attributes, 0, NotedPath::link_in_doubt);

    [(NIO, "fstatat0", "(IJILsun/nio/fs/UnixFileAttributes;)V")],
    fn(this, directory: i32, path: i64, flags: i32, attributes: JavaObject) -> (),
    |_| Some(NotedPath::below(directory, path)),
    |jni, path, ()| examined(jni, path, attributes, 0, NotedPath::link_in_doubt);

    [
        (NIO, "fstat", "(ILsun/nio/fs/UnixFileAttributes;)V"),
        (NIO, "fstat0", "(ILsun/nio/fs/UnixFileAttributes;)V"),
    ],
    fn(this, descriptor: i32, attributes: JavaObject) -> (), |_| Some(NotedPath::open(descriptor)),
    |jni: JavaEnv, path: Option<NotedPath>, ()| if !jni.threw() {
        note_attributes(jni.quiet(), path.as_ref(), attributes);
    };

    [(NIO, "utimes0", "(JJJ)V")],
    fn(this, path: i64, access: i64, modified: i64) -> (), |_| NotedPath::at(path),
    |jni, path, ()| time_given(jni, path, modified / MICROSECONDS);

    [(NIO, "lutimes0", "(JJJ)V")],
    fn(this, path: i64, access: i64, modified: i64) -> (), |_| NotedPath::at(path),
    |jni, path, ()| time_given(jni, path, modified / MICROSECONDS);

    [(NIO, "futimes", "(IJJ)V"), (NIO, "futimes0", "(IJJ)V")],
    fn(this, descriptor: i32, access: i64, modified: i64) -> (), |_| NotedPath::open(descriptor),
    |_, path: NotedPath, ()| time_set(&path, modified / MICROSECONDS);

    [(NIO, "futimens", "(IJJ)V"), (NIO, "futimens0", "(IJJ)V")],
    fn(this, descriptor: i32, access: i64, modified: i64) -> (), |_| NotedPath::open(descriptor),
    |_, path: NotedPath, ()| time_set(&path, modified / NANOSECONDS);

    [(NIO, "utimensat0", "(IJJJI)V")],
    fn(this, directory: i32, path: i64, access: i64, modified: i64, flags: i32) -> (),
    |_| NotedPath::below(directory, path), |jni, path, ()| time_given(jni, path, modified / NANOSECONDS);
}

/// In a millisecond.
const MICROSECONDS: i64 = 1_000;
const NANOSECONDS: i64 = 1_000_000;

/// Limit on files that are known by their numbers.
const MOST_FILES: usize = 1 << 14;

/// The number of times that are remembered on each thread.
const RECENT: usize = 8;

/// The JDK's object that holds the attributes of a file, and the one that shows only some of them.
const HOLDER: &str = "sun.nio.fs.UnixFileAttributes";
const WRAPPER: &str = "sun.nio.fs.UnixFileAttributes$UnixAsBasicFileAttributes";
const WRAPPED: (&str, &str) = ("attrs", "Lsun/nio/fs/UnixFileAttributes;");

/// The fields of the holder, as numbers.
struct HolderFields {
    device: usize,
    number: usize,
    seconds: usize,
    nanoseconds: usize,
}

static FIELDS: OnceLock<Option<HolderFields>> = OnceLock::new();

/// By device and number: the paths of files whose attributes were read; `None` for files that are not noted.
type KnownFiles = HashMap<(i64, i64), Option<NotedPath>>;

static KNOWN: Mutex<Option<KnownFiles>> = Mutex::new(None);

/// Attributes, by bit, for which a method was handed on as a reference: any object may be asked for them from then on.
static HANDED_ON: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The files whose times this thread has read last, with the times in milliseconds.
    static TIMES: RefCell<VecDeque<(String, i64)>> = const { RefCell::new(VecDeque::new()) };
}

/// The inputs of a call that reads an attribute from an object. Without an object, the method is handed on as a reference.
pub(crate) fn inputs(jni: JavaEnv, object: JavaObject, attribute: FileAttribute) -> Vec<Input> {
    let reader = query_frames::reader(jni.quiet());
    if reader == AttributeReader::Other {
        return Vec::new();
    }
    let key = match jni.class_name(object).as_deref() {
        Some(HOLDER) => Some(key_of(jni.quiet(), object)),
        Some(WRAPPER) => jni.field_of(object, WRAPPED.0, WRAPPED.1).map(|holder| key_of(jni.quiet(), holder)),
        // Attributes of another file system.
        Some(class) if !class.starts_with("sun.nio.fs.") => return Vec::new(),
        _ => None,
    };
    if object.is_null() {
        HANDED_ON.fetch_or(1 << attribute as u32, Ordering::Relaxed);
    }
    let known = lock(&KNOWN);
    let Some(known) = known.as_ref() else { return Vec::new() };
    let paths: Vec<&NotedPath> = match key {
        Some(key) => known.get(&key).into_iter().flatten().collect(),
        None => known.values().flatten().collect(),
    };
    paths.iter().map(|path| path.attribute(attribute, reader == AttributeReader::Library)).collect()
}

/// The attributes of a file were read into an object.
fn examined(
    jni: JavaEnv,
    path: Option<NotedPath>,
    attributes: JavaObject,
    error: i32,
    in_doubt: fn(NotedPath),
) {
    if jni.threw() || error != 0 {
        return path.map_or((), in_doubt);
    }
    if let Some(path) = path.clone() {
        path.examined();
    }
    note_attributes(jni.quiet(), path.as_ref(), attributes);
}

fn note_attributes(jni: JniEnv, path: Option<&NotedPath>, attributes: JavaObject) {
    remember(jni, path, attributes);
    let Some(path) = path else { return };
    note_query(jni, path);
    let handed_on = HANDED_ON.load(Ordering::Relaxed);
    for attribute in FileAttribute::ALL {
        if handed_on & 1 << attribute as u32 != 0 {
            note(path.attribute(attribute, false));
        }
    }
}

/// Notes the attributes of a file that the method of the JDK returns which the program has called.
fn note_query(jni: JniEnv, path: &NotedPath) {
    if let Some((attributes, reader)) = query_frames::query(jni) {
        for attribute in attributes {
            note(path.attribute(attribute, reader == AttributeReader::Library));
        }
    }
}

fn remember(jni: JniEnv, path: Option<&NotedPath>, attributes: JavaObject) {
    let Some(fields) = FIELDS.get_or_init(|| fields_of(jni, attributes)) else {
        return gap(format!("{HOLDER} has other fields: file attributes are not known"));
    };
    if let Some(path) = path {
        let seconds = jni.long_in(attributes, fields.seconds as JvmField);
        let nanoseconds = jni.long_in(attributes, fields.nanoseconds as JvmField);
        saw_time(path.text(), seconds.saturating_mul(1_000).saturating_add(nanoseconds / NANOSECONDS));
    }
    let key = key_of(jni, attributes);
    let mut known = lock(&KNOWN);
    let known = known.get_or_insert_default();
    if known.len() < MOST_FILES || known.contains_key(&key) {
        known.insert(key, path.cloned());
    } else if let Some(path) = path {
        // It is not known later for which attributes its object is asked.
        for attribute in FileAttribute::ALL {
            note(path.attribute(attribute, false));
        }
    }
}

fn fields_of(jni: JniEnv, attributes: JavaObject) -> Option<HolderFields> {
    let class = jni.class_of(attributes)?;
    let field = |name| jni.field(class, name, "J").map(|field| field as usize);
    let fields = HolderFields {
        device: field("st_dev")?,
        number: field("st_ino")?,
        seconds: field("st_mtime_sec")?,
        nanoseconds: field("st_mtime_nsec")?,
    };
    jni.forget(class);
    Some(fields)
}

fn key_of(jni: JniEnv, attributes: JavaObject) -> (i64, i64) {
    let fields = FIELDS.get().and_then(Option::as_ref);
    let number = |field: fn(&HolderFields) -> usize| {
        fields.map_or(0, |fields| jni.long_in(attributes, field(fields) as JvmField))
    };
    (number(|fields| fields.device), number(|fields| fields.number))
}

/// This thread has read the time of a file.
fn saw_time(path: &str, milliseconds: i64) {
    let _ = TIMES.try_with(|times| {
        let mut times = times.borrow_mut();
        times.retain(|(known, _)| known != path);
        if times.len() >= RECENT {
            times.pop_front();
        }
        times.push_back((path.to_owned(), milliseconds));
    });
}

fn time_given(jni: JavaEnv, path: NotedPath, milliseconds: i64) {
    if jni.threw() {
        return path.link_in_doubt();
    }
    path.clone().examined();
    time_set(&path, milliseconds);
}

/// A file was given a time: that of another file, if this thread has just read the same one.
fn time_set(path: &NotedPath, milliseconds: i64) {
    let to = path.text();
    let sources = TIMES.try_with(|times| {
        let times = times.borrow();
        let same = times.iter().filter(|(from, time)| *time == milliseconds && from != to);
        same.map(|(from, _)| from.clone()).collect::<Vec<String>>()
    });
    for from in sources.unwrap_or_default() {
        note(Input::TimeCopied(CopiedTime { from, to: to.to_owned() }));
    }
}

impl NotedPath {
    fn attribute(&self, attribute: FileAttribute, by_library: bool) -> Input {
        Input::Attribute(AttributeRead { path: self.text().to_owned(), attribute, by_library })
    }

    /// Notes what the process was found to be allowed or not: the bits of `access(2)`.
    pub(super) fn permitted(self, access: i32) {
        let bits =
            [(4, FileAttribute::Readable), (2, FileAttribute::Writable), (1, FileAttribute::Executable)];
        for (bit, attribute) in bits {
            if access & bit != 0 && self.exists() {
                note(self.attribute(attribute, false));
            }
        }
    }
}
