//! Removes a method that overrides an inherited one.

use crate::class_lookup::Inheritance;
use crate::edit::ClassEdit;
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::access;

pub(super) fn sites(class: &EditableClass<'_>, around: &dyn ClassLookup) -> Vec<MutationSite> {
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
            sites.push(MutationSite {
                entity: method.entity(class),
                what: format!("removed: {}'s is found", hidden.owner.replace('/', ".")),
                edit: ClassEdit::RemoveMethod(method.index),
            });
        }
    }
    sites
}
