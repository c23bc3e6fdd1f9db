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

/// The row of those that write stack traces into logs.
pub const LOG_WRITERS: LibraryRow = LibraryRow {
    name: "log writers",
    why: "They read a stack trace to write it into the log, or to find the caller; Mockito does to say in failures where a mock was \
          used. No test depends on that unless it reads the log: \
          then the project names a class for that, or replaces a standard stream.",
    cases: &["logged.md", "logged_and_captured.md", "logged_and_appended.md"],
    log_writers: &[
        "ch/qos/logback/",
        "org/apache/commons/logging/",
        "org/apache/juli/",
        "org/apache/log4j/",
        "org/apache/logging/log4j/",
        "org/jboss/logging/",
        "org/jboss/logmanager/",
        "org/mockito/internal/debugging/",
        "org/slf4j/",
        "org/springframework/boot/logging/",
        "org/tinylog/",
    ],
    log_readers: &[
        "ch/qos/logback/",
        "com/github/stefanbirkner/systemlambda/",
        "com/github/valfirst/slf4jtest/",
        "io/github/netmikey/logunit/",
        "java/util/logging/Formatter",
        "java/util/logging/Handler",
        "java/util/logging/LogRecord",
        "java/util/logging/SimpleFormatter",
        "java/util/logging/StreamHandler",
        "nl/altindag/log/",
        "org/apache/juli/",
        "org/apache/log4j/",
        "org/apache/logging/log4j/core/",
        "org/jboss/logmanager/",
        "org/junitpioneer/jupiter/",
        "org/mockito/MockingDetails",
        "org/mockito/invocation/DescribedInvocation",
        "org/mockito/invocation/Location",
        "org/mockito/listeners/",
        "org/slf4j/event/",
        "org/slf4j/helpers/",
        "org/slf4j/spi/",
        "org/springframework/boot/logging/",
        "org/springframework/boot/test/system/",
        "org/tinylog/",
        "uk/org/lidalia/slf4jtest/",
        "uk/org/webcompere/systemstubs/",
    ],
    ..LibraryRow::EMPTY
};

/// Methods of the JDK that replace the standard streams.
pub const STREAM_SETTERS: (&str, [&str; 2]) = ("java/lang/System", ["setOut", "setErr"]);
