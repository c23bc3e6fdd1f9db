//! `tamis explain TEST…`

use super::print;
use crate::args::{GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use tamis_program::names::{ClassName, without_place};
use tamis_report::Document;
use tamis_report::code::MethodListings;
use tamis_report::explanation::{Explanation, ExplanationReport, ShownFact, TraceSummary};
use tamis_report::selection::SelectionReport;
use tamis_report::time::iso;
use tamis_select::decide::{BrokenTrace, Decision, RunReason, SkipEvidence, TestDecision};
use tamis_select::facts::{FactKind, walk};
use tamis_select::stored::TestKey;
use tamis_session::{
    ClassBackup, ClassPathDiff, JdkChoice, LoadOptions, ReportBuilder, RunSettings, Session,
};

/// The request.
pub(super) struct ExplainQuery<'a> {
    pub(super) tests: &'a [String],
    /// Explain all tests that run.
    pub(super) run: bool,
    /// List every fact.
    pub(super) facts: bool,
}

pub(super) fn explain(
    choosing: &SelectionArgs,
    query: &ExplainQuery<'_>,
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let mut settings = choosing.settings()?;
    settings.record = false;
    let collector = ReportBuilder::new(None);
    let session = Session::open(&settings, &collector);
    session.decide_all()?;
    let choices = collector.choices();
    let chosen: Vec<&TestDecision> = choices.iter().flat_map(|choice| &choice.tests).collect();
    let mut found: Vec<&TestDecision> = Vec::new();
    for name in query.tests {
        let before = found.len();
        found.extend(chosen.iter().copied().filter(|test| is_named(name, test)));
        if found.len() == before {
            return Err(CommandError::UnknownTest(name.clone(), !chosen.is_empty()));
        }
    }
    if query.run {
        found.extend(chosen.iter().copied().filter(|test| !test.is_skip()));
    }
    let mut explainer =
        Explainer { settings: &settings, session: &session, code: BTreeMap::new(), quiet: global.quiet };
    let mut report =
        ExplanationReport::new(found.iter().map(|test| explainer.explain(test, query.facts)).collect());
    if query.run && report.tests.is_empty() {
        report = explainer.last_run();
    }
    print(Document::Explanation(&report), choosing.format, global)?;
    Ok(ExitCode::SUCCESS)
}

/// `org.x.ParserTest`, `ParserTest`, `ParserTest#flatten`
fn is_named(name: &str, test: &TestDecision) -> bool {
    let (class, method) = match name.split_once('#') {
        Some((class, method)) => (class, Some(method)),
        None => (name, None),
    };
    let known = &test.key.class;
    let is_class = known == class
        || known.rsplit(['.', '$']).next() == Some(class)
        || known.ends_with(&format!(".{class}"));
    is_class && (method.is_none() || test.key.method.is_none() || test.key.method.as_deref() == method)
}

/// The number of facts of a run whose code is shown on its page.
const WITH_CODE: usize = 60;

/// Both versions of the code behind the facts of the last run, as text.
pub(super) fn code_of_run(settings: &RunSettings, run: &SelectionReport) -> BTreeMap<String, [String; 2]> {
    let collector = ReportBuilder::new(None);
    let session = Session::open(settings, &collector);
    let mut explainer = Explainer { settings, session: &session, code: BTreeMap::new(), quiet: false };
    let mut code: BTreeMap<String, [String; 2]> = BTreeMap::new();
    for test in run.running() {
        for fact in test.reason.iter().flat_map(|reason| &reason.facts) {
            let key = format!("{} {}", fact.fact, fact.entity);
            if code.len() >= WITH_CODE || code.contains_key(&key) {
                continue;
            }
            let kind = FactKind::ALL.iter().find(|kind| kind.word() == fact.fact);
            let listings =
                kind.and_then(|kind| explainer.listings(&test.module, *kind, &internal(&fact.entity)));
            if let Some(MethodListings { old, new }) = listings {
                code.insert(key, [&old, &new].map(|side| tamis_report::code::text(side)));
            }
        }
    }
    code
}

struct Explainer<'e, 's> {
    settings: &'e RunSettings,
    session: &'e Session<'s>,
    /// Both versions of a module's classes, if they are kept.
    code: BTreeMap<String, Option<ClassPathDiff>>,
    /// Without code.
    quiet: bool,
}

impl Explainer<'_, '_> {
    fn explain(&mut self, test: &TestDecision, all: bool) -> Explanation {
        let mut explanation = Explanation::from(test);
        match &test.decision {
            Decision::Run(reason) => {
                for (shown, (fact, _)) in explanation.facts.iter_mut().zip(reason.broken()) {
                    let question = &fact.question;
                    shown.code = self.listings(&test.key.module, question.kind, &question.subject);
                }
                explanation.trace = self.trace_of(test, reason);
                if let Some((fact, _)) = reason.broken().first() {
                    explanation.path = self.session.static_path(&test.key, &fact.question);
                }
                self.add_first_cause(test, reason, &mut explanation);
            }
            Decision::Skip(evidence) if all => explanation.facts = self.facts_of(test, evidence),
            Decision::Skip(_) => {}
        }
        explanation
    }

