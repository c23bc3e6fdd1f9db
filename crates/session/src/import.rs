//! Imports the verdicts of a build that ran without Tamis, and makes a static trace of each test that passed.
//!
//! A report counts only if no class is younger: then the classes of now are those that passed. Reports do not tell how their
//! JVM was started, so a trace has no facts about its flags, its settings and its test framework. Verdicts that Tamis itself
//! recorded come first.

use crate::error::SessionError;
use crate::settings::{RunSettings, last};
use crate::trace_writer::TraceWriter;
use crate::world::ProjectWorld;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tamis_catalog::builds::surefire::TEST_CLASS_PATH;
use tamis_catalog::jdk::properties::{CLASS_PATH, DIRECTORY};
use tamis_program::bitset::BitSet;
use tamis_program::digest::Digest;
use tamis_program::names::ClassName;
use tamis_program::snapshot::ClassId;
use tamis_project::launch::{Launch, class_path, launch};
use tamis_project::test_reports::{ReportProblem, ReportedOutcome, ReportedTest, TestReport, find_reports};
use tamis_report::import::ImportReport;
use tamis_report::words;
use tamis_select::decide::{has_method, test_class};
use tamis_select::facts::{CodeFacts, Fact, FactKind, FactTable, QuestionTable};
use tamis_select::recording::{ClassResult, ResultSink, TestResult};
use tamis_select::static_graph::{ReachKind, StaticReach, StaticTests};
use tamis_select::stored::{StoredOutcome, StoredTraces, TestKey};
use tamis_select::technique::STATIC_MEMBER;
use tamis_select::world::{AnswerCache, World};
use tamis_store::launches::{read_launches, write_launches};
use tamis_store::traces::TraceStore;
use tamis_wire::{Hello, Outcome};

/// Properties of a JVM that reports do not show.
const UNKNOWN: [&str; 3] = ["flags", "settings", "framework"];

/// A test: its class, and the name of its method.
type TestName = (String, String);

/// The reports of one JVM's class path.
struct ReportGroup {
    hello: Hello,
    tests: BTreeMap<TestName, (Outcome, u64)>,
    /// When the first of the reports was written.
    written: SystemTime,
}

/// Imports the reports below these folders.
pub fn import(settings: &RunSettings, paths: &[PathBuf]) -> Result<ImportReport, SessionError> {
    let mut report = ImportReport::new(env!("CARGO_PKG_VERSION"));
    let groups = groups(settings, paths, &mut report)?;
    let traces = TraceStore::read_only(&settings.store).ok().flatten();
    let stored = traces.and_then(|traces| traces.load(STATIC_MEMBER.name()).ok()).unwrap_or_default();
    let writer = TraceWriter::open(&settings.store, STATIC_MEMBER.name()).map_err(SessionError::Problem)?;
    let before = read_launches(&last(&settings.store));
    let mut launches = before.clone();
    for group in groups {
        let resolved = class_path::resolve(&group.hello, &settings.root);
        let launch = launch(&group.hello, &resolved, &settings.root);
        if let Some(class) = younger_class(&launch, group.written) {
            report
                .rejected
                .push(words::report_is_older(&launch.module, &settings.root.name(&class.to_string_lossy())));
            continue;
        }
        let world = ProjectWorld::open(launch.clone(), &settings.root, index(settings, &launch.module))?;
        import_group(settings, &world, &group, &stored, &writer, &mut report);
        if !launches.launches.iter().any(|known| known.module == launch.module) {
            launches.add(launch);
        }
    }
    if let Some(problem) = writer.problem() {
        return Err(SessionError::Problem(problem));
    }
    if launches != before {
        let folder = last(&settings.store);
        // Without the file the next command starts a JVM.
        let _ = fs::create_dir_all(&folder).and_then(|()| write_launches(&launches, &folder));
    }
    Ok(report)
}

