//! Types of the JDK, by what may be relied on about their objects.
//!
//! Several questions are much alike, and their answers differ: the table shows where. No difference was meant to be taken
//! away when the lists became one table.

use crate::name::{NameSet, class_of, is_any};

/// A type.
#[derive(Clone, Copy, Debug)]
pub struct TypeEntry {
    /// Its internal name.
    pub class: &'static str,
    /// The property of the type.
    pub roles: &'static [TypeRole],
}

/// A property of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeRole {
    /// [`UNCHANGING`]
    Unchanging,
    /// [`UNCHANGING_OBJECTS`]
    UnchangingObject,
    /// [`KEEPING_NOTHING`]
    KeepsNothing,
    /// [`PLAIN`]
    Plain,
    /// [`FIXED`]
    Fixed,
    /// [`SIMPLE`]
    Simple,
}

use TypeRole::{Fixed, KeepsNothing, Plain, Simple, Unchanging, UnchangingObject};

const fn entry(class: &'static str, roles: &'static [TypeRole]) -> TypeEntry {
    TypeEntry { class, roles }
}

const TYPES: &[TypeEntry] = &[
    entry("java/lang/Boolean", &[Unchanging]),
    entry("java/lang/Class", &[Unchanging, Simple]),
    entry("java/lang/Double", &[Unchanging]),
    entry("java/lang/Enum", &[KeepsNothing]),
    entry("java/lang/Integer", &[Unchanging, Simple]),
    entry("java/lang/Long", &[Unchanging]),
    entry("java/lang/Number", &[KeepsNothing]),
    entry("java/lang/Object", &[UnchangingObject, KeepsNothing, Plain]),
    entry("java/lang/Record", &[KeepsNothing]),
    entry("java/lang/SecurityManager", &[Plain]),
    entry("java/lang/String", &[Unchanging, Simple]),
    entry("java/lang/ThreadLocal", &[Plain]),
    entry("java/math/BigDecimal", &[Unchanging]),
    entry("java/math/BigInteger", &[Unchanging]),
    entry("java/nio/charset/Charset", &[Unchanging]),
    entry("java/security/BasicPermission", &[Plain]),
    entry("java/util/Collections$EmptyEnumeration", &[UnchangingObject]),
    entry("java/util/Collections$EmptyIterator", &[UnchangingObject]),
    entry("java/util/Collections$EmptyList", &[UnchangingObject]),
    entry("java/util/Collections$EmptyMap", &[UnchangingObject]),
    entry("java/util/Collections$EmptySet", &[UnchangingObject]),
    entry("java/util/Collections$ReverseComparator", &[UnchangingObject]),
    entry("java/util/Comparators$NaturalOrderComparator", &[UnchangingObject]),
    entry("java/util/Locale", &[Unchanging, Plain, Fixed]),
    entry("java/util/TimeZone", &[Plain]),
    entry("java/util/UUID", &[Unchanging, Fixed]),
    entry("java/util/logging/Logger", &[Fixed]),
    entry("java/util/regex/Pattern", &[Unchanging, Fixed]),
];

impl TypeEntry {
    const fn is(self, role: TypeRole) -> bool {
        let mut at = 0;
        while at < self.roles.len() {
            if self.roles[at] as u8 == role as u8 {
                return true;
            }
            at += 1;
        }
        false
    }
}

/// So that a column can be taken of the table.
struct TypeTable {
    types: &'static [TypeEntry],
}
const TABLES: &[TypeTable] = &[TypeTable { types: TYPES }];

macro_rules! classes {
    ($name:ident, $role:ident) => {
        column!($name: &str = ""; for entry in TABLES.types; if entry.is(TypeRole::$role) => entry.class);
    };
}
classes!(UNCHANGING_CLASSES, Unchanging);
classes!(UNCHANGING_OBJECT_CLASSES, UnchangingObject);
classes!(KEEPING_NOTHING_CLASSES, KeepsNothing);
classes!(PLAIN_CLASSES, Plain);
classes!(FIXED_CLASSES, Fixed);
classes!(SIMPLE_CLASSES, Simple);

/// Types whose objects nobody can change, in a static field of the project; [`EXTENSIBLE`] are not among them.
pub const UNCHANGING: NameSet = NameSet {
    name: "types that never change",
    exact: UNCHANGING_CLASSES,
    prefixes: &["java/time/"],
    why: "A final static field of one of them holds what its class's initialiser put there, and nothing that a test has left.",
    cases: &[],
};

/// Types of `java.time` that a program may extend.
pub const EXTENSIBLE: NameSet = NameSet {
    name: "types of java.time that may change",
    exact: &["java/time/Clock", "java/time/InstantSource"],
    why: "A program may extend them.",
    cases: &["settable_clock.md"],
    ..NameSet::EMPTY
};

/// Classes whose objects nobody can change, and that variables of wider types hold.
pub const UNCHANGING_OBJECTS: NameSet = NameSet {
    name: "classes whose objects never change",
    exact: UNCHANGING_OBJECT_CLASSES,
    why: "A constant of a wider type that holds one of them holds nothing that a test has left.",
    cases: &[],
    ..NameSet::EMPTY
};

