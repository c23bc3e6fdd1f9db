//! Every message that is sent arrives. Other bytes are refused, without a panic and without waiting for more.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

use proptest::prelude::*;
use std::io::{self, Read};
use tamis_wire::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z/$]{0,12}"]
}

fn ids() -> impl Strategy<Value = NumberList> {
    prop::collection::vec(any::<u32>(), 0..20)
}

fn probes() -> impl Strategy<Value = ProbeRuns> {
    ids().prop_map(ProbeRuns)
}

fn test_id() -> impl Strategy<Value = TestId> {
    (text(), prop::option::of(text())).prop_map(|(class, method)| TestId { class, method })
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..4)
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        text().prop_map(Input::Read),
        text().prop_map(Input::Examined),
        text().prop_map(Input::Missing),
        text().prop_map(Input::Listed),
        text().prop_map(Input::Written),
        prop::option::of(text()).prop_map(Input::Environment),
        prop::option::of(text()).prop_map(Input::Property),
        prop::option::of(text()).prop_map(Input::PropertySet),
        prop::option::of(text()).prop_map(Input::Bundle),
        text().prop_map(Input::Declared),
        text().prop_map(Input::Machine),
        text().prop_map(Input::Reflected),
        text().prop_map(Input::Redefined),
        text().prop_map(Input::FieldSet),
        text().prop_map(Input::FieldLeft),
        (any::<u32>(), text(), texts())
            .prop_map(|(pid, program, arguments)| Input::Process(StartedProcess { pid, program, arguments })),
        text().prop_map(Input::Library),
        Just(Input::Stack),
        (text(), text(), texts()).prop_map(|(name, host, supers)| Input::Made(HiddenClass {
            name,
            host,
            supers
        })),
        text().prop_map(Input::Thread),
        (text(), prop::sample::select(FileAttribute::ALL.to_vec()), any::<bool>()).prop_map(
            |(path, attribute, by_library)| Input::Attribute(AttributeRead { path, attribute, by_library })
        ),
        (text(), text()).prop_map(|(from, to)| Input::TimeCopied(CopiedTime { from, to })),
    ]
}

fn agent_message() -> impl Strategy<Value = AgentMessage> {
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
            prop::collection::vec((text(), text()), 0..5),
            text()
        )
            .prop_map(|(version, pid, ancestors, directory, command, options, properties, token)| {
                AgentMessage::Hello(Hello {
                    version,
                    pid,
                    ancestors,
                    directory,
                    command,
                    options,
                    properties,
                    token,
                })
            }),
        (
            (text(), any::<u32>()),
            prop::collection::vec((text(), text()), 0..9),
            texts(),
            any::<u64>(),
            prop::collection::vec(any::<u32>(), 0..9)
        )
            .prop_map(|((name, first_probe), methods, supers, content, blocks)| AgentMessage::Class(
                ClassLoaded { name, first_probe, methods, supers, content, blocks }
            )),
        (any::<u32>(), kinds, test_id(), text(), any::<Option<u32>>()).prop_map(
            |(number, kind, test, name, parent)| AgentMessage::Started(Span {
                number,
                kind,
                test,
                name,
                parent
            })
        ),
        (any::<u32>(), outcomes, any::<u64>()).prop_map(|(number, outcome, microseconds)| {
            AgentMessage::Finished(SpanFinished { number, outcome, microseconds })
        }),
        (ids(), probes(), ids()).prop_map(|(spans, probes, notes)| AgentMessage::Hits(SpanHits {
            spans,
            probes,
            notes
        })),
        (text(), probes(), texts(), ids(), ids()).prop_map(|(class, probes, nested, notes, spans)| {
            AgentMessage::Init(StaticInit { class, probes, nested, notes, spans })
        }),
        (any::<u32>(), input()).prop_map(|(number, what)| AgentMessage::Note(NumberedInput { number, what })),
        test_id().prop_map(AgentMessage::Skipped),
        probes().prop_map(AgentMessage::Assumed),
        (text(), text(), any::<bool>(), prop::option::of(text())).prop_map(
            |(class, name, is_compared, holds)| AgentMessage::Field(StaticFieldInfo {
                class,
                name,
                is_compared,
                holds
            })
        ),
        (text(), text(), any::<bool>(), any::<bool>(), any::<bool>(), texts()).prop_map(
            |(class, name, is_compared, each_test, has_changed, reaches)| AgentMessage::Graph(
                StaticFieldGraph { class, name, is_compared, each_test, has_changed, reaches }
            )
        ),
        (ids(), text()).prop_map(|(spans, what)| AgentMessage::Gap(Gap { spans, what })),
        (any::<u32>(), text(), text(), texts()).prop_map(|(number, error, message, trace)| {
            AgentMessage::Failure(TestFailure { number, error, message, trace })
        }),
        Just(AgentMessage::Bye),
    ]
}

