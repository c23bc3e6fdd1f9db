//! Adds a method that overrides an inherited one and returns a default value.

use super::named;
use crate::class_lookup::Inheritance;
use crate::edit::{ClassEdit, default_body};
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::access;

/// The methods of Object to override: only common ones, because an edit should resemble a person's.
const OF_OBJECT: [&str; 3] = ["equals", "hashCode", "toString"];

pub(super) fn sites(class: &EditableClass<'_>, around: &dyn ClassLookup) -> Vec<MutationSite> {
    if class.is_interface() {
        return Vec::new();
    }
    let inherited = Inheritance::of(class, around).methods.into_iter().filter(|method| {
        method.access & (access::ABSTRACT | access::SYNTHETIC) == 0
            && method.is_overridable(class.package())
            && (method.owner != "java/lang/Object" || OF_OBJECT.contains(&method.name.as_str()))
            && !class.declares(&method.name, &method.descriptor)
    });
    inherited
        .filter_map(|method| {
            let (code, stack) = default_body(&method.descriptor)?;
            let what = named(&method.name, &method.descriptor);
            Some(MutationSite {
                entity: format!("{}.{what}", class.name),
                what: format!("added, in place of {}'s", method.owner.replace('/', ".")),
                edit: ClassEdit::AddMethod {
                    access: method.access & (access::PUBLIC | access::PROTECTED),
                    name: method.name,
                    descriptor: method.descriptor,
                    code,
                    stack,
                },
            })
        })
        .collect()
}
