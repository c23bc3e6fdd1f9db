//! Messages to the CLI: they wait for the end of a boundary, or a little longer, and go out in one write.

use super::flusher;
use std::os::unix::net::UnixStream;
use tamis_wire::{AgentMessage, MessageSender};

/// More than this does not wait for a boundary.
const WAITING: usize = 256 << 10;

pub(super) struct Outbox {
    /// `None` once the CLI is gone: that costs the recording, nothing else.
    sender: Option<MessageSender<UnixStream>>,
    /// Whether it is told at once when a span begins.
    prompt: bool,
}

impl Outbox {
    pub(super) fn new(sender: MessageSender<UnixStream>, prompt: bool) -> Outbox {
        Outbox { sender: Some(sender), prompt }
    }

    /// Whether anybody listens.
    pub(super) fn is_heard(&self) -> bool {
        self.sender.is_some()
    }

    pub(super) fn say(&mut self, said: &AgentMessage) {
        let Some(sender) = &mut self.sender else { return };
        let queued = sender.queue(said);
        if queued.is_err() {
            self.sender = None;
        } else if sender.waiting() > WAITING {
            self.send();
        }
    }

    /// Sends what waits when a span has begun.
    pub(super) fn send_start(&mut self) {
        if self.prompt { self.send() } else { self.send_soon() }
    }

    /// Sends what waits, soon and on another thread: a write takes as long as all else that a boundary does.
    pub(super) fn send_soon(&mut self) {
        if !flusher::leave() {
            self.send();
        }
    }

    /// Sends what waits.
    pub(super) fn send(&mut self) {
        if self.sender.as_mut().is_some_and(|sender| sender.flush().is_err()) {
            self.sender = None;
        }
    }
}
