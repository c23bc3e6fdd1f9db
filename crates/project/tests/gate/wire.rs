//! A client without the secret or with a wrong format gets no answer, and does not delay others.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tamis_project::build::gate::{Gate, GateAnswer, GateRequest, TestJvmOrder};
use tempfile::TempDir;

/// The content of the gate's file: the port, the client's secret, the answer "nothing to run".
fn read(gate: &Gate) -> (u16, Vec<u8>, Vec<u8>) {
    let (port, ours, nothing, _) = read_all(gate);
    (port, ours, nothing)
}

/// The same with the start of the answer "run".
fn read_all(gate: &Gate) -> (u16, Vec<u8>, Vec<u8>, Vec<u8>) {
    let text = fs::read_to_string(gate.file()).unwrap();
    let [format, port, ours, nothing, run] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert_eq!(format, "tamis-gate 2");
    let bytes = |hex: &str| {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    };
    (port.parse().unwrap(), bytes(ours), bytes(nothing), bytes(run))
}

/// A request with this goal.
fn question(goal: &str) -> Vec<u8> {
    let mut body = 1u32.to_be_bytes().to_vec();
    for text in ["/p", goal, "default-test", "g:a:1"] {
        body.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
        body.extend(text.as_bytes());
    }
    body.extend([0; 12]); // no class path, no environment, no configuration
    [&u32::try_from(body.len()).unwrap().to_be_bytes()[..], &body].concat()
}

/// Sends this and reads until the other side closes.
fn say(port: u16, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    drop(stream.write_all(bytes)); // Refused if it is too much.
    drop(stream.shutdown(Shutdown::Write));
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer));
    answer
}

/// Opens a gate, runs the test with it, and ends it.
fn with_gate<T>(decide: impl Fn(GateRequest) -> bool + Sync, test: impl FnOnce(&Gate) -> T) -> T {
    let answer = |nothing| if nothing { GateAnswer::Nothing } else { GateAnswer::Untouched };
    with_answers(|asked| answer(decide(asked)), test)
}

/// The same with answers.
fn with_answers<T>(decide: impl Fn(GateRequest) -> GateAnswer + Sync, test: impl FnOnce(&Gate) -> T) -> T {
    let room = TempDir::new().unwrap();
    let gate = Gate::open(&room.path().join("room")).unwrap();
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| gate.serve(&decide, &ended));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&gate)));
        ended.store(true, Ordering::Release);
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[test]
fn only_the_answer_yes_is_a_secret() {
    with_gate(
        |asked| asked.goal == "yes",
        |gate| {
            let (port, ours, theirs) = read(gate);
            assert_eq!(say(port, &[&ours[..], &question("yes")].concat()), theirs);
            assert_eq!(say(port, &[&ours[..], &question("no")].concat()), [0; 32]);
            assert_ne!(theirs, [0; 32]);
        },
    );
}

#[test]
fn an_argument_comes_after_a_secret() {
    let order = TestJvmOrder { argument: "-agentpath:ä".to_owned(), is_partial: true };
    with_answers(
        |_| GateAnswer::Run(order.clone()),
        |gate| {
            let (port, ours, nothing, run) = read_all(gate);
            let answer = say(port, &[&ours[..], &question("test")].concat());
            assert_eq!(answer, [&run[..], &[1, 0, 0, 0, 13], "-agentpath:ä".as_bytes()].concat());
            assert!(run != nothing && run != ours);
        },
    );
}

#[test]
fn only_the_owner_can_read_the_gates_files() {
    let room = TempDir::new().unwrap();
    let gate = Gate::open(&room.path().join("a/room")).unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(gate.file().parent().unwrap()), 0o700);
    assert_eq!((mode(gate.file()), mode(gate.jar())), (0o600, 0o600));
    let again = Gate::open(&room.path().join("a/room")).unwrap();
    assert_ne!(read(&gate).1, [0; 32]);
    assert_eq!(again.file(), gate.file());
}

#[test]
fn unknown_clients_and_broken_requests_get_no_answer() {
    let asked = AtomicUsize::new(0);
    with_gate(
        |_| asked.fetch_add(1, Ordering::Relaxed) < usize::MAX,
        |gate| {
            let (port, ours, _) = read(gate);
            let question = question("test");
            let mut wrong = ours.clone();
            wrong[31] ^= 1;
            let huge = [&ours[..], &u32::MAX.to_be_bytes(), &[0; 100]].concat();
            let cut = [&ours[..], &question[..question.len() - 1]].concat();
            let other = [&ours[..], &question[..4], &[0, 0, 0, 2], &question[8..]].concat();
            for bytes in [[&wrong[..], &question].concat(), huge, cut, other, ours.clone(), Vec::new()] {
                assert_eq!(say(port, &bytes), [0; 0], "{bytes:?}");
            }
            assert_eq!(asked.load(Ordering::Relaxed), 0);
        },
    );
}

#[test]
fn requests_are_answered_in_parallel() {
    let both = Barrier::new(2);
    with_gate(
        |_| {
            both.wait(); // Passes only if two requests are served at once.
            true
        },
        |gate| {
            let (port, ours, theirs) = read(gate);
            let _silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let question = [&ours[..], &question("test")].concat();
            thread::scope(|scope| {
                let other = scope.spawn(|| say(port, &question));
                assert_eq!(say(port, &question), theirs);
                assert_eq!(other.join().unwrap(), theirs);
            });
        },
    );
}

#[test]
fn a_panicking_decision_runs_the_tests() {
    with_gate(
        |asked| if asked.goal == "panic" { panic!("on purpose") } else { true },
        |gate| {
            let (port, ours, theirs) = read(gate);
            assert_eq!(say(port, &[&ours[..], &question("panic")].concat()), [0; 32]);
            assert_eq!(say(port, &[&ours[..], &question("test")].concat()), theirs);
        },
    );
}

#[test]
fn an_ended_gate_does_not_wait_for_clients() {
    let started = Instant::now();
    with_gate(
        |_| true,
        |gate| {
            let mut slow = TcpStream::connect(("127.0.0.1", read(gate).0)).unwrap();
            slow.write_all(&[1]).unwrap();
            thread::sleep(Duration::from_millis(100));
            slow
        },
    );
    assert!(started.elapsed() < Duration::from_secs(2));
}
