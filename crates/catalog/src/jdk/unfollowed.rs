//! Methods of the JDK through which code reaches what a static graph of calls does not show.
//!
//! Static techniques have no facts about these, so a test that may call one always runs. A method is in the table if its
//! result depends on something besides its arguments, the classes of the program and their resources, or if it runs code of
//! the program that its caller does not name.

use crate::name::{begins_any, is_any};

macro_rules! unfollowed {
    ($($(#[$doc:meta])* $variant:ident $word:literal),* $(,)?) => {
        /// What a static graph cannot follow.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum UnfollowedApi { $($(#[$doc])* $variant),* }

        impl UnfollowedApi {
            /// All of them, in the order of their bits.
            pub const ALL: &[UnfollowedApi] = &[$(UnfollowedApi::$variant),*];

            /// A word for reports.
            pub fn word(self) -> &'static str {
                match self { $(UnfollowedApi::$variant => $word),* }
            }
        }
    };
}

unfollowed! {
    /// Classes, members and annotations that are found by name or listed.
    Reflection "reflection",
    /// Providers of services.
    Services "services",
    /// Objects that are written or made by serialisation.
    Serialisation "serialisation",
    /// Other processes.
    Processes "processes",
    /// Other machines.
    Network "the network",
    /// Files.
    Files "files",
    /// Environment variables.
    Environment "the environment",
    /// System properties.
    Properties "system properties",
    /// Code that is not bytecode.
    Native "native code",
    /// Line numbers and callers.
    StackTraces "stack traces",
}

/// Several of them, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnfollowedSet(pub u16);

impl UnfollowedSet {
    /// Adds one.
    pub fn insert(&mut self, api: UnfollowedApi) {
        self.0 |= 1 << api as u16;
    }

    /// Adds several.
    pub fn unite(&mut self, other: UnfollowedSet) {
        self.0 |= other.0;
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that are in it.
    pub fn iter(self) -> impl Iterator<Item = UnfollowedApi> {
        UnfollowedApi::ALL.iter().copied().filter(move |api| self.0 & (1 << *api as u16) != 0)
    }
}

/// Methods of a class.
#[derive(Clone, Copy)]
enum Methods {
    /// All.
    All,
    /// Those with these names.
    Named(&'static [&'static str]),
    /// Those whose names begin so.
    Beginning(&'static [&'static str]),
    /// All but those with these names.
    Except(&'static [&'static str]),
    /// Constructors and others whose descriptors name a file.
    WithFile,
    /// The same; here a text is the name of a file, too.
    WithFileOrName,
}

use Methods::{All, Beginning, Except, Named, WithFile, WithFileOrName};
use UnfollowedApi::{
    Environment, Files, Native, Network, Processes, Properties, Reflection, Serialisation, Services,
    StackTraces,
};

