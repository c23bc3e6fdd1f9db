//! A worker: makes mutants in its copy of the project, decides about them, and runs the tests.

use super::AuditPlan;
use super::class_lookup::ProgramClasses;
use super::copy::FolderListing;
use super::miss::{self, MissSuspect};
use super::mutant::{EditedProgram, Mutant};
use super::suite::{MutantVerdict, TestOutcomes, TestSuite, class_of};
use super::worker_dir::WorkerDir;
use crate::error::AuditError;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_project::launch::{Launch, LaunchHistory};
use tamis_report::audit::mutants::MutantResult;
use tamis_report::words;
use tamis_select::decide::{Decision, SkipEvidence};
use tamis_select::events::{RunEvent, RunListener};
use tamis_select::technique::{CLASS, Technique};
use tamis_session::RunDir;
use tamis_session::{RunCommand, RunSettings, Session, last};
use tamis_store::launches::read_launches;

/// Time limit for a suite before anything is edited.
const LONGEST: Duration = Duration::from_secs(6 * 3600);

/// One of several workers that run in parallel.
pub(super) struct AuditWorker {
    pub(super) place: WorkerDir,
    pub(super) suites: Vec<TestSuite>,
    settings: RunSettings,
    settings_class: RunSettings,
    /// The content of the copy after all tests had run once.
    listing: Option<FolderListing>,
    /// By suite, the tests that passed in all runs.
    pub(super) passed: Vec<BTreeSet<String>>,
    /// By suite, all tests.
    pub(super) known: Vec<BTreeSet<String>>,
    /// By suite, its duration without Tamis, with the options for mutants.
    pub(super) times: Vec<Duration>,
    /// The duration of all suites with the build's own options.
    pub(super) usual: Duration,
    pub(super) notes: Vec<String>,
}

/// Collects the gaps of a recording.
#[derive(Default)]
struct RecordingGaps(Mutex<Vec<String>>);

impl RunListener for RecordingGaps {
    fn event(&self, event: &RunEvent) {
        let what = match event {
            RunEvent::Gap { what, .. } => what.clone(),
            RunEvent::Unseen { reason, .. } => words::always_reason(reason),
            _ => return,
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }
}

impl AuditWorker {
    /// Copies the project, and records its tests there.
    pub(super) fn make(
        plan: &AuditPlan<'_>,
        folder: PathBuf,
        launches: &[Launch],
        classes: &[Vec<String>],
    ) -> Result<AuditWorker, AuditError> {
        let place = WorkerDir::make(folder, &plan.settings.root, &plan.settings.store, launches)?;
        let settings = |technique: &'static dyn Technique| RunSettings {
            rules: tamis_select::rules::SelectionRules::default(),
            technique,
            granularity: plan.settings.granularity,
            threads: plan.settings.threads,
            all: false,
            record: true,
            observe: true,
            store: place.store(technique.name()),
            root: place.root.clone(),
        };
        let mut worker = AuditWorker {
            settings: settings(plan.settings.technique),
            settings_class: settings(CLASS),
            suites: launches
                .iter()
                .zip(classes)
                .map(|(launch, all)| TestSuite::new(launch, all.clone()))
                .collect(),
            place,
            listing: None,
            passed: Vec::new(),
            known: Vec::new(),
            times: Vec::new(),
            usual: Duration::ZERO,
            notes: Vec::new(),
        };
        worker.record()?;
        Ok(worker)
    }

    /// Runs all tests with and without Tamis.
    fn record(&mut self) -> Result<(), AuditError> {
        let mut both = vec![&self.settings];
        if self.settings.technique != CLASS {
            both.push(&self.settings_class);
        }
        for suite in &mut self.suites {
            let mut runs = Vec::new();
            for settings in &both {
                let notes = RecordingGaps::default();
                let session = Session::open(settings, &notes);
                let log = File::create(self.place.log())?;
                let command = suite.command(&self.place, &suite.classes)?;
                session.run(RunCommand::plain(command, &RunDir::new()?), Some(&log))?;
                runs.push(TestOutcomes::read(&self.place, Duration::ZERO));
                self.notes.extend(notes.0.into_inner().unwrap_or_else(PoisonError::into_inner));
            }
            let usual = suite.run(&self.place, &suite.classes, LONGEST)?;
            suite.first_compiler = true;
            let simple = suite.run(&self.place, &suite.classes, usual.time * 2 + Duration::from_secs(20))?;
            suite.first_compiler = simple.done && simple.time < usual.time;
            suite.patience = usual.silence.max(simple.silence) * 4 + Duration::from_secs(10);
            self.usual += usual.time;
            self.times.push(usual.time.min(simple.time));
            runs.push(if suite.first_compiler { simple } else { usual.clone() });
            runs.push(usual);
            let known: BTreeSet<String> = runs.iter().flat_map(|run| run.all().cloned()).collect();
            let passes = |test: &&String| runs.iter().all(|run| run.of(test) == MutantVerdict::Passed);
            self.passed.push(known.iter().filter(passes).cloned().collect());
            self.known.push(known);
        }
        // From now on the workers only decide.
        self.settings.record = false;
        self.settings_class.record = false;
        self.listing = Some(self.place.listing());
        self.notes.sort();
        self.notes.dedup();
        Ok(())
    }

