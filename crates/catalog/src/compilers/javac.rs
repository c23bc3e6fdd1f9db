//! javac, and ecj where it does the same.

use super::CompilerRow;

/// The row.
pub const JAVAC: CompilerRow = CompilerRow {
    name: "javac",
    why: "It numbers what it makes for other code. The numbers change with any edit in front, and mean nothing.",
    cases: &["in_front.md", "anonymous_in_front.md", "inner_accessor.md", "switch_on_enum.md"],
    ..CompilerRow::EMPTY
};

/// What stands before the name of a captured variable.
pub const CAPTURED: &str = "val$";

/// How methods begin through which nested classes reach private members.
pub const ACCESSOR: &str = "access$";

/// The field that holds whether assertions are off.
pub const ASSERTIONS_DISABLED: &str = "$assertionsDisabled";

/// The method that rebuilds serialised lambdas.
pub const DESERIALIZE_LAMBDA: &str = "$deserializeLambda$";
