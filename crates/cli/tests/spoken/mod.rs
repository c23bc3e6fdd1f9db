//! Receives the agent's messages directly, without the CLI.

#![allow(dead_code)] // Each test program uses only a part.
#![allow(clippy::unwrap_used)] // Tests may panic.

#[path = "../stub/mod.rs"]
mod stub;

pub(crate) use stub::agent;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tamis_test_support::jdk::Jdk;
use tamis_test_support::{javac, run};
use tamis_wire::{AgentMessage, CliMessage, Input, MessageReceiver, MessageSender, Outcome, Plan, VERSION};

/// Compiles `p/Main.java` with the stubs.
pub(crate) fn compile(jdk: &Jdk, program: &str) -> javac::ClassDir {
    compile_all(jdk, &[("p/Main.java", program)], &[])
}

/// Compiles sources with the stubs.
pub(crate) fn compile_all(jdk: &Jdk, sources: &[(&str, &str)], options: &[&str]) -> javac::ClassDir {
    // A module may not have classes in the unnamed package.
    let stubs = stub::STUBS.iter().filter(|(path, _)| path.contains('/'));
    let sources: Vec<_> = stubs.chain(sources).copied().collect();
    let options: Vec<&str> = ["-g", "-nowarn"].iter().chain(options).copied().collect();
    javac::compile(jdk, &sources, &options).unwrap()
}

/// The messages of a JVM, and the result of its program.
pub(crate) struct Spoken {
    pub(crate) output: Output,
    pub(crate) said: Vec<AgentMessage>,
}

/// Runs `java` with the agent; classes below `watch` are watched method by method.
pub(crate) fn run_java(jdk: &Jdk, watch: &[&Path], arguments: &[&str]) -> Spoken {
    let mut command = jdk.java();
    command.args(arguments);
    run_command(command, watch)
}

/// Runs a JVM with the agent as the last of its `JAVA_TOOL_OPTIONS`.
pub(crate) fn run_command(command: Command, watch: &[&Path]) -> Spoken {
    let plan = Plan {
        version: VERSION,
        watch: watch.iter().map(|path| path.display().to_string()).collect(),
        ..Plan::default()
    };
    run_against(command, move |stream| hear(stream, plan))
}

/// The usual listener: sends the plan, and receives all messages.
pub(crate) fn hear(stream: UnixStream, plan: Plan) -> Vec<AgentMessage> {
    let mut sender = MessageSender::new(stream.try_clone().unwrap());
    let mut receiver = MessageReceiver::new(std::io::BufReader::new(stream));
    let mut said = Vec::new();
    while let Ok(Some(message)) = receiver.receive() {
        if matches!(message, AgentMessage::Hello(_)) {
            sender.send(&CliMessage::Plan(plan.clone())).unwrap();
        }
        said.push(message);
    }
    said
}

/// Runs a JVM with this listener, which gets the first connection.
pub(crate) fn run_against(
    mut command: Command,
    listener: impl FnOnce(UnixStream) -> Vec<AgentMessage> + Send + 'static,
) -> Spoken {
    let room = tempfile::Builder::new().prefix("tamis").tempdir_in("/tmp").unwrap();
    let socket = room.path().join("socket");
    let server = UnixListener::bind(&socket).unwrap();
    server.set_nonblocking(true).unwrap();
    let before =
        command.get_envs().find(|(name, _)| *name == "JAVA_TOOL_OPTIONS").and_then(|(_, value)| value);
    let options = format!("-agentpath:{}={}", agent().display(), socket.display());
    let options = match before {
        Some(before) => format!("{} {options}", before.to_str().unwrap()),
        None => options,
    };
    command
        .env("JAVA_TOOL_OPTIONS", options)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let accepting = thread::spawn(move || {
        let deadline = Instant::now() + Duration::from_secs(20);
        while Instant::now() < deadline {
            match server.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).unwrap();
                    return listener(stream);
                }
                Err(_) => thread::sleep(Duration::from_millis(1)),
            }
        }
        Vec::new()
    });
    let mut output = child.wait_with_output().unwrap();
    let said = accepting.join().unwrap();
    // The JVM announces its options before any agent can prevent it.
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = stderr.split_inclusive('\n').filter(|line| !line.starts_with("Picked up "));
    output.stderr = lines.collect::<String>().into_bytes();
    Spoken { output, said }
}

impl Spoken {
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    #[track_caller]
    pub(crate) fn succeeded(self, what: &str) -> Spoken {
        assert_eq!(self.output.status.code(), Some(0), "{what}: {}{}", self.stdout(), self.stderr());
        assert!(
            matches!(self.said.last(), Some(AgentMessage::Bye)),
            "{what}: no farewell, {} messages",
            self.said.len()
        );
        self
    }

