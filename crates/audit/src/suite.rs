//! Runs the tests of a module in a copy of the project without a build: as the build started its JVM, but
//! with our own runner.

use super::worker_dir::WorkerDir;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tamis_project::launch::Launch;
use tamis_project::runner::{self, MAIN, RunnerLine};

/// Properties that the JVM sets itself. If they were set on the command line, they are among its flags.
const OF_JVM: [&str; 16] = [
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "user.",
    "file.",
    "line.",
    "os.",
    "path.",
    "awt.",
    "native.",
    "stdout.",
    "stderr.",
    "surefire.",
    "stdin.",
];

/// Flags about modules, which are on the class path here.
const OF_MODULES: [&str; 4] = ["--patch-module", "--add-modules", "--add-reads", "--upgrade-module-path"];

/// Maximum number of JVMs for tests that earlier JVMs did not reach.
const ROUNDS: usize = 4;

/// The tests of a module, in one copy.
pub(super) struct TestSuite {
    pub(super) module: String,
    /// The build's class path as it was recorded.
    pub(super) class_path: Vec<PathBuf>,
    /// All test classes.
    pub(super) classes: Vec<String>,
    /// Whether mutants run with the JVM's first compiler only. Short suites end before the second compiler
    /// pays off.
    pub(super) first_compiler: bool,
    /// Time limit for a JVM that writes no results.
    pub(super) patience: Duration,
    launch: Launch,
}

impl TestSuite {
    pub(super) fn new(launch: &Launch, classes: Vec<String>) -> TestSuite {
        TestSuite {
            module: launch.module.clone(),
            class_path: launch.class_path.iter().map(PathBuf::from).collect(),
            classes,
            first_compiler: false,
            patience: Duration::MAX,
            launch: launch.clone(),
        }
    }

    /// The command that runs these classes.
    pub(super) fn command(&self, place: &WorkerDir, classes: &[String]) -> io::Result<Command> {
        self.command_with(place, classes, &[])
    }

    fn command_with(&self, place: &WorkerDir, classes: &[String], first: &[&str]) -> io::Result<Command> {
        let launch = &self.launch;
        let classes: String = classes.iter().map(|name| format!("{name}\n")).collect();
        let list = place.list(&classes);
        fs::write(&list, classes)?;
        let _ = fs::remove_file(place.results());
        let java = launch.properties.get("java.home").map_or(PathBuf::from("java"), |home| {
            let own = Path::new(home).join("bin/java");
            // For JDK 8 the property names its `jre` directory.
            if own.is_file() { own } else { Path::new(home).join("../bin/java") }
        });
        let mut command = Command::new(java);
        command.args(first).current_dir(place.directory(&launch.directory));
        for (name, value) in &launch.environment {
            match value {
                Some(value) => command.env(name, place.text(value)),
                None => command.env_remove(name),
            };
        }
        command.args(launch.flags.iter().filter(|flag| !is_of_modules(flag)).map(|flag| place.flag(flag)));
        // Surefire enables them in the JVM itself.
        command
            .args(launch.runner_settings.get("enableAssertions").filter(|on| *on == "true").map(|_| "-ea"));
        for (name, value) in &launch.properties {
            if !OF_JVM.iter().any(|known| name.starts_with(known)) {
                command.arg(format!("-D{name}={}", place.text(value)));
            }
        }
        let mut class_path: Vec<String> =
            self.class_path.iter().map(|path| place.entry(path).display().to_string()).collect();
        class_path.push(place.runner().display().to_string());
        command.arg("-cp").arg(class_path.join(":"));
        command.arg(MAIN).arg(place.results()).arg(list);
        Ok(command)
    }