    /// The last lines of output of a suite whose tests do not run.
    pub(super) fn log(&self) -> String {
        let text = std::fs::read(self.place.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines.iter().rev().take(3).rev().copied().collect::<Vec<_>>().join(" / ")
    }

    /// Tries the mutants that `next` returns until there are no more.
    pub(super) fn work(
        &self,
        plan: &AuditPlan<'_>,
        tests: &[Vec<String>],
        programs: &[ProgramClasses],
        next: &(dyn Fn() -> Option<Mutant> + Sync),
        tried: &(dyn Fn(Option<MutantResult>) + Sync),
    ) -> Result<(), AuditError> {
        let silent = RecordingGaps::default();
        let decider = Decider::new(&self.settings, &silent, plan);
        let by_class = Decider::new(&self.settings_class, &silent, plan);
        while let Some(mutant) = next() {
            let start = Instant::now();
            let edited = programs.get(mutant.launch).and_then(|program| mutant.make(program));
            let Some(edited) = edited else {
                tried(None);
                continue;
            };
            let at_work = AtWork { worker: self, plan, decider: &decider, by_class: &by_class, tests };
            let mut result = at_work.judge(&mutant, &edited)?;
            result.seconds = start.elapsed().as_secs_f64();
            tried(Some(result));
        }
        Ok(())
    }

    /// Number of tests that would run without any change.
    pub(super) fn always(&self, plan: &AuditPlan<'_>, tests: &[Vec<String>]) -> Result<usize, AuditError> {
        let silent = RecordingGaps::default();
        let decider = Decider::new(&self.settings, &silent, plan);
        let mut always = 0;
        for (suite, tests) in self.suites.iter().zip(tests) {
            let skipped = decider.skipped(&suite.module, tests)?;
            always += tests.len() - skipped.len();
        }
        Ok(always)
    }

    /// Reverts an edit, and restores the files that tests changed.
    fn clean(&self, edited: &EditedProgram) -> Result<(), AuditError> {
        edited.take_back(&self.place)?;
        if let Some(listing) = &self.listing {
            self.place.restore(listing);
        }
        Ok(())
    }
}

/// Decides as the product does, from the traces that a worker has recorded.
pub(super) struct Decider<'w> {
    pub(super) session: Session<'w>,
    launches: LaunchHistory,
}

impl<'w> Decider<'w> {
    fn new(settings: &'w RunSettings, watch: &'w RecordingGaps, plan: &AuditPlan<'_>) -> Decider<'w> {
        let session = Session::open(settings, watch);
        let session = match plan.ignored {
            Some(about) => session.ignoring(about),
            None => session,
        };
        Decider { session, launches: read_launches(&last(&settings.store)) }
    }

    /// The tests among these that can be skipped in the present state of the copy.
    fn skipped(&self, module: &str, tests: &[String]) -> Result<BTreeMap<String, SkipEvidence>, AuditError> {
        let launch = self.launches.launches.iter().rfind(|launch| launch.module == module);
        let Some(launch) = launch else { return Ok(BTreeMap::new()) };
        let (_, choice) = self.session.decide(launch.clone())?;
        let mut held: BTreeMap<(&str, Option<&str>), &SkipEvidence> = BTreeMap::new();
        for test in &choice.tests {
            if let Decision::Skip(by) = &test.decision {
                held.insert((&test.key.class, test.key.method.as_deref()), by);
            }
        }
        let find = |test: &String| {
            let (class, method) = test.split_once('#')?;
            let by = held.get(&(class, Some(method))).or_else(|| held.get(&(class, None)))?;
            Some((test.clone(), (*by).clone()))
        };
        Ok(tests.iter().filter_map(find).collect())
    }
}

/// A worker with one mutant.
struct AtWork<'a, 'w> {
    worker: &'a AuditWorker,
    plan: &'a AuditPlan<'a>,
    decider: &'a Decider<'w>,
    by_class: &'a Decider<'w>,
    tests: &'a [Vec<String>],
}

impl AtWork<'_, '_> {
    fn judge(&self, mutant: &Mutant, edited: &EditedProgram) -> Result<MutantResult, AuditError> {
        edited.lay(&self.worker.place)?;
        let mut tried = MutantResult {
            id: mutant.id(),
            operator: mutant.operator.to_owned(),
            entity: edited.entity.clone(),
            what: edited.what.clone(),
            ..MutantResult::default()
        };
        let mut suspects = Vec::new();
        for (at, (suite, tests)) in self.worker.suites.iter().zip(self.tests).enumerate() {
            if suite.class_path.contains(&mutant.entry) {
                suspects.extend(self.suite(at, suite, tests, &mut tried)?);
            }
        }
        let confirmed = self.confirm(suspects, mutant, edited, &mut tried);
        self.worker.clean(edited)?;
        let confirmed = confirmed?;
        self.innocent(confirmed, &mut tried)?;
        tried.missed = tried.misses.len();
        tried.depends = tried.killed.saturating_sub(tried.unconfirmed.len());
        Ok(tried)
    }

