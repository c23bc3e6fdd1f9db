//! Makes a public method or constructor package-private.

use crate::edit::ClassEdit;
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::access;

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    // Methods of interfaces can only be public or private.
    if class.is_interface() {
        return Vec::new();
    }
    let public = class.methods().filter(|method| method.is_written() && method.access & access::PUBLIC != 0);
    public
        .map(|method| MutationSite {
            entity: method.entity(class),
            what: "no longer public".to_owned(),
            edit: ClassEdit::Overwrite {
                at: method.member.offset,
                bytes: (method.access & !access::PUBLIC).to_be_bytes().to_vec(),
            },
        })
        .collect()
}
