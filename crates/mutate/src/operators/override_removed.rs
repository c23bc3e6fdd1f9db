//! Removes a method that overrides an inherited one.

use crate::around::Inheritance;
use crate::edit::Edit;
use crate::{Around, Class, Site};
use tamis_classfile::access;

pub(super) fn sites(class: &Class<'_>, around: &dyn Around) -> Vec<Site> {
    if class.file.access & access::ANNOTATION != 0 {
        return Vec::new();
    }
    let inherited = Inheritance::of(class, around).methods;
    let mut sites = Vec::new();
    for method in class.methods().filter(|method| method.is_written() && method.code.is_some()) {
        let hidden = inherited.iter().find(|hidden| {
            hidden.name == method.name
                && hidden.descriptor == method.descriptor
                && hidden.access & access::ABSTRACT == 0
                && hidden.is_overridable(class.package())
        });
        if method.access & (access::STATIC | access::PRIVATE) == 0
            && let Some(hidden) = hidden
        {
            sites.push(Site {
                entity: method.entity(class),
                what: format!("removed: {}'s is found", hidden.owner.replace('/', ".")),
                edit: Edit::RemoveMethod(method.index),
            });
        }
    }
    sites
}
