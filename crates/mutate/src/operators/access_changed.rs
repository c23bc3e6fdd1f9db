//! Makes a public method or constructor package-private.

use crate::edit::Edit;
use crate::{Around, Class, Site};
use tamis_classfile::access;

pub(super) fn sites(class: &Class<'_>, _: &dyn Around) -> Vec<Site> {
    // Methods of interfaces can only be public or private.
    if class.is_interface() {
        return Vec::new();
    }
    let public = class.methods().filter(|method| method.is_written() && method.access & access::PUBLIC != 0);
    public
        .map(|method| Site {
            entity: method.entity(class),
            what: "no longer public".to_owned(),
            edit: Edit::Overwrite {
                at: method.member.offset,
                bytes: (method.access & !access::PUBLIC).to_be_bytes().to_vec(),
            },
        })
        .collect()
}
