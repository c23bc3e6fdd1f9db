//! Any bytes are messages or an error, on both sides of the protocol.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_trace::{Receiver, Said, Sender, Told};

fuzz_target!(|bytes: &[u8]| {
    let mut receiver = Receiver::new(bytes);
    while let Ok(Some(said)) = receiver.receive::<Said>() {
        let mut again = Vec::new();
        Sender::new(&mut again).send(&said).expect("what was received can be sent");
        assert_eq!(Receiver::new(again.as_slice()).receive::<Said>().expect("and received"), Some(said));
    }
    let _ = Receiver::new(bytes).receive::<Told>();
});
