//! Any bytes are messages or an error, on both sides of the protocol.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_wire::{MessageReceiver, AgentMessage, MessageSender, CliMessage};

fuzz_target!(|bytes: &[u8]| {
    let mut receiver = MessageReceiver::new(bytes);
    while let Ok(Some(said)) = receiver.receive::<AgentMessage>() {
        let mut again = Vec::new();
        MessageSender::new(&mut again).send(&said).expect("what was received can be sent");
        assert_eq!(MessageReceiver::new(again.as_slice()).receive::<AgentMessage>().expect("and received"), Some(said));
    }
    let _ = MessageReceiver::new(bytes).receive::<CliMessage>();
});
