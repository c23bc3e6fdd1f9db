//! `tamis explain TEST…`

use crate::args::{GlobalArgs, OutputFormat, SelectionArgs};
use crate::error::CommandError;
use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tamis_report::explanation::{self, Explanation};
use tamis_report::words;
use tamis_select::decide::{BrokenTrace, RunReason};
use tamis_select::decide::{Decision, TestDecision};
use tamis_select::facts::{Answer, Fact, FactKind};
use tamis_session::{ClassBackup, ReportBuilder, RunSettings, Session, iso};

/// What to explain.
pub(super) struct ExplainQuery<'a> {
    pub(super) tests: &'a [String],
    /// All that run.
    pub(super) run: bool,
    /// With every fact.
    pub(super) facts: bool,
}

pub(super) fn explain(
    choosing: &SelectionArgs,
    wanted: &ExplainQuery<'_>,
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
    for name in wanted.tests {
        let matching: Vec<&TestDecision> =
            chosen.iter().copied().filter(|test| is_named(name, test)).collect();
        if matching.is_empty() {
            let hint = if chosen.is_empty() {
                "nothing is recorded yet; tamis test records"
            } else {
                "tamis select lists those that are known"
            };
            return Err(CommandError::Usage(format!("{name}: no test of this name is known; {hint}")));
        }
        found.extend(matching);
    }
    if wanted.run {
        found.extend(chosen.iter().copied().filter(|test| !test.is_skip()));
    }
    let mut explainer =
        Explainer { settings: &settings, session: &session, code: BTreeMap::new(), quiet: global.quiet };
    let mut explained: Vec<Explanation> = Vec::new();
    for test in found {
        explained.push(explainer.explain(test, wanted.facts));
    }
    if wanted.run && explained.is_empty() {
        explained = explainer.last_run();
    }
    let mut out = BufWriter::new(anstream::stdout());
    match choosing.format {
        OutputFormat::Json => out.write_all(explanation::to_json(&explained).as_bytes())?,
        OutputFormat::Names => {
            for test in &explained {
                writeln!(out, "{}", test.test)?;
            }
        }
        OutputFormat::Human if explained.is_empty() => {
            writeln!(out, "nothing would run, and nothing ran in the last run")?
        }
        OutputFormat::Human => explanation::write(&mut out, &explained, global.verbose)?,
    }
    out.flush()?;
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

struct Explainer<'e, 's> {
    settings: &'e RunSettings,
    session: &'e Session<'s>,
    /// Both versions of a module's classes, as far as they are kept.
    code: BTreeMap<String, Option<tamis_session::ClassPathDiff>>,
    /// Without code.
    quiet: bool,
}

impl Explainer<'_, '_> {
    fn explain(&mut self, test: &TestDecision, all: bool) -> Explanation {
        let mut explained =
            Explanation { test: name(test), module: test.key.module.clone(), ..Explanation::default() };
        explained.whole = test.whole.clone();
        match &test.decision {
            Decision::Run(why) => {
                explained.decision = "run";
                explained.summary = words::run_reason(why);
                for (fact, now) in why.broken() {
                    let mut shown = shown(fact, *now);
                    shown.code = self.listing(&test.key.module, fact);
                    explained.facts.push(shown);
                }
                if let Some(trace) = self.trace_of(test, why) {
                    explained.trace = Some(trace);
                }
            }
            Decision::Skip(held) => {
                explained.decision = "skip";
                explained.summary = format!("all {} facts of a passing run hold", held.facts);
                explained.trace = Some(explanation::TraceSummary {
                    digest: held.digest.to_string(),
                    recorded: iso(held.recorded),
                    place: held.place.clone(),
                    facts: held.facts,
                });
                if all {
                    explained.facts = self.facts_of(test);
                }
            }
        }
        explained
    }

    fn trace_of(&self, test: &TestDecision, reason: &RunReason) -> Option<explanation::TraceSummary> {
        let RunReason::Changed(BrokenTrace { trace, .. }) = reason else { return None };
        let stored = self.session.stored();
        let at = stored.tests.binary_search_by(|known| known.key.cmp(&test.key)).ok()?;
        let trace = stored.tests.get(at)?.traces.get(*trace)?;
        let place =
            trace.run.and_then(|run| stored.runs.get(run)).map_or(String::new(), |run| run.place.clone());
        let facts = stored.facts_of(trace.set).map_or(0, |facts| facts.len());
        Some(explanation::TraceSummary {
            digest: trace.digest.to_string(),
            recorded: iso(trace.recorded),
            place,
            facts,
        })
    }

    fn facts_of(&self, test: &TestDecision) -> Vec<explanation::ShownFact> {
        let stored = self.session.stored();
        let Decision::Skip(held) = &test.decision else { return Vec::new() };
        let Ok(at) = stored.tests.binary_search_by(|known| known.key.cmp(&test.key)) else {
            return Vec::new();
        };
        let trace = stored
            .tests
            .get(at)
            .and_then(|known| known.traces.iter().find(|trace| trace.digest == held.digest));
        let mut facts = trace.and_then(|trace| stored.facts_of(trace.set)).unwrap_or_default();
        facts.sort_unstable();
        facts.into_iter().map(|fact| shown(fact, fact.answer)).collect()
    }

    /// Both versions of a method's code, side by side, where both are kept.
    fn listing(&mut self, module: &str, fact: &Fact) -> Option<String> {
        self.listing_of(module, fact.question.kind, &fact.question.subject)
    }

    fn listing_of(&mut self, module: &str, about: FactKind, entity: &str) -> Option<String> {
        if self.quiet {
            return None;
        }
        let method = match about {
            FactKind::Body => entity.to_owned(),
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
        if listings.old == listings.new {
            return None;
        }
        let mut text = Vec::new();
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(110);
        tamis_report::code::write(&mut text, &listings.old, &listings.new, width).ok()?;
        String::from_utf8(text).ok()
    }

    /// Why tests ran in the last run, from its document.
    fn last_run(&mut self) -> Vec<Explanation> {
        let path = tamis_session::last(&self.settings.store).join("run.json");
        let mut explained =
            std::fs::read_to_string(path).map(|text| explanation::of_run(&text)).unwrap_or_default();
        for test in &mut explained {
            for fact in &mut test.facts {
                let about = FactKind::ALL.iter().find(|about| about.word() == fact.fact);
                if let Some(about) = about {
                    fact.how = how(*about);
                    fact.code = self.listing_of(&test.module, *about, &internal(&fact.entity));
                }
            }
        }
        explained
    }
}

/// `org/x/Parser.flatten(I)V` for `org.x.Parser.flatten(I)V`.
fn internal(entity: &str) -> String {
    let (before, descriptor) = entity.split_at(entity.find('(').unwrap_or(entity.len()));
    match before.rsplit_once('.').filter(|_| !descriptor.is_empty()) {
        Some((class, method)) => format!("{}.{method}{descriptor}", class.replace('.', "/")),
        None => before.replace('.', "/"),
    }
}

/// The classes of the last run and those of now; or, where nothing has changed since, those of the run before.
fn compare(
    settings: &RunSettings,
    session: &Session<'_>,
    module: &str,
) -> Option<tamis_session::ClassPathDiff> {
    let kept = ClassBackup::of(&settings.store, module);
    let launch = session.launches().launches.into_iter().rfind(|launch| launch.module == module)?;
    let options = tamis_session::LoadOptions {
        jdk: tamis_session::JdkChoice::None,
        lenient: true,
        ..tamis_session::LoadOptions::default()
    };
    let now: Vec<PathBuf> = launch.watched.iter().map(PathBuf::from).collect();
    let since = tamis_session::diff(std::slice::from_ref(&kept.last), &now, &options).ok();
    since
        .filter(|compared| !compared.changes.is_empty())
        .or_else(|| tamis_session::diff(&[kept.before], &now, &options).ok())
}

fn shown(fact: &Fact, now: Answer) -> explanation::ShownFact {
    let about = fact.question.kind;
    explanation::ShownFact {
        fact: about.word().to_owned(),
        entity: fact.question.displayed(),
        change: match (&fact.answer, now) {
            (then, now) if *then == now && now.is_none() => "absent",
            (then, now) if *then == now => "the same",
            (None, _) => "added",
            (_, None) => "gone",
            _ => "changed",
        },
        how: how(about),
        code: None,
    }
}

/// How a test comes to rely on such a fact.
fn how(about: FactKind) -> &'static str {
    match about {
        FactKind::Body => "entered: by the test, its set-up, or an initialiser or object it relies on",
        FactKind::Inherits => "called on an object of this class",
        FactKind::Supers => "objects or names of this class were met",
        FactKind::External => "objects of this class were met; other code may call these",
        FactKind::Init => "touched: its static initialiser counts, whenever it ran",
        FactKind::Shape => "looked at by reflection, or the test class itself",
        FactKind::Class => "used, and not known more exactly",
        FactKind::Debug => "a stack trace was read",
        FactKind::Library => "a class of a library was used",
        FactKind::Resource => "looked for on the class path",
        FactKind::File => "read",
        FactKind::Exists => "asked for",
        FactKind::Listing => "listed",
        FactKind::Environment | FactKind::Property | FactKind::Machine => "read",
        FactKind::Jvm => "holds for every test of the JVM",
    }
}

fn name(test: &TestDecision) -> String {
    match &test.key.method {
        Some(method) => format!("{}#{method}", test.key.class),
        None => test.key.class.clone(),
    }
}
