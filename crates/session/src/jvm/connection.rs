//! Runs a command with the agent in every JVM that it starts, and receives their messages.

use crate::error::SessionError;
use crate::interrupt;
use crate::jvm::agent_option::AgentOption;
use crate::jvm::stderr_filter;
use crate::run_dir::RunDir;
use std::ffi::OsString;
use std::fs;
use std::io::{BufReader, IsTerminal, Read};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};
use tamis_catalog::environment::TOOL_OPTIONS;
use tamis_project::build::AgentDelivery;
use tamis_report::words;
use tamis_wire::{
    AgentMessage, ChannelError, CliMessage, Hello, MessageReceiver, MessageSender, Plan, VERSION,
};

/// Time limit for a silent connection after the command has ended.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Number of batches of messages that may wait to be handled: some megabytes, or a suite of small tests.
const AHEAD: usize = 1 << 10;

/// Buffer size of a connection.
const READ: usize = 1 << 16;

/// Pause before each read. A JVM sends at every boundary; waking for each message would take CPU time from
/// its JIT compilers twice per test.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs `command` until it ends. `hear` serves each of its JVMs on a thread of its own.
pub(crate) fn listen_to(
    mut command: Command,
    room: &RunDir,
    agent: &AgentOption,
    output: CommandOutput,
    hear: &(dyn Fn(JvmConnection<'_>) + Sync),
) -> Result<ExitStatus, SessionError> {
    let listener =
        UnixListener::bind(room.socket()).map_err(|error| SessionError::Listen(room.socket(), error))?;
    let ended = AtomicBool::new(false);
    let remark = match agent.delivery {
        AgentDelivery::Environment => {
            let before = std::env::var_os(TOOL_OPTIONS);
            command.env(TOOL_OPTIONS, with_options(before.clone(), &agent.text));
            Some(OptionsRemark { ours: agent.text.clone(), before: before.unwrap_or_default() })
        }
        AgentDelivery::Gate => None,
    };
    let program = command.get_program().to_owned();
    let status = thread::scope(|scope| {
        let acceptor = scope.spawn(|| accept(&listener, &ended, hear));
        let status = wait(command, remark, output);
        ended.store(true, Ordering::SeqCst);
        // Wakes the acceptor, which then returns.
        drop(UnixStream::connect(room.socket()));
        drop(acceptor.join());
        status
    });
    status.map_err(|error| SessionError::Start(program.into(), error))
}

/// The destination of the command's output.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CommandOutput<'f> {
    /// Our own output.
    Shown,
    /// A file.
    To(&'f fs::File),
}

/// What JVMs remark on their error output about our options, and should remark instead.
struct OptionsRemark {
    ours: String,
    before: OsString,
}

/// Runs the command to its end. If there are no remarks, or our error output is a terminal, the command writes to it
/// directly; otherwise it passes through a filter that removes the JVM's remarks on our options.
fn wait(
    mut child: Command,
    remark: Option<OptionsRemark>,
    output: CommandOutput<'_>,
) -> std::io::Result<ExitStatus> {
    let Some(remark) = remark else {
        if let CommandOutput::To(file) = output {
            child.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file.try_clone()?);
        }
        return interrupt::wait(&mut child.spawn()?);
    };
    let to: Box<dyn std::io::Write + Send> = match output {
        CommandOutput::Shown if std::io::stderr().is_terminal() => {
            return interrupt::wait(&mut child.spawn()?);
        }
        CommandOutput::Shown => Box::new(std::io::stderr()),
        CommandOutput::To(file) => {
            child.stdin(Stdio::null()).stdout(file.try_clone()?);
            Box::new(file.try_clone()?)
        }
    };
    let mut child = child.stderr(Stdio::piped()).spawn()?;
    let Some(errors) = child.stderr.take() else { return interrupt::wait(&mut child) };
    let copying = thread::spawn(move || {
        stderr_filter::copy(errors, to, &remark.ours, &remark.before.to_string_lossy())
    });
    let status = interrupt::wait(&mut child);
    // A process that outlives the command may keep its error output open indefinitely.
    let patience = Instant::now() + LAST_WORDS;
    while !copying.is_finished() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(1));
    }
    status
}