fn cli_message() -> impl Strategy<Value = CliMessage> {
    let skip = prop::collection::vec(test_id(), 0..9);
    let detail = prop::sample::select(vec![ProbeDetail::Nothing, ProbeDetail::Methods, ProbeDetail::Blocks]);
    (any::<u32>(), texts(), texts(), skip, texts(), any::<bool>(), detail).prop_map(
        |(version, watch, class_path, skip, known_left, prompt, detail)| {
            CliMessage::Plan(Plan { version, watch, class_path, skip, known_left, prompt, detail })
        },
    )
}

fn sent(messages: &[AgentMessage]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut sender = MessageSender::new(&mut bytes);
    for message in messages {
        sender.send(message).unwrap();
    }
    bytes
}

/// Returns a few bytes per read, as a socket may.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(buffer.len()).min(self.0.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// Every other read fails by a time limit.
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
    fn messages_arrive(messages in prop::collection::vec(agent_message(), 0..8), step in 1usize..9) {
        let bytes = sent(&messages);
        let mut receiver = MessageReceiver::new(Dribble(&bytes, step));
        for message in messages {
            prop_assert_eq!(receiver.receive::<AgentMessage>().unwrap(), Some(message));
        }
        prop_assert_eq!(receiver.receive::<AgentMessage>().unwrap(), None);
    }

    #[test]
    fn a_time_limit_in_the_middle_loses_nothing(messages in prop::collection::vec(agent_message(), 1..4), step in 1usize..9) {
        let bytes = sent(&messages);
        let mut receiver = MessageReceiver::new(Slow { bytes: Dribble(&bytes, step), late: true });
        let mut got = Vec::new();
        loop {
            match receiver.receive::<AgentMessage>() {
                Ok(Some(message)) => got.push(message),
                Ok(None) => break,
                Err(ChannelError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => panic!("{error}"),
            }
        }
        prop_assert_eq!(got, messages);
    }

    #[test]
    fn plans_arrive(plan in cli_message()) {
        let mut bytes = Vec::new();
        MessageSender::new(&mut bytes).send(&plan).unwrap();
        prop_assert_eq!(MessageReceiver::new(bytes.as_slice()).receive::<CliMessage>().unwrap(), Some(plan));
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut receiver = MessageReceiver::new(bytes.as_slice());
        while let Ok(Some(_)) = receiver.receive::<AgentMessage>() {}
        let _ = MessageReceiver::new(bytes.as_slice()).receive::<CliMessage>();
    }

    #[test]
    fn a_damaged_message_is_a_message_or_an_error(message in agent_message(), at in any::<prop::sample::Index>(), value in any::<u8>()) {
        let mut bytes = sent(&[message]);
        let at = at.index(bytes.len());
        bytes[at] = value;
        let _ = MessageReceiver::new(bytes.as_slice()).receive::<AgentMessage>();
    }

    #[test]
    fn an_incomplete_message_is_an_error(message in agent_message(), at in any::<prop::sample::Index>()) {
        let bytes = sent(&[message]);
        let length = at.index(bytes.len());
        let received = MessageReceiver::new(&bytes[..length]).receive::<AgentMessage>();
        prop_assert!(matches!((length, received), (0, Ok(None)) | (1.., Err(_))));
    }
}

#[test]
fn a_wrong_length_allocates_no_memory() {
    let mut claims = u32::MAX.to_le_bytes().to_vec();
    claims.extend([1, 2, 3]);
    assert!(matches!(
        MessageReceiver::new(claims.as_slice()).receive::<AgentMessage>(),
        Err(ChannelError::TooLong(_))
    ));
    // Within the limit, but nothing behind it: an error at once, not 16 MiB of memory.
    let mut claims = (16u32 << 20).to_le_bytes().to_vec();
    claims.extend([5, 0xff, 0xff, 0xff, 0x7f]);
    assert!(matches!(
        MessageReceiver::new(claims.as_slice()).receive::<AgentMessage>(),
        Err(ChannelError::Io(_))
    ));
}

#[test]
fn a_message_beyond_the_limit_is_not_sent() {
    let gap = AgentMessage::Gap(Gap { spans: Vec::new(), what: "x".repeat(17 << 20) });
    let mut bytes = Vec::new();
    assert!(matches!(MessageSender::new(&mut bytes).send(&gap), Err(ChannelError::TooLong(_))));
    assert_eq!(bytes, b"");
}
