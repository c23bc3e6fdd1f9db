//! The protocol between the agent and the CLI.
//!
//! [`message`] defines the messages, [`format`] their bytes, and [`channel`] sends them over a stream, one length-prefixed frame
//! each. Each side treats the other as hostile: a length is checked before memory is allocated for it, and a frame that cannot
//! be decoded is an error, never a panic. Nothing here knows the JVM or a store.
#![forbid(unsafe_code)]

pub mod channel;
pub mod file_attribute;
pub mod format;
pub mod message;

pub use channel::{ChannelError, MessageReceiver, MessageSender};
pub use file_attribute::{AttributeRead, CopiedTime, FileAttribute};
pub use format::{DecodeError, ProbeRuns, WireFormat};
pub use message::{
    AgentMessage, ClassLoaded, CliMessage, ContextWork, Gap, Hello, HiddenClass, Input, NumberList,
    NumberedInput, Outcome, Plan, ProbeDetail, Span, SpanFinished, SpanHits, SpanKind, StackContext,
    StartedProcess, StaticFieldGraph, StaticFieldInfo, StaticInit, TestFailure, TestId, VERSION, content,
};
