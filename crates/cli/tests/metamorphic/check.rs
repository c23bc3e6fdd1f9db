//! Compares two folders of classes by `tamis diff` and by their digests.

use crate::noise::Group;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use tamis_program::record::{ClassKind, ClassRecord, FieldRecord, MethodOrigin};
use tamis_program::snapshot::{ClassId, MethodId, Snapshot};
use tamis_session::LoadOptions;
use tamis_test_support::javac::ClassDir;
use tamis_test_support::jdk::Jdk;

/// The classes before and after an edit.
pub(crate) struct Classes {
    pub(crate) before: PathBuf,
    pub(crate) after: PathBuf,
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.before.display(), self.after.display())
    }
}

fn load(folder: &Path, jdk: &Jdk) -> Snapshot {
    let options =
        LoadOptions { jdk: tamis_session::JdkChoice::At(jdk.home.clone()), ..LoadOptions::default() };
    let loaded = tamis_session::load(&[folder.to_path_buf()], &options);
    loaded.unwrap_or_else(|e| panic!("{}: {e}", folder.display())).snapshot
}

/// The changes: `CIM a.B.f()I code`.
pub(crate) fn lines(classes: &Classes, jdk: &Jdk) -> Vec<String> {
    let changes = tamis_program::diff::diff(&load(&classes.before, jdk), &load(&classes.after, jdk));
    changes
        .iter()
        .map(|change| {
            let layers: Vec<String> = change.layers.iter().map(ToString::to_string).collect();
            format!("{} {} {}", change.kind, change.entity(), layers.join(", ")).trim_end().to_owned()
        })
        .collect()
}

/// `a.B$#L` for `a.B$12L`: compilers number local classes differently.
pub(crate) fn unnumbered(text: &str) -> String {
    let mut out = String::new();
    for (index, piece) in text.split('$').enumerate() {
        if index > 0 {
            out.push('$');
        }
        let name = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        out.push_str(if name.len() < piece.len() { "#" } else { "" });
        out.push_str(name);
    }
    out
}

/// Checks that these changes are exactly the inserted members and the classes that belong to them.
pub(crate) fn only_added(lines: &[String], class: &str, group: &Group) -> Result<(), String> {
    let mut expected: Vec<String> =
        group.members.iter().map(|noise| format!("AIM {}.{}", unnumbered(class), noise.method)).collect();
    expected.sort();
    let (classes, mut found): (Vec<&String>, Vec<&String>) =
        lines.iter().partition(|line| line.starts_with("AF "));
    found.sort();
    let found: Vec<String> = found.into_iter().map(|line| unnumbered_class(line)).collect();
    let inside = format!("AF {}$", unnumbered(class));
    let foreign = classes.iter().any(|line| !unnumbered(line).starts_with(&inside));
    let wanted: usize = group.members.iter().map(|noise| noise.classes).sum();
    if found == expected && classes.len() == wanted && !foreign {
        return Ok(());
    }
    Err(format!("into {class}\nexpected {wanted} classes and {expected:#?}\nfound {lines:#?}"))
}

/// Removes the numbers from the class, but not from the descriptor, which names classes of the JDK.
fn unnumbered_class(line: &str) -> String {
    let (class, rest) = line.split_once('(').unwrap_or((line, ""));
    format!("{}({rest}", unnumbered(class))
}

/// Checks that all digests of all classes are equal, except where members were inserted into one class.
pub(crate) fn digests_but_of(classes: &Classes, jdk: &Jdk, host: &str) -> Result<(), String> {
    let (old, new) = (load(&classes.before, jdk), load(&classes.after, jdk));
    let mut news: BTreeMap<String, ClassId> = BTreeMap::new();
    for id in new.project() {
        news.insert(new.class(id).canonical_name().to_owned(), id);
    }
    for id in old.project() {
        let before = old.class(id);
        if before.kind == ClassKind::Made {
            continue;
        }
        let name = before.canonical_name();
        let Some(after) = news.get(name) else { return Err(format!("{name} is gone")) };
        if before.layers.class == new.class(*after).layers.class {
            continue;
        }
        if unnumbered(&before.name().replace('/', ".")) != unnumbered(host) {
            return Err(format!("{name} is another class"));
        }
        members((&old, id), (&new, *after)).map_err(|what| format!("{name}: {what}"))?;
    }
    Ok(())
}

fn members((old, before): (&Snapshot, ClassId), (new, after): (&Snapshot, ClassId)) -> Result<(), String> {
    let (a, b) = (old.class(before), new.class(after));
    let layers = |class: &ClassRecord| {
        let layers = class.layers.clone();
        (layers.head, layers.supers, layers.annotations, layers.metadata, layers.init)
    };
    if layers(a) != layers(b) {
        return Err("head, supers, annotations or initialiser differ".to_owned());
    }
    let fields = |class: &ClassRecord| {
        let written = class.fields.iter().filter(|field| field.access & 0x1000 == 0);
        let facts = |field: &FieldRecord| {
            (class.str(field.name).to_owned(), field.shape, field.constant, field.annotations)
        };
        written.map(facts).collect::<Vec<_>>()
    };
    if fields(a) != fields(b) {
        return Err("fields differ".to_owned());
    }
    for (index, method) in
        a.methods.iter().enumerate().filter(|(_, method)| method.origin == MethodOrigin::Written)
    {
        let (name, descriptor) = (a.str(method.name), a.str(method.descriptor));
        let found = b.method(name, descriptor).or_else(|| {
            // The descriptor of a constructor or accessor may name a numbered class.
            let same = |text| Some(a.str(text)) == method.canonical_descriptor.map(|text| a.str(text));
            let mut all = b.methods.iter().enumerate();
            all.find(|(_, other)| b.str(other.name) == name && other.canonical_descriptor.is_some_and(same))
        });
        let Some((at, other)) = found else { return Err(format!("{name}{descriptor} is gone")) };
        let linked = |snapshot: &Snapshot, class, method: usize| {
            snapshot.linked_body(MethodId { class, method: method as u32 })
        };
        if (method.body, method.shape, method.annotations) != (other.body, other.shape, other.annotations)
            || linked(old, before, index) != linked(new, after, at)
        {
            return Err(format!("{name}{descriptor} differs"));
        }
    }
    Ok(())
}

/// Whether the compiler made the same bytes of both.
pub(crate) fn bytes_are_equal(classes: &Classes) -> bool {
    let files = |path: &PathBuf| ClassDir { path: path.clone() }.files();
    files(&classes.before) == files(&classes.after)
}
