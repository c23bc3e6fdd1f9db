//! Adds a default method that overrides an inherited one, in an interface itself or in a new superinterface
//! of a class.

use super::named;
use crate::class_lookup::Inheritance;
use crate::edit::{ClassEdit, default_body};
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::access;

/// The first version that allows default methods.
const DEFAULTS: u16 = 52;

pub(super) fn sites(class: &EditableClass<'_>, around: &dyn ClassLookup) -> Vec<MutationSite> {
    if class.file.version.major < DEFAULTS || class.file.access & access::ANNOTATION != 0 {
        return Vec::new();
    }
    let inheritance = Inheritance::of(class, around);
    let mut sites = Vec::new();
    for method in &inheritance.methods {
        let is_default = method.of_interface && method.access & (access::ABSTRACT | access::STATIC) == 0;
        if !is_default
            || !method.is_overridable(class.package())
            || class.declares(&method.name, &method.descriptor)
        {
            continue;
        }
        let what = named(&method.name, &method.descriptor);
        let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
        let Some((code, stack)) = default_body(&descriptor) else { continue };
        let (what, edit) = if class.is_interface() {
            let edit = ClassEdit::AddMethod { access: access::PUBLIC, name, descriptor, code, stack };
            (format!("default method {what} in place of {}'s", method.owner.replace('/', ".")), edit)
        } else {
            let interface = format!("{}$TamisMore", class.name);
            let extends = method.owner.clone();
            let what = format!(
                "new superinterface with a default method {what} in place of {}'s",
                extends.replace('/', ".")
            );
            (what, ClassEdit::AddDefault { interface, extends, name, descriptor })
        };
        sites.push(MutationSite { entity: class.name.clone(), what, edit });
    }
    sites
}
