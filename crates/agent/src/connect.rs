//! The first exchange with the CLI: a hello that describes this JVM, answered by a plan.

use crate::boundary::spans;
use crate::process;
use crate::recorder::{LeftoverWatch, Recorder};
use crate::vm::{JavaEnv, JvmtiEnv};
use std::os::unix::net::UnixStream;
use std::time::Duration;
use tamis_catalog::jdk::properties::{MACHINE, REPORTED};
use tamis_wire::{
    AgentMessage, CliMessage, Hello, MessageReceiver, MessageSender, Plan, ProbeDetail, VERSION,
};

/// The CLI may have to read a large class path for the first time before it answers.
const PLAN_TIMEOUT: Duration = Duration::from_secs(15);

/// The CLI reads messages before it works on them, so a write never waits for long.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// A JVM that the CLI wants to observe.
pub(crate) struct Connection {
    pub(crate) recorder: Recorder,
    /// Directories and jars whose classes are watched method by method.
    pub(crate) watch: Vec<String>,
    /// All of the class path.
    pub(crate) class_path: Vec<String>,
    /// The detail of the probes in a watched class.
    pub(crate) detail: ProbeDetail,
}

/// Describes this JVM to the CLI and waits for its plan; `None` if the CLI does not want this JVM, or cannot be reached.
pub(crate) fn connect(jvmti: JvmtiEnv, jni: JavaEnv, socket: &str, token: &str) -> Option<Connection> {
    let stream = UnixStream::connect(socket).ok()?;
    stream.set_read_timeout(Some(PLAN_TIMEOUT)).ok()?;
    stream.set_write_timeout(Some(WRITE_TIMEOUT)).ok()?;
    let mut sender = MessageSender::new(stream.try_clone().ok()?);
    let directory = std::env::current_dir().map(|directory| directory.to_string_lossy().into_owned());
    let property = |name: &str| Some((name.to_owned(), jvmti.property(name)?));
    let of_machine = |name: &str| Some((name.to_owned(), jni.property(name)?));
    let hello = Hello {
        version: VERSION,
        pid: std::process::id(),
        ancestors: process::ancestors(),
        directory: directory.unwrap_or_default(),
        command: process::command_line(),
        options: process::options(),
        properties: REPORTED
            .exact
            .iter()
            .copied()
            .filter_map(property)
            .chain(MACHINE.exact.iter().copied().filter_map(of_machine))
            .collect(),
        token: token.to_owned(),
    };
    sender.send(&AgentMessage::Hello(hello)).ok()?;
    let mut receiver = MessageReceiver::new(stream);
    let Some(CliMessage::Plan(Plan { version, watch, class_path, skip, known_left, prompt, detail })) =
        receiver.receive().ok()?
    else {
        return None;
    };
    if version != VERSION {
        return None;
    }
    let mut recorder = Recorder::new(sender, jvmti, prompt);
    if !skip.is_empty() {
        recorder.expect_left(LeftoverWatch::new(known_left, receiver));
    }
    spans::plan(skip);
    Some(Connection { recorder, watch, class_path, detail })
}