    /// The methods or classes of probes.
    fn names(&self, probes: &[u32]) -> BTreeSet<String> {
        let mut classes = BTreeMap::new();
        for said in &self.said {
            if let AgentMessage::Class(class) = said {
                classes.insert(class.first_probe, class);
            }
        }
        let name = |probe: &u32| {
            let (first, class) = classes.range(..=*probe).next_back().unwrap();
            match class.methods.get((probe - first) as usize) {
                Some((name, descriptor)) => format!("{}.{name}{descriptor}", class.name),
                None => class.name.clone(),
            }
        };
        probes.iter().map(name).collect()
    }

    /// The spans of a test; the spans of classes if the name is empty.
    fn spans(&self, test: &str) -> Vec<u32> {
        let spans = self.said.iter().filter_map(|said| match said {
            AgentMessage::Started(span) if span.test.method.as_deref().unwrap_or_default() == test => {
                Some(span.number)
            }
            _ => None,
        });
        spans.collect()
    }

    /// The tests that ended, in order, with their outcomes.
    pub(crate) fn ended(&self) -> Vec<(String, Outcome)> {
        let mut names = BTreeMap::new();
        let mut ended = Vec::new();
        for said in &self.said {
            match said {
                AgentMessage::Started(span) => {
                    names.insert(span.number, span.test.method.clone().unwrap_or_default());
                }
                AgentMessage::Finished(finished) => {
                    ended.push((names[&finished.number].clone(), finished.outcome))
                }
                _ => {}
            }
        }
        ended
    }

    /// The methods of package `p` that a test entered.
    pub(crate) fn entered(&self, test: &str) -> BTreeSet<String> {
        let all = self.used(test);
        all.into_iter().filter(|name| name.starts_with("p/") && name.contains('(')).collect()
    }

    /// The methods that a test entered, and the classes that are watched as a whole.
    pub(crate) fn used(&self, test: &str) -> BTreeSet<String> {
        let spans = self.spans(test);
        assert!(!spans.is_empty(), "no test {test}");
        let mut probes = Vec::new();
        for said in &self.said {
            if let AgentMessage::Hits(hits) = said
                && hits.spans.iter().any(|span| spans.contains(span))
            {
                probes.extend(&hits.probes.0);
            }
        }
        self.names(&probes)
    }

    /// The inputs of a test, of some kinds only.
    pub(crate) fn noted(&self, test: &str) -> Vec<Input> {
        let spans = self.spans(test);
        let mut notes = Vec::new();
        let mut noted = Vec::new();
        for said in &self.said {
            match said {
                AgentMessage::Note(note) => notes.push(note.what.clone()),
                AgentMessage::Hits(hits) if hits.spans.iter().any(|span| spans.contains(span)) => {
                    noted.extend(hits.notes.iter().map(|note| notes[*note as usize].clone()));
                }
                _ => {}
            }
        }
        noted.retain(|note| matches!(note, Input::Thread(_) | Input::Redefined(_)));
        noted
    }

    /// The footprint of a class's initialiser, and the classes that it initialised.
    pub(crate) fn init(&self, class: &str) -> Option<(BTreeSet<String>, Vec<String>)> {
        self.said.iter().find_map(|said| match said {
            AgentMessage::Init(init) if init.class == class => {
                Some((self.names(&init.probes.0), init.nested.clone()))
            }
            _ => None,
        })
    }

    /// The tests that were open while a class was initialised.
    pub(crate) fn initialising(&self, class: &str) -> Vec<String> {
        let mut tests = Vec::new();
        for said in &self.said {
            if let AgentMessage::Init(init) = said
                && init.class == class
            {
                for said in &self.said {
                    if let AgentMessage::Started(span) = said
                        && init.spans.contains(&span.number)
                    {
                        tests.extend(span.test.method.clone());
                    }
                }
            }
        }
        tests
    }

    /// The methods that every test is assumed to have entered.
    pub(crate) fn assumed(&self) -> BTreeSet<String> {
        let probes = self.said.iter().filter_map(|said| match said {
            AgentMessage::Assumed(probes) => Some(probes.0.clone()),
            _ => None,
        });
        self.names(&probes.flatten().collect::<Vec<u32>>())
    }

    pub(crate) fn gaps(&self) -> Vec<&str> {
        let gaps = self.said.iter().filter_map(|said| match said {
            AgentMessage::Gap(gap) => Some(gap.what.as_str()),
            _ => None,
        });
        gaps.collect()
    }

    /// How many times a class got probes.
    pub(crate) fn seen(&self, class: &str) -> usize {
        self.said
            .iter()
            .filter(|said| matches!(said, AgentMessage::Class(seen) if seen.name == class))
            .count()
    }
}

/// Names as a set.
pub(crate) fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A JVM without the caller's Java settings.
pub(crate) fn java(jdk: &Jdk) -> Command {
    let mut command = jdk.java();
    run::forget_java_settings(&mut command);
    command
}