/// Classes, or packages if the name ends with a slash.
const TABLE: &[(&str, Methods, UnfollowedApi)] = &[
    (
        "java/lang/Class",
        Beginning(&[
            "forName",
            "newInstance",
            "getField",
            "getDeclared",
            "getMethod",
            "getConstructor",
            "getClasses",
            "getRecordComponents",
            "getPermitted",
            "getAnnot",
            "getGeneric",
            "getModifiers",
            "getEnclosing",
            "getNest",
            "getTypeParameters",
            "isAnnotation",
            "getPackage",
            "getModule",
        ]),
        Reflection,
    ),
    ("java/lang/reflect/Array", Named(&[]), Reflection),
    ("java/lang/reflect/Modifier", Named(&[]), Reflection),
    ("java/lang/reflect/InvocationTargetException", Named(&[]), Reflection),
    ("java/lang/reflect/UndeclaredThrowableException", Named(&[]), Reflection),
    ("java/lang/reflect/", All, Reflection),
    ("java/lang/annotation/", All, Reflection),
    ("java/lang/invoke/MethodHandles$Lookup", Except(&["lookupClass"]), Reflection),
    (
        "java/lang/ClassLoader",
        Beginning(&["loadClass", "findClass", "defineClass", "findLoaded"]),
        Reflection,
    ),
    ("java/net/URLClassLoader", All, Reflection),
    ("java/lang/instrument/", All, Reflection),
    ("java/beans/", All, Reflection),
    ("java/util/ResourceBundle", Named(&["getBundle"]), Reflection),
    ("java/util/concurrent/atomic/AtomicIntegerFieldUpdater", Named(&["newUpdater"]), Reflection),
    ("java/util/concurrent/atomic/AtomicLongFieldUpdater", Named(&["newUpdater"]), Reflection),
    ("java/util/concurrent/atomic/AtomicReferenceFieldUpdater", Named(&["newUpdater"]), Reflection),
    ("java/util/ServiceLoader", All, Services),
    ("java/sql/DriverManager", All, Services),
    ("java/nio/file/FileSystems", Except(&["getDefault"]), Services),
    ("java/security/Provider", All, Services),
    ("java/security/Security", All, Services),
    ("java/rmi/", All, Network),
    ("javax/naming/", All, Services),
    ("javax/script/", All, Services),
    ("javax/management/", All, Services),
    ("javax/tools/", All, Files),
    ("javax/xml/", Named(&["newInstance", "newFactory", "newDefaultInstance"]), Services),
    ("javax/net/", All, Network),
    ("javax/imageio/", All, Files),
    ("java/io/ObjectInputStream", All, Serialisation),
    ("java/io/ObjectOutputStream", All, Serialisation),
    ("java/io/ObjectStreamClass", All, Serialisation),
    ("java/lang/ProcessBuilder", All, Processes),
    ("java/lang/ProcessHandle", All, Processes),
    ("java/lang/Runtime", Named(&["exec", "load", "loadLibrary"]), Processes),
    ("java/net/URI", Named(&[]), Network),
    ("java/net/URLEncoder", Named(&[]), Network),
    ("java/net/URLDecoder", Named(&[]), Network),
    ("java/net/URISyntaxException", Named(&[]), Network),
    ("java/net/MalformedURLException", Named(&[]), Network),
    ("java/net/URL", Named(&["openStream", "openConnection", "getContent", "equals", "hashCode"]), Network),
    ("java/net/", All, Network),
    ("java/nio/channels/", Named(&["open", "connect", "bind"]), Network),
    ("java/io/FileInputStream", All, Files),
    ("java/io/FileOutputStream", All, Files),
    ("java/io/FileReader", All, Files),
    ("java/io/FileWriter", All, Files),
    ("java/io/RandomAccessFile", All, Files),
    ("java/io/Console", All, Files),
    (
        "java/io/File",
        Except(&[
            "<init>",
            "getName",
            "getPath",
            "toString",
            "getParent",
            "getParentFile",
            "toPath",
            "equals",
            "hashCode",
            "compareTo",
            "isAbsolute",
            "toURI",
        ]),
        Files,
    ),
    ("java/nio/file/Files", All, Files),
    ("java/nio/file/Path", Beginning(&["toRealPath", "toAbsolutePath", "register"]), Files),
    ("java/util/zip/ZipFile", All, Files),
    ("java/util/jar/JarFile", All, Files),
    ("java/util/logging/FileHandler", All, Files),
    ("java/io/PrintStream", WithFileOrName, Files),
    ("java/io/PrintWriter", WithFileOrName, Files),
    ("java/util/Formatter", WithFileOrName, Files),
    ("java/util/Scanner", WithFile, Files),
    ("java/lang/System", Named(&["load", "loadLibrary", "mapLibraryName"]), Native),
    ("java/lang/System", Named(&["getenv"]), Environment),
    ("java/lang/System", Named(&["console"]), Files),
    (
        "java/lang/System",
        Named(&["getProperty", "getProperties", "setProperty", "setProperties", "clearProperty"]),
        Properties,
    ),
    ("java/lang/Integer", Named(&["getInteger"]), Properties),
    ("java/lang/Long", Named(&["getLong"]), Properties),
    ("java/lang/Boolean", Named(&["getBoolean"]), Properties),
    ("java/lang/foreign/", All, Native),
    ("sun/", All, Native),
    ("jdk/", All, Native),
    ("com/sun/", All, Native),
    ("java/lang/StackWalker", All, StackTraces),
    ("java/lang/Throwable", Named(&["getStackTrace", "printStackTrace"]), StackTraces),
    ("java/lang/Thread", Named(&["getStackTrace", "getAllStackTraces", "dumpStack"]), StackTraces),
];