/// Superclasses whose objects hold nothing that changes.
pub const KEEPING_NOTHING: NameSet = NameSet {
    name: "superclasses that keep nothing",
    exact: KEEPING_NOTHING_CLASSES,
    why: "What a class of the project keeps is in its own fields if it is below nothing else.",
    cases: &[
        "object_that_keeps_nothing.md",
        "constant_of_a_class_that_keeps_nothing.md",
        "enum_with_state.md",
    ],
    ..NameSet::EMPTY
};

/// Classes that neither ask anybody else nor call back, whatever they are given.
pub const PLAIN: NameSet = NameSet {
    name: "classes that call nobody",
    exact: PLAIN_CLASSES,
    why: "A tear-down that calls nothing else sets back what it says it does.",
    cases: &["restored_in_tear_down.md", "default_locale_restored.md", "tear_down_calls_the_jdk.md"],
    ..NameSet::EMPTY
};

/// Types whose objects can be filled, in a static field of a test class; [`FIXED`] are not among them.
pub const FILLED: NameSet = NameSet {
    name: "types that can be filled",
    exact: &["java/lang/ThreadLocal", "java/io/File"],
    prefixes: &["java/util/", "java/lang/StringBu"],
    why: "A final static field of a test class of one of these types may carry something from one test to another.",
    cases: &[],
};

/// Types of these packages whose objects hold nothing from one test to another.
pub const FIXED: NameSet = NameSet {
    name: "types that cannot be filled",
    exact: FIXED_CLASSES,
    why: "Test classes often have them in constants.",
    cases: &[],
    ..NameSet::EMPTY
};

/// Types of which it does not matter which object a constant holds.
pub const SIMPLE: NameSet = NameSet {
    name: "types that say all of their objects",
    exact: SIMPLE_CLASSES,
    why: "Nobody can extend them, and their objects never change: which class a constant's object is of is of no interest.",
    cases: &[],
    ..NameSet::EMPTY
};

/// The JDK's atomic variables.
pub const ATOMIC: NameSet = NameSet {
    name: "atomic variables",
    prefixes: &["java/util/concurrent/atomic/Atomic"],
    why: "A constant that is one is a variable: what it holds is read and written through its methods.",
    cases: &[
        "atomic_left.md",
        "atomic_replaced.md",
        "atomic_restored_in_tear_down.md",
        "object_in_an_atomic.md",
    ],
    ..NameSet::EMPTY
};

/// The types among them with one value, and the type of their field `value`.
pub const ATOMIC_VALUES: [(&str, &str); 4] = [
    ("java/util/concurrent/atomic/AtomicReference", "Ljava/lang/Object;"),
    ("java/util/concurrent/atomic/AtomicInteger", "I"),
    ("java/util/concurrent/atomic/AtomicBoolean", "I"),
    ("java/util/concurrent/atomic/AtomicLong", "J"),
];

/// Methods that may make or change a class: `defineClass`, `defineHiddenClass`, `redefineClasses` and others.
pub const CLASS_MAKERS: NameSet = NameSet {
    name: "methods that make classes",
    prefixes: &["define", "redefine", "retransform", "addTransformer"],
    why: "If code of the project calls one of them it may have made the class itself, and all of it counts for who uses that.",
    cases: &["made_by_a_library_and_kept.md", "changed_by_a_loader.md"],
    ..NameSet::EMPTY
};

/// Whether a variable of this type holds what nobody can change.
#[inline]
pub fn is_unchanging(class: &str) -> bool {
    UNCHANGING.has(class) && !EXTENSIBLE.has(class)
}

/// Whether objects in a variable of this type, by its descriptor, can be given something to keep.
#[inline]
pub fn can_be_filled(descriptor: &str) -> bool {
    class_of(descriptor.as_bytes()).is_some_and(|class| FILLED.has(class) && !FIXED.has(class))
}

/// Whether a descriptor is that of an atomic variable.
#[inline]
pub fn is_atomic(descriptor: &str) -> bool {
    ATOMIC.has_type(descriptor)
}

/// Whether a method of an atomic variable only sets it.
#[inline]
pub fn only_sets(method: &[u8]) -> bool {
    is_any(&["<init>", "set", "lazySet"], method)
}

/// Whether a method of the JDK neither asks anybody else nor calls back, whatever it is given.
#[inline]
pub fn is_plain_call(class: &[u8], method: &[u8]) -> bool {
    let is_thrown = class.starts_with(b"java/lang/")
        && (class.ends_with(b"Exception") || class.ends_with(b"Error"))
        && method == b"<init>";
    PLAIN.has(class) || is_thrown || (class, method) == (b"java/lang/System", b"getSecurityManager")
}

/// The type of a variable for any collection.
pub const COLLECTION: &str = "java/util/Collection";

/// Whether a type is a collection of the JDK, by how its name ends.
#[inline]
pub fn is_collection(class: &[u8]) -> bool {
    let is_kind = |kind: &&str| class.ends_with(kind.as_bytes());
    class.starts_with(b"java/util/") && ["List", "Set", "Queue", "Deque"].iter().any(is_kind)
}
