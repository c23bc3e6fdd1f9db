//! What counts of the JDK's objects when the agent sums up what a static field reaches.

use crate::name::NameSet;

/// Classes whose objects count by their identity alone, besides those that never change.
pub const LEAVES: NameSet = NameSet {
    name: "objects that are not looked into",
    exact: &["java/io/File", "java/lang/Module", "java/net/URI", "java/net/URL", "java/net/Inet4Address"],
    prefixes: &["java/lang/invoke/", "java/lang/reflect/", "java/security/", "jdk/", "sun/"],
    why: "They hold what the JDK needs, and tests leave nothing of their own in them.",
    cases: &["uri_that_remembers_its_hash.md"],
};

/// Classes whose own fields are left out; those of classes below them count.
pub const BASES: NameSet = NameSet {
    name: "classes whose own fields are left out",
    exact: &[
        "java/lang/ClassLoader",
        "java/lang/Enum",
        "java/lang/Object",
        "java/lang/Thread",
        "java/lang/Throwable",
        "java/net/URLClassLoader",
        "java/security/SecureClassLoader",
    ],
    prefixes: &[],
    why: "The JVM writes them, or they lead to everything.",
    cases: &["enum_with_state.md"],
};

/// Fields in which collections of the JDK keep views of themselves, made when first asked for, and counters of changes.
const VIEWS: [&str; 7] =
    ["descendingMap", "entrySet", "keySet", "modCount", "navigableKeySet", "values", "keySetView"];

/// Whether a class is the JDK's.
#[inline]
pub fn is_jdk(class: &str) -> bool {
    super::packages::OWN.has(class)
}

/// Whether objects of a class count by their identity alone.
#[inline]
pub fn is_leaf(class: &str) -> bool {
    is_final_leaf(class)
        || LEAVES.has(class)
        || super::types::UNCHANGING_OBJECTS.has(class) && class != "java/lang/Object"
}

/// Whether every object in a variable of this type counts by its identity alone.
#[inline]
pub fn is_final_leaf(class: &str) -> bool {
    super::types::is_unchanging(class)
}

/// Whether the fields that a class declares itself are left out.
#[inline]
pub fn ends_fields(class: &str) -> bool {
    BASES.has(class)
}

/// Whether a field says nothing of what its object holds.
#[inline]
pub fn is_skipped_field(class: &str, name: &str, descriptor: &str) -> bool {
    match class {
        // The rest belongs to the garbage collector.
        "java/lang/ref/Reference" => name != "referent",
        "java/lang/ref/SoftReference" => true,
        // Counters that are spread over threads.
        "java/util/concurrent/ConcurrentHashMap" => name != "table",
        _ => class.starts_with("java/util/") && !descriptor.starts_with('[') && VIEWS.contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_leaf, is_skipped_field};

    #[test]
    fn a_map_counts_by_what_it_holds() {
        assert!(!is_leaf("java/util/HashMap"));
        assert!(!is_skipped_field("java/util/HashMap", "table", "[Ljava/util/HashMap$Node;"));
        assert!(is_skipped_field("java/util/AbstractMap", "values", "Ljava/util/Collection;"));
        assert!(is_leaf("java/lang/String") && !is_leaf("java/lang/Object"));
    }
}
