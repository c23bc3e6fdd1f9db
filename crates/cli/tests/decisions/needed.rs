//! Finds the kinds of facts that a case needs: if one is ignored, a test that must run would be skipped.

use crate::case::Verdict as Declared;
use crate::compiled::Item;
use crate::judge::{Seen, covers};
use crate::project::Project;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use tamis_project::root::ProjectRoot;
use tamis_select::decide::TestDecision;
use tamis_select::events::{RunEvent, RunListener};
use tamis_select::facts::FactKind;
use tamis_select::recording::Granularity;
use tamis_select::technique::HYBRID;
use tamis_session::{RunSettings, Session};
use tamis_wire::TestId;

/// Collects the decisions.
#[derive(Default)]
struct Decided(Mutex<Vec<TestDecision>>);

impl RunListener for Decided {
    fn event(&self, event: &RunEvent) {
        if let RunEvent::Chosen(choice) = event {
            self.0.lock().unwrap().extend(choice.tests.iter().cloned());
        }
    }
}

/// Decides about the program after the edit with the traces from before it, once for each kind of facts that
/// is broken.
pub(crate) fn needed(project: &Project<'_>, store: &Path, item: &Item, seen: &Seen) -> Vec<FactKind> {
    if !item.case.tamis.is_empty() {
        return Vec::new();
    }
    let must: Vec<&String> = item
        .case
        .declared
        .iter()
        .filter(|declared| declared.verdict == Declared::Run)
        .flat_map(|declared| seen.tests(declared))
        .collect();
    let kinds: BTreeSet<&str> = must.iter().flat_map(|test| seen.broken(test)).collect();
    // Only the launch of the present JVM.
    let launches = |folder: &Path| folder.join("last/launches.json");
    let all = fs::read_to_string(launches(&project.path().join(".tamis"))).unwrap();
    let mut all: serde_json::Value = serde_json::from_str(&all).unwrap();
    let mut newest = all["launches"].as_array_mut().unwrap().pop().unwrap();
    // This process lacks variables that the test JVM got from the environment of `tamis`.
    let locale = ("LC_ALL".to_owned(), "C.UTF-8".to_owned());
    for (name, value) in item.after.side.environment.iter().chain([&locale]) {
        newest["environment"][name] = value.as_str().into();
    }
    all["launches"] = vec![newest].into();
    fs::write(launches(store), all.to_string()).unwrap();
    let decide = |ignored: Option<FactKind>| {
        let settings = RunSettings {
            rules: tamis_select::rules::SelectionRules::default(),
            technique: HYBRID,
            granularity: Granularity::Auto,
            threads: 0,
            all: false,
            record: false,
            observe: true,
            store: store.to_owned(),
            root: ProjectRoot::new(&project.path()),
        };
        let decided = Decided::default();
        let session = Session::open(&settings, &decided);
        let session = if let Some(about) = ignored { session.ignoring(about) } else { session };
        session.decide_all().unwrap();
        let decided = decided.0.into_inner().unwrap();
        decided.into_iter().filter(TestDecision::is_skip).map(|test| test.id()).collect::<BTreeSet<_>>()
    };
    let is_kind = |about: &&FactKind| kinds.contains(about.word());
    with_command(&item.after.side.command, || {
        let skipped = decide(None);
        let kinds = FactKind::ALL.iter().filter(is_kind);
        let is_missed = |id: &TestId| {
            let name = id.method.as_ref().map_or(id.class.clone(), |method| format!("{}#{method}", id.class));
            !skipped.contains(id) && must.iter().any(|test| covers(&name, test))
        };
        kinds.copied().filter(|about| decide(Some(*about)).iter().any(is_missed)).collect()
    })
}

/// Runs on the processors that the command before `tamis` allows, which is all that such a command does here.
fn with_command<T: Send>(command: &[String], work: impl FnOnce() -> T + Send) -> T {
    let [program, flag, processors] = command else { return work() };
    assert_eq!((program.as_str(), flag.as_str()), ("taskset", "-c"));
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            // `4711/task/4712`
            let own = fs::read_link("/proc/thread-self").unwrap();
            let status =
                Command::new(program).args(["-cp", processors]).arg(own.file_name().unwrap()).output();
            assert!(status.unwrap().status.success());
            work()
        });
        thread.join().unwrap()
    })
}