    /// Decides and runs all tests. Returns the tests that fail and would have been skipped.
    fn suite(
        &self,
        at: usize,
        suite: &TestSuite,
        tests: &[String],
        tried: &mut MutantResult,
    ) -> Result<Vec<MissSuspect>, AuditError> {
        let start = Instant::now();
        let skipped = self.decider.skipped(&suite.module, tests)?;
        tried.decide_seconds += start.elapsed().as_secs_f64();
        let by_class = match self.worker.settings.technique == CLASS {
            true => skipped.len(),
            false => self.by_class.skipped(&suite.module, tests)?.len(),
        };
        let own: Vec<String>;
        let judged: &[String] = if self.plan.quick {
            let classes: BTreeSet<&str> = skipped.keys().map(|test| class_of(test)).collect();
            own = tests.iter().filter(|test| classes.contains(class_of(test))).cloned().collect();
            &own
        } else {
            tests
        };
        let classes = suite.holding(&judged.iter().map(|test| class_of(test)).collect());
        let outcomes = if classes.is_empty() {
            TestOutcomes::nothing()
        } else {
            suite.run_some(&self.worker.place, &classes, judged, self.limit(at))?
        };
        tried.suite_seconds += outcomes.time.as_secs_f64();
        tried.broke_off |= !outcomes.done || tests.iter().any(|test| outcomes.broke(class_of(test)));
        tried.tests += tests.len();
        tried.selected += tests.len() - skipped.len();
        tried.selected_class += tests.len() - by_class;
        let mut suspects = Vec::new();
        for test in judged {
            match outcomes.of(test) {
                MutantVerdict::Failed => {
                    tried.killed += 1;
                    if let Some(held) = skipped.get(test) {
                        suspects.push(MissSuspect::new(at, test, held));
                    }
                }
                MutantVerdict::Unknown => tried.unjudged += 1,
                MutantVerdict::Passed | MutantVerdict::NotRun => {}
            }
        }
        Ok(suspects)
    }

    /// Keeps the suspects that fail again, and describes them.
    fn confirm(
        &self,
        suspects: Vec<MissSuspect>,
        mutant: &Mutant,
        edited: &EditedProgram,
        tried: &mut MutantResult,
    ) -> Result<Vec<MissSuspect>, AuditError> {
        let mut confirmed = Vec::new();
        let mut again: BTreeMap<usize, TestOutcomes> = BTreeMap::new();
        for mut suspect in suspects {
            let Some(suite) = self.worker.suites.get(suspect.suite) else { continue };
            let tests = self.tests.get(suspect.suite).map_or(&[][..], Vec::as_slice);
            let (place, limit) = (&self.worker.place, self.limit(suspect.suite));
            if let Entry::Vacant(first) = again.entry(suspect.suite) {
                first.insert(suite.run_all(place, tests, limit)?);
            }
            let fails = |outcomes: &TestOutcomes| outcomes.of(&suspect.test) == MutantVerdict::Failed;
            if !again.get(&suspect.suite).is_some_and(fails) {
                tried.unconfirmed.push(suspect.test);
                continue;
            }
            let class = class_of(&suspect.test);
            let outer = class.split('$').next().unwrap_or(class);
            let own: Vec<String> =
                suite.classes.iter().filter(|known| *known == class || *known == outer).cloned().collect();
            suspect.alone = fails(&suite.run(place, &own, limit)?);
            miss::describe(&mut suspect, self.plan, mutant, edited, self.worker, self.decider);
            confirmed.push(suspect);
        }
        Ok(confirmed)
    }

    /// Drops the suspects that also fail without the edit.
    fn innocent(&self, confirmed: Vec<MissSuspect>, tried: &mut MutantResult) -> Result<(), AuditError> {
        let mut original: BTreeMap<usize, TestOutcomes> = BTreeMap::new();
        for suspect in confirmed {
            let Some(suite) = self.worker.suites.get(suspect.suite) else { continue };
            let tests = self.tests.get(suspect.suite).map_or(&[][..], Vec::as_slice);
            if let Entry::Vacant(first) = original.entry(suspect.suite) {
                first.insert(suite.run_all(&self.worker.place, tests, self.limit(suspect.suite))?);
            }
            let passes = |outcomes: &TestOutcomes| outcomes.of(&suspect.test) == MutantVerdict::Passed;
            if original.get(&suspect.suite).is_some_and(passes) {
                tried.misses.push(suspect.miss(&suite.module));
            } else {
                tried.unconfirmed.push(suspect.test);
            }
        }
        Ok(())
    }

    /// The time limit for a suite.
    fn limit(&self, suite: usize) -> Duration {
        self.worker.times.get(suite).copied().unwrap_or_default() * 5 + Duration::from_secs(20)
    }
}
