//! The errors of reading and writing class files.

use std::fmt;

/// `malformed class file at byte 0x1f: constant pool tag 2 is not defined`
///
/// States the position and the problem; the caller adds the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Offset from the first byte of the class file.
    pub offset: usize,
    /// The problem, lowercase, without a full stop.
    pub what: &'static str,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed class file at byte {:#x}: {}", self.offset, self.what)
    }
}

impl std::error::Error for ParseError {}

/// The reason why a class, or one method of it, cannot be written as requested. The writer is then unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// The class or method to change cannot be read.
    Malformed(ParseError),
    /// The constant pool would pass 65535 entries.
    PoolFull,
    /// A text constant would pass 65535 bytes.
    TextTooLong,
    /// The method has no Code attribute.
    NoCode,
    /// The method's code would pass 65535 bytes.
    CodeTooLarge,
    /// The method's operand stack would pass 65535 slots.
    StackTooDeep,
    /// The conditional jump at this offset of the old code would pass 32 KiB.
    BranchTooFar {
        /// Offset of the jump.
        pc: u32,
    },
    /// An insertion, a jump, a handler or a frame names this offset, and no instruction starts there.
    NoInstruction {
        /// The offset named.
        pc: u32,
    },
    /// An insertion needs frames where the class file has none to derive them from.
    NoFrame {
        /// Where the code was to be inserted.
        pc: u32,
    },
}

impl From<ParseError> for WriteError {
    fn from(error: ParseError) -> Self {
        WriteError::Malformed(error)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Malformed(error) => error.fmt(f),
            WriteError::PoolFull => f.write_str("constant pool would pass 65535 entries"),
            WriteError::TextTooLong => f.write_str("text constant would pass 65535 bytes"),
            WriteError::NoCode => f.write_str("method has no code"),
            WriteError::CodeTooLarge => f.write_str("code would pass 65535 bytes"),
            WriteError::StackTooDeep => f.write_str("operand stack would pass 65535 slots"),
            WriteError::BranchTooFar { pc } => write!(f, "conditional jump at {pc} would pass 32 KiB"),
            WriteError::NoInstruction { pc } => write!(f, "no instruction starts at {pc}"),
            WriteError::NoFrame { pc } => write!(f, "no stack map frame at {pc} to derive frames from"),
        }
    }
}

impl std::error::Error for WriteError {}
