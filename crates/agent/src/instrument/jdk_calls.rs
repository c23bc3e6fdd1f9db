//! The table of JDK methods that answer from Java, without a native method that could be wrapped.
//!
//! Calls by reflection and by the JDK itself are not noted. Properties that were set on the command line of a JVM are known anyway.

use tamis_classfile::read::pool::{MemberKind, MemberRef};
use tamis_wire::FileAttribute;

/// The bridge's method: its name and descriptor.
pub(crate) const NOTE: (&str, &str) = ("note", "(Ljava/lang/Object;I)V");

/// Defaults of the JDK, each with its own setters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DefaultKind {
    Locale,
    TimeZone,
    Streams,
    Handler,
    Authenticator,
    Proxies,
    Cookies,
}

/// The kind of input that a call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JdkQuery {
    Environment,
    /// All variables, by a library.
    Variables,
    Property,
    /// All properties, by a library.
    Properties,
    /// The same by a library that looks up names that are seen, or that are its own.
    NamedProperties,
    PropertySet,
    /// A property is set by a library.
    LibraryPropertySet,
    Processors,
    Memory,
    Host,
    Stack,
    /// By a logger.
    LoggedStack,
    /// Structure of a class that `Class` answers from memory, or the compiler with an intrinsic. The key is the class.
    Structure,
    Named,
    Bundle,
    /// The key is a `Field`.
    FieldSet,
    /// Annotations of a package, which `Package` answers from memory. The key may be any annotated element.
    PackageAnnotations,
    /// An attribute of a file, read from an object that holds all of them. The key is that object.
    Attribute(FileAttribute),
    /// The key is the name of the attributes that the call reads next.
    AttributeName,
    /// A default that is about to be set.
    Default(DefaultKind),
}

/// All kinds, in the order of their numbers.
const ASKED: [JdkQuery; 31] = [
    JdkQuery::Environment,
    JdkQuery::Variables,
    JdkQuery::Property,
    JdkQuery::PropertySet,
    JdkQuery::Processors,
    JdkQuery::Memory,
    JdkQuery::Host,
    JdkQuery::Stack,
    JdkQuery::LoggedStack,
    JdkQuery::Properties,
    JdkQuery::NamedProperties,
    JdkQuery::LibraryPropertySet,
    JdkQuery::Structure,
    JdkQuery::Named,
    JdkQuery::Bundle,
    JdkQuery::FieldSet,
    JdkQuery::PackageAnnotations,
    JdkQuery::Attribute(FileAttribute::Modified),
    JdkQuery::Attribute(FileAttribute::Accessed),
    JdkQuery::Attribute(FileAttribute::Created),
    JdkQuery::Attribute(FileAttribute::Key),
    JdkQuery::Attribute(FileAttribute::Owner),
    JdkQuery::Attribute(FileAttribute::Permissions),
    JdkQuery::AttributeName,
    JdkQuery::Default(DefaultKind::Locale),
    JdkQuery::Default(DefaultKind::TimeZone),
    JdkQuery::Default(DefaultKind::Streams),
    JdkQuery::Default(DefaultKind::Handler),
    JdkQuery::Default(DefaultKind::Authenticator),
    JdkQuery::Default(DefaultKind::Proxies),
    JdkQuery::Default(DefaultKind::Cookies),
];

impl JdkQuery {
    pub(crate) fn from_number(number: i32) -> Option<JdkQuery> {
        ASKED.get(usize::try_from(number).ok()?).copied()
    }

    pub(super) fn number(self) -> u8 {
        // A kind that is missing from the list has no effect.
        ASKED.iter().position(|asked| *asked == self).unwrap_or(ASKED.len()) as u8
    }

    /// Whether nothing is read if the key is null.
    pub(super) fn needs_key(self) -> bool {
        matches!(
            self,
            JdkQuery::Structure
                | JdkQuery::Named
                | JdkQuery::FieldSet
                | JdkQuery::PackageAnnotations
                | JdkQuery::AttributeName
        )
    }
}

/// The position of the key on the operand stack at the call.
#[derive(Clone, Copy)]
pub(super) enum KeyPosition {
    /// There is no key: the call reads everything.
    None,
    /// On top.
    Top,
    /// Under another value.
    Under,
    /// Under a `long`, or two other values.
    UnderTwo,
    /// Under a value and a `long`.
    UnderThree,
    /// Under three values.
    UnderThreeValues,
}

