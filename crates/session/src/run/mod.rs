//! Runs a build with selection: sends each JVM its plan, and records its tests.
//!
//! Holds the order of calls; `select` decides, `jvm` transports, `trace_writer` stores.

mod command;
mod decisions;
mod gate;
mod no_tests;
mod task_tokens;
mod unseen_modules;

pub use command::RunCommand;

use crate::class_backup::ClassBackup;
use crate::error::SessionError;
use crate::jvm::agent_option::AgentOption;
use crate::jvm::connection::{CommandOutput, JvmConnection, JvmStream, listen_to};
use crate::load::changed_since::is_any_late;
use crate::settings::{RunSettings, last};
use crate::sync::lock;
use crate::trace_writer::TraceWriter;
use crate::world::ProjectWorld;
use gate::shapes;
use no_tests::OtherJvms;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};
use tamis_catalog::builds::{self, BuildToolRow, gradle};
use tamis_catalog::frameworks::names_test_tool;
use tamis_catalog::jdk::properties::CLASS_PATH;
use tamis_program::digest::Digest;
use tamis_project::build::AgentDelivery;
use tamis_project::launch::class_path;
use tamis_project::launch::launch;
use tamis_project::launch::machine::move_here;
use tamis_project::launch::{Launch, LaunchHistory};
use tamis_report::words;
use tamis_select::decide::{Decision, ModuleDecision, SkipEvidence, TestDecision};
use tamis_select::events::{RunEvent, RunListener};
use tamis_select::facts::FactKind;
use tamis_select::recording::{JvmRecorder, ResultSink, RunContext};
use tamis_select::technique::STATIC_MEMBER;
use tamis_store::launches::{read_launches, write_launches};
use tamis_store::traces::{StoredTraces, TraceStore};
use tamis_wire::{AgentMessage, CliMessage, Plan, ProbeDetail, TestId, VERSION};
use task_tokens::TaskTokens;

/// A run of a build.
pub struct Session<'s> {
    pub(crate) settings: &'s RunSettings,
    pub(crate) watch: &'s dyn RunListener,
    stored: StoredTraces,
    /// Static traces, for tests without a recorded one.
    statics: Option<StoredTraces>,
    keeper: Option<TraceWriter>,
    /// The launches of the last run, for questions of this one.
    launches: LaunchHistory,
    /// The launches of this run, and whether all their JVMs ended normally.
    started: Mutex<Vec<(Launch, bool)>>,
    /// By module, the digest of the build's last request at the gate.
    asked: Mutex<FxHashMap<String, String>>,
    /// Modules whose JVMs the build was about to start, with their directories.
    awaited: Mutex<BTreeMap<String, PathBuf>>,
    /// The requests of the build whose JVMs send a token back.
    tokens: Mutex<TaskTokens>,
    began: SystemTime,
    /// The JVMs in which no test was observed.
    others: Mutex<OtherJvms>,
    /// Process ids of JVMs that are running tests.
    testing: Mutex<FxHashSet<u32>>,
    /// A kind of fact that is assumed to hold.
    ignored: Option<FactKind>,
    /// The receiver of results instead of the store.
    sink: Option<&'s dyn ResultSink>,
    /// Tests to skip in any case.
    skip: &'s [TestId],
}

