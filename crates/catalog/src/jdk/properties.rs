//! System properties of the JDK.

use crate::name::NameSet;

/// Where the JDK is.
pub const HOME: &str = "java.home";
/// Where temporary files are.
pub const TEMPORARY: &str = "java.io.tmpdir";
/// The default.
pub const TEMPORARY_DEFAULT: &str = "/tmp";
/// The directory in which the JVM was started.
pub const DIRECTORY: &str = "user.dir";
/// The class path.
pub const CLASS_PATH: &str = "java.class.path";
/// The path on which modules are looked for.
pub const MODULE_PATH: &str = "jdk.module.path";
/// The prefix of the number of a patch of a module: `module=path:path`.
pub const MODULE_PATCH: &str = "jdk.module.patch.";
/// Which Java it is: `1.8`, `17`.
pub const RELEASE: &str = "java.specification.version";
/// Which JVM it is: `17.0.15+6`.
pub const VM_VERSION: &str = "java.vm.version";

/// Properties that the JDK itself looks at.
pub const OWN: NameSet = NameSet {
    name: "properties that the JDK looks at",
    prefixes: &[
        "java.",
        "javax.",
        "jdk.",
        "sun.",
        "com.sun.",
        "user.",
        "file.",
        "line.",
        "http.",
        "https.",
        "ftp.",
        "socks",
        "networkaddress.",
        "org.w3c.",
        "org.xml.",
    ],
    why: "Nobody sees that the JDK looks at them, so they count for every test. Others count for those who read them.",
    cases: &["locale.md", "time_zone.md"],
    ..NameSet::EMPTY
};

/// Properties that every JVM sets itself.
pub const OF_JVM: NameSet = NameSet {
    name: "properties that a JVM has by itself",
    prefixes: &[
        "java.", "javax.", "jdk.", "sun.", "com.sun.", "user.", "file.", "line.", "os.", "path.", "awt.",
        "native.", "stdout.", "stderr.", "stdin.",
    ],
    why: "A JVM that is started in a copy of a project is not given them: those that were given stand among its flags.",
    cases: &["audit.rs"],
    ..NameSet::EMPTY
};

/// Properties with paths that builds give to every JVM.
pub const PLACES: NameSet = NameSet {
    name: "properties that say where things are",
    exact: &[CLASS_PATH, DIRECTORY],
    why: "What lies there counts, not where it is.",
    cases: &["projects/single", "projects/modules"],
    ..NameSet::EMPTY
};

/// Properties that hold a class path.
pub const CLASS_PATHS: NameSet = NameSet {
    name: "properties that hold a class path",
    exact: &[CLASS_PATH, "sun.java.command"],
    why: "What lies there counts, not where it is.",
    cases: &["order_of_jars.md", "jar_renamed.md"],
    ..NameSet::EMPTY
};

/// Properties that identify the JDK. A digest holds them in this order.
pub const IDENTITY: NameSet = NameSet {
    name: "properties that identify a JDK",
    exact: &["java.version", "java.vm.name", "java.vm.vendor", VM_VERSION, "os.arch", "os.name", RELEASE],
    why: "Another JDK may do anything differently.",
    cases: &["version.md"],
    ..NameSet::EMPTY
};

/// Defaults that the JDK uses unobserved. A digest holds them in this order.
pub const DEFAULTS: NameSet = NameSet {
    name: "properties with defaults",
    exact: &["file.encoding", "user.country", "user.language", "user.timezone"],
    why: "Code relies on them without asking.",
    cases: &["locale.md", "time_zone.md"],
    ..NameSet::EMPTY
};

/// Properties that the agent reports when a JVM has started, in this order.
pub const REPORTED: NameSet = NameSet {
    name: "properties that are reported",
    exact: &[
        CLASS_PATH,
        HOME,
        RELEASE,
        "java.version",
        "java.vm.name",
        "java.vm.vendor",
        VM_VERSION,
        MODULE_PATH,
        // The first patches of modules; builds that test a module patch one.
        "jdk.module.patch.0",
        "jdk.module.patch.1",
        "jdk.module.patch.2",
        "jdk.module.patch.3",
        // Values on which code may rely without asking.
        "file.encoding",
        TEMPORARY,
        "os.arch",
        "os.name",
        "os.version",
        "user.country",
        "user.language",
        "user.timezone",
    ],
    why: "They identify the JVM and its class path, and what code may rely on without asking.",
    cases: &["version.md", "locale.md", "projects/modular"],
    ..NameSet::EMPTY
};
