//! Adds a field that hides an inherited one used by the class's own code.

use crate::class_lookup::Inheritance;
use crate::edit::ClassEdit;
use crate::{ClassLookup, EditableClass, MutationSite};
use std::collections::BTreeSet;
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::{Constant, access, mutf8};

pub(super) fn sites(class: &EditableClass<'_>, around: &dyn ClassLookup) -> Vec<MutationSite> {
    if class.is_interface() {
        return Vec::new();
    }
    let mut used = BTreeSet::new();
    for (index, constant) in class.file.pool.iter() {
        if let Constant::Member(MemberKind::Field, _, _) = constant
            && let Ok(field) = class.file.pool.member(index)
            && mutf8::decode(field.owner) == class.name
        {
            used.insert((
                mutf8::decode(field.name).into_owned(),
                mutf8::decode(field.descriptor).into_owned(),
            ));
        }
    }
    for own in class.fields() {
        used.remove(&(own.name, own.descriptor));
    }
    if used.is_empty() {
        return Vec::new();
    }
    let inherited = Inheritance::of(class, around).fields;
    let hidden = inherited.into_iter().filter(|field| {
        field.access & access::PRIVATE == 0 && used.contains(&(field.name.clone(), field.descriptor.clone()))
    });
    hidden
        .map(|field| MutationSite {
            entity: format!("{}.{}", class.name, field.name),
            what: format!("a field that hides {}'s", field.owner.replace('/', ".")),
            edit: ClassEdit::AddField {
                access: field.access & !(access::FINAL | access::SYNTHETIC | access::ENUM),
                name: field.name,
                descriptor: field.descriptor,
            },
        })
        .collect()
}