fn accept(listener: &UnixListener, ended: &AtomicBool, hear: &(dyn Fn(JvmConnection<'_>) + Sync)) {
    thread::scope(|scope| {
        for stream in listener.incoming() {
            if ended.load(Ordering::SeqCst) {
                return;
            }
            // A failed connection loses one JVM, and the others go on.
            let Ok(stream) = stream else { continue };
            scope.spawn(move || {
                if let Some(jvm) = JvmConnection::greet(stream, ended) {
                    hear(jvm);
                }
            });
        }
    });
}

/// A JVM that has sent its first message and waits for its plan.
pub(crate) struct JvmConnection<'e> {
    /// Its first message.
    pub(crate) hello: Hello,
    sender: MessageSender<UnixStream>,
    receiver: MessageReceiver<BufReader<BatchedReader>>,
    ended: &'e AtomicBool,
}

impl<'e> JvmConnection<'e> {
    fn greet(stream: UnixStream, ended: &'e AtomicBool) -> Option<JvmConnection<'e>> {
        stream.set_read_timeout(Some(LAST_WORDS)).ok()?;
        let sender = MessageSender::new(stream.try_clone().ok()?);
        let stream = BatchedReader { stream, pause: Duration::ZERO, is_full: false };
        let mut receiver = MessageReceiver::new(BufReader::with_capacity(READ, stream));
        let Ok(Some(AgentMessage::Hello(hello))) = receiver.receive() else { return None };
        (hello.version == VERSION).then_some(JvmConnection { hello, sender, receiver, ended })
    }

    /// Sends the plan; returns whether it arrived.
    pub(crate) fn send_plan(&mut self, plan: Plan) -> bool {
        self.sender.send(&CliMessage::Plan(plan)).is_ok()
    }

    /// Receives everything up to the end of the JVM or its last boundary. Returns the cause if the connection
    /// broke, or `None` if the JVM ended normally.
    pub(crate) fn hear(
        self,
        notice: &(dyn Fn(&AgentMessage) + Sync),
        take: impl FnMut(AgentMessage) -> Option<CliMessage>,
    ) -> Option<String> {
        thread::scope(|scope| self.begin(scope, notice).receive_rest(take))
    }

    /// Begins to receive. A thread of its own reads the messages, so the JVM continues with its next test
    /// while the last one is handled. `notice` sees each message as soon as it is read.
    pub(crate) fn begin<'s>(
        self,
        scope: &'s Scope<'s, '_>,
        notice: &'s (dyn Fn(&AgentMessage) + Sync),
    ) -> JvmStream<'s>
    where
        'e: 's,
    {
        let (to, from) = mpsc::sync_channel::<Vec<AgentMessage>>(AHEAD);
        let JvmConnection { sender, mut receiver, ended, .. } = self;
        receiver.stream().get_mut().pause = PAUSE;
        let reader = scope.spawn(move || {
            let mut heard = Vec::new();
            let broken = loop {
                match receiver.receive::<AgentMessage>() {
                    Ok(Some(AgentMessage::Bye)) => break None,
                    Ok(Some(said)) => {
                        notice(&said);
                        heard.push(said);
                        if receiver.stream().buffer().is_empty() {
                            drop(to.send(std::mem::take(&mut heard)));
                        }
                    }
                    // A test may take longer than any time limit. Silence is an end only after the command
                    // has ended.
                    Err(ChannelError::Io(error)) if is_timeout(&error) && !ended.load(Ordering::SeqCst) => {}
                    Ok(None) => break Some(words::CONNECTION_CLOSED.to_owned()),
                    Err(error) => break Some(error.to_string()),
                }
            };
            drop(to.send(heard));
            broken
        });
        JvmStream { from, reader, sender }
    }
}

/// A JVM that has its plan and sends messages.
pub(crate) struct JvmStream<'s> {
    from: mpsc::Receiver<Vec<AgentMessage>>,
    reader: ScopedJoinHandle<'s, Option<String>>,
    sender: MessageSender<UnixStream>,
}

impl JvmStream<'_> {
    /// Handles all messages and sends the answers; otherwise as [`JvmConnection::hear`].
    pub(crate) fn receive_rest(
        mut self,
        mut take: impl FnMut(AgentMessage) -> Option<CliMessage>,
    ) -> Option<String> {
        for said in self.from.into_iter().flatten() {
            if let Some(answer) = take(said) {
                // Without an answer the agent skips nothing more.
                drop(self.sender.send(&answer));
            }
        }
        self.reader.join().unwrap_or_else(|_| Some(words::UNREADABLE_MESSAGES.to_owned()))
    }
}

/// Reads in batches: waits before each read, unless the last one filled the buffer.
struct BatchedReader {
    stream: UnixStream,
    pause: Duration,
    is_full: bool,
}

impl Read for BatchedReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if !self.is_full {
            thread::sleep(self.pause);
        }
        let read = self.stream.read(buffer)?;
        self.is_full = read == buffer.len();
        Ok(read)
    }
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

/// Puts our options before existing ones: agents start in order, and we want to see the classes that another
/// agent loads.
fn with_options(before: Option<OsString>, options: &str) -> OsString {
    let mut all = OsString::from(options);
    if let Some(before) = before.filter(|before| !before.is_empty()) {
        all.push(" ");
        all.push(before);
    }
    all
}
