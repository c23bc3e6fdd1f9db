//! Messages to the CLI. They wait for the end of a boundary, or a little longer, and are sent in one write.

use super::flusher;
use std::os::unix::net::UnixStream;
use tamis_wire::{AgentMessage, MessageSender};

/// With more bytes than this, messages are sent without waiting for a boundary.
const WAITING: usize = 256 << 10;

pub(super) struct Outbox {
    /// `None` once the CLI is gone. That ends the recording and has no other effect.
    sender: Option<MessageSender<UnixStream>>,
    /// Whether the start of a span is sent at once.
    prompt: bool,
}

impl Outbox {
    pub(super) fn new(sender: MessageSender<UnixStream>, prompt: bool) -> Outbox {
        Outbox { sender: Some(sender), prompt }
    }

    /// Whether the CLI still receives messages.
    pub(super) fn is_connected(&self) -> bool {
        self.sender.is_some()
    }

    /// Adds a message to those that wait.
    pub(super) fn queue(&mut self, message: &AgentMessage) {
        let Some(sender) = &mut self.sender else { return };
        let queued = sender.queue(message);
        if queued.is_err() {
            self.sender = None;
        } else if sender.waiting() > WAITING {
            self.send();
        }
    }

    /// Sends the waiting messages after the start of a span.
    pub(super) fn send_start(&mut self) {
        if self.prompt { self.send() } else { self.send_soon() }
    }

    /// Sends the waiting messages soon, on another thread: a write takes as long as everything else at a boundary.
    pub(super) fn send_soon(&mut self) {
        if !flusher::wake() {
            self.send();
        }
    }

    /// Sends the waiting messages.
    pub(super) fn send(&mut self) {
        if self.sender.as_mut().is_some_and(|sender| sender.flush().is_err()) {
            self.sender = None;
        }
    }
}
