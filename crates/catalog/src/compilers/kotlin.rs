//! Kotlin's compiler.

use super::CompilerRow;

/// The row.
pub const KOTLIN: CompilerRow = CompilerRow {
    name: "Kotlin",
    why: "Its metadata repeats every declaration for itself and for its reflection. Stack traces show its debug annotations.",
    cases: &["projects/kotlin"],
    metadata: &["kotlin/Metadata"],
    sources: &["kt"],
    debug: &["kotlin/coroutines/jvm/internal/DebugMetadata", "kotlin/jvm/internal/SourceDebugExtension"],
    ..CompilerRow::EMPTY
};

/// How classes end that hold maps from enum ordinals to case numbers.
pub const WHEN_MAPPINGS: &[u8] = b"$WhenMappings";

/// The prefix of the number of a lambda's method.
pub const LAMBDA: &[u8] = b"$lambda$";
