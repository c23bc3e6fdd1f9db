//! Decides whether the tests of a class are selected one by one or together.

use super::JvmRecorder;
use super::span_tracker::ClassRecording;
use crate::decide::test_class;
use crate::history::Footprint;
use crate::reason::WholeReason;
use crate::world::World;
use std::collections::{BTreeMap, BTreeSet};
use tamis_catalog::frameworks::{SHARED_STATE_SETTINGS, SharedState, shared_state};
use tamis_catalog::jdk::types;
use tamis_classfile::{ClassFile, Constant, access};
use tamis_program::names::ClassName;
use tamis_program::record::FieldRecord;
use tamis_program::snapshot::{ClassId, Snapshot};

/// The unit of selection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Granularity {
    /// Single tests if the tests of a class share no state, otherwise the class.
    #[default]
    Auto,
    /// Whole classes.
    Class,
    /// Single tests, even if they share state.
    Method,
}

impl Granularity {
    /// The name of the option.
    pub fn word(self) -> &'static str {
        match self {
            Granularity::Auto => "auto",
            Granularity::Class => "class",
            Granularity::Method => "method",
        }
    }
}

impl JvmRecorder<'_> {
    /// Why the tests of a class are selected together; `None` if they need not be. `used` has the footprint
    /// of each test, and the files that it wrote and read.
    pub(super) fn class_granularity_reason(
        &self,
        name: &str,
        class: &ClassRecording,
        used: &BTreeMap<String, (Footprint, Vec<String>, Vec<String>)>,
    ) -> Option<WholeReason> {
        match self.run.granularity {
            Granularity::Class => return Some(WholeReason::Requested),
            Granularity::Method => return None,
            Granularity::Auto => {}
        }
        if class.tests.contains_key("") {
            return Some(WholeReason::NoMethods);
        }
        if class.tests.len() < 2 && class.around.is_empty() {
            return None;
        }
        let snapshot = self.world.snapshot();
        let id = test_class(snapshot, &ClassName::from_dotted(name));
        let Some(id) = id.filter(|id| snapshot.is_project(*id)) else {
            return Some(WholeReason::ClassNotFound);
        };
        let above = snapshot.supertypes(id).0.into_iter().filter(|id| snapshot.is_project(*id));
        let classes: Vec<ClassId> = std::iter::once(id).chain(above).chain(snapshot.family_of(id)).collect();
        for class in &classes {
            if let Some(shared) = annotated(self.world, snapshot.class(*class).name()) {
                return Some(WholeReason::Annotated(shared));
            }
        }
        if let Some(setting) = self.setting() {
            return Some(WholeReason::Setting(setting));
        }
        let leaves_default = |(used, ..): &(Footprint, _, _)| {
            self.libraries.defaults.is_some_and(|it| used.leaves.iter().any(|left| left == it))
        };
        if used.values().any(leaves_default) {
            return Some(WholeReason::LeavesDefault);
        }
        let all = used.values().flat_map(|(used, ..)| used.methods.iter());
        // A field that carries something from one test to another is one that tests may leave something in.
        let all: BTreeSet<_> = all.filter(|method| self.history.is_stateful(*method)).collect();
        for method in all.into_iter().map(|method| self.history.id(method)) {
            let record = snapshot.class(method.class);
            for reference in record.references_of(method.method as usize) {
                if reference.kind.is_field()
                    && let Some(owner) = snapshot.find(record.str(reference.owner))
                    && classes.contains(&owner)
                    && let Some(field) = snapshot
                        .class(owner)
                        .field(record.str(reference.name), record.str(reference.descriptor))
                    && is_state(snapshot, owner, field)
                {
                    return Some(WholeReason::SharedField(record.str(reference.name).to_owned()));
                }
            }
        }
        for (test, (_, written, _)) in used {
            for path in written {
                let reads = |(other, (_, _, read)): (&String, &(Footprint, Vec<String>, Vec<String>))| {
                    other != test && read.contains(path)
                };
                if used.iter().any(reads) {
                    return Some(WholeReason::SharedFile(self.world.name_of(path)));
                }
            }
        }
        None
    }

    /// A setting of the framework by which all tests share an order or an object.
    fn setting(&self) -> Option<&'static str> {
        SHARED_STATE_SETTINGS.iter().copied().find(|setting| self.world.is_framework_setting(setting))
    }
}

/// Whether a static field can carry state from one test to another.
fn is_state(snapshot: &Snapshot, owner: ClassId, field: &FieldRecord) -> bool {
    let record = snapshot.class(owner);
    let (name, descriptor) = (record.str(field.name), record.str(field.descriptor));
    if field.access & access::STATIC == 0 || field.access & access::SYNTHETIC != 0 || name.starts_with('$') {
        return false;
    }
    // Constants in arrays are constants.
    field.access & access::FINAL == 0 || types::can_be_filled(descriptor)
}

/// Whether a class has one of the annotations, or an annotation that has one.
fn annotated(world: &dyn World, class: &str) -> Option<SharedState> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut todo = vec![class.to_owned()];
    while let Some(next) = todo.pop() {
        let Some(Ok(bytes)) = world.class_file(&next) else { continue };
        let Ok(file) = ClassFile::parse(&bytes) else { continue };
        for (_, constant) in file.pool.iter() {
            let Constant::Utf8(text) = constant else { continue };
            if let Some(shared) = shared_state(text) {
                return Some(shared);
            }
            let name = text.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";"));
            let Some(name) = name.and_then(|name| std::str::from_utf8(name).ok()) else { continue };
            let snapshot = world.snapshot();
            let is_annotation = |id| snapshot.class(id).access & access::ANNOTATION != 0;
            if snapshot.find(name).is_some_and(is_annotation) && seen.insert(name.to_owned()) {
                todo.push(name.to_owned());
            }
        }
    }
    None
}

/// The project's enums that a test class names, in annotations too: the JDK lists their constants, once.
pub(super) fn named_enums(world: &dyn World, class: &str) -> Vec<ClassId> {
    let snapshot = world.snapshot();
    let Some(Ok(bytes)) = world.class_file(class) else { return Vec::new() };
    let Ok(file) = ClassFile::parse(&bytes) else { return Vec::new() };
    // In annotations, and in the descriptors of parameters: a source of arguments may be taken from those.
    let texts = file.pool.iter().filter_map(|(_, constant)| match constant {
        Constant::Utf8(text) => std::str::from_utf8(text).ok(),
        _ => None,
    });
    let names = texts.filter(|text| text.contains(';')).flat_map(|text| {
        text.split(';')
            .filter_map(|part| part.rsplit_once('L').map(|_| part))
            .flat_map(|part| part.match_indices('L').map(|(at, _)| part.get(at + 1..).unwrap_or_default()))
    });
    let found = names.filter_map(|name| snapshot.find(name));
    found.filter(|id| snapshot.is_project(*id) && snapshot.class(*id).access & access::ENUM != 0).collect()
}
