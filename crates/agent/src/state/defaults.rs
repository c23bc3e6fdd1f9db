//! Compares defaults of the JDK at boundaries: a test may leave another locale, time zone or stream than it found.
//!
//! Defaults of a kind are read from the first call of one of their setters on; until then they are those with which all open
//! spans began. Objects are compared by identity. Time zones are compared by the identity of their names, which the copies
//! share that the JDK returns.

use crate::instrument::jdk_calls::DefaultKind;
use crate::vm::{JavaEnv, JavaObject, JniEnv, JvmField};

/// A static field of the JDK.
struct DefaultField {
    kind: DefaultKind,
    class: &'static str,
    field: &'static str,
    descriptor: &'static str,
    /// A static field of the same type that is used while this one is null.
    or: Option<&'static str>,
    /// The part of the object that is compared instead of the object.
    part: Option<&'static DefaultPart>,
}

/// A field that is compared instead of its object, if the object has this class and the number in the field `changed` is 0. Any
/// other object always counts as a new one.
struct DefaultPart {
    class: &'static str,
    field: &'static str,
    descriptor: &'static str,
    changed: &'static str,
}

const ZONE: DefaultPart = DefaultPart {
    class: "sun/util/calendar/ZoneInfo",
    field: "ID",
    descriptor: "Ljava/lang/String;",
    changed: "rawOffsetDiff",
};

const fn place(
    kind: DefaultKind,
    class: &'static str,
    field: &'static str,
    descriptor: &'static str,
) -> DefaultField {
    DefaultField { kind, class, field, descriptor, or: None, part: None }
}

const LOCALE: (&str, &str) = ("java/util/Locale", "Ljava/util/Locale;");
const SYSTEM: &str = "java/lang/System";
const PRINT: &str = "Ljava/io/PrintStream;";
const HANDLER: &str = "Ljava/lang/Thread$UncaughtExceptionHandler;";

const PLACES: [DefaultField; 11] = [
    place(DefaultKind::Locale, LOCALE.0, "defaultLocale", LOCALE.1),
    DefaultField {
        or: Some("defaultLocale"),
        ..place(DefaultKind::Locale, LOCALE.0, "defaultDisplayLocale", LOCALE.1)
    },
    DefaultField {
        or: Some("defaultLocale"),
        ..place(DefaultKind::Locale, LOCALE.0, "defaultFormatLocale", LOCALE.1)
    },
    DefaultField {
        part: Some(&ZONE),
        ..place(DefaultKind::TimeZone, "java/util/TimeZone", "defaultTimeZone", "Ljava/util/TimeZone;")
    },
    place(DefaultKind::Streams, SYSTEM, "in", "Ljava/io/InputStream;"),
    place(DefaultKind::Streams, SYSTEM, "out", PRINT),
    place(DefaultKind::Streams, SYSTEM, "err", PRINT),
    place(DefaultKind::Handler, "java/lang/Thread", "defaultUncaughtExceptionHandler", HANDLER),
    place(
        DefaultKind::Authenticator,
        "java/net/Authenticator",
        "theAuthenticator",
        "Ljava/net/Authenticator;",
    ),
    place(DefaultKind::Proxies, "java/net/ProxySelector", "theProxySelector", "Ljava/net/ProxySelector;"),
    place(DefaultKind::Cookies, "java/net/CookieHandler", "cookieHandler", "Ljava/net/CookieHandler;"),
];

/// Limit on objects that are remembered per field. One that is forgotten counts as a new one when it returns.
const REMEMBERED: usize = 64;

/// The fields that are compared, because a setter was called.
#[derive(Default)]
pub(crate) struct DefaultsTracker {
    watched: Vec<WatchedDefault>,
}

/// The defaults when a span began: by compared field, the number of its object. Fields that are missing were not compared yet;
/// they had their first object.
#[derive(Default)]
pub(crate) struct SpanDefaults(Vec<u32>);

/// A field with its ids in this JVM.
pub(crate) struct LocatedField {
    place: &'static DefaultField,
    /// `None` if this JDK has no such fields.
    fields: Option<DefaultFields>,
}

#[derive(Clone, Copy)]
struct DefaultFields {
    /// A global reference.
    class: JavaObject,
    field: JvmField,
    or: Option<JvmField>,
    part: Option<PartFields>,
}

#[derive(Clone, Copy)]
struct PartFields {
    /// A global reference.
    class: JavaObject,
    field: JvmField,
    changed: JvmField,
}

