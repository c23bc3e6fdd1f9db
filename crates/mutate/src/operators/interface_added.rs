//! Adds an interface without methods, which `instanceof`, casts and the JDK can observe.

use crate::around::Inheritance;
use crate::edit::Edit;
use crate::{Around, Class, Site};
use tamis_classfile::access;

/// Interfaces without methods.
const MARKERS: [&str; 4] =
    ["java/io/Serializable", "java/lang/Cloneable", "java/util/RandomAccess", "java/util/EventListener"];

pub(super) fn sites(class: &Class<'_>, around: &dyn Around) -> Vec<Site> {
    if class.file.access & access::ANNOTATION != 0 {
        return Vec::new();
    }
    let known = Inheritance::of(class, around).supers;
    let new = MARKERS.iter().filter(|marker| !known.contains(**marker));
    new.map(|marker| Site {
        entity: class.name.clone(),
        what: format!("implements {}", marker.replace('/', ".")),
        edit: Edit::AddInterface((*marker).to_owned()),
    })
    .collect()
}