/// A method of the JDK that reads or changes an input.
pub(super) struct JdkCall {
    /// `None` for any class: javac names the declared class of the variable.
    pub(super) owner: Option<&'static str>,
    pub(super) name: &'static str,
    /// `None` for any descriptor.
    pub(super) descriptor: Option<&'static str>,
    pub(super) asked: JdkQuery,
    pub(super) key: KeyPosition,
}

const fn row(
    owner: &'static str,
    name: &'static str,
    descriptor: &'static str,
    asked: JdkQuery,
    key: KeyPosition,
) -> JdkCall {
    JdkCall { owner: Some(owner), name, descriptor: Some(descriptor), asked, key }
}

const SYSTEM: &str = "java/lang/System";
const RUNTIME: &str = "java/lang/Runtime";
const STRING_2: &str = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";
const STRING: &str = "(Ljava/lang/String;)Ljava/lang/String;";
const INTEGER: &str = "java/lang/Integer";
const LONG: &str = "java/lang/Long";

const FILES: &str = "java/nio/file/Files";
const NAMED_ATTRIBUTE: &str =
    "(Ljava/nio/file/Path;Ljava/lang/String;[Ljava/nio/file/LinkOption;)Ljava/lang/Object;";
const NAMED_ATTRIBUTES: &str =
    "(Ljava/nio/file/Path;Ljava/lang/String;[Ljava/nio/file/LinkOption;)Ljava/util/Map;";

const BUNDLE: &str = "java/util/ResourceBundle";
const LOCALE: &str = "(Ljava/lang/String;Ljava/util/Locale;)Ljava/util/ResourceBundle;";
const LOCALE_LOADER: &str =
    "(Ljava/lang/String;Ljava/util/Locale;Ljava/lang/ClassLoader;)Ljava/util/ResourceBundle;";
const LOCALE_CONTROL: &str =
    "(Ljava/lang/String;Ljava/util/Locale;Ljava/util/ResourceBundle$Control;)Ljava/util/ResourceBundle;";
const LOCALE_LOADER_CONTROL: &str = "(Ljava/lang/String;Ljava/util/Locale;Ljava/lang/ClassLoader;Ljava/util/ResourceBundle$Control;)Ljava/util/ResourceBundle;";
const MODULE: &str = "(Ljava/lang/String;Ljava/lang/Module;)Ljava/util/ResourceBundle;";
const CLASS: &str = "java/lang/Class";

