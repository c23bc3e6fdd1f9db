//! Removes the run-time visible annotations of a class, a method or a field.

use crate::edit::remove_attribute;
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::Member;
use tamis_classfile::read::annotation::{AnnotationEvent, annotations};
use tamis_classfile::read::attribute::AttributeKind;

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    let mut sites = Vec::new();
    let mut add = |entity: String, member: Option<&Member<'_>>| {
        let kind = AttributeKind::RuntimeVisibleAnnotations;
        if let Some(edit) = remove_attribute(class, member, kind) {
            let names = names(class, member).join(" ");
            sites.push(MutationSite { entity, what: format!("without {names}"), edit });
        }
    };
    add(class.name.clone(), None);
    for field in class.fields() {
        add(format!("{}.{}", class.name, field.name), Some(&field.member));
    }
    for method in class.methods().filter(|method| method.is_written()) {
        add(method.entity(class), Some(&method.member));
    }
    sites
}

fn names(class: &EditableClass<'_>, member: Option<&Member<'_>>) -> Vec<String> {
    let attributes = member.map_or(class.file.attributes, |member| member.attributes);
    let found = attributes.find(&class.file.pool, AttributeKind::RuntimeVisibleAnnotations).ok().flatten();
    let mut names = Vec::new();
    if let Some(found) = found {
        // The description also names nested annotations, to show exactly what was removed.
        let _ = annotations(&mut found.cursor(), &mut |event| {
            if let AnnotationEvent::Annotation(of, _) = event
                && let Ok(name) = class.file.pool.text(of)
            {
                names.push(format!(
                    "@{}",
                    name.trim_start_matches('L').trim_end_matches(';').replace('/', ".")
                ));
            }
        });
    }
    names
}