/// Reads all reports, and puts those of equal class paths together.
fn groups(
    settings: &RunSettings,
    paths: &[PathBuf],
    report: &mut ImportReport,
) -> Result<Vec<ReportGroup>, SessionError> {
    let mut groups: BTreeMap<(String, String), ReportGroup> = BTreeMap::new();
    for path in paths {
        let files = find_reports(path).map_err(|error| SessionError::Open(path.clone(), error))?;
        for file in files {
            let name = settings.root.name(&file.to_string_lossy());
            let (read, modified) = match TestReport::read(&file) {
                Ok(read) => read,
                Err(error) => {
                    report.rejected.push(match error {
                        ReportProblem::Unreadable(error) => words::report_unreadable(&name, &error),
                        ReportProblem::TooLarge => words::report_too_large(&name),
                        ReportProblem::Malformed => words::report_malformed(&name),
                    });
                    continue;
                }
            };
            let mut properties = read.properties;
            let Some(directory) = properties.get(DIRECTORY).cloned() else {
                report.rejected.push(words::report_without_properties(&name));
                continue;
            };
            // Surefire names the class path of the tests beside that of its own archive.
            if let Some(tests) = properties.get(TEST_CLASS_PATH).cloned() {
                properties.insert(CLASS_PATH.to_owned(), tests);
            }
            let path = properties.get(CLASS_PATH).cloned().unwrap_or_default();
            let group = groups.entry((directory.clone(), path)).or_insert_with(|| ReportGroup {
                hello: Hello { directory, properties: properties.into_iter().collect(), ..Hello::default() },
                tests: BTreeMap::new(),
                written: modified,
            });
            group.written = group.written.min(modified);
            report.reports += 1;
            for case in read.cases {
                group.add(&case);
            }
        }
    }
    Ok(groups.into_values().collect())
}

impl ReportGroup {
    /// Adds a test. Several with the name of one method are one test.
    fn add(&mut self, case: &ReportedTest) {
        let outcome = match case.outcome {
            ReportedOutcome::Passed => Outcome::Passed,
            ReportedOutcome::Skipped => Outcome::Ignored,
            ReportedOutcome::Failed => Outcome::Failed,
        };
        let method = case.name.split(['(', '[', '{', ' ', '/']).next().unwrap_or_default().to_owned();
        let known = self.tests.entry((case.class.clone(), method)).or_insert((outcome, 0));
        known.0 = known.0.worse(outcome);
        known.1 = known.1.saturating_add(case.microseconds);
    }
}

/// A class that is younger than the reports.
fn younger_class(launch: &Launch, written: SystemTime) -> Option<PathBuf> {
    let mut open: Vec<(PathBuf, usize)> =
        launch.watched.iter().map(|root| (PathBuf::from(root), 0)).collect();
    while let Some((path, depth)) = open.pop() {
        let Ok(metadata) = fs::metadata(&path) else { continue };
        if metadata.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            open.extend(entries.filter(|_| depth < 64).map(|entry| (entry.path(), depth + 1)));
        } else if metadata.modified().is_ok_and(|modified| modified > written) {
            return Some(path);
        }
    }
    None
}

