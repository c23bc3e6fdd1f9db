//! Watches for static fields in which tests left something that no recorded run has shown.
//!
//! The traces of other tests do not know of such a change. The CLI is told of it at once, and says which of the tests that
//! could be skipped may use the field; these run.

use super::outbox::Outbox;
use crate::skip_switch;
use std::collections::HashSet;
use std::os::unix::net::UnixStream;
use tamis_wire::{AgentMessage, CliMessage, MessageReceiver};

/// The fields that are known, and the way to ask about others.
pub(crate) struct LeftoverWatch {
    known: HashSet<String>,
    receiver: MessageReceiver<UnixStream>,
}

impl LeftoverWatch {
    /// A watch with the fields in which tests are known to leave something.
    pub(crate) fn new(known: Vec<String>, receiver: MessageReceiver<UnixStream>) -> LeftoverWatch {
        LeftoverWatch { known: known.into_iter().collect(), receiver }
    }

    /// Some static fields were left changed. If one is not known, tests that may use it are not skipped any more, or no test
    /// at all if the CLI does not answer.
    pub(super) fn left(&mut self, mut fields: Vec<String>, outbox: &mut Outbox) {
        fields.retain(|field| self.known.insert(field.clone()));
        if fields.is_empty() {
            return;
        }
        outbox.queue(&AgentMessage::NewLeftovers(fields));
        outbox.send();
        match self.receiver.receive() {
            Ok(Some(CliMessage::RunAgain(tests))) => skip_switch::turn_off_for(tests),
            Ok(Some(CliMessage::Plan(_)) | None) | Err(_) => skip_switch::turn_off(),
        }
    }
}
