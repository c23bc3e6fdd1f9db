//! `tamis affected CLASS[#METHOD]|FILE…`

use super::options::here;
use super::print;
use crate::args::{GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tamis_catalog::compilers::is_source;
use tamis_program::names::ClassName;
use tamis_report::affected::AffectedReport;
use tamis_report::selection::test_name;
use tamis_report::{Document, words};
use tamis_select::facts::{FactKind, Question};
use tamis_select::stored::{StoredTraces, TestKey};
use tamis_session::{JdkChoice, LoadOptions, ReportBuilder, Session};

pub(super) fn affected(
    choosing: &SelectionArgs,
    what: &[String],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let mut settings = choosing.settings()?;
    settings.record = false;
    let collector = ReportBuilder::new(None);
    let session = Session::open(&settings, &collector);
    let is_empty = |stored: &StoredTraces| stored.tests.iter().all(|test| test.traces.is_empty());
    if is_empty(session.stored()) && session.statics().is_none() {
        return Err(CommandError::NothingRecorded(None));
    }
    let mut wanted: Vec<AffectedQuery> = Vec::new();
    for name in what {
        wanted.push(AffectedQuery::new(name, &settings.root.name(&here()?.join(name).to_string_lossy())));
    }
    let mut relying: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    add_relying(session.stored(), settings.technique.reach().is_some(), &wanted, &mut relying, |_| true);
    if let Some(statics) = session.statics() {
        let recorded: BTreeSet<&TestKey> = session
            .stored()
            .tests
            .iter()
            .filter(|test| !test.traces.is_empty())
            .map(|test| &test.key)
            .collect();
        add_relying(statics, true, &wanted, &mut relying, |test| !recorded.contains(test));
    }
    let is_known = |query: &AffectedQuery| {
        let mut all = std::iter::once(session.stored()).chain(session.statics());
        all.any(|stored| stored.facts.iter().any(|fact| query.is_met_by(&fact.question)))
    };
    if relying.is_empty()
        && let Some((name, query)) = what.iter().zip(&wanted).find(|(_, query)| !is_known(query))
        && !query.is_in_program(&session)
    {
        return Err(CommandError::UnknownSubject(name.clone()));
    }
    print(Document::Affected(&AffectedReport::new(what, relying)), choosing.format, global)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds the tests that depend on one of these, with the facts.
fn add_relying(
    stored: &StoredTraces,
    is_static: bool,
    wanted: &[AffectedQuery],
    relying: &mut BTreeMap<String, BTreeSet<String>>,
    counts: impl Fn(&TestKey) -> bool,
) {
    let matching: Vec<bool> = stored
        .facts
        .iter()
        .map(|fact| wanted.iter().any(|wanted| wanted.is_met_by(&fact.question)))
        .collect();
    for test in stored.tests.iter().filter(|test| counts(&test.key)) {
        // The test depends on the trace that held last.
        let Some(trace) = test.traces.first() else { continue };
        let mut reasons: BTreeSet<String> = BTreeSet::new();
        stored.all(trace.set, |index| {
            if matching.get(index) == Some(&true)
                && let Some(fact) = stored.facts.get(index)
            {
                let fact = format!("{} {}", fact.question.kind.word(), fact.question.displayed());
                reasons.insert(if is_static { words::static_fact(&fact) } else { fact });
            }
            true
        });
        if !reasons.is_empty() {
            let name = test_name(&test.key.class, test.key.method.as_deref());
            relying.entry(name).or_default().extend(reasons);
        }
    }
}

/// A class, a method of it, or a file.
struct AffectedQuery {
    class: String,
    method: Option<String>,
    file: String,
    path: PathBuf,
    /// Of a source file: its path without the ending, which ends with the name of a class.
    source: Option<String>,
}

impl AffectedQuery {
    fn new(name: &str, file: &str) -> AffectedQuery {
        let (class, method) = match name.split_once('#') {
            Some((class, method)) => (class, Some(method.to_owned())),
            None => (name, None),
        };
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let source = is_source(ending).then(|| match file.rsplit_once('.') {
            Some((stem, _)) => stem.to_owned(),
            None => file.to_owned(),
        });
        let class = ClassName::from_dotted(class).into_string();
        AffectedQuery { class, method, file: file.to_owned(), path: PathBuf::from(name), source }
    }

    /// Whether this is the class, or one that the source file may hold.
    fn is_class(&self, name: &str) -> bool {
        let outer = name.split('$').next().unwrap_or(name);
        if let Some(source) = &self.source {
            return source == outer || source.ends_with(&format!("/{outer}"));
        }
        name == self.class
            || name.ends_with(&format!("/{}", self.class))
            || name.ends_with(&format!("${}", self.class))
    }

    /// Whether it names a class of the project, or a file that exists, on which no test depends.
    fn is_in_program(&self, session: &Session<'_>) -> bool {
        let launches = session.launches().launches;
        let mut folders = launches.iter().flat_map(|launch| &launch.watched).map(Path::new);
        let options = LoadOptions { jdk: JdkChoice::None, lenient: true, ..LoadOptions::default() };
        let is_class = |folder: &Path| {
            tamis_session::load(&[folder.to_owned()], &options).is_ok_and(|loaded| {
                let snapshot = &loaded.snapshot;
                snapshot.project().any(|class| self.is_class(snapshot.class(class).name()))
            })
        };
        let is_file = self.method.is_none() && self.path.is_file() && self.source.is_none();
        is_file || folders.any(is_class)
    }

    fn is_met_by(&self, question: &Question) -> bool {
        let entity = &*question.subject;
        match question.kind {
            FactKind::Body | FactKind::Inherits | FactKind::Walk => {
                let before = entity.split('(').next().unwrap_or(entity);
                before.rsplit_once('.').is_some_and(|(class, method)| {
                    self.is_class(class)
                        && self
                            .method
                            .as_deref()
                            .is_none_or(|wanted| wanted == method || (wanted == class && method == "<init>"))
                })
            }
            FactKind::Init if self.method.as_deref() == Some("<clinit>") => self.is_class(entity),
            FactKind::Supers
            | FactKind::External
            | FactKind::Init
            | FactKind::Shape
            | FactKind::Class
            | FactKind::Debug
            | FactKind::Head
            | FactKind::Methods
            | FactKind::Library
            | FactKind::Scan => self.method.is_none() && self.is_class(entity),
            // Before the build the file of a resource is somewhere in the project.
            FactKind::Resource => {
                self.method.is_none() && (entity == self.file || self.file.ends_with(&format!("/{entity}")))
            }
            FactKind::File | FactKind::Exists | FactKind::Listing => {
                self.method.is_none() && entity == self.file
            }
            FactKind::Attribute => {
                let path = entity.split_once(' ').map_or(entity, |(_, path)| path);
                self.method.is_none() && path == self.file
            }
            FactKind::Environment | FactKind::Property | FactKind::Machine | FactKind::Jvm => false,
        }
    }
}
