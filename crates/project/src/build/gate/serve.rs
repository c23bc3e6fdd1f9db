//! Accepts connections, reads each request within limits of size and time, and sends the answer.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::GateAnswer;
use super::question::{GateRequest, LONGEST};
use super::{Gate, SECRET, secret_file};

/// Maximum number of connections. A build with more threads runs some modules unnecessarily.
const AT_ONCE: usize = 64;

/// Time limit for a request to arrive. The extension waits longer for its answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Interval between checks of `ended`.
const GLANCE: Duration = Duration::from_millis(10);

pub(super) fn serve(gate: &Gate, decide: &(impl Fn(GateRequest) -> GateAnswer + Sync), ended: &AtomicBool) {
    let open = AtomicUsize::new(0);
    thread::scope(|scope| {
        // Accepting cannot be interrupted, so we make the last connection ourselves.
        scope.spawn(|| {
            while !ended.load(Ordering::Acquire) {
                thread::sleep(GLANCE);
            }
            drop(gate.listener.local_addr().and_then(TcpStream::connect));
        });
        while !ended.load(Ordering::Acquire) {
            let Ok((stream, _)) = gate.listener.accept() else {
                thread::sleep(GLANCE); // Most likely out of file descriptors.
                continue;
            };
            if open.fetch_add(1, Ordering::AcqRel) >= AT_ONCE {
                open.fetch_sub(1, Ordering::AcqRel);
                continue;
            }
            let open = &open;
            scope.spawn(move || {
                // If a connection breaks, that build runs its tests.
                drop(answer(gate, stream, decide, ended));
                open.fetch_sub(1, Ordering::AcqRel);
            });
        }
    });
}

fn answer(
    gate: &Gate,
    mut stream: TcpStream,
    decide: impl Fn(GateRequest) -> GateAnswer,
    ended: &AtomicBool,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(GLANCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let deadline = Instant::now() + PATIENCE;
    let mut shown = [0; SECRET];
    let mut length = [0; 4];
    fill(&mut stream, &mut shown, deadline, ended)?;
    if !secret_file::equal(&shown, &gate.theirs) {
        return Ok(());
    }
    fill(&mut stream, &mut length, deadline, ended)?;
    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
    if length > LONGEST {
        return Ok(());
    }
    let mut body = vec![0; length];
    fill(&mut stream, &mut body, deadline, ended)?;
    let Some(asked) = GateRequest::read(&body) else { return Ok(()) };
    let decided = panic::catch_unwind(AssertUnwindSafe(|| decide(asked)));
    stream.write_all(&decided.unwrap_or(GateAnswer::Untouched).bytes(gate))
}

/// Reads exactly this many bytes, until the deadline or the end of the gate.
fn fill(
    stream: &mut TcpStream,
    mut into: &mut [u8],
    deadline: Instant,
    ended: &AtomicBool,
) -> io::Result<()> {
    while !into.is_empty() {
        match stream.read(into) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => into = into.get_mut(read..).unwrap_or_default(),
            Err(error) if is_passing(&error) => {
                if Instant::now() >= deadline || ended.load(Ordering::Acquire) {
                    return Err(io::ErrorKind::TimedOut.into());
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}