const ROWS: [JdkCall; 69] = [
    row(FILES, "getAttribute", NAMED_ATTRIBUTE, JdkQuery::AttributeName, KeyPosition::Under),
    row(FILES, "readAttributes", NAMED_ATTRIBUTES, JdkQuery::AttributeName, KeyPosition::Under),
    set("set", KeyPosition::UnderTwo),
    set("setBoolean", KeyPosition::UnderTwo),
    set("setByte", KeyPosition::UnderTwo),
    set("setChar", KeyPosition::UnderTwo),
    set("setShort", KeyPosition::UnderTwo),
    set("setInt", KeyPosition::UnderTwo),
    set("setFloat", KeyPosition::UnderTwo),
    set("setLong", KeyPosition::UnderThree),
    set("setDouble", KeyPosition::UnderThree),
    row(SYSTEM, "getenv", STRING, JdkQuery::Environment, KeyPosition::Top),
    row(SYSTEM, "getenv", "()Ljava/util/Map;", JdkQuery::Environment, KeyPosition::None),
    row(
        "java/lang/ProcessBuilder",
        "environment",
        "()Ljava/util/Map;",
        JdkQuery::Environment,
        KeyPosition::None,
    ),
    row(SYSTEM, "getProperty", STRING, JdkQuery::Property, KeyPosition::Top),
    row(SYSTEM, "getProperty", STRING_2, JdkQuery::Property, KeyPosition::Under),
    row(SYSTEM, "getProperties", "()Ljava/util/Properties;", JdkQuery::Property, KeyPosition::None),
    row("java/lang/Boolean", "getBoolean", "(Ljava/lang/String;)Z", JdkQuery::Property, KeyPosition::Top),
    row(
        INTEGER,
        "getInteger",
        "(Ljava/lang/String;)Ljava/lang/Integer;",
        JdkQuery::Property,
        KeyPosition::Top,
    ),
    row(
        INTEGER,
        "getInteger",
        "(Ljava/lang/String;I)Ljava/lang/Integer;",
        JdkQuery::Property,
        KeyPosition::Under,
    ),
    row(
        INTEGER,
        "getInteger",
        "(Ljava/lang/String;Ljava/lang/Integer;)Ljava/lang/Integer;",
        JdkQuery::Property,
        KeyPosition::Under,
    ),
    row(LONG, "getLong", "(Ljava/lang/String;)Ljava/lang/Long;", JdkQuery::Property, KeyPosition::Top),
    row(LONG, "getLong", "(Ljava/lang/String;J)Ljava/lang/Long;", JdkQuery::Property, KeyPosition::UnderTwo),
    row(
        LONG,
        "getLong",
        "(Ljava/lang/String;Ljava/lang/Long;)Ljava/lang/Long;",
        JdkQuery::Property,
        KeyPosition::Under,
    ),
    row(SYSTEM, "setProperty", STRING_2, JdkQuery::PropertySet, KeyPosition::Under),
    row(SYSTEM, "clearProperty", STRING, JdkQuery::PropertySet, KeyPosition::Top),
    row(SYSTEM, "setProperties", "(Ljava/util/Properties;)V", JdkQuery::PropertySet, KeyPosition::None),
    default("java/util/Locale", "setDefault", DefaultKind::Locale),
    inherited("setDefault", "(Ljava/util/TimeZone;)V", DefaultKind::TimeZone),
    default(SYSTEM, "setIn", DefaultKind::Streams),
    default(SYSTEM, "setOut", DefaultKind::Streams),
    default(SYSTEM, "setErr", DefaultKind::Streams),
    inherited(
        "setDefaultUncaughtExceptionHandler",
        "(Ljava/lang/Thread$UncaughtExceptionHandler;)V",
        DefaultKind::Handler,
    ),
    inherited("setDefault", "(Ljava/net/Authenticator;)V", DefaultKind::Authenticator),
    inherited("setDefault", "(Ljava/net/ProxySelector;)V", DefaultKind::Proxies),
    inherited("setDefault", "(Ljava/net/CookieHandler;)V", DefaultKind::Cookies),
    row(
        BUNDLE,
        "getBundle",
        "(Ljava/lang/String;)Ljava/util/ResourceBundle;",
        JdkQuery::Bundle,
        KeyPosition::Top,
    ),
    row(BUNDLE, "getBundle", LOCALE, JdkQuery::Bundle, KeyPosition::Under),
    row(BUNDLE, "getBundle", MODULE, JdkQuery::Bundle, KeyPosition::Under),
    row(BUNDLE, "getBundle", LOCALE_LOADER, JdkQuery::Bundle, KeyPosition::UnderTwo),
    row(BUNDLE, "getBundle", LOCALE_CONTROL, JdkQuery::Bundle, KeyPosition::UnderTwo),
    row(BUNDLE, "getBundle", LOCALE_LOADER_CONTROL, JdkQuery::Bundle, KeyPosition::UnderThreeValues),
    // Of any other form the name is not known.
    JdkCall {
        owner: Some(BUNDLE),
        name: "getBundle",
        descriptor: None,
        asked: JdkQuery::Bundle,
        key: KeyPosition::None,
    },
    row(RUNTIME, "availableProcessors", "()I", JdkQuery::Processors, KeyPosition::None),
    row(RUNTIME, "maxMemory", "()J", JdkQuery::Memory, KeyPosition::None),
    row(RUNTIME, "totalMemory", "()J", JdkQuery::Memory, KeyPosition::None),
    row(
        "java/net/InetAddress",
        "getLocalHost",
        "()Ljava/net/InetAddress;",
        JdkQuery::Host,
        KeyPosition::None,
    ),
    any("getStackTrace", "()[Ljava/lang/StackTraceElement;"),
    any("printStackTrace", "()V"),
    any("printStackTrace", "(Ljava/io/PrintStream;)V"),
    any("printStackTrace", "(Ljava/io/PrintWriter;)V"),
    row("java/lang/Thread", "getAllStackTraces", "()Ljava/util/Map;", JdkQuery::Stack, KeyPosition::None),
    row("java/lang/Thread", "dumpStack", "()V", JdkQuery::Stack, KeyPosition::None),
    walker("walk"),
    walker("forEach"),
    JdkCall {
        owner: None,
        name: "loadClass",
        descriptor: Some("(Ljava/lang/String;)Ljava/lang/Class;"),
        asked: JdkQuery::Named,
        key: KeyPosition::Top,
    },
    row(CLASS, "forName", FOR_NAME, JdkQuery::Named, KeyPosition::Top),
    row(CLASS, "getSuperclass", "()Ljava/lang/Class;", JdkQuery::Structure, KeyPosition::Top),
    row(CLASS, "getInterfaces", "()[Ljava/lang/Class;", JdkQuery::Structure, KeyPosition::Top),
    row(CLASS, "getModifiers", "()I", JdkQuery::Structure, KeyPosition::Top),
    row(CLASS, "isInterface", "()Z", JdkQuery::Structure, KeyPosition::Top),
    row(CLASS, "isAnnotation", "()Z", JdkQuery::Structure, KeyPosition::Top),
    row(CLASS, "isEnum", "()Z", JdkQuery::Structure, KeyPosition::Top),
    row(CLASS, "isAssignableFrom", "(Ljava/lang/Class;)Z", JdkQuery::Structure, KeyPosition::Top),
    row(CLASS, "getEnumConstants", "()[Ljava/lang/Object;", JdkQuery::Structure, KeyPosition::Top),
    row("java/lang/Enum", "valueOf", VALUE_OF, JdkQuery::Structure, KeyPosition::Under),
    row(
        "java/util/EnumSet",
        "allOf",
        "(Ljava/lang/Class;)Ljava/util/EnumSet;",
        JdkQuery::Structure,
        KeyPosition::Top,
    ),
    row(
        "java/util/EnumSet",
        "noneOf",
        "(Ljava/lang/Class;)Ljava/util/EnumSet;",
        JdkQuery::Structure,
        KeyPosition::Top,
    ),
    row("java/util/EnumMap", "<init>", "(Ljava/lang/Class;)V", JdkQuery::Structure, KeyPosition::Top),
];

