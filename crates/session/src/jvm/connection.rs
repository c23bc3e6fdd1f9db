//! Running a command with the agent in every JVM it starts, and hearing what they say.

use crate::error::SessionError;
use crate::jvm::agent_file;
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
use tamis_report::words;
use tamis_wire::{
    AgentMessage, ChannelError, CliMessage, Hello, MessageReceiver, MessageSender, Plan, VERSION,
};

/// How long a JVM may be silent after its command has ended.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// How many reads of what a JVM says may wait for us: some megabytes, or a suite's worth of small tests.
const AHEAD: usize = 1 << 10;

/// How much is read at once.
const READ: usize = 1 << 16;

/// How long what is said may lie before it is read. A JVM speaks at every boundary; who woke each time would take the
/// processor from its compilers twice a test.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs `command`, and has `hear` listen to each of its JVMs, each on a thread of its own, until it ends.
pub(crate) fn listen_to(
    mut command: Command,
    room: &RunDir,
    output: CommandOutput,
    hear: &(dyn Fn(JvmConnection<'_>) + Sync),
) -> Result<ExitStatus, SessionError> {
    let agent = agent_file::unpack()?;
    let options = format!("-agentpath:{}={}", room.agent(&agent)?.display(), room.socket().display());
    let listener =
        UnixListener::bind(room.socket()).map_err(|error| SessionError::Listen(room.socket(), error))?;
    let ended = AtomicBool::new(false);
    let before = std::env::var_os("JAVA_TOOL_OPTIONS");
    command.env("JAVA_TOOL_OPTIONS", with_options(before.clone(), &options));
    let program = command.get_program().to_owned();
    let status = thread::scope(|scope| {
        let acceptor = scope.spawn(|| accept(&listener, &ended, hear));
        let status = wait(command, &options, &before.unwrap_or_default().to_string_lossy(), output);
        ended.store(true, Ordering::SeqCst);
        // Wakes the acceptor, which then sees that it is over.
        drop(UnixStream::connect(room.socket()));
        drop(acceptor.join());
        status
    });
    status.map_err(|error| SessionError::Start(program.into(), error))
}

/// Where the command's output goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CommandOutput<'f> {
    /// Where ours goes.
    Shown,
    /// To a file.
    To(&'f fs::File),
}

/// Runs the command to its end. On a terminal its error output is the terminal; elsewhere it passes through us, without
/// the JVM's remarks on our options.
fn wait(
    mut child: Command,
    options: &str,
    before: &str,
    output: CommandOutput<'_>,
) -> std::io::Result<ExitStatus> {
    let to: Box<dyn std::io::Write + Send> = match output {
        CommandOutput::Shown if std::io::stderr().is_terminal() => return child.status(),
        CommandOutput::Shown => Box::new(std::io::stderr()),
        CommandOutput::To(file) => {
            child.stdin(Stdio::null()).stdout(file.try_clone()?);
            Box::new(file.try_clone()?)
        }
    };
    let mut child = child.stderr(Stdio::piped()).spawn()?;
    let Some(errors) = child.stderr.take() else { return child.wait() };
    let (options, before) = (options.to_owned(), before.to_owned());
    let copying = thread::spawn(move || stderr_filter::copy(errors, to, &options, &before));
    let status = child.wait();
    // A process that outlives the command may hold its error output open for as long as it likes.
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
            // One connection that fails is one JVM less, never the end of listening.
            let Ok(stream) = stream else { continue };
            scope.spawn(move || {
                if let Some(jvm) = JvmConnection::greet(stream, ended) {
                    hear(jvm);
                }
            });
        }
    });
}

/// A JVM that has said hello and waits for its plan.
pub(crate) struct JvmConnection<'e> {
    /// Who it is.
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

    /// Tells it what to do; whether it could be told.
    pub(crate) fn send_plan(&mut self, plan: Plan) -> bool {
        self.sender.send(&CliMessage::Plan(plan)).is_ok()
    }

    /// Hears it out, up to its last boundary if it breaks off; and says why it did, or nothing if it ended in good order.
    pub(crate) fn hear(
        self,
        notice: &(dyn Fn(&AgentMessage) + Sync),
        take: impl FnMut(AgentMessage),
    ) -> Option<String> {
        thread::scope(|scope| self.begin(scope, notice).receive_rest(take))
    }

    /// Begins to listen. What is said is read on a thread of its own: the JVM goes on with its next test while we think about
    /// the last. `notice` is told when it is read.
    pub(crate) fn begin<'s>(
        mut self,
        scope: &'s Scope<'s, '_>,
        notice: &'s (dyn Fn(&AgentMessage) + Sync),
    ) -> JvmStream<'s>
    where
        'e: 's,
    {
        let (to, from) = mpsc::sync_channel::<Vec<AgentMessage>>(AHEAD);
        self.receiver.stream().get_mut().pause = PAUSE;
        let reader = scope.spawn(move || {
            let mut heard = Vec::new();
            let broken = loop {
                match self.receiver.receive::<AgentMessage>() {
                    Ok(Some(AgentMessage::Bye)) => break None,
                    Ok(Some(said)) => {
                        notice(&said);
                        heard.push(said);
                        if self.receiver.stream().buffer().is_empty() {
                            drop(to.send(std::mem::take(&mut heard)));
                        }
                    }
                    // Tests may take longer than any time limit; only after the command has ended is silence an end.
                    Err(ChannelError::Io(error))
                        if is_timeout(&error) && !self.ended.load(Ordering::SeqCst) => {}
                    Ok(None) => break Some(words::CONNECTION_CLOSED.to_owned()),
                    Err(error) => break Some(error.to_string()),
                }
            };
            drop(to.send(heard));
            broken
        });
        JvmStream { from, reader }
    }
}

/// A JVM that knows its plan and is listened to.
pub(crate) struct JvmStream<'s> {
    from: mpsc::Receiver<Vec<AgentMessage>>,
    reader: ScopedJoinHandle<'s, Option<String>>,
}

impl JvmStream<'_> {
    /// Thinks about all that is said; as [`Jvm::hear`].
    pub(crate) fn receive_rest(self, take: impl FnMut(AgentMessage)) -> Option<String> {
        self.from.into_iter().flatten().for_each(take);
        self.reader.join().unwrap_or_else(|_| Some(words::UNREADABLE_MESSAGES.to_owned()))
    }
}

/// Reads what has come together, unless there is more than fits.
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

/// Before options that are set already: agents are started in order, and what another one loads we want to see.
fn with_options(before: Option<OsString>, options: &str) -> OsString {
    let mut all = OsString::from(options);
    if let Some(before) = before.filter(|before| !before.is_empty()) {
        all.push(" ");
        all.push(before);
    }
    all
}
