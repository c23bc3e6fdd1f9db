//! Checks selection with mutants: edits the project, runs all tests on each edit, and reports tests that were
//! wrongly skipped.
//!
//! Works in copies outside the project. The user's store only gets a journal and the data about misses
//! (`docs/design/audit.md`).
#![forbid(unsafe_code)]

mod class_lookup;
mod copy;
mod error;
mod journal;
mod miss;
mod mutant;
mod pool;
mod suite;
mod worker;
mod worker_dir;

pub use pool::operator_names;

pub use error::AuditError;

use class_lookup::ProgramClasses;
use journal::AuditJournal;
use mutant::Mutant;
use pool::{MutantPool, one_a_module};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_program::names::ClassName;
use tamis_project::launch::Launch;
use tamis_report::audit::mutants::{AuditBaseline, JournalLine, MutantReport, MutantResult};
use tamis_report::words;
use tamis_select::facts::FactKind;
use tamis_select::technique::HYBRID;
use tamis_session::{RunSettings, last};
use tamis_store::launches::read_launches;
use tamis_store::traces::{StoredTraces, TraceStore};
use worker::AuditWorker;

/// The settings of an audit.
pub struct AuditPlan<'p> {
    /// The user's project and store.
    pub settings: &'p RunSettings,
    /// Number of mutants.
    pub mutants: usize,
    /// Seed of the sequence of mutants.
    pub seed: u64,
    /// Number of JVMs at a time.
    pub jobs: usize,
    /// Only edits in this module.
    pub module: Option<String>,
    /// Only edits by these operators; all if empty.
    pub operators: Vec<String>,
    /// Run only classes with a test that would be skipped.
    pub quick: bool,
    /// A kind of fact that is assumed to hold. Used only by the test that an audit finds misses.
    pub ignored: Option<FactKind>,
}

/// Receives the progress of an audit.
pub trait ProgressListener: Sync {
    /// The next stage has begun.
    fn stage(&self, what: &str);
    /// A mutant was tried; `done` of `of` are done.
    fn tried(&self, done: usize, of: usize, tried: &MutantResult);
}

/// Tries mutants of the project.
pub fn mutants(plan: &AuditPlan<'_>, progress: &dyn ProgressListener) -> Result<MutantReport, AuditError> {
    let start = Instant::now();
    if plan.settings.all {
        return Err(AuditError::NothingSkipped);
    }
    progress.stage(words::FINDING_EDITS);
    let found = ProjectTests::find(plan)?;
    let mut pool = found.pool(plan)?;
    if pool.places() == 0 {
        return Err(AuditError::NothingToEdit);
    }
    let drawn = pool.draw(plan.seed, &plan.operators, plan.mutants);
    drop(pool);
    let mut journal = AuditJournal::open(plan.settings.store.join("audit").join(found.journal_name(plan)));
    let known: BTreeMap<String, MutantResult> =
        journal.tried.drain(..).map(|tried| (tried.id.clone(), tried)).collect();
    let (before, left): (Vec<Mutant>, Vec<Mutant>) =
        drawn.into_iter().partition(|mutant| known.contains_key(&mutant.id()));
    let mut all: Vec<MutantResult> =
        before.iter().filter_map(|mutant| known.get(&mutant.id()).cloned()).collect();
    let resumed = all.len();
    let mut baseline = journal.baseline.take().unwrap_or_default();
    if !left.is_empty() {
        let (new, tried) = found.attack(plan, left, resumed, &journal, progress)?;
        baseline = new;
        all.extend(tried);
    }
    let mut report = MutantReport::new(env!("CARGO_PKG_VERSION"), plan.quick, baseline, all);
    report.technique = plan.settings.technique.name().to_owned();
    report.granularity = plan.settings.granularity.word().to_owned();
    report.seed = plan.seed;
    report.jobs = plan.jobs;
    report.resumed = resumed;
    report.seconds = start.elapsed().as_secs_f64();
    Ok(report)
}

/// The project before any edit: its launches, classes and tests.
struct ProjectTests {
    launches: Vec<Launch>,
    programs: Vec<ProgramClasses>,
    /// By launch, its test classes.
    classes: Vec<Vec<String>>,
    stored: StoredTraces,
}

