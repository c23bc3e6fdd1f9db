//! Libraries that take all properties of the JVM to look up names of their own.

use super::LibraryRow;

/// The row.
pub const PROPERTY_TABLES: LibraryRow = LibraryRow {
    name: "property tables",
    why: "They take all properties and look up names in them that are their own, or that others have told them. Every test of an \
          application would depend on every property if all counted, and on every test that sets one.",
    cases: &["property_through_a_table.md"],
    property_tables: &[
        "ch/qos/logback/",
        "com/mysql/",
        "com/zaxxer/hikari/",
        "org/apache/commons/logging/",
        "org/apache/logging/log4j/",
        "org/apache/tomcat/util/digester/",
        "org/aspectj/",
        "org/h2/",
        "org/hibernate/cfg/",
        "org/postgresql/",
        "org/testcontainers/",
    ],
    ..LibraryRow::EMPTY
};
