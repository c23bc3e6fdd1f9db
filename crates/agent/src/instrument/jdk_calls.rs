//! The table of JDK methods that answer from Java, without a native method that could be wrapped; and the calls of them.
//!
//! Before such a call, in any class but the JDK's own, a copy of its key is passed to `note`. A method reference is noted where it
//! is created, as if it read everything, because its key is not known yet. Calls by reflection and by the JDK itself are not
//! noted. Properties that were set on the command line of a JVM are known anyway.

use super::helper_classes::BRIDGE;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{CodeInsertion, JumpsLand};
use tamis_classfile::{ClassFile, Constant, WriteError, opcode};

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
    PropertySet,
    Processors,
    Memory,
    Host,
    Stack,
    /// Structure of a class that `Class` answers from memory, or the compiler with an intrinsic. The key is the class.
    Structure,
    Named,
    Bundle,
    /// The key is a `Field`.
    FieldSet,
    /// A default that is about to be set.
    Default(DefaultKind),
}

/// All kinds, in the order of their numbers.
const ASKED: [JdkQuery; 19] = [
    JdkQuery::Environment,
    JdkQuery::Variables,
    JdkQuery::Property,
    JdkQuery::PropertySet,
    JdkQuery::Processors,
    JdkQuery::Memory,
    JdkQuery::Host,
    JdkQuery::Stack,
    JdkQuery::Structure,
    JdkQuery::Named,
    JdkQuery::Bundle,
    JdkQuery::FieldSet,
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

    fn number(self) -> u8 {
        // A kind that is missing from the list has no effect.
        ASKED.iter().position(|asked| *asked == self).unwrap_or(ASKED.len()) as u8
    }

    /// Whether nothing is read if the key is null.
    fn needs_key(self) -> bool {
        matches!(self, JdkQuery::Structure | JdkQuery::Named | JdkQuery::FieldSet)
    }
}

/// The position of the key on the operand stack at the call.
#[derive(Clone, Copy)]
enum KeyPosition {
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
}

struct Row {
    /// `None` for any class: javac names the declared class of the variable.
    owner: Option<&'static str>,
    name: &'static str,
    /// `None` for any descriptor.
    descriptor: Option<&'static str>,
    asked: JdkQuery,
    key: KeyPosition,
}

const fn row(
    owner: &'static str,
    name: &'static str,
    descriptor: &'static str,
    asked: JdkQuery,
    key: KeyPosition,
) -> Row {
    Row { owner: Some(owner), name, descriptor: Some(descriptor), asked, key }
}

const SYSTEM: &str = "java/lang/System";
const RUNTIME: &str = "java/lang/Runtime";
const STRING_2: &str = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";
const STRING: &str = "(Ljava/lang/String;)Ljava/lang/String;";
const INTEGER: &str = "java/lang/Integer";
const LONG: &str = "java/lang/Long";

const BUNDLE: &str = "java/util/ResourceBundle";
const LOCALE: &str = "(Ljava/lang/String;Ljava/util/Locale;)Ljava/util/ResourceBundle;";
const MODULE: &str = "(Ljava/lang/String;Ljava/lang/Module;)Ljava/util/ResourceBundle;";
const CLASS: &str = "java/lang/Class";