    /// Runs these classes without Tamis, within a time limit.
    pub(super) fn run(
        &self,
        place: &WorkerDir,
        classes: &[String],
        limit: Duration,
    ) -> io::Result<TestOutcomes> {
        // In front of the user's options, which take precedence.
        let first: &[&str] = if self.first_compiler { &["-XX:TieredStopAtLevel=1"] } else { &[] };
        let mut command = self.command_with(place, classes, first)?;
        let log = File::create(place.log())?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let start = Instant::now();
        let mut child = command.spawn()?;
        let mut pause = Duration::from_millis(2);
        let (mut told, mut heard, mut silence) = (0, start, Duration::ZERO);
        while child.try_wait()?.is_none() {
            let now = fs::metadata(place.results()).map_or(0, |metadata| metadata.len());
            silence = silence.max(heard.elapsed());
            if now != told {
                (told, heard) = (now, Instant::now());
            }
            if start.elapsed() > limit || heard.elapsed() > self.patience {
                let _ = child.kill();
                let _ = child.wait();
                break;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        Ok(TestOutcomes { silence, ..TestOutcomes::read(place, start.elapsed()) })
    }

    /// Runs all classes. If a test hangs or ends the JVM, a further JVM runs the tests that were not reached.
    pub(super) fn run_all(
        &self,
        place: &WorkerDir,
        tests: &[String],
        limit: Duration,
    ) -> io::Result<TestOutcomes> {
        self.run_some(place, &self.classes, tests, limit)
    }

    /// The classes that contain tests of the wanted classes.
    pub(super) fn holding(&self, wanted: &BTreeSet<&str>) -> Vec<String> {
        let holds = |class: &&String| {
            let inner = format!("{class}$");
            wanted.iter().any(|wanted| *wanted == class.as_str() || wanted.starts_with(&inner))
        };
        self.classes.iter().filter(holds).cloned().collect()
    }

    /// The same for some classes and their tests.
    pub(super) fn run_some(
        &self,
        place: &WorkerDir,
        classes: &[String],
        tests: &[String],
        limit: Duration,
    ) -> io::Result<TestOutcomes> {
        let mut outcomes = self.run(place, classes, limit)?;
        for _ in 0..ROUNDS {
            if outcomes.done {
                break;
            }
            let left: BTreeSet<&str> = tests
                .iter()
                .filter(|test| outcomes.of(test) == MutantVerdict::Unknown)
                .map(|test| class_of(test))
                .filter(|class| !outcomes.broke(class))
                .collect();
            let classes = self.holding(&left);
            if classes.is_empty() {
                break;
            }
            outcomes.add(self.run(place, &classes, limit)?);
        }
        Ok(outcomes)
    }
}

/// `org.x.ParserTest` for `org.x.ParserTest#flatten`.
pub(super) fn class_of(test: &str) -> &str {
    test.split('#').next().unwrap_or(test)
}

fn is_of_modules(flag: &str) -> bool {
    OF_MODULES.iter().any(|known| flag.starts_with(known))
}

/// The outcomes of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct TestOutcomes {
    ended: BTreeMap<String, SuiteEnd>,
    /// Tests that had begun when the JVM ended too early.
    pub(super) running: Vec<String>,
    /// Classes with tests that did not end.
    broken: BTreeSet<String>,
    /// Whether the JVM ended normally.
    pub(super) done: bool,
    pub(super) time: Duration,
    /// The longest time without results.
    pub(super) silence: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SuiteEnd {
    Ignored,
    Passed,
    Aborted,
    Failed,
}

/// The result for a test that passed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MutantVerdict {
    Passed,
    /// It failed, hung, or ended the JVM.
    Failed,
    /// It did not run, and nothing failed: it no longer exists, or its annotations or assumptions excluded
    /// it.
    NotRun,
    /// The JVM ended before this test.
    Unknown,
}

impl TestOutcomes {
    /// The outcomes of a run without tests.
    pub(super) fn nothing() -> TestOutcomes {
        TestOutcomes { done: true, ..TestOutcomes::default() }
    }

    pub(super) fn read(place: &WorkerDir, time: Duration) -> TestOutcomes {
        let text = fs::read(place.results()).unwrap_or_default();
        let mut outcomes = TestOutcomes { time, ..TestOutcomes::default() };
        for told in runner::read(&String::from_utf8_lossy(&text)) {
            match told {
                RunnerLine::Start(name) => outcomes.running.push(name.to_owned()),
                RunnerLine::End(name, how) => {
                    outcomes.running.retain(|running| running != name);
                    let how = match how {
                        "passed" => SuiteEnd::Passed,
                        "ignored" => SuiteEnd::Ignored,
                        "aborted" => SuiteEnd::Aborted,
                        _ => SuiteEnd::Failed,
                    };
                    // Invocations of one test have one outcome, the worst.
                    let known = outcomes.ended.entry(name.to_owned()).or_insert(how);
                    *known = (*known).max(how);
                }
                RunnerLine::Done => outcomes.done = true,
            }
        }
        if outcomes.done {
            outcomes.running.clear();
        }
        outcomes.broken = outcomes.running.iter().map(|test| class_of(test).to_owned()).collect();
        outcomes
    }

    /// The names of all tests.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.ended.keys().filter(|name| name.contains('#'))
    }

    pub(super) fn of(&self, test: &str) -> MutantVerdict {
        let class = class_of(test);
        match (self.ended.get(test), self.ended.get(class)) {
            (Some(SuiteEnd::Failed), _) | (None, Some(SuiteEnd::Failed)) => MutantVerdict::Failed,
            (Some(SuiteEnd::Passed), _) => MutantVerdict::Passed,
            (Some(SuiteEnd::Ignored | SuiteEnd::Aborted), _) => MutantVerdict::NotRun,
            (None, _) if self.running.iter().any(|running| running == test) => MutantVerdict::Failed,
            (None, _) if self.done && !self.broken.contains(class) => MutantVerdict::NotRun,
            (None, _) => MutantVerdict::Unknown,
        }
    }

    /// Whether a test of a class did not end.
    pub(super) fn broke(&self, class: &str) -> bool {
        self.broken.contains(class)
    }

    /// Adds the outcomes of a later JVM for tests that this one did not reach.
    fn add(&mut self, later: TestOutcomes) {
        for (name, how) in later.ended {
            self.ended.entry(name).or_insert(how);
        }
        self.running.extend(later.running);
        self.broken.extend(later.broken);
        self.time += later.time;
        self.done = later.done;
    }
}