const FOR_NAME: &str = "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;";
const VALUE_OF: &str = "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;";

/// Used instead of [`JdkQuery::Environment`] for all variables in a library.
pub(super) static VARIABLES: JdkCall =
    row(SYSTEM, "getenv", "()Ljava/util/Map;", JdkQuery::Variables, KeyPosition::None);

/// Used instead of [`JdkQuery::Property`] for all properties in a library.
pub(super) static PROPERTIES: JdkCall = table(JdkQuery::Properties);
pub(super) static NAMED_PROPERTIES: JdkCall = table(JdkQuery::NamedProperties);

const fn table(asked: JdkQuery) -> JdkCall {
    row(SYSTEM, "getProperties", "()Ljava/util/Properties;", asked, KeyPosition::None)
}

/// Used instead of [`JdkQuery::PropertySet`] in a library.
pub(super) static SET_BY_LIBRARY: JdkCall =
    row(SYSTEM, "setProperty", STRING_2, JdkQuery::LibraryPropertySet, KeyPosition::Under);

/// Used instead of [`JdkQuery::Stack`] in a logger.
pub(super) static LOGGED_STACK: JdkCall =
    JdkCall { owner: None, name: "", descriptor: None, asked: JdkQuery::LoggedStack, key: KeyPosition::None };

/// A method that sets a field by reflection.
const fn set(name: &'static str, key: KeyPosition) -> JdkCall {
    JdkCall { owner: Some("java/lang/reflect/Field"), name, descriptor: None, asked: JdkQuery::FieldSet, key }
}

/// A static method that sets a default, called on any subclass.
const fn inherited(name: &'static str, descriptor: &'static str, kind: DefaultKind) -> JdkCall {
    JdkCall {
        owner: None,
        name,
        descriptor: Some(descriptor),
        asked: JdkQuery::Default(kind),
        key: KeyPosition::None,
    }
}

/// A method of a final class that sets a default.
const fn default(owner: &'static str, name: &'static str, kind: DefaultKind) -> JdkCall {
    JdkCall {
        owner: Some(owner),
        name,
        descriptor: None,
        asked: JdkQuery::Default(kind),
        key: KeyPosition::None,
    }
}

