//! Runs a command with the agent in its JVMs, and prints what the agent reports for each test, without the CLI.
//!
//! A second reader of the protocol, for tests of the agent alone: it resolves nothing and forgets nothing.

#![allow(dead_code)] // Each test program uses only a part.
#![allow(clippy::unwrap_used)] // Tests may panic.

mod charged;
mod heard;
mod shown;

use crate::stub::agent;
use charged::{Code, children, unseen};
use heard::{Heard, Jvm, Observed};
use shown::ShownTest;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::BufReader;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tamis_project::launch::class_path;
use tamis_project::root::ProjectRoot;
use tamis_test_support::jdk::Jdk;
use tamis_test_support::{javac, run};
use tamis_wire::{
    AgentMessage, CliMessage, Input, MessageReceiver, MessageSender, Outcome, Plan, ProbeDetail, SpanKind,
    TestId, VERSION,
};

/// Runs a command whose JVMs skip these tests. What the tests used follows on its standard output; gaps follow on its
/// standard error. With `all`, classes and library classes are shown, too.
pub(crate) fn observe(mut command: Command, skip: &[&str], all: bool, timeout: Duration) -> run::Output {
    let room = tempfile::Builder::new().prefix("tamis").tempdir_in("/tmp").unwrap();
    let socket = room.path().join("socket");
    let server = UnixListener::bind(&socket).unwrap();
    command.env("JAVA_TOOL_OPTIONS", format!("-agentpath:{}={}", agent().display(), socket.display()));
    let skip: Vec<TestId> = skip.iter().map(|name| test_id(name)).collect();
    let (ended, jvms) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let mut output = thread::scope(|scope| {
        scope.spawn(|| {
            for stream in server.incoming().flatten() {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                scope.spawn(|| {
                    let heard = hear(stream, &skip);
                    jvms.lock().unwrap().extend(heard);
                });
            }
        });
        let output = run::run(&mut command, timeout);
        ended.store(true, Ordering::SeqCst);
        drop(UnixStream::connect(&socket));
        output.unwrap()
    });
    let own = output.stderr.split_inclusive('\n').filter(|line| !line.starts_with("Picked up "));
    output.stderr = own.collect();
    show(&jvms.into_inner().unwrap(), all, &mut output);
    output
}

/// Runs a program that `stub::compile` compiled, in this directory.
pub(crate) fn observe_in(
    directory: &Path,
    jdk: &Jdk,
    classes: &javac::ClassDir,
    flags: &[&str],
) -> run::Output {
    let mut command = jdk.java();
    command.current_dir(directory).args(flags).arg("-cp").arg(&classes.path).arg("p.Main");
    observe(command, &[], false, run::SHORT)
}

/// All messages of a JVM.
fn hear(stream: UnixStream, skip: &[TestId]) -> Option<Jvm> {
    let mut sender = MessageSender::new(stream.try_clone().ok()?);
    let mut receiver = MessageReceiver::new(BufReader::new(stream));
    let Ok(Some(AgentMessage::Hello(hello))) = receiver.receive() else { return None };
    // Jars are libraries, wherever they are: nothing is the project.
    let resolved = class_path::resolve(&hello, &ProjectRoot::new(Path::new("/dev/null")));
    let mut heard = Heard::new(hello, resolved.watched.clone());
    let plan = Plan {
        version: VERSION,
        watch: resolved.watched,
        class_path: resolved.all,
        skip: skip.to_vec(),
        known_left: Vec::new(),
        prompt: false,
        detail: ProbeDetail::default(),
    };
    sender.send(&CliMessage::Plan(plan)).ok()?;
    loop {
        match receiver.receive() {
            Ok(Some(AgentMessage::Bye)) => return Some(heard.finish(true)),
            Ok(Some(AgentMessage::NewLeftovers(_))) => {
                sender.send(&CliMessage::RunAgain(Vec::new())).ok()?;
            }
            Ok(Some(message)) => heard.take(message),
            Ok(None) | Err(_) => return Some(heard.finish(false)),
        }
    }
}

fn show(jvms: &[Jvm], all: bool, output: &mut run::Output) {
    for jvm in jvms {
        let is_shown = |span: &&Observed| match span.kind {
            SpanKind::Test => true,
            SpanKind::Class => all,
            SpanKind::Container => false,
        };
        let code = Code::read(jvm);
        for span in jvm.spans.iter().filter(is_shown) {
            shown::write(&mut output.stdout, &test(jvms, jvm, &code, span), all);
        }
        for test in &jvm.skipped {
            writeln!(output.stdout, "{test}  skipped").unwrap();
        }
        for gap in &jvm.gaps {
            writeln!(output.stderr, "not seen: {gap}").unwrap();
        }
        if !jvm.complete {
            writeln!(output.stderr, "JVM {} exited unexpectedly", jvm.hello.pid).unwrap();
        }
    }
}