impl ProjectTests {
    fn find(plan: &AuditPlan<'_>) -> Result<ProjectTests, AuditError> {
        let store = &plan.settings.store;
        let stored = TraceStore::read_only(store)
            .and_then(|traces| traces.map(|traces| traces.load(HYBRID.name())).transpose())
            .map_err(AuditError::Store)?
            .unwrap_or_default();
        let all = one_a_module(&read_launches(&last(store)).launches);
        let mut found =
            ProjectTests { launches: Vec::new(), programs: Vec::new(), classes: Vec::new(), stored };
        for launch in all {
            let program = ProgramClasses::open(&launch)?;
            let mut classes: Vec<String> = found
                .stored
                .tests
                .iter()
                .filter(|test| test.key.module == launch.module)
                .map(|test| test.key.class.clone())
                .filter(|class| program.class_path.find(&ClassName::from_dotted(class)).is_some())
                .collect();
            classes.dedup();
            if !classes.is_empty() {
                found.launches.push(launch);
                found.programs.push(program);
                found.classes.push(classes);
            }
        }
        if found.launches.is_empty() {
            return Err(AuditError::NothingRecorded);
        }
        Ok(found)
    }

    /// All possible edits.
    fn pool(&self, plan: &AuditPlan<'_>) -> Result<MutantPool, AuditError> {
        let mut pool = MutantPool::default();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let modules: Vec<&str> = self.launches.iter().map(|launch| launch.module.as_str()).collect();
        if let Some(module) = &plan.module
            && !modules.contains(&module.as_str())
        {
            return Err(AuditError::UnknownModule { module: module.clone(), known: modules.join(", ") });
        }
        let tests: BTreeSet<String> = self.classes.iter().flatten().cloned().collect();
        let is_library = |about: FactKind| about == FactKind::Library;
        let facts = self.stored.facts.iter().filter(|fact| is_library(fact.question.kind));
        let used: BTreeSet<String> = facts.map(|fact| fact.question.subject.to_string()).collect();
        for (at, (launch, program)) in self.launches.iter().zip(&self.programs).enumerate() {
            for entry in launch.watched.iter().filter(|entry| Path::new(entry).is_dir()) {
                let inside = plan.settings.root.holds(entry);
                let is_wanted =
                    plan.module.as_deref().is_none_or(|module| self.owner(plan, entry) == Some(module));
                if inside && is_wanted && seen.insert(entry) {
                    pool.add_directory(at, Path::new(entry), program, &tests);
                }
            }
            if plan.module.as_deref().is_none_or(|module| launch.module == module) {
                pool.add_libraries(at, program, &used);
            }
        }
        Ok(pool)
    }

    /// The module of a directory on the class path: the innermost one that contains it.
    fn owner(&self, plan: &AuditPlan<'_>, entry: &str) -> Option<&str> {
        let name = plan.settings.root.name(entry);
        let holds = |module: &&str| *module == "." || Path::new(&name).starts_with(module);
        self.launches
            .iter()
            .map(|launch| launch.module.as_str())
            .filter(holds)
            .max_by_key(|module| module.len())
    }

