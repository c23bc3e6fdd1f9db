//! The JDK: its packages, types, threads and properties, as far as they are treated in their own way.

pub mod object_graphs;
pub mod packages;
pub mod properties;
pub mod threads;
pub mod types;
mod unfollowed;

use crate::name::NameSet;
pub use unfollowed::{UnfollowedApi, UnfollowedSet, unfollowed};

/// All groups of names.
pub(crate) const NAMES: &[NameSet] = &[
    object_graphs::LEAVES,
    object_graphs::BASES,
    packages::OWN,
    packages::GLUE,
    packages::ACCESSORS,
    packages::LIMITS,
    packages::LINKING,
    packages::BETWEEN,
    properties::OWN,
    properties::OF_JVM,
    properties::PLACES,
    properties::CLASS_PATHS,
    properties::IDENTITY,
    properties::DEFAULTS,
    properties::REPORTED,
    properties::MACHINE,
    properties::OF_COMMIT,
    properties::OF_PLACE,
    properties::OF_LIBRARIES,
    threads::SERVICE_GROUPS,
    threads::PLAIN_THREADS,
    threads::EXECUTORS,
    threads::QUEUES_NAMES,
    types::UNCHANGING,
    types::EXTENSIBLE,
    types::UNCHANGING_OBJECTS,
    types::KEEPING_NOTHING,
    types::PLAIN,
    types::FILLED,
    types::FIXED,
    types::SIMPLE,
    types::ATOMIC,
    types::CLASS_MAKERS,
];

/// Where the providers of services are named.
pub const SERVICES: &str = "META-INF/services/";

/// The manifest of a jar. Builds rewrite it with the time of day, so it counts only for tests that read it.
pub const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// The supertype of all proxies that the JDK makes.
pub const PROXY: &str = "java/lang/reflect/Proxy";

/// The schemes of locations of files.
pub const SCHEMES: [&str; 2] = ["file:", "jar:"];

/// How the JVM remarks on variables with options, on standard error.
pub const OPTIONS_REMARK: &str = "Picked up JAVA_TOOL_OPTIONS: ";

/// Whether a class, or a member after its class's name, is in the packages that no loader but the JDK's own may define
/// classes in.
#[inline]
pub fn is_java(name: impl AsRef<[u8]>) -> bool {
    name.as_ref().starts_with(b"java/")
}
