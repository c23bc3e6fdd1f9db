//! Whatever is sent arrives; whatever arrives that was not sent is refused, without a panic and without waiting for more.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

use proptest::prelude::*;
use std::io::{self, Read};
use tamis_trace::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z/$]{0,12}"]
}

fn ids() -> impl Strategy<Value = Ids> {
    prop::collection::vec(any::<u32>(), 0..20)
}

fn probes() -> impl Strategy<Value = Probes> {
    ids().prop_map(Probes)
}

fn test_id() -> impl Strategy<Value = TestId> {
    (text(), prop::option::of(text())).prop_map(|(class, method)| TestId { class, method })
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..4)
}

fn noted() -> impl Strategy<Value = Noted> {
    prop_oneof![
        text().prop_map(Noted::Read),
        text().prop_map(Noted::Examined),
        text().prop_map(Noted::Missing),
        text().prop_map(Noted::Listed),
        text().prop_map(Noted::Written),
        prop::option::of(text()).prop_map(Noted::Environment),
        prop::option::of(text()).prop_map(Noted::Property),
        prop::option::of(text()).prop_map(Noted::PropertySet),
        prop::option::of(text()).prop_map(Noted::Bundle),
        text().prop_map(Noted::Declared),
        text().prop_map(Noted::Machine),
        text().prop_map(Noted::Reflected),
        text().prop_map(Noted::Redefined),
        text().prop_map(Noted::FieldSet),
        text().prop_map(Noted::FieldLeft),
        (any::<u32>(), text(), texts()).prop_map(|(pid, program, arguments)| Noted::Process(Process {
            pid,
            program,
            arguments
        })),
        text().prop_map(Noted::Library),
        Just(Noted::Stack),
        (text(), text(), texts()).prop_map(|(name, host, supers)| Noted::Made(Made { name, host, supers })),
        text().prop_map(Noted::Thread),
    ]
}

fn said() -> impl Strategy<Value = Said> {
    let kinds = prop_oneof![Just(SpanKind::Test), Just(SpanKind::Class), Just(SpanKind::Container)];
    let outcomes = prop_oneof![
        Just(Outcome::Passed),
        Just(Outcome::Failed),
        Just(Outcome::Aborted),
        Just(Outcome::Ignored),
        Just(Outcome::Unknown)
    ];
    prop_oneof![
        (
            any::<u32>(),
            any::<u32>(),
            ids(),
            text(),
            texts(),
            prop::collection::vec((text(), text()), 0..5),
            prop::collection::vec((text(), text()), 0..5)
        )
            .prop_map(|(version, pid, ancestors, directory, command, options, properties)| {
                Said::Hello(Hello { version, pid, ancestors, directory, command, options, properties })
            }),
        (text(), any::<u32>(), prop::collection::vec((text(), text()), 0..9), texts(), any::<u64>())
            .prop_map(|(name, first_probe, methods, supers, content)| Said::Class(ClassSeen {
                name,
                first_probe,
                methods,
                supers,
                content
            })),
        (any::<u32>(), kinds, test_id(), text(), any::<Option<u32>>()).prop_map(
            |(number, kind, test, name, parent)| Said::Started(Span { number, kind, test, name, parent })
        ),
        (any::<u32>(), outcomes, any::<u64>()).prop_map(|(number, outcome, microseconds)| Said::Finished(
            Finished { number, outcome, microseconds }
        )),
        (ids(), probes(), ids()).prop_map(|(spans, probes, notes)| Said::Hits(Hits { spans, probes, notes })),
        (text(), probes(), texts(), ids(), ids()).prop_map(|(class, probes, nested, notes, spans)| {
            Said::Init(InitTrace { class, probes, nested, notes, spans })
        }),
        (any::<u32>(), noted()).prop_map(|(number, what)| Said::Note(Note { number, what })),
        test_id().prop_map(Said::Skipped),
        probes().prop_map(Said::Assumed),
        (text(), text(), any::<bool>(), prop::option::of(text())).prop_map(
            |(class, name, is_compared, holds)| Said::Field(FieldSeen { class, name, is_compared, holds })
        ),
        (ids(), text()).prop_map(|(spans, what)| Said::Gap(Gap { spans, what })),
        Just(Said::Bye),
    ]
}