    /// The file name of the journal: different for each seed, state of the classes, and way of deciding.
    fn journal_name(&self, plan: &AuditPlan<'_>) -> String {
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Any);
        // Another tamis has another journal: otherwise a fixed bug would be reported forever.
        let own = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
        out.digest(&Digest::of(&own));
        out.bytes(format!("{:?} {} {:?}", plan.settings.granularity, plan.quick, plan.ignored).as_bytes());
        let mut bytes = Vec::new();
        for program in &self.programs {
            let path = &program.class_path;
            for root in path.roots() {
                if root.path.is_file() {
                    out.bytes(root.path.to_string_lossy().as_bytes());
                    out.bytes(
                        &std::fs::metadata(&root.path).map_or(0, |metadata| metadata.len()).to_le_bytes(),
                    );
                } else {
                    for name in mutant::resources(&root.path) {
                        out.bytes(name.as_bytes());
                        out.digest(&Digest::of(&std::fs::read(root.path.join(&name)).unwrap_or_default()));
                    }
                }
            }
            let own = path
                .classes()
                .iter()
                .filter(|class| path.roots().get(class.root()).is_some_and(|root| root.path.is_dir()));
            for class in own {
                if path.read(class, &mut bytes).is_ok() {
                    out.bytes(class.name.as_bytes());
                    out.digest(&Digest::of(&bytes));
                }
            }
        }
        format!("{}-{}-{}.jsonl", plan.settings.technique.name(), plan.seed, out.finish())
    }

    /// Tries the remaining mutants with several workers.
    fn attack(
        &self,
        plan: &AuditPlan<'_>,
        left: Vec<Mutant>,
        resumed: usize,
        journal: &AuditJournal,
        progress: &dyn ProgressListener,
    ) -> Result<(AuditBaseline, Vec<MutantResult>), AuditError> {
        let scratch = scratch()?;
        let jobs = plan.jobs.clamp(1, left.len().max(1));
        progress.stage(words::COPYING);
        let workers: Vec<Result<AuditWorker, AuditError>> = std::thread::scope(|scope| {
            let make = |number: usize| {
                AuditWorker::make(
                    plan,
                    scratch.path().join(number.to_string()),
                    &self.launches,
                    &self.classes,
                )
            };
            let threads: Vec<_> = (0..jobs).map(|number| scope.spawn(move || make(number))).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let workers = workers.into_iter().collect::<Result<Vec<AuditWorker>, AuditError>>()?;
        let (tests, baseline) = baseline(plan, &workers)?;
        journal.add(&JournalLine::Baseline(baseline.clone()));
        let of = left.len() + resumed;
        progress.stage(&words::trying(baseline.tests, of));
        let queue: Mutex<VecDeque<Mutant>> = Mutex::new(left.into());
        let done: Mutex<Vec<MutantResult>> = Mutex::default();
        let next = || lock(&queue).pop_front();
        let tried = |tried: Option<MutantResult>| {
            let Some(tried) = tried else { return };
            journal.add(&JournalLine::Tried(tried.clone()));
            let mut done = lock(&done);
            progress.tried(done.len() + 1 + resumed, of, &tried);
            done.push(tried);
        };
        let results: Vec<Result<(), AuditError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = workers
                .iter()
                .map(|worker| scope.spawn(|| worker.work(plan, &tests, &self.programs, &next, &tried)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        results.into_iter().collect::<Result<(), AuditError>>()?;
        Ok((baseline, done.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// By launch, the tests that passed in all runs; and the data for the report about the others.
fn baseline(
    plan: &AuditPlan<'_>,
    workers: &[AuditWorker],
) -> Result<(Vec<Vec<String>>, AuditBaseline), AuditError> {
    let Some(first) = workers.first() else { return Err(AuditError::NoTestPasses(String::new())) };
    let (mut tests, mut baseline) = (Vec::new(), AuditBaseline::default());
    for at in 0..first.suites.len() {
        let passed =
            |worker: &AuditWorker, test: &String| worker.passed.get(at).is_some_and(|own| own.contains(test));
        let known: BTreeSet<&String> =
            workers.iter().filter_map(|worker| worker.known.get(at)).flatten().collect();
        let (stable, others): (Vec<&String>, Vec<&String>) =
            known.into_iter().partition(|test| workers.iter().all(|worker| passed(worker, test)));
        tests.push(stable.into_iter().cloned().collect::<Vec<_>>());
        baseline.left_out.extend(others.into_iter().cloned());
    }
    baseline.tests = tests.iter().map(Vec::len).sum();
    if baseline.tests == 0 {
        return Err(AuditError::NoTestPasses(first.log()));
    }
    baseline.suite_seconds = first.usual.as_secs_f64();
    baseline.suite_fastest_seconds = first.times.iter().sum::<Duration>().as_secs_f64();
    baseline.always = first.always(plan, &tests)?;
    baseline.notes = first.notes.clone();
    Ok((tests, baseline))
}

/// A folder for copies. Removes the folders of audits that were killed.
fn scratch() -> Result<tempfile::TempDir, AuditError> {
    const NAME: &str = "tamis-audit-";
    let base = std::env::temp_dir();
    for entry in std::fs::read_dir(&base).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name.strip_prefix(NAME).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        if owner.is_some_and(|pid| !PathBuf::from(format!("/proc/{pid}")).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    let prefix = format!("{NAME}{}-", std::process::id());
    tempfile::Builder::new()
        .prefix(&prefix)
        .tempdir_in(&base)
        .map_err(|error| AuditError::Scratch(base, error))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