struct WatchedDefault {
    located: LocatedField,
    /// Objects that were found: weak references with their numbers, the newest last. Null stands for null.
    seen: Vec<(u32, JavaObject)>,
    next: u32,
}

// SAFETY: global and weak JNI references and field ids may be used from any thread.
unsafe impl Send for WatchedDefault {}

/// Finds the fields of a kind. No lock may be held: a class may have to be initialised.
pub(crate) fn locate(jni: JavaEnv, kind: DefaultKind) -> Vec<LocatedField> {
    let places = PLACES.iter().filter(|place| place.kind == kind);
    let located = places.map(|place| {
        let fields = jni.with_locals(|| {
            let class = jni.find_class(place.class)?;
            let field = jni.static_field(class, place.field, place.descriptor)?;
            let or = place.or.map(|name| jni.static_field(class, name, place.descriptor));
            let part = place.part.map(|part| {
                let class = jni.find_class(part.class)?;
                let field = jni.field(class, part.field, part.descriptor)?;
                let changed = jni.field(class, part.changed, "I")?;
                Some(PartFields { class: jni.global(class)?, field, changed })
            });
            if matches!(or, Some(None)) || matches!(part, Some(None)) {
                return None;
            }
            Some(DefaultFields { class: jni.global(class)?, field, or: or.flatten(), part: part.flatten() })
        });
        LocatedField { place, fields: fields.flatten() }
    });
    located.collect()
}

impl DefaultsTracker {
    /// Whether fields of a kind are compared already.
    pub(crate) fn is_watched(&self, kind: DefaultKind) -> bool {
        self.watched.iter().any(|watched| watched.located.place.kind == kind)
    }

    /// Starts to compare these fields: they are about to be set for the first time.
    pub(crate) fn watch(&mut self, jni: JniEnv, located: Vec<LocatedField>) {
        for located in located {
            let mut watched = WatchedDefault { located, seen: Vec::new(), next: 0 };
            watched.now(jni);
            self.watched.push(watched);
        }
    }

    /// The current defaults.
    pub(crate) fn found(&mut self, jni: JniEnv) -> SpanDefaults {
        SpanDefaults(self.watched.iter_mut().map(|watched| watched.now(jni)).collect())
    }

    /// The fields whose object is not the same as when a span began.
    pub(crate) fn left(&mut self, jni: JniEnv, found: &SpanDefaults) -> Vec<String> {
        let before = found.0.iter().copied().chain(std::iter::repeat(0));
        let changed = self.watched.iter_mut().zip(before).filter_map(|(watched, before)| {
            let place = watched.located.place;
            (watched.now(jni) != before).then(|| format!("{}.{}", place.class, place.field))
        });
        changed.collect()
    }
}

impl WatchedDefault {
    /// The number of the current object.
    fn now(&mut self, jni: JniEnv) -> u32 {
        // The field cannot be read, so its object always counts as a new one.
        let Some(DefaultFields { class, field, or, part }) = self.located.fields else { return self.skip() };
        let read = |field| jni.static_value(class, field, b'L').err().unwrap_or(std::ptr::null_mut());
        let mut object = read(field);
        if let Some(or) = or.filter(|_| object.is_null()) {
            object = read(or);
        }
        if let Some(part) = part.filter(|_| !object.is_null()) {
            if !jni.is_instance(object, part.class) || jni.int_in(object, part.changed) != 0 {
                jni.forget(object);
                return self.skip();
            }
            let inner = jni.object_in(object, part.field).unwrap_or(std::ptr::null_mut());
            jni.forget(std::mem::replace(&mut object, inner));
        }
        let is_it =
            |weak: JavaObject| if object.is_null() { weak.is_null() } else { jni.is_same(object, weak) };
        let known = self.seen.iter().rev().find(|(_, weak)| is_it(*weak)).map(|(number, _)| *number);
        let number = known.unwrap_or_else(|| {
            if self.seen.len() >= REMEMBERED {
                let (_, weak) = self.seen.remove(0);
                if !weak.is_null() {
                    jni.forget_weak(weak);
                }
            }
            // Without a reference it would not be found again.
            let weak = if object.is_null() { Some(object) } else { jni.weak(object) };
            match weak {
                Some(weak) => self.add(weak),
                None => self.skip(),
            }
        });
        jni.forget(object);
        number
    }

    fn add(&mut self, weak: JavaObject) -> u32 {
        let number = self.skip();
        self.seen.push((number, weak));
        number
    }

    fn skip(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }
}