impl<'s> Session<'s> {
    /// Opens the store. If it cannot be used, nothing is recorded, and an event reports it.
    pub fn open(settings: &'s RunSettings, watch: &'s dyn RunListener) -> Session<'s> {
        let gap = |what: String| watch.event(&RunEvent::Gap { module: String::new(), what });
        let technique = settings.technique.name();
        let keeper = match (settings.record, settings.observe) {
            (true, _) => TraceWriter::open(&settings.store, technique)
                .map_err(|error| gap(words::no_recording(&error)))
                .ok(),
            // That a test failed must not be forgotten.
            (false, false) => TraceWriter::of_failures(&settings.store, technique),
            (false, true) => None,
        };
        let read =
            || TraceStore::read_only(&settings.store)?.map(|traces| traces.load(technique)).transpose();
        let stored = match read() {
            Ok(stored) => stored.unwrap_or_default(),
            Err(error) => {
                if keeper.is_some() || !settings.record {
                    gap(words::no_traces(&error));
                }
                StoredTraces::default()
            }
        };
        // What cannot be read is missing, and its tests run.
        let read = || {
            let traces = TraceStore::read_only(&settings.store).ok()??;
            let has_any = traces.has_traces(STATIC_MEMBER.name()).unwrap_or(false);
            has_any.then(|| traces.load(STATIC_MEMBER.name()).ok()).flatten()
        };
        let statics = if settings.technique.reach().is_none() { read() } else { None };
        if stored.unreadable > 0 {
            gap(words::unreadable_traces(stored.unreadable));
        }
        let mut launches = read_launches(&last(&settings.store));
        launches.launches.iter_mut().for_each(move_here);
        Session {
            settings,
            watch,
            stored,
            statics,
            keeper,
            launches,
            started: Mutex::default(),
            asked: Mutex::default(),
            awaited: Mutex::default(),
            tokens: Mutex::default(),
            began: SystemTime::now(),
            others: Mutex::default(),
            testing: Mutex::default(),
            ignored: None,
            sink: None,
            skip: &[],
        }
    }

    /// Assumes that all facts of a kind hold. Used by the test that each kind is needed, and by
    /// the test of audits.
    pub fn ignoring(self, about: FactKind) -> Session<'s> {
        Session { ignored: Some(about), ..self }
    }

    /// Sends results to `sink`, and skips these tests in any case.
    pub(crate) fn observing(self, sink: &'s dyn ResultSink, skip: &'s [TestId]) -> Session<'s> {
        Session { sink: Some(sink), skip, ..self }
    }

    /// The recorded traces.
    pub fn stored(&self) -> &StoredTraces {
        &self.stored
    }

    /// The static traces that are used for tests without a recorded one.
    pub fn statics(&self) -> Option<&StoredTraces> {
        self.statics.as_ref()
    }

    /// How JVMs were started the last time.
    pub fn launches(&self) -> LaunchHistory {
        self.launches.clone()
    }

    /// Runs a command; `log` receives its output if it is not shown.
    pub fn run(&self, run: RunCommand<'_>, log: Option<&fs::File>) -> Result<ExitStatus, SessionError> {
        let RunCommand { command, room, gate, delivery } = run;
        let agent = AgentOption::new(room, delivery)?;
        if delivery == AgentDelivery::Gate {
            let mut others = lock(&self.others);
            others.only_tests = true;
            others.tools.insert(gradle::GRADLE.name);
        }
        let output = log.map_or(CommandOutput::Shown, CommandOutput::To);
        let ended = AtomicBool::new(false);
        let status = std::thread::scope(|scope| {
            if let Some(gate) = gate {
                scope.spawn(|| gate.serve(|asked| self.answer(asked, &agent), &ended));
            }
            let status = listen_to(command, room, &agent, output, &|jvm| self.serve_jvm(jvm));
            ended.store(true, Ordering::SeqCst);
            status
        })?;
        self.tell_unseen();
        if self.settings.record {
            self.keep_launches(status.success());
        }
        if let Some(problem) = self.keeper.as_ref().and_then(TraceWriter::problem) {
            let what = words::recording_stopped(&problem);
            self.watch.event(&RunEvent::Gap { module: String::new(), what });
        }
        Ok(status)
    }

    /// Stores how JVMs were started. This is only a guess for the next run, which otherwise waits for the
    /// JVM.
    fn keep_launches(&self, success: bool) {
        let mut launches = self.launches.clone();
        let started = std::mem::take(&mut *lock(&self.started));
        // A module that now starts with another class path will not start with the old one again.
        launches.launches.retain(|known| {
            let mut same = started.iter().filter(|(launch, _)| launch.module == known.module).peekable();
            same.peek().is_none() || same.any(|(launch, _)| launch.class_path == known.class_path)
        });
        for (mut launch, complete) in started {
            if !success || !complete {
                launch.test_shapes = None;
            }
            launches.add(launch);
        }
        let _ = write_launches(&launches, &last(&self.settings.store));
    }

    /// Notes the digest of a build's request about a module's JVM.
    pub(crate) fn remember_asked(&self, module: &str, asked: &str) {
        lock(&self.asked).insert(module.to_owned(), asked.to_owned());
    }

    /// Whether nothing is known about a module.
    pub(crate) fn is_new(&self, module: &str) -> bool {
        !self.stored.tests.iter().any(|test| test.key.module == module)
            && !self.launches.launches.iter().any(|known| known.module == module)
    }

    fn serve_jvm<'j>(&self, mut jvm: JvmConnection<'j>) {
        let (mut hello, since) = (jvm.hello.clone(), SystemTime::now());
        let task = lock(&self.tokens).task_of(&hello);
        if let Some(task) = &task {
            task.complete(&mut hello, CLASS_PATH);
        }
        lock(&self.others).any = true;
        if let Some(tool) = build_tool_of(&hello.command) {
            lock(&self.others).tools.insert(tool.name);
            if tool.runs_tests_inside {
                self.await_test_inside(jvm, tool.name);
            }
            return; // Without a plan the agent does nothing.
        }
        let resolved = class_path::resolve(&hello, &self.settings.root);
        let nothing = Plan {
            version: VERSION,
            class_path: resolved.all.clone(),
            skip: self.skip.to_vec(),
            ..Plan::default()
        };
        // A JVM that a test has started is part of that test. A JVM that runs no tests needs no plan.
        let is_part = hello.ancestors.iter().any(|pid| lock(&self.testing).contains(pid));
        if is_part || (resolved.watched.is_empty() && !may_run_tests(&hello.command, &resolved.all)) {
            return;
        }
        if resolved.watched.is_empty() {
            if jvm.send_plan(nothing) {
                let mut untold = true;
                jvm.hear(&|_| {}, |said| {
                    if let AgentMessage::Started(span) = &said
                        && std::mem::take(&mut untold)
                        && span.kind != tamis_wire::SpanKind::Container
                    {
                        lock(&self.others).without_classes = true;
                        let what = words::no_class_path(&span.test.class);
                        self.watch.event(&RunEvent::Gap {
                            module: self.settings.root.name(&hello.directory),
                            what,
                        });
                    }
                    None
                });
            }
            return;
        }
        let mut launch = launch(&hello, &resolved, &self.settings.root);
        // The build would take results of some tests for those of all.
        let keeps_all = task.is_none() && hello.command.iter().any(|word| builds::keeps_results(word));
        match task {
            Some(task) => (launch.module, launch.gate_digest) = (task.module, Some(task.digest)),
            None => launch.gate_digest = lock(&self.asked).get(&launch.module).cloned(),
        }
        // Noted as soon as it is read: a JVM that a test starts may connect before that test's message is
        // handled.
        let tests = AtomicBool::new(false);
        let notice = |said: &AgentMessage| {
            if let AgentMessage::Started(_) | AgentMessage::Skipped(_) = said
                && !tests.swap(true, Ordering::SeqCst)
            {
                lock(&self.testing).insert(hello.pid);
            }
        };
        let module = launch.module.clone();
        let is_new = self.is_new(&module);
        std::thread::scope(|scope| {
            let begin =
                |mut jvm: JvmConnection<'j>, plan| jvm.send_plan(plan).then(|| jvm.begin(scope, &notice));
            // With nothing to skip, the JVM need not wait until its class path is read.
            let left = self.stored.left_fields.iter().filter(|(of, _)| *of == module);
            let known_left = left.map(|(_, field)| field.clone()).collect();
            let detail = match self.settings.observe {
                true => self.settings.technique.detail(),
                false => ProbeDetail::Nothing,
            };
            let plan = Plan { watch: resolved.watched.clone(), known_left, detail, ..nothing.clone() };
            let early = match is_new {
                true => Ok(begin(jvm, plan.clone())?),
                false => Err(jvm),
            };
            // Running tests may already have changed the class path while it was read.
            let is_late = || is_new && tests.load(Ordering::SeqCst) && is_any_late(&resolved.watched, since);
            let decided = self.decide(launch.clone()).and_then(|decided| match is_late() {
                true => {
                    // The next time it waits for the plan.
                    lock(&self.started).push((launch.clone(), false));
                    Err(SessionError::ClassPathChanged)
                }
                false => Ok(decided),
            });
            let (plan, decided) = match decided {
                Ok((world, choice)) => {
                    let skipped = choice.tests.iter().filter(|test| test.is_skip());
                    let nothing_skipped = self.settings.all || keeps_all;
                    let skip = skipped.filter(|_| !nothing_skipped).flat_map(TestDecision::skipped_ids);
                    let skip = skip.chain(self.skip.iter().cloned()).collect();
                    let held = held(&choice);
                    self.watch.event(&RunEvent::Chosen(choice));
                    (Plan { skip, prompt: !held.is_empty(), ..plan }, Some((world, held)))
                }
                Err(error) => {
                    let what = words::jvm_unknown(&error);
                    self.watch.event(&RunEvent::Gap { module, what });
                    (nothing, None)
                }
            };
            let listening = match early {
                Ok(listening) => listening,
                Err(jvm) => begin(jvm, plan)?,
            };
            match decided {
                Some((world, held)) => {
                    self.record(listening, &world, (held, since), launch, (hello.pid, &tests));
                }
                None => drop({
                    // Nothing was decided, so nothing else is skipped than what the caller asked for.
                    let is_asked = |said: &AgentMessage| matches!(said, AgentMessage::NewLeftovers(_));
                    listening.receive_rest(|said| is_asked(&said).then(|| CliMessage::RunAgain(Vec::new())))
                }),
            }
            Some(())
        });
    }

    /// Receives the messages of a JVM until it ends, and records its tests.
    fn record(
        &self,
        listening: JvmStream<'_>,
        world: &ProjectWorld,
        (held, since): (FxHashMap<TestId, SkipEvidence>, SystemTime),
        mut launch: Launch,
        (pid, tests): (u32, &AtomicBool),
    ) {
        let module = launch.module.clone();
        let connected = Instant::now();
        let shared = RunContext {
            technique: self.settings.technique,
            granularity: self.settings.granularity,
            threads: self.settings.threads,
            writer: self.sink.or(self.keeper.as_ref().map(|keeper| keeper as &dyn ResultSink)),
            stored: &self.stored,
            listener: self.watch,
        };
        let mut digests: Vec<Digest> = held.values().map(|held| held.digest).collect();
        digests.sort_unstable();
        digests.dedup();
        if let (Some(keeper), false) = (&self.keeper, digests.is_empty()) {
            keeper.matched(&digests);
        }
        let mut recording = JvmRecorder::new(&shared, world, held, since);
        let broken = listening.receive_rest(|said| {
            let tests = recording.handle_message(said)?;
            Some(CliMessage::RunAgain(tests.into_iter().filter(|test| !self.skip.contains(test)).collect()))
        });
        let tests = tests.load(Ordering::SeqCst);
        let complete = broken.is_none();
        recording.end(complete);
        if !tests {
            return;
        }
        let seconds = connected.elapsed().as_secs_f64();
        self.watch.event(&RunEvent::JvmEnded { module: module.clone(), seconds });
        if self.settings.record {
            let changes = ClassBackup::of(&self.settings.store, &module).update(world);
            if !changes.is_empty() {
                self.watch.event(&RunEvent::Changed { module: module.clone(), changes });
            }
        }
        lock(&self.testing).remove(&pid);
        launch.test_shapes = Some(shapes(world, recording.test_classes()));
        let mut started = lock(&self.started);
        // A launch with several JVMs is complete if all of them are.
        let same = |known: &&mut (Launch, bool)| {
            (&known.0.module, &known.0.gate_digest) == (&launch.module, &launch.gate_digest)
        };
        match started.iter_mut().find(same) {
            Some(known) => *known = (launch, known.1 && complete),
            None => started.push((launch, complete)),
        }
        drop(started);
        if let Some(broken) = broken {
            let what = words::jvm_lost(pid, &broken);
            self.watch.event(&RunEvent::Gap { module, what });
        }
    }
}

/// The evidence of the tests that can be skipped.
fn held(choice: &ModuleDecision) -> FxHashMap<TestId, SkipEvidence> {
    let held = choice.tests.iter().filter_map(|test| match &test.decision {
        Decision::Skip(held) => Some((test.id(), held.clone())),
        Decision::Run(_) => None,
    });
    held.collect()
}

/// The build tool that a JVM runs, if it runs one and not tests.
fn build_tool_of(command: &[String]) -> Option<&'static BuildToolRow> {
    command.iter().find_map(|word| builds::build_tool(word))
}

/// Whether a JVM without the project on its class path may still run its tests, judged by its command and
/// archives.
fn may_run_tests(command: &[String], class_path: &[String]) -> bool {
    let names = class_path.iter().filter_map(|entry| Path::new(entry).file_name()?.to_str());
    let plain =
        command.iter().map(String::as_str).filter(|word| !word.starts_with('-') && !word.contains('/'));
    let mut words = plain.chain(names).map(str::to_lowercase);
    words.any(|word| names_test_tool(&word))
}