/// What a static graph cannot follow of a call of this method.
pub fn unfollowed(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<UnfollowedApi> {
    let is_jdk = [b"java/".as_slice(), b"javax/", b"sun/", b"jdk/", b"com/sun/"];
    if !is_jdk.iter().any(|package| owner.starts_with(package)) {
        return None;
    }
    // Stack traces are read from exceptions of any class.
    if is_any(&["getStackTrace", "printStackTrace"], name) {
        return Some(StackTraces);
    }
    let names = |class: &str| {
        let own = class.as_bytes();
        if class.ends_with('/') { owner.starts_with(own) } else { owner == own }
    };
    for (_, methods, api) in TABLE.iter().filter(|(class, ..)| names(class)) {
        let has_file = || {
            [b"Ljava/io/File;".as_slice(), b"Ljava/nio/file/Path;"]
                .iter()
                .any(|file| descriptor.windows(file.len()).any(|part| part == *file))
        };
        let is_named = match methods {
            All => true,
            Named(known) => is_any(known, name),
            Beginning(known) => begins_any(known, name),
            Except(known) => !is_any(known, name),
            WithFile => name == b"<init>" && has_file(),
            WithFileOrName => {
                name == b"<init>" && (has_file() || descriptor.starts_with(b"(Ljava/lang/String;"))
            }
        };
        if is_named {
            return Some(*api);
        }
        // A class with a row of its own does not count for its package.
        if matches!(methods, Named([])) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(owner: &str, name: &str, descriptor: &str) -> Option<UnfollowedApi> {
        unfollowed(owner.as_bytes(), name.as_bytes(), descriptor.as_bytes())
    }

    #[test]
    fn calls_that_a_graph_cannot_follow_are_named() {
        let cases = [
            ("java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;", Some(Reflection)),
            ("java/lang/Class", "getName", "()Ljava/lang/String;", None),
            ("java/lang/reflect/Method", "invoke", "()V", Some(Reflection)),
            ("java/lang/reflect/Array", "newInstance", "()V", None),
            ("java/io/PrintStream", "<init>", "(Ljava/io/OutputStream;)V", None),
            ("java/io/PrintStream", "<init>", "(Ljava/lang/String;)V", Some(Files)),
            ("java/io/PrintStream", "println", "(Ljava/lang/String;)V", None),
            ("java/util/Scanner", "<init>", "(Ljava/lang/String;)V", None),
            ("java/util/Scanner", "<init>", "(Ljava/nio/file/Path;)V", Some(Files)),
            ("java/io/File", "getName", "()Ljava/lang/String;", None),
            ("java/io/File", "exists", "()Z", Some(Files)),
            ("java/net/URI", "create", "()V", None),
            ("java/net/Socket", "<init>", "()V", Some(Network)),
            ("java/lang/System", "getenv", "()V", Some(Environment)),
            ("java/lang/System", "getProperty", "()V", Some(Properties)),
            ("java/lang/System", "nanoTime", "()J", None),
            ("java/lang/IllegalStateException", "printStackTrace", "()V", Some(StackTraces)),
            ("org/x/File", "exists", "()Z", None),
        ];
        for (owner, name, descriptor, expected) in cases {
            assert_eq!(of(owner, name, descriptor), expected, "{owner}.{name}{descriptor}");
        }
    }

    #[test]
    fn bits_and_words_agree() {
        let mut set = UnfollowedSet::default();
        for api in UnfollowedApi::ALL {
            set.insert(*api);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), UnfollowedApi::ALL);
    }
}