fn told() -> impl Strategy<Value = Told> {
    (any::<u32>(), texts(), texts(), prop::collection::vec(test_id(), 0..9), any::<bool>()).prop_map(
        |(version, watch, class_path, skip, prompt)| {
            Told::Plan(Plan { version, watch, class_path, skip, prompt })
        },
    )
}

fn sent(messages: &[Said]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut sender = Sender::new(&mut bytes);
    for message in messages {
        sender.send(message).unwrap();
    }
    bytes
}

/// Hands out a few bytes at a time, as a socket may.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(buffer.len()).min(self.0.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// Every other read comes too late.
struct Slow<'a> {
    bytes: Dribble<'a>,
    late: bool,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.late = !self.late;
        if self.late { Err(io::ErrorKind::WouldBlock.into()) } else { self.bytes.read(buffer) }
    }
}

proptest! {
    #[test]
    fn what_is_sent_arrives(messages in prop::collection::vec(said(), 0..8), step in 1usize..9) {
        let bytes = sent(&messages);
        let mut receiver = Receiver::new(Dribble(&bytes, step));
        for message in messages {
            prop_assert_eq!(receiver.receive::<Said>().unwrap(), Some(message));
        }
        prop_assert_eq!(receiver.receive::<Said>().unwrap(), None);
    }

    #[test]
    fn a_time_limit_in_the_middle_loses_nothing(messages in prop::collection::vec(said(), 1..4), step in 1usize..9) {
        let bytes = sent(&messages);
        let mut receiver = Receiver::new(Slow { bytes: Dribble(&bytes, step), late: true });
        let mut got = Vec::new();
        loop {
            match receiver.receive::<Said>() {
                Ok(Some(message)) => got.push(message),
                Ok(None) => break,
                Err(ChannelError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => panic!("{error}"),
            }
        }
        prop_assert_eq!(got, messages);
    }

    #[test]
    fn plans_arrive(plan in told()) {
        let mut bytes = Vec::new();
        Sender::new(&mut bytes).send(&plan).unwrap();
        prop_assert_eq!(Receiver::new(bytes.as_slice()).receive::<Told>().unwrap(), Some(plan));
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut receiver = Receiver::new(bytes.as_slice());
        while let Ok(Some(_)) = receiver.receive::<Said>() {}
        let _ = Receiver::new(bytes.as_slice()).receive::<Told>();
    }

    #[test]
    fn a_damaged_message_is_a_message_or_an_error(message in said(), at in any::<prop::sample::Index>(), value in any::<u8>()) {
        let mut bytes = sent(&[message]);
        let at = at.index(bytes.len());
        bytes[at] = value;
        let _ = Receiver::new(bytes.as_slice()).receive::<Said>();
    }

    #[test]
    fn a_message_that_breaks_off_is_an_error(message in said(), at in any::<prop::sample::Index>()) {
        let bytes = sent(&[message]);
        let length = at.index(bytes.len());
        let received = Receiver::new(&bytes[..length]).receive::<Said>();
        prop_assert!(matches!((length, received), (0, Ok(None)) | (1.., Err(_))));
    }
}

#[test]
fn a_length_that_lies_costs_nothing() {
    let mut claims = u32::MAX.to_le_bytes().to_vec();
    claims.extend([1, 2, 3]);
    assert!(matches!(Receiver::new(claims.as_slice()).receive::<Said>(), Err(ChannelError::TooLong(_))));
    // Within the limit, but nothing behind it: an error at once, not 16 MiB of memory.
    let mut claims = (16u32 << 20).to_le_bytes().to_vec();
    claims.extend([5, 0xff, 0xff, 0xff, 0x7f]);
    assert!(matches!(Receiver::new(claims.as_slice()).receive::<Said>(), Err(ChannelError::Io(_))));
}

#[test]
fn a_message_beyond_the_limit_is_not_sent() {
    let gap = Said::Gap(Gap { spans: Vec::new(), what: "x".repeat(17 << 20) });
    let mut bytes = Vec::new();
    assert!(matches!(Sender::new(&mut bytes).send(&gap), Err(ChannelError::TooLong(_))));
    assert_eq!(bytes, b"");
}
