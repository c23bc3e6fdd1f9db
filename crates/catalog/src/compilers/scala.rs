//! Scala's compilers.

use super::CompilerRow;

/// The row.
pub const SCALA: CompilerRow = CompilerRow {
    name: "Scala",
    why: "Signatures and TASTy repeat every declaration for the compilers and for reflection.",
    metadata: &["scala/reflect/ScalaSignature", "scala/reflect/ScalaLongSignature"],
    metadata_attributes: &["ScalaSig", "Scala", "ScalaInlineInfo", "TASTY"],
    sources: &["scala"],
    ..CompilerRow::EMPTY
};
