//! What the agent says and the CLI hears: the protocol between them.
//!
//! [`message`] says what can be told, [`format`] how it is written in bytes, [`channel`] how messages travel over a
//! stream, one length-prefixed frame each. Both ends treat the other as hostile: every length is checked before anything
//! is sized by it, and a frame that cannot be decoded is an error, never a panic. Nothing here knows the JVM or a store.
#![forbid(unsafe_code)]

pub mod channel;
pub mod format;
pub mod message;

pub use channel::{ChannelError, MessageReceiver, MessageSender};
pub use format::{DecodeError, ProbeRuns, WireFormat};
pub use message::{
    AgentMessage, ClassLoaded, CliMessage, Gap, Hello, HiddenClass, Input, NumberList, NumberedInput,
    Outcome, Plan, Span, SpanFinished, SpanHits, SpanKind, StackContext, StartedProcess, StaticFieldInfo,
    StaticInit, TestId, VERSION, content,
};
