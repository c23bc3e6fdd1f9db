//! Removes an exception handler.

use super::in_methods;
use crate::class::Method;
use crate::edit::Edit;
use crate::{Around, Class, Site};
use tamis_classfile::read::attribute::AttributeKind;

pub(super) fn sites(class: &Class<'_>, _: &dyn Around) -> Vec<Site> {
    in_methods(class, find)
}

fn find(class: &Class<'_>, method: &Method<'_>, sites: &mut Vec<Site>) {
    let Some(code) = &method.code else { return };
    let Some(attribute) = class.attribute(method.member.attributes, AttributeKind::Code) else { return };
    let count = code.offset + code.bytes.len();
    for (row, [start, _, _, caught]) in code.exceptions.iter().enumerate() {
        // Catch-all handlers implement `finally` and the release of monitors.
        let Ok(Some(caught)) = class.file.pool.optional_class(caught) else { continue };
        let at = count + 2 + 8 * row;
        sites.push(Site {
            entity: method.entity(class),
            what: format!("does not catch {} at {start}", String::from_utf8_lossy(caught).replace('/', ".")),
            edit: Edit::Remove { count, range: at..at + 8, lengths: vec![attribute.offset - 4] },
        });
    }
}