fn import_group(
    settings: &RunSettings,
    world: &ProjectWorld,
    group: &ReportGroup,
    stored: &StoredTraces,
    writer: &TraceWriter,
    report: &mut ImportReport,
) {
    let snapshot = world.snapshot();
    let module = &world.launch.module;
    let class_of = |class: &str| {
        test_class(snapshot, &ClassName::from_dotted(class)).filter(|id| snapshot.is_project(*id))
    };
    // A class of which one test has no method of its name may have names that mean something else.
    let is_strange = |(class, method): &TestName| {
        class_of(class).is_none() || method.is_empty() || !has_method(snapshot, class, method)
    };
    let strange: BTreeSet<&str> =
        group.tests.keys().filter(|test| is_strange(test)).map(|(class, _)| class.as_str()).collect();
    let mut tests: Vec<(&TestName, ClassId, Outcome, u64)> = Vec::new();
    for (name, (outcome, microseconds)) in &group.tests {
        let key = TestKey { module: module.clone(), class: name.0.clone(), method: Some(name.1.clone()) };
        match class_of(&name.0) {
            Some(id) if !strange.contains(name.0.as_str()) && !is_known(stored, &key) => {
                tests.push((name, id, *outcome, *microseconds));
            }
            _ => report.left_out += 1,
        }
    }
    let kind = settings.technique.reach().unwrap_or(ReachKind::Hierarchy);
    let mut statics = StaticTests::new(world, STATIC_MEMBER, kind, settings.threads);
    let names: Vec<(ClassId, Option<&str>)> =
        tests.iter().map(|(name, id, ..)| (*id, Some(name.1.as_str()))).collect();
    let reaches = statics.reaches(&names, settings.threads);
    let mut facts = ImportedFacts::new(world);
    let mut classes: BTreeMap<&str, Vec<TestResult>> = BTreeMap::new();
    for ((name, id, outcome, microseconds), reach) in tests.iter().zip(&reaches) {
        let key = TestKey { module: module.clone(), class: name.0.clone(), method: Some(name.1.clone()) };
        let passed = matches!(outcome, Outcome::Passed | Outcome::Ignored);
        report.count(*outcome == Outcome::Failed, passed && !reach.gaps.is_empty());
        for gap in reach.gaps.iter().filter(|_| passed) {
            *report.gaps.entry(words::static_gap(gap)).or_default() += 1;
        }
        let own = match passed && reach.gaps.is_empty() {
            true => facts.of(&mut statics, reach, *id),
            false => BitSet::default(),
        };
        let result = TestResult {
            key,
            outcome: *outcome,
            microseconds: *microseconds,
            facts: own,
            always: Vec::new(),
            held: None,
        };
        classes.entry(name.0.as_str()).or_default().push(result);
    }
    for (class, ended) in classes {
        let class = TestKey { module: module.clone(), class: class.to_owned(), method: None };
        let result = ClassResult { class, whole: None, was_whole: false, left: Vec::new(), ended };
        writer.add_class(result, &facts.table);
    }
}

/// Whether Tamis recorded a run of the test, or knows that it failed.
fn is_known(stored: &StoredTraces, key: &TestKey) -> bool {
    let of_class = TestKey { method: None, ..key.clone() };
    let find = |key: &TestKey| stored.tests.binary_search_by(|test| test.key.cmp(key)).ok();
    [key, &of_class].into_iter().filter_map(find).filter_map(|at| stored.tests.get(at)).any(|test| {
        let has_failed = !matches!(test.last, None | Some(StoredOutcome::Passed | StoredOutcome::Ignored));
        has_failed || test.running || test.whole.is_some() || test.always.is_some()
    })
}

/// The facts of imported tests, each answered once.
struct ImportedFacts<'w> {
    answers: AnswerCache<'w>,
    questions: QuestionTable,
    table: FactTable,
}

impl<'w> ImportedFacts<'w> {
    fn new(world: &'w ProjectWorld) -> ImportedFacts<'w> {
        ImportedFacts {
            answers: AnswerCache::new(world),
            questions: QuestionTable::default(),
            table: FactTable::default(),
        }
    }

    fn of(&mut self, statics: &mut StaticTests<'w>, reach: &StaticReach, test: ClassId) -> BitSet<u32> {
        let code: &CodeFacts<'w> = &self.answers.code;
        let asked = statics.questions(reach, test, code, &mut self.questions);
        let mut own = BitSet::default();
        for number in asked.iter() {
            let Some(question) = self.questions.get(number) else { continue };
            if question.kind == FactKind::Jvm && UNKNOWN.contains(&&*question.subject) {
                continue;
            }
            if self.table.get(number).is_none() {
                let question = question.clone();
                let answer = self.answers.answer(&question);
                self.table.put(number, Fact { question, answer });
            }
            own.insert(number);
        }
        own
    }
}

/// The index file of a module.
fn index(settings: &RunSettings, module: &str) -> PathBuf {
    let folder: &Path = &settings.store.join("index");
    let _ = fs::create_dir_all(folder);
    folder.join(Digest::of(module.as_bytes()).to_string())
}