/// A span with the set-up of its class, and what ran before the first test.
fn test(jvms: &[Jvm], jvm: &Jvm, code: &Code, span: &Observed) -> ShownTest {
    let name = match span.kind {
        SpanKind::Class => format!("class {}", span.test),
        SpanKind::Test | SpanKind::Container => span.test.to_string(),
    };
    let entered: BTreeSet<String> = span.used.probes.iter().filter_map(|probe| jvm.entered(*probe)).collect();
    let initialised = code.initialised(jvm, span);
    let children = children(jvms, jvm, span);
    let mut notes = lines(jvm, &span.used.notes);
    for child in &children {
        notes.push(format!("in JVM {}, which it started:", child.hello.pid));
        let entered: BTreeSet<String> =
            child.all_probes().into_iter().filter_map(|probe| child.entered(probe)).collect();
        notes.extend(entered.into_iter().filter(|name| name.contains('(')).map(|name| format!("  {name}")));
        notes.extend(child.notes.iter().map(|note| format!("  {}", noted(note))));
    }
    for program in unseen(jvm, span, &children) {
        notes.push(format!("not seen: what {program} did"));
    }
    ShownTest {
        name,
        outcome: match span.outcome {
            Some(Outcome::Passed) => "passed",
            Some(Outcome::Failed) => "failed",
            Some(Outcome::Aborted) => "aborted",
            Some(Outcome::Ignored) => "ignored",
            Some(Outcome::Unknown) => "unknown",
            None => "not finished",
        },
        microseconds: span.microseconds,
        entered: entered.into_iter().collect(),
        initialised: initialised
            .into_iter()
            .map(|class| {
                let notes = jvm.inits.get(&class).map_or(Vec::new(), |init| lines(jvm, &init.used.notes));
                (class, notes)
            })
            .collect(),
        notes,
    }
}

fn lines(jvm: &Jvm, notes: &[u32]) -> Vec<String> {
    notes.iter().filter_map(|note| jvm.notes.get(*note as usize)).map(noted).collect()
}

/// Names of classes contain no `#`, names of methods may. A test without a class has its unique id in
/// brackets.
fn test_id(name: &str) -> TestId {
    match name.split_once('#').filter(|_| !name.starts_with('[')) {
        Some((class, method)) => TestId { class: class.to_owned(), method: Some(method.to_owned()) },
        None => TestId { class: name.to_owned(), method: None },
    }
}

/// An input as a line.
fn noted(what: &Input) -> String {
    let or_all = |name: &Option<String>| name.clone().unwrap_or_else(|| "(all)".to_owned());
    match what {
        Input::Read(path) => format!("reads {path}"),
        Input::Examined(path) => format!("examines {path}"),
        Input::Missing(path) => format!("misses {path}"),
        Input::Listed(path) => format!("lists {path}"),
        Input::Written(path) => format!("writes {path}"),
        Input::Environment(name) => format!("environment {}", or_all(name)),
        Input::Property(name) => format!("property {}", or_all(name)),
        Input::PropertySet(name) => format!("sets property {}", or_all(name)),
        Input::Machine(what) => format!("machine {what}"),
        Input::Reflected(class) => format!("reflects on {class}"),
        Input::Redefined(class) => format!("redefines {class}"),
        Input::Process(process) => {
            let mut line = format!("starts {}", process.program);
            for argument in &process.arguments {
                line.push(' ');
                line.push_str(argument);
            }
            line
        }
        Input::Library(path) => format!("loads library {path}"),
        Input::LoggedStack => "logs a stack trace".to_owned(),
        Input::Stack => "reads a stack trace".to_owned(),
        Input::Made(made) => format!("makes {} from {}", made.name, made.host),
        Input::Thread(name) => format!("outlived by thread {name}"),
        Input::Named(class) => format!("names {class}"),
        Input::FieldSet(field) => format!("sets {field} by reflection"),
        Input::FieldLeft(field) => format!("leaves something else in {field}"),
        Input::Declared(path) => format!("reads what {path} declares"),
        Input::Context(number) => format!("uses context {number}"),
        Input::Scanned(path) => format!("scans {path}"),
        Input::Bundle(name) => format!("asks for texts {}", or_all(name)),
        Input::Network(host) => format!("connects to {host}"),
        Input::Attribute(read) => format!("attribute {} of {}", read.attribute.word(), read.path),
        Input::TimeCopied(copied) => format!("time of {} given to {}", copied.from, copied.to),
    }
}
