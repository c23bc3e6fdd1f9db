//! Whether the scripts of the ring of `select` are what JVMs send: each is recorded again and compared.
//!
//! A script in `crates/select/tests/scripts` has the path of its case in `tests/decisions`. With `TAMIS_BLESS=1` the scripts are
//! written instead; an empty file is a script to be recorded. `TAMIS_CASE=caches/` takes some of them.
#![allow(clippy::unwrap_used)] // A test may stop at the first surprise, in its helpers too.

#[path = "../decisions/case.rs"]
#[allow(dead_code)] // The ring `decisions` uses all of it.
mod case;
#[path = "../decisions/compiled.rs"]
#[allow(dead_code)]
mod compiled;
#[path = "../decisions/project.rs"]
#[allow(dead_code)]
mod project;
#[path = "../decisions/ran.rs"]
#[allow(dead_code)]
mod ran;
#[path = "../../../select/tests/ring/script/mod.rs"]
#[allow(dead_code)]
mod script;
#[path = "../spoken/mod.rs"]
mod spoken;

use case::Case;
use compiled::Item;
use project::Project;
use script::ClassTable;
use script::write::{RecordedJvm, write};
use std::fs;
use std::io::BufReader;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use tamis_project::classpath::{ClassPath, ClassPathOptions};
use tamis_project::launch::class_path;
use tamis_project::root::ProjectRoot;
use tamis_test_support::{jdk, markdown};
use tamis_wire::{AgentMessage, CliMessage, MessageReceiver, MessageSender, Plan, VERSION};

/// The JDK whose JVMs the scripts are of.
const JDK: u32 = 17;

#[test]
fn scripts_are_what_jvms_send() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (cases, scripts) = (here.join("../../tests/decisions"), here.join("../select/tests/scripts"));
    let wanted = std::env::var("TAMIS_CASE").unwrap_or_default();
    let mut paths = Vec::new();
    find(&scripts, &mut paths);
    let names = paths.iter().map(|path| path.strip_prefix(&scripts).unwrap().with_extension("md"));
    let names = names.filter(|name| wanted.split(',').any(|part| name.to_string_lossy().contains(part)));
    let read = |name: PathBuf| {
        let case = markdown::read(&cases.join(name)).unwrap_or_else(|e| panic!("{e}"));
        Case::of(case, &cases).unwrap_or_else(|e| panic!("{e}"))
    };
    let cases: &'static [Case] = names.map(read).collect::<Vec<_>>().leak();
    assert!(!cases.is_empty(), "no script");
    let all: Vec<&'static Case> = cases.iter().collect();
    let mut wrong = Vec::new();
    for item in compiled::with(&jdk::jdk(JDK), &all) {
        let file = scripts.join(item.case.path.with_extension("txt"));
        let recorded = record(&item).unwrap_or_else(|what| panic!("{}: {what}", file.display()));
        if std::env::var_os("TAMIS_BLESS").is_some() {
            fs::write(&file, recorded).unwrap();
        } else if fs::read_to_string(&file).unwrap() != recorded {
            wrong.push(format!("{}: the JVM sent\n{recorded}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|end| end == "txt") {
            found.push(path);
        }
    }
    found.sort();
}

/// Runs the tests of a case before its edit, with an agent that has nothing to skip; the script of that.
fn record(item: &Item) -> Result<String, String> {
    let project = Project::new(item.case);
    project.lay(&item.before);
    let place = tempfile::Builder::new().prefix("tamis").tempdir_in("/tmp").unwrap();
    let socket = place.path().join("socket");
    let server = UnixListener::bind(&socket).unwrap();
    let root = ProjectRoot::new(&project.path());
    let listener = thread::spawn(move || receive_all(server.accept().unwrap().0, &root));
    let mut built = item.before.clone();
    let agent = format!("-agentpath:{}={}", spoken::agent().display(), socket.display());
    built.side.environment.push(("JAVA_TOOL_OPTIONS".to_owned(), agent));
    let (tests, log) = project.run_plainly(&built);
    // If the JVM did not connect, the listener must end all the same.
    drop(UnixStream::connect(&socket));
    assert!(!tests.is_empty(), "{log}");
    let messages = listener.join().unwrap();
    let own = built.over.iter().chain([&built.program]).rev().flat_map(|program| program.classes());
    let libraries = built.libraries.iter().rev().flat_map(|(_, library)| library.classes());
    let classes = ClassTable { project: own.collect(), libraries: libraries.collect() };
    let options = ClassPathOptions { release: None, follow_manifests: false, threads: 1 };
    let frameworks = ClassPath::open(&built.jars, &options).unwrap();
    write(&RecordedJvm {
        messages: &messages,
        classes: &classes,
        folder: &project.path().parent().unwrap().to_string_lossy(),
        is_framework: &|class| frameworks.find(class).is_some(),
    })
}

/// All that a JVM sends that is told to watch what the project holds.
fn receive_all(stream: UnixStream, root: &ProjectRoot) -> Vec<AgentMessage> {
    let mut sender = MessageSender::new(stream.try_clone().unwrap());
    let mut receiver = MessageReceiver::new(BufReader::new(stream));
    let mut messages = Vec::new();
    while let Ok(Some(message)) = receiver.receive() {
        if let AgentMessage::Hello(hello) = &message {
            let resolved = class_path::resolve(hello, root);
            let (watch, class_path) = (resolved.watched, resolved.all);
            let plan = Plan { version: VERSION, watch, class_path, ..Plan::default() };
            sender.send(&CliMessage::Plan(plan)).unwrap();
        }
        messages.push(message);
    }
    messages
}