/// A method of `Throwable` or `Thread`, called on any subclass.
const fn any(name: &'static str, descriptor: &'static str) -> JdkCall {
    JdkCall {
        owner: None,
        name,
        descriptor: Some(descriptor),
        asked: JdkQuery::Stack,
        key: KeyPosition::None,
    }
}

/// `StackWalker` without `getCallerClass`, which depends on no line number.
const fn walker(name: &'static str) -> JdkCall {
    JdkCall { owner: Some(WALKER), name, descriptor: None, asked: JdkQuery::Stack, key: KeyPosition::None }
}

pub(super) const WALKER: &str = "java/lang/StackWalker";

/// Methods of a walked frame that return its line or file. Libraries that walk the stack to find their caller call none of them.
pub(super) const FRAME: &[u8] = b"java/lang/StackWalker$StackFrame";
pub(super) const SHOWING: [&[u8]; 5] =
    [b"getLineNumber", b"getByteCodeIndex", b"getFileName", b"toStackTraceElement", b"toString"];
pub(super) static SHOWN_FRAME: JdkCall = walker("");

/// Used as well for `System.getProperties` in a class that changes properties.
pub(super) static CHANGED_TABLE: JdkCall =
    row(SYSTEM, "getProperties", "()Ljava/util/Properties;", JdkQuery::PropertySet, KeyPosition::None);

/// Methods of `Package`, and of the interface by which libraries call them, that return annotations.
const PACKAGE_ROWS: [JdkCall; 7] = [
    annotations("getAnnotation", KeyPosition::Under),
    annotations("isAnnotationPresent", KeyPosition::Under),
    annotations("getAnnotationsByType", KeyPosition::Under),
    annotations("getDeclaredAnnotation", KeyPosition::Under),
    annotations("getDeclaredAnnotationsByType", KeyPosition::Under),
    annotations("getAnnotations", KeyPosition::Top),
    annotations("getDeclaredAnnotations", KeyPosition::Top),
];

const fn annotations(name: &'static str, key: KeyPosition) -> JdkCall {
    JdkCall { owner: None, name, descriptor: None, asked: JdkQuery::PackageAnnotations, key }
}

/// Methods of the objects that hold the attributes of a file, and of their interfaces.
const ATTRIBUTE_ROWS: [JdkCall; 7] = [
    attribute("lastModifiedTime", FileAttribute::Modified),
    attribute("lastAccessTime", FileAttribute::Accessed),
    attribute("creationTime", FileAttribute::Created),
    attribute("fileKey", FileAttribute::Key),
    attribute("owner", FileAttribute::Owner),
    attribute("group", FileAttribute::Owner),
    attribute("permissions", FileAttribute::Permissions),
];

/// Their interfaces.
const ATTRIBUTE_HOLDERS: [&[u8]; 3] = [
    b"java/nio/file/attribute/BasicFileAttributes",
    b"java/nio/file/attribute/PosixFileAttributes",
    b"java/nio/file/attribute/DosFileAttributes",
];

const fn attribute(name: &'static str, attribute: FileAttribute) -> JdkCall {
    JdkCall {
        owner: None,
        name,
        descriptor: None,
        asked: JdkQuery::Attribute(attribute),
        key: KeyPosition::Top,
    }
}

/// The row of a method.
pub(super) fn find(member: &MemberRef<'_>) -> Option<&'static JdkCall> {
    let of = |row: &&JdkCall| {
        row.name.as_bytes() == member.name
            && row.owner.is_none_or(|owner| owner.as_bytes() == member.owner)
            && row.descriptor.is_none_or(|descriptor| descriptor.as_bytes() == member.descriptor)
    };
    if member.owner == b"java/lang/Package" || member.owner == b"java/lang/reflect/AnnotatedElement" {
        return PACKAGE_ROWS.iter().find(of);
    }
    if ATTRIBUTE_HOLDERS.contains(&member.owner) {
        return ATTRIBUTE_ROWS.iter().find(of);
    }
    // The others are methods of classes.
    ROWS.iter().find(of).filter(|_| member.kind == MemberKind::Method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_the_number_of_its_kind() {
        for row in ROWS.iter().chain(&PACKAGE_ROWS).chain(&ATTRIBUTE_ROWS) {
            assert_eq!(JdkQuery::from_number(row.asked.number().into()), Some(row.asked));
        }
    }
}