    /// A test that failed the last time runs again whatever changed; people look for the change that broke it.
    fn add_first_cause(&mut self, test: &TestDecision, reason: &RunReason, explanation: &mut Explanation) {
        let TestKey { module, class, method } = &test.key;
        let red = tamis_session::run_memory::red_tests(&tamis_session::last(&self.settings.store));
        if matches!(reason, RunReason::Failed | RunReason::Broken)
            && let Some((first, since)) = red.first_broken_by(module, class, method.as_deref())
        {
            ExplanationReport::add_first_cause(explanation, first, since);
            self.add_code(module, &mut explanation.facts);
        }
    }

    /// Adds both versions of the code to facts of an earlier run.
    fn add_code(&mut self, module: &str, facts: &mut [ShownFact]) {
        for fact in facts {
            if let Some(kind) = FactKind::ALL.iter().find(|kind| kind.word() == fact.fact) {
                fact.code = self.listings(module, *kind, &internal(&fact.entity));
            }
        }
    }

    fn trace_of(&self, test: &TestDecision, reason: &RunReason) -> Option<TraceSummary> {
        let RunReason::Changed(BrokenTrace { trace, .. }) = reason else { return None };
        let stored = self.session.stored();
        let at = stored.tests.binary_search_by(|known| known.key.cmp(&test.key)).ok()?;
        let trace = stored.tests.get(at)?.traces.get(*trace)?;
        let place =
            trace.run.and_then(|run| stored.runs.get(run)).map_or(String::new(), |run| run.place.clone());
        let facts = stored.facts_of(trace.set).map_or(0, |facts| facts.len());
        Some(TraceSummary { digest: trace.digest.to_string(), recorded: iso(trace.recorded), place, facts })
    }

    fn facts_of(&self, test: &TestDecision, evidence: &SkipEvidence) -> Vec<ShownFact> {
        // With a static technique these are the stored traces themselves.
        let stored = match (evidence.is_static, self.session.statics()) {
            (true, Some(statics)) => statics,
            _ => self.session.stored(),
        };
        let Ok(at) = stored.tests.binary_search_by(|known| known.key.cmp(&test.key)) else {
            return Vec::new();
        };
        let trace = stored
            .tests
            .get(at)
            .and_then(|known| known.traces.iter().find(|trace| trace.digest == evidence.digest));
        let mut facts = trace.and_then(|trace| stored.facts_of(trace.set)).unwrap_or_default();
        facts.sort_unstable();
        facts.into_iter().map(|fact| ShownFact::new(fact, fact.answer)).collect()
    }

    /// Both versions of a method's code, if both are kept and differ.
    fn listings(&mut self, module: &str, kind: FactKind, entity: &str) -> Option<MethodListings> {
        if self.quiet {
            return None;
        }
        let method = match kind {
            FactKind::Body => without_place(entity).to_owned(),
            FactKind::Walk => {
                without_place(walk::parts(entity).map_or(entity, |(method, _)| method)).to_owned()
            }
            FactKind::Init => format!("{entity}.<clinit>()V"),
            _ => return None,
        };
        let (before, _) = method.split_once('(')?;
        let (class, name) = before.rsplit_once('.')?;
        let descriptor = method.get(before.len()..)?;
        let (settings, session) = (self.settings, self.session);
        let compared =
            self.code.entry(module.to_owned()).or_insert_with(|| compare(settings, session, module));
        let listings = compared.as_ref()?.listings(class, &format!("{name}{descriptor}")).ok()?;
        (listings.old != listings.new).then_some(listings)
    }

    /// Why tests ran in the last run, from its document.
    fn last_run(&mut self) -> ExplanationReport {
        let path = tamis_session::last(&self.settings.store).join("run.json");
        let run = std::fs::read_to_string(path).ok().and_then(|text| SelectionReport::read(&text));
        let mut report = ExplanationReport::of_run(&run.unwrap_or_default());
        for test in &mut report.tests {
            self.add_code(&test.module, &mut test.facts);
        }
        report
    }
}

/// `org/x/Parser.flatten(I)V` for `org.x.Parser.flatten(I)V`.
fn internal(entity: &str) -> String {
    let (before, descriptor) = entity.split_at(entity.find('(').unwrap_or(entity.len()));
    match before.rsplit_once('.').filter(|_| !descriptor.is_empty()) {
        Some((class, method)) => format!("{}.{method}{descriptor}", ClassName::from_dotted(class)),
        None => ClassName::from_dotted(before).into_string(),
    }
}

/// The classes of the last run and the present ones; or, if nothing has changed since, those of the run before.
fn compare(settings: &RunSettings, session: &Session<'_>, module: &str) -> Option<ClassPathDiff> {
    let kept = ClassBackup::of(&settings.store, module);
    let launch = session.launches().launches.into_iter().rfind(|launch| launch.module == module)?;
    let options = LoadOptions { jdk: JdkChoice::None, lenient: true, ..LoadOptions::default() };
    let now: Vec<PathBuf> = launch.watched.iter().map(PathBuf::from).collect();
    let since = tamis_session::diff(std::slice::from_ref(&kept.last), &now, &options).ok();
    since
        .filter(|compared| !compared.changes.is_empty())
        .or_else(|| tamis_session::diff(&[kept.before], &now, &options).ok())
}
