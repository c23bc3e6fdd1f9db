//! System properties of the JDK.

use crate::builds::build_info;
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
    exact: &["java.version", "java.vm.name", "java.vm.vendor", VM_VERSION, ARCHITECTURE, SYSTEM, RELEASE],
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
        "user.country",
        "user.language",
        "user.timezone",
    ],
    why: "They identify the JVM and its class path, and what code may rely on without asking.",
    cases: &["version.md", "locale.md", "projects/modular"],
    ..NameSet::EMPTY
};

/// The machine's architecture, as the JDK names it.
pub const ARCHITECTURE: &str = "os.arch";
/// The operating system.
pub const SYSTEM: &str = "os.name";
/// The version of the kernel.
pub const SYSTEM_VERSION: &str = "os.version";
/// The home of the user.
pub const USER_HOME: &str = "user.home";
/// The name of the user.
pub const USER: &str = "user.name";

/// Properties at which a library that takes all of them is not taken to look.
pub const OF_COMMIT: NameSet = NameSet {
    name: "properties of a commit",
    prefixes: &[build_info::PROPERTIES],
    why: "They differ from one commit to the next. Who asks for one by its name, through Spring too, relies on it.",
    cases: &["all_properties_by_a_library.md", "property_through_spring.md"],
    ..NameSet::EMPTY
};

/// Properties that libraries set for themselves, or for the JDK.
pub const OF_LIBRARIES: NameSet = NameSet {
    name: "properties that libraries set for themselves",
    exact: &[
        "APPLICATION_GROUP",
        "APPLICATION_NAME",
        "PID",
        "catalina.base",
        "catalina.home",
        "catalina.useNaming",
        "com.zaxxer.hikari.pool_number",
        "java.awt.headless",
        "jna.loaded",
        "jna.platform.library.path",
        "jnidispatch.path",
        "org.jboss.logging.provider",
    ],
    prefixes: &["CONSOLE_LOG_", "FILE_LOG_", "LOGBACK_", "LOG_"],
    why: "Each context of Spring's sets them anew: who asks for one does not depend on the test that came first. If code of the \
          project sets one, it counts.",
    cases: &["property_that_a_library_sets.md"],
};

/// Further properties at which a library is not taken to look that is known to look up names of its own only.
pub const OF_PLACE: NameSet = NameSet {
    name: "properties of a place",
    exact: &[ARCHITECTURE, SYSTEM, SYSTEM_VERSION, USER_HOME, USER, "java.library.path", HOME],
    why: "They differ from one machine to the next. Who asks for one by its name, through Spring too, relies on it.",
    cases: &["property_through_spring.md"],
    ..NameSet::EMPTY
};

/// Properties that the JDK takes from the machine and the user. The JVM itself does not know them: the JDK's own table has them.
pub const MACHINE: NameSet = NameSet {
    name: "properties of the machine",
    exact: &[ARCHITECTURE, SYSTEM, SYSTEM_VERSION, USER_HOME, USER, "java.library.path"],
    why: "A trace holds on another machine if nobody read what differs there. All but architecture and system count only for \
          those who read them.",
    cases: &["property_of_the_machine.md"],
    ..NameSet::EMPTY
};
