//! Loggers of any library, and the JDK's.

use super::LibraryRow;

/// The row.
pub const LOGGERS: LibraryRow = LibraryRow {
    name: "loggers",
    why: "Most classes keep one in a constant, and few tests set what others ask of it. Every test would depend on every \
          other if that counted as state.",
    cases: &["level_of_a_logger.md", "lazy_object_called_a_logger.md"],
    logger_types: &["Logger", "/Log"],
    ..LibraryRow::EMPTY
};
