//! Adds an interface without methods, which `instanceof`, casts and the JDK can observe.

use crate::class_lookup::Inheritance;
use crate::edit::ClassEdit;
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::access;

/// Interfaces without methods.
const MARKERS: [&str; 4] =
    ["java/io/Serializable", "java/lang/Cloneable", "java/util/RandomAccess", "java/util/EventListener"];

pub(super) fn sites(class: &EditableClass<'_>, around: &dyn ClassLookup) -> Vec<MutationSite> {
    if class.file.access & access::ANNOTATION != 0 {
        return Vec::new();
    }
    let known = Inheritance::of(class, around).supers;
    let new = MARKERS.iter().filter(|marker| !known.contains(**marker));
    new.map(|marker| MutationSite {
        entity: class.name.clone(),
        what: format!("implements {}", marker.replace('/', ".")),
        edit: ClassEdit::AddInterface((*marker).to_owned()),
    })
    .collect()
}
