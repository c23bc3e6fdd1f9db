//! The classes whose static initialisers must have run before a method can run.

use std::collections::BTreeSet;
use tamis_classfile::access;
use tamis_program::record::ReferenceKind;
use tamis_program::snapshot::{ClassId, FoundMethod, MethodId, Snapshot};

/// The method's own class, classes whose static members or constructors it names, enums that it names at all
/// (the JDK lists their constants, once), and all their superclasses.
pub(crate) fn touched(snapshot: &Snapshot, method: MethodId) -> Box<[ClassId]> {
    let record = snapshot.class(method.class);
    let mut touched: BTreeSet<ClassId> = BTreeSet::new();
    let mut touch = |class: ClassId| {
        if touched.insert(class) {
            let above = snapshot.above(class).iter().copied();
            touched.extend(above.filter(|above| snapshot.is_project(*above)));
        }
    };
    touch(method.class);
    for reference in record.references_of(method.method as usize) {
        let named = snapshot.find(record.str(reference.owner)).filter(|class| snapshot.is_project(*class));
        let Some(class) = named else { continue };
        match reference.kind {
            ReferenceKind::Field | ReferenceKind::Written | ReferenceKind::Altered => {
                touch(class);
                let (name, descriptor) = (record.str(reference.name), record.str(reference.descriptor));
                if let FoundMethod::One(field) = snapshot.resolve_field(class, name, descriptor).found {
                    touch(field.class);
                }
            }
            ReferenceKind::New | ReferenceKind::Static | ReferenceKind::Special => touch(class),
            ReferenceKind::Class if snapshot.class(class).access & access::ENUM != 0 => touch(class),
            ReferenceKind::Class
            | ReferenceKind::Virtual
            | ReferenceKind::Made
            | ReferenceKind::Handed
            | ReferenceKind::Shown
            | ReferenceKind::Annotated => {}
        }
    }
    touched.retain(|class| snapshot.is_project(*class));
    touched.into_iter().collect()
}
