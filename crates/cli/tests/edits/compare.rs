//! Compares two folders of classes, in this process and by the command, and writes changes in the notation of
//! the cases.

use crate::step::Step;
use std::path::PathBuf;
use std::process::Command;
use tamis_program::diff::{AtomicChange, ChangeKind, ChangedLayer, match_classes};
use tamis_program::snapshot::Snapshot;
use tamis_session::LoadOptions;
use tamis_test_support::jdk::Jdk;
use tempfile::TempDir;

/// The classes before and after a step.
pub(crate) struct Classes {
    before: PathBuf,
    after: PathBuf,
    /// Holds `after` if some classes in it are not from the compiler.
    _made: Option<std::rc::Rc<TempDir>>,
}

impl Classes {
    pub(crate) fn new(before: PathBuf, after: PathBuf) -> Classes {
        Classes { before, after, _made: None }
    }

    /// Copies classes that were not compiled again from before the step.
    pub(crate) fn with_stale(self, stale: &[String]) -> Classes {
        if stale.is_empty() {
            return self;
        }
        let folder = TempDir::new().unwrap();
        copy(&self.after, folder.path());
        for class in stale {
            let file = format!("{}.class", class.replace('.', "/"));
            let to = folder.path().join(&file);
            assert!(!to.exists(), "{class} is stale and was compiled again");
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(self.before.join(&file), to).unwrap_or_else(|e| panic!("stale {class}: {e}"));
        }
        Classes {
            before: self.before,
            after: folder.path().to_path_buf(),
            _made: Some(std::rc::Rc::new(folder)),
        }
    }

    /// The step undone.
    pub(crate) fn swapped(&self) -> Classes {
        Classes { before: self.after.clone(), after: self.before.clone(), _made: self._made.clone() }
    }
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        if path.is_dir() {
            std::fs::create_dir_all(&to).unwrap();
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).unwrap();
        }
    }
}

/// Two snapshots and the changes from one to the other.
pub(crate) struct Compared {
    old: Snapshot,
    new: Snapshot,
    changes: Vec<AtomicChange>,
}

impl Compared {
    pub(crate) fn of(classes: &Classes, jdk: &Jdk, step: &Step) -> Compared {
        let options = LoadOptions {
            release: Some(u32::MAX),
            class_path: Vec::new(),
            jdk: tamis_session::JdkChoice::At(jdk.home.clone()),
            lenient: step.lenient,
            index: None,
        };
        let load = |folder: &PathBuf| {
            let loaded = tamis_session::load(std::slice::from_ref(folder), &options);
            loaded.unwrap_or_else(|e| panic!("{}: {e}", step.path.display())).snapshot
        };
        let (old, new) = (load(&classes.before), load(&classes.after));
        let changes = tamis_program::diff::diff(&old, &new);
        Compared { old, new, changes }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.changes.iter().map(line).collect()
    }

    pub(crate) fn without_lookups(&self) -> Vec<String> {
        self.changes.iter().filter(|change| comparable(change)).map(line).collect()
    }

    /// The expected changes of the step undone.
    pub(crate) fn mirrored(&self) -> Vec<String> {
        let mirror = |change: &AtomicChange| {
            let layers = change.layers.iter().map(|layer| match layer {
                ChangedLayer::Added => ChangedLayer::Deleted,
                ChangedLayer::Deleted => ChangedLayer::Added,
                other => *other,
            });
            line(&AtomicChange { kind: mirrored(change.kind), layers: layers.collect(), ..change.clone() })
        };
        self.changes.iter().filter(|change| comparable(change)).map(mirror).collect()
    }

    /// Classes whose digest differs but that no entry names. Entries of nested classes cover the outer class.
    pub(crate) fn changed_in_silence(&self) -> Vec<String> {
        let matching = match_classes(&self.old, &self.new);
        matching
            .both
            .iter()
            .map(|(before, after)| (self.old.class(*before), self.new.class(*after)))
            .filter(|(before, after)| before.layers.class != after.layers.class)
            .map(|(_, after)| after.name().to_owned())
            .filter(|name| {
                let nested = format!("{name}$");
                !self.changes.iter().any(|c| c.class == *name || c.class.starts_with(&nested))
            })
            .collect()
    }
}

/// Numbered classes have other names on the way back, and look-up changes name the method found before.
fn comparable(change: &AtomicChange) -> bool {
    let numbered = |class: &str| class.contains("$1") || class.contains("$2");
    change.kind != ChangeKind::LC && !numbered(&change.class)
}

fn mirrored(kind: ChangeKind) -> ChangeKind {
    match kind {
        ChangeKind::AF => ChangeKind::DF,
        ChangeKind::DF => ChangeKind::AF,
        ChangeKind::ASI => ChangeKind::DSI,
        ChangeKind::DSI => ChangeKind::ASI,
        ChangeKind::AI => ChangeKind::DI,
        ChangeKind::DI => ChangeKind::AI,
        ChangeKind::ASM => ChangeKind::DSM,
        ChangeKind::DSM => ChangeKind::ASM,
        ChangeKind::AIM => ChangeKind::DIM,
        ChangeKind::DIM => ChangeKind::AIM,
        ChangeKind::CH
        | ChangeKind::CF
        | ChangeKind::CSI
        | ChangeKind::CI
        | ChangeKind::CSM
        | ChangeKind::CIM
        | ChangeKind::LC => kind,
    }
}

/// A change in the notation of the cases.
pub(crate) fn line(change: &AtomicChange) -> String {
    let layers: Vec<String> = change.layers.iter().map(ToString::to_string).collect();
    let dotted = |name: &String| name.replace('/', ".");
    written(
        &change.kind.to_string(),
        change.receiver.as_ref().map(dotted).as_deref(),
        &change.entity(),
        Some(layers.join(", ")).filter(|layers| !layers.is_empty()).as_deref(),
        change.renamed.as_ref().map(dotted).as_deref(),
    )
}

/// The command's JSON in the notation of the cases.
pub(crate) fn printed(classes: &Classes, jdk: &Jdk, step: &Step) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.args(["diff", "--format", "json", "--jdk"]).arg(&jdk.home);
    command.args(step.lenient.then_some("--lenient"));
    let output = command.arg(&classes.before).arg(&classes.after).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", step.path.display());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["format"], 1);
    let changes = document["changes"].as_array().expect("`changes` is a list");
    let entry = |entry: &serde_json::Value| {
        let text = |key: &str| entry[key].as_str();
        let detail = text("detail").filter(|_| text("kind") != Some("LC"));
        let entity = text("entity").expect("every entry has an entity");
        written(
            text("kind").expect("every entry has a kind"),
            text("receiver"),
            entity,
            detail,
            text("renamed"),
        )
    };
    changes.iter().map(entry).collect()
}

fn written(
    kind: &str,
    receiver: Option<&str>,
    entity: &str,
    detail: Option<&str>,
    renamed: Option<&str>,
) -> String {
    let renamed = renamed.map(|name| format!("renamed {name}"));
    [Some(kind), receiver, Some(entity), detail, renamed.as_deref()]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}
