//! What the agent says and the CLI hears: the protocol between them.
//!
//! [`message`] says what can be told, [`format`] how it is written in bytes, [`channel`] how messages travel over a
//! stream, one length-prefixed frame each. Both ends treat the other as hostile: every length is checked before anything
//! is sized by it, and a frame that cannot be decoded is an error, never a panic. Nothing here knows the JVM or a store.
#![forbid(unsafe_code)]

pub mod channel;
pub mod format;
mod frameworks;
pub mod message;

pub use channel::{ChannelError, Receiver, Sender};
pub use format::{DecodeError, Probes, Wire};
pub use frameworks::is_framework;
pub use message::{
    ClassSeen, FieldSeen, Finished, Gap, Hello, Hits, Ids, InitTrace, Made, Note, Noted, Outcome, Plan,
    Process, Said, Span, SpanKind, TestId, Told, Under, VERSION, content,
};
