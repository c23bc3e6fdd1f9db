//! javac, and ecj where it does the same.

use super::CompilerRow;

/// The row.
pub const JAVAC: CompilerRow = CompilerRow {
    name: "javac",
    why: "It numbers what it makes for other code. The numbers change with any edit in front, and mean nothing.",
    cases: &["in_front.md", "anonymous_in_front.md", "inner_accessor.md", "switch_on_enum.md"],
    sources: &["java"],
    ..CompilerRow::EMPTY
};

/// The prefix of the name of a captured variable.
pub const CAPTURED: &[u8] = b"val$";

/// How methods begin through which nested classes reach private members.
pub const ACCESSOR: &[u8] = b"access$";

/// The field that holds whether assertions are off.
pub const ASSERTIONS_DISABLED: &[u8] = b"$assertionsDisabled";

/// The method that rebuilds serialised lambdas.
pub const DESERIALIZE_LAMBDA: &[u8] = b"$deserializeLambda$";

/// The method that a class asks whether its assertions are on: class, name, descriptor.
pub const ASSERTION_STATUS: (&[u8], &[u8], &[u8]) = (b"java/lang/Class", b"desiredAssertionStatus", b"()Z");

/// The error that the initialiser of a map from enum ordinals to case numbers catches.
pub const SWITCH_MAP_ERROR: &[u8] = b"java/lang/NoSuchFieldError";