const ROWS: [Row; 64] = [
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
    // With more arguments the name is out of reach.
    Row {
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
    Row {
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
static VARIABLES: Row = row(SYSTEM, "getenv", "()Ljava/util/Map;", JdkQuery::Variables, KeyPosition::None);

/// A method that sets a field by reflection.
const fn set(name: &'static str, key: KeyPosition) -> Row {
    Row { owner: Some("java/lang/reflect/Field"), name, descriptor: None, asked: JdkQuery::FieldSet, key }
}

/// A static method that sets a default, called on any subclass.
const fn inherited(name: &'static str, descriptor: &'static str, kind: DefaultKind) -> Row {
    Row {
        owner: None,
        name,
        descriptor: Some(descriptor),
        asked: JdkQuery::Default(kind),
        key: KeyPosition::None,
    }
}

/// A method of a final class that sets a default.
const fn default(owner: &'static str, name: &'static str, kind: DefaultKind) -> Row {
    Row { owner: Some(owner), name, descriptor: None, asked: JdkQuery::Default(kind), key: KeyPosition::None }
}

/// A method of `Throwable` or `Thread`, called on any subclass.
const fn any(name: &'static str, descriptor: &'static str) -> Row {
    Row { owner: None, name, descriptor: Some(descriptor), asked: JdkQuery::Stack, key: KeyPosition::None }
}

/// `StackWalker` without `getCallerClass`, which depends on no line number.
const fn walker(name: &'static str) -> Row {
    Row { owner: Some(WALKER), name, descriptor: None, asked: JdkQuery::Stack, key: KeyPosition::None }
}

const WALKER: &str = "java/lang/StackWalker";

/// Methods of a walked frame that return its line or file. Libraries that walk the stack to find their caller call none of them.
const FRAME: &[u8] = b"java/lang/StackWalker$StackFrame";
const SHOWING: [&[u8]; 5] =
    [b"getLineNumber", b"getByteCodeIndex", b"getFileName", b"toStackTraceElement", b"toString"];
static SHOWN_FRAME: Row = walker("");

/// Test frameworks read the stack traces of failures, which no test depends on.
const FRAMEWORKS: [&str; 8] = [
    "org/junit/",
    "junit/",
    "org/testng/",
    "org/apache/maven/surefire/",
    "org/gradle/",
    "org/hamcrest/",
    "org/opentest4j/",
    "org/assertj/",
];

/// The calls in a class, by index of the constant that names the method.
#[derive(Default)]
pub(crate) struct ClassCalls {
    /// Methods that may be called.
    methods: Vec<(u16, &'static Row)>,
    /// Method handles, and dynamic constants whose bootstrap arguments have one.
    handles: Vec<(u16, &'static Row)>,
}

impl ClassCalls {
    /// The calls in a class. With `closely`, which is set for classes of the project, also queries of a class's structure:
    /// libraries make them all the time, and list the members as well.
    pub(crate) fn of(class: &ClassFile<'_>, closely: bool) -> Result<ClassCalls, WriteError> {
        let name = class.name()?;
        let is_framework = FRAMEWORKS.iter().any(|framework| name.starts_with(framework.as_bytes()));
        let mut calls = ClassCalls::default();
        let (mut handles, mut dynamic) = (Vec::new(), Vec::new());
        for (index, constant) in class.pool.iter() {
            match constant {
                Constant::Member(MemberKind::Method, _, _) => {
                    let found = find(class, index)?.filter(|row| match row.asked {
                        JdkQuery::Stack => !is_framework && (closely || row.owner != Some(WALKER)),
                        JdkQuery::Structure => closely,
                        _ => true,
                    });
                    let is_all = |row: &Row| {
                        row.asked == JdkQuery::Environment && matches!(row.key, KeyPosition::None)
                    };
                    let found = found.map(|row| if is_all(row) && !closely { &VARIABLES } else { row });
                    calls.methods.extend(found.map(|row| (index, row)));
                }
                Constant::Member(MemberKind::InterfaceMethod, _, _) if !is_framework => {
                    let member = class.pool.member(index)?;
                    if member.owner == FRAME && SHOWING.contains(&member.name) {
                        calls.methods.push((index, &SHOWN_FRAME));
                    }
                }
                Constant::MethodHandle(_, member) => handles.push((index, member)),
                Constant::Dynamic(bootstrap, _) | Constant::InvokeDynamic(bootstrap, _) => {
                    dynamic.push((index, bootstrap));
                }
                _ => {}
            }
        }
        if calls.methods.is_empty() {
            return Ok(calls);
        }
        // A class that calls `getProperties` and changes such tables may change the system properties.
        let tables =
            calls.methods.iter().filter(|(_, row)| row.name == "getProperties").map(|(index, _)| *index);
        let tables: Vec<u16> = tables.collect();
        if !tables.is_empty() && changes_properties(class) {
            calls.methods.extend(tables.into_iter().map(|index| (index, &CHANGED_TABLE)));
        }
        for (index, member) in handles {
            let row = calls.methods.iter().find(|(method, _)| *method == member).map(|(_, row)| *row);
            // The name of the variable is not known here.
            let is_library = |row: &Row| row.asked == JdkQuery::Environment && !closely;
            let row = row.map(|row| if is_library(row) { &VARIABLES } else { row });
            calls.handles.extend(row.map(|row| (index, row)));
        }
        if !calls.handles.is_empty() {
            calls.add_dynamic(class, &dynamic)?;
        }
        Ok(calls)
    }

    /// Whether there are no calls.
    pub(crate) fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// Adds the dynamic constants that use one of the handles, directly or through another constant.
    fn add_dynamic(&mut self, class: &ClassFile<'_>, dynamic: &[(u16, u16)]) -> Result<(), WriteError> {
        let Some(attribute) = class.attributes.find(&class.pool, AttributeKind::BootstrapMethods)? else {
            return Ok(());
        };
        let bootstraps = attribute.bootstrap_methods()?;
        loop {
            let before = self.handles.len();
            for (index, bootstrap) in dynamic {
                let Some(bootstrap) = bootstraps.get(usize::from(*bootstrap)) else { continue };
                for used in bootstrap.arguments.values().chain([bootstrap.method]) {
                    let row = self.handles.iter().find(|(handle, _)| *handle == used).map(|(_, row)| *row);
                    if let Some(row) = row
                        && !self
                            .handles
                            .iter()
                            .any(|(known, other)| known == index && std::ptr::eq(*other, row))
                    {
                        self.handles.push((*index, row));
                    }
                }
            }
            if self.handles.len() == before {
                return Ok(());
            }
        }
    }

    /// The insertions before the calls in a method.
    pub(crate) fn insertions(
        &self,
        writer: &mut ClassWriter<'_, '_>,
        code: &Code<'_>,
    ) -> Result<Vec<CodeInsertion>, WriteError> {
        let mut insertions = Vec::new();
        if self.methods.is_empty() {
            return Ok(insertions);
        }
        for instruction in code.instructions() {
            let instruction = instruction?;
            let Operand::Constant(index) = instruction.operand else { continue };
            let (known, is_call) = match instruction.opcode {
                opcode::INVOKEVIRTUAL
                | opcode::INVOKESPECIAL
                | opcode::INVOKESTATIC
                | opcode::INVOKEINTERFACE => (&self.methods, true),
                opcode::INVOKEDYNAMIC | opcode::LDC | opcode::LDC_W | opcode::LDC2_W => {
                    (&self.handles, false)
                }
                _ => continue,
            };
            for (_, row) in known.iter().filter(|(known, _)| *known == index) {
                if !is_call && row.asked.needs_key() {
                    continue;
                }
                let key = if is_call { row.key } else { KeyPosition::None };
                insertions.push(insertion(writer, instruction.pc, row.asked, key)?);
            }
        }
        Ok(insertions)
    }
}

/// Used as well for `System.getProperties` in a class that changes properties.
static CHANGED_TABLE: Row =
    row(SYSTEM, "getProperties", "()Ljava/util/Properties;", JdkQuery::PropertySet, KeyPosition::None);

/// Prefixes of names of methods that change a table.
const CHANGES: [&[u8]; 9] =
    [b"clear", b"compute", b"load", b"merge", b"put", b"remove", b"replace", b"set", b"entrySet"];

fn changes_properties(class: &ClassFile<'_>) -> bool {
    const TABLES: [&[u8]; 3] = [b"java/util/Properties", b"java/util/Hashtable", b"java/util/Map"];
    class.pool.iter().any(|(index, constant)| match constant {
        Constant::Member(_, _, _) => class.pool.member(index).is_ok_and(|member| {
            TABLES.contains(&member.owner) && CHANGES.iter().any(|verb| member.name.starts_with(verb))
        }),
        _ => false,
    })
}

fn find(class: &ClassFile<'_>, index: u16) -> Result<Option<&'static Row>, WriteError> {
    let member = class.pool.member(index)?;
    Ok(ROWS.iter().find(|row| {
        row.name.as_bytes() == member.name
            && row.owner.is_none_or(|owner| owner.as_bytes() == member.owner)
            && row.descriptor.is_none_or(|descriptor| descriptor.as_bytes() == member.descriptor)
    }))
}

fn insertion(
    writer: &mut ClassWriter<'_, '_>,
    at: u32,
    asked: JdkQuery,
    key: KeyPosition,
) -> Result<CodeInsertion, WriteError> {
    let method =
        writer.pool.member(MemberKind::Method, BRIDGE.as_bytes(), NOTE.0.as_bytes(), NOTE.1.as_bytes())?;
    let [high, low] = method.to_be_bytes();
    let mut code = match key {
        KeyPosition::None => vec![opcode::ACONST_NULL],        //  null
        KeyPosition::Top => vec![opcode::DUP],                 //  key key
        KeyPosition::Under => vec![opcode::DUP2, opcode::POP], //  key value key
        KeyPosition::UnderTwo => vec![opcode::DUP2_X1, opcode::POP2, opcode::DUP], //  values key key
        KeyPosition::UnderThree => vec![opcode::DUP2_X2, opcode::POP2, opcode::DUP2, opcode::POP], //  long key value key
    };
    code.extend([opcode::BIPUSH, asked.number(), opcode::INVOKESTATIC, high, low]);
    match key {
        KeyPosition::None | KeyPosition::Top | KeyPosition::Under => {}
        KeyPosition::UnderTwo => code.extend([opcode::DUP_X2, opcode::POP]), //     key values
        KeyPosition::UnderThree => code.extend([opcode::DUP2_X2, opcode::POP2]), // key value long
    }
    Ok(CodeInsertion { at, code, jumps: JumpsLand::Before, frames: Vec::new(), stack: 2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_the_number_of_its_kind() {
        for row in &ROWS {
            assert_eq!(JdkQuery::from_number(row.asked.number().into()), Some(row.asked));
        }
    }
}
