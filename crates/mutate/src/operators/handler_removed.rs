//! Removes an exception handler.

use super::in_methods;
use crate::class::EditableMethod;
use crate::edit::ClassEdit;
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::read::attribute::AttributeKind;

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    in_methods(class, find)
}

fn find(class: &EditableClass<'_>, method: &EditableMethod<'_>, sites: &mut Vec<MutationSite>) {
    let Some(code) = &method.code else { return };
    let Some(attribute) = class.attribute(method.member.attributes, AttributeKind::Code) else { return };
    let count = code.offset + code.bytes.len();
    for (row, [start, _, _, caught]) in code.exceptions.iter().enumerate() {
        // Catch-all handlers implement `finally` and the release of monitors.
        let Ok(Some(caught)) = class.file.pool.optional_class(caught) else { continue };
        let at = count + 2 + 8 * row;
        sites.push(MutationSite {
            entity: method.entity(class),
            what: format!("does not catch {} at {start}", String::from_utf8_lossy(caught).replace('/', ".")),
            edit: ClassEdit::Remove { count, range: at..at + 8, lengths: vec![attribute.offset - 4] },
        });
    }
}
