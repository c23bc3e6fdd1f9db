//! Packages and classes of the JDK, by what their code does for others.

use crate::name::{NameSet, is_signature_of};

/// Packages that only the JDK defines.
pub const OWN: NameSet = NameSet {
    name: "the JDK's own packages",
    prefixes: &[
        "java/",
        "javax/",
        "jdk/",
        "sun/",
        "com/sun/",
        "com/oracle/",
        "oracle/",
        "jrockit/",
        "netscape/javascript/",
        "org/ietf/jgss/",
        "org/jcp/xml/",
        "org/w3c/dom/",
        "org/xml/sax/",
    ],
    why: "The JDK is a fact of every test, so its classes stay as they are. The boot loader's other classes were appended to \
          its class path by somebody.",
    cases: &["version.md"],
    ..NameSet::EMPTY
};

/// Classes that the JDK generates and gives to any loader.
pub const GLUE: NameSet = NameSet {
    name: "the JDK's glue",
    prefixes: &["java/", "jdk/internal/", "sun/reflect/"],
    why: "Reflection and the like generate it for every member that is used often: it is the JDK's, whatever loader it is given \
          to.",
    cases: &["method_found_by_name.md"],
    ..NameSet::EMPTY
};

/// Classes through which reflection calls members.
pub const ACCESSORS: NameSet = NameSet {
    name: "the JDK's accessors",
    prefixes: &["jdk/internal/reflect/", "sun/reflect/"],
    why: "They have no file that could change.",
    cases: &["method_found_by_name.md"],
    ..NameSet::EMPTY
};

/// Where reflection makes a handle of a member, from JDK 18 on.
pub const LINKING: NameSet = NameSet {
    name: "where reflection links",
    prefixes: &["jdk/internal/reflect/MethodHandleAccessorFactory"],
    why: "It looks up with the JDK's own rights a member that was listed before.",
    cases: &["method_found_by_name.md"],
    ..NameSet::EMPTY
};

/// Frames between a program and the natives when it calls `MethodHandles.Lookup` or `Unsafe`, also by reflection.
pub const BETWEEN: NameSet = NameSet {
    name: "what calls natives for a program",
    exact: &["java/lang/ClassLoader", "jdk/internal/misc/Unsafe", "sun/misc/Unsafe"],
    prefixes: &[
        "java/lang/System$",
        // The adapters that a method handle runs.
        "java/lang/invoke/DelegatingMethodHandle$Holder",
        "java/lang/invoke/DirectMethodHandle$Holder",
        "java/lang/invoke/Invokers$Holder",
        "java/lang/invoke/LambdaForm$",
        "java/lang/invoke/MethodHandles$Lookup",
        "java/lang/reflect/",
        "jdk/internal/reflect/",
        "sun/reflect/",
    ],
    why: "The program asks through it. Through any other class of the JDK, the JDK asks for itself.",
    cases: &["find_static.md", "made_without_a_constructor.md", "own_loader.md"],
};

/// Where the JDK finds out how much memory and how many processors it was given.
pub const LIMITS: NameSet = NameSet {
    name: "where the JDK reads its limits",
    prefixes: &["jdk/internal/platform/"],
    why: "It reads tables of the kernel that change with every process, and takes the limits of its own group from them. These \
          limits are the input.",
    cases: &[],
    ..NameSet::EMPTY
};

/// Whether a path is one of the kernel's about groups of processes and their limits.
pub fn is_about_limits(path: &str) -> bool {
    path == "/proc/cgroups"
        || path.starts_with("/sys/fs/cgroup")
        || (path.starts_with("/proc/") && (path.ends_with("/cgroup") || path.ends_with("/mountinfo")))
}

/// Whether a method, of a class by its signature, makes up the name of a new file.
#[inline]
pub fn makes_up_names(signature: &str, method: &str) -> bool {
    is_signature_of("java/io/File", signature) && method == "createTempFile"
}

/// Whether the JVM calls this method, of a class by its signature, to link a call site, a method handle or a constant.
#[inline]
pub fn links(signature: &str, method: &str) -> bool {
    is_signature_of("java/lang/invoke/MethodHandleNatives", signature) && method.starts_with("link")
}
