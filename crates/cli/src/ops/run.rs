//! Running a command with the agent in every JVM it starts, and hearing what they say.

use super::agent;
use super::class_path;
use super::heard::{Heard, Jvm};
use super::picked_up;
use crate::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{BufReader, IsTerminal};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tamis_trace::{Plan, Receiver, Said, Sender, TestId, Told, VERSION};

/// A command that ran.
pub struct Ran {
    /// How it ended.
    pub status: ExitStatus,
    /// What each JVM told, in the order in which they said hello.
    pub jvms: Vec<Jvm>,
}

/// How long a JVM may be silent after its command has ended.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Runs `command` without the tests to `skip`, and listens to its JVMs until it ends.
pub fn run(command: &[OsString], skip: Vec<TestId>) -> Result<Ran, Error> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Error::Usage("no command given; example: tamis run -- java -jar tests.jar".to_owned()));
    };
    let agent = agent::unpack()?;
    let room = Room::new()?;
    let options = format!("-agentpath:{}={}", room.agent(&agent)?.display(), room.socket().display());
    let listener = UnixListener::bind(room.socket())
        .map_err(|error| Error::Failed(format!("cannot listen on {}: {error}", room.socket().display())))?;
    let jvms = Arc::new(Mutex::new(Vec::new()));
    let ended = Arc::new(AtomicBool::new(false));
    let acceptor = {
        let (jvms, ended) = (Arc::clone(&jvms), Arc::clone(&ended));
        thread::spawn(move || accept(&listener, &skip, &jvms, &ended))
    };
    let before = std::env::var_os("JAVA_TOOL_OPTIONS");
    let mut child = Command::new(program);
    child.args(arguments).env("JAVA_TOOL_OPTIONS", with_options(before.clone(), &options));
    let status = wait(child, &options, &before.unwrap_or_default().to_string_lossy());
    ended.store(true, Ordering::SeqCst);
    // Wakes the acceptor, which then sees that it is over.
    drop(UnixStream::connect(room.socket()));
    drop(acceptor.join());
    let status = status.map_err(|error| {
        Error::Usage(format!("cannot start {}: {error}; is it on the PATH?", Path::new(program).display()))
    })?;
    let jvms = std::mem::take(&mut *jvms.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Ran { status, jvms })
}

/// Runs the command to its end. On a terminal its error output is the terminal; elsewhere it passes through us, without
/// the JVM's remarks on our options.
fn wait(mut child: Command, options: &str, before: &str) -> std::io::Result<ExitStatus> {
    if std::io::stderr().is_terminal() {
        return child.status();
    }
    let mut child = child.stderr(Stdio::piped()).spawn()?;
    let Some(errors) = child.stderr.take() else { return child.wait() };
    let (options, before) = (options.to_owned(), before.to_owned());
    let copying = thread::spawn(move || picked_up::copy(errors, std::io::stderr(), &options, &before));
    let status = child.wait();
    // A process that outlives the command may hold its error output open for as long as it likes.
    let patience = Instant::now() + LAST_WORDS;
    while !copying.is_finished() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(1));
    }
    status
}

fn accept(listener: &UnixListener, skip: &[TestId], jvms: &Mutex<Vec<Jvm>>, ended: &AtomicBool) {
    thread::scope(|scope| {
        for stream in listener.incoming() {
            if ended.load(Ordering::SeqCst) {
                return;
            }
            // One connection that fails is one JVM less, never the end of listening.
            let Ok(stream) = stream else { continue };
            scope.spawn(move || {
                let heard = listen(stream, skip, ended);
                jvms.lock().unwrap_or_else(PoisonError::into_inner).extend(heard);
            });
        }
    });
}

/// Hears one JVM out. A JVM that breaks off keeps what it told up to its last boundary.
fn listen(stream: UnixStream, skip: &[TestId], ended: &AtomicBool) -> Option<Jvm> {
    stream.set_read_timeout(Some(LAST_WORDS)).ok()?;
    let mut sender = Sender::new(stream.try_clone().ok()?);
    let mut receiver = Receiver::new(BufReader::with_capacity(1 << 16, stream));
    let Ok(Some(Said::Hello(hello))) = receiver.receive() else { return None };
    if hello.version != VERSION {
        return None;
    }
    let (watch, class_path) = class_path::resolve(&hello);
    let plan = Plan { version: VERSION, watch: watch.clone(), class_path, skip: skip.to_vec() };
    sender.send(&Told::Plan(plan)).ok()?;
    let mut heard = Heard::new(hello, watch);
    loop {
        match receiver.receive::<Said>() {
            Ok(Some(Said::Bye)) => return Some(heard.finish(true)),
            Ok(Some(said)) => heard.take(said),
            // Tests may take longer than any time limit; only after the command has ended is silence an end.
            Err(tamis_trace::ChannelError::Io(error))
                if is_timeout(&error) && !ended.load(Ordering::SeqCst) => {}
            Ok(None) | Err(_) => return Some(heard.finish(false)),
        }
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

/// A private directory for socket and agent, gone when the run is over. Its path has no blanks, which
/// `JAVA_TOOL_OPTIONS` would break at.
struct Room(PathBuf);

impl Room {
    fn new() -> Result<Room, Error> {
        let wanted = std::env::temp_dir();
        let base = if wanted.to_str().is_some_and(is_plain) { wanted } else { PathBuf::from("/tmp") };
        let nanos = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |time| time.subsec_nanos());
        let room = base.join(format!("tamis-{}-{nanos:x}", std::process::id()));
        // 0700 and it must not exist: nobody else can put anything there.
        fs::DirBuilder::new().mode(0o700).create(&room).map_err(|error| {
            Error::Failed(format!("cannot create {}: {error}; set TMPDIR", room.display()))
        })?;
        Ok(Room(room))
    }

    fn socket(&self) -> PathBuf {
        self.0.join("socket")
    }

    /// The agent under a name without blanks.
    fn agent(&self, agent: &Path) -> Result<PathBuf, Error> {
        if agent.to_str().is_some_and(is_plain) {
            return Ok(agent.to_owned());
        }
        let link = self.0.join("agent.so");
        std::os::unix::fs::symlink(agent, &link)
            .map_err(|error| Error::Failed(format!("cannot link {}: {error}", link.display())))?;
        Ok(link)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn is_plain(path: &str) -> bool {
    path.bytes().all(|byte| byte.is_ascii_graphic() && !b"'\"=,".contains(&byte))
}
