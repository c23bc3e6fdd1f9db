//! The classes that reflection can reach from a class, besides its supertypes and the types of its members.
//!
//! These are nested and enclosing classes, permitted subclasses, declared exceptions, types in generic
//! signatures, and classes in annotations. Unreadable attributes are skipped: the JVM cannot show them
//! either.

use std::collections::BTreeSet;
use tamis_classfile::read::annotation::{
    AnnotationEvent, annotations, default_value, parameter_annotations, type_annotations,
};
use tamis_classfile::read::attribute::{AttributeKind, Attributes};
use tamis_classfile::read::cursor::Cursor;
use tamis_classfile::{ClassFile, ConstantPool};

/// The names of these classes, without those in the JDK's main packages.
#[derive(Default)]
pub(crate) struct ReflectableNames<'a> {
    /// Classes named by annotations.
    pub(crate) annotated: BTreeSet<&'a [u8]>,
    /// All other classes.
    pub(crate) others: BTreeSet<&'a [u8]>,
}

pub(crate) fn shown<'a>(file: &ClassFile<'a>) -> ReflectableNames<'a> {
    let mut shown = ReflectableNames::default();
    let own = file.name().unwrap_or_default();
    collect(&file.pool, &file.attributes, own, &mut shown);
    for member in file.fields.iter().chain(file.methods.iter()) {
        collect(&file.pool, &member.attributes, own, &mut shown);
    }
    let counts = |name: &&[u8]| *name != own && !tamis_catalog::jdk::is_java(name);
    shown.annotated.retain(counts);
    shown.others.retain(|name| counts(name) && !shown.annotated.contains(name));
    shown
}

fn collect<'a>(
    pool: &ConstantPool<'a>,
    attributes: &Attributes<'a>,
    own: &[u8],
    shown: &mut ReflectableNames<'a>,
) {
    for attribute in attributes.iter() {
        let Ok(kind) = attribute.kind(pool) else { continue };
        match kind {
            AttributeKind::Signature => {
                let text = attribute.index().and_then(|index| pool.utf8(index)).unwrap_or_default();
                in_signature(text, &mut shown.others);
            }
            AttributeKind::Exceptions | AttributeKind::PermittedSubclasses | AttributeKind::NestMembers => {
                let classes = attribute.rows::<1>().into_iter().flat_map(|rows| rows.values());
                shown.others.extend(classes.filter_map(|index| pool.class(index).ok()));
            }
            AttributeKind::InnerClasses => {
                for [inner, outer, _, _] in attribute.rows::<4>().into_iter().flat_map(|rows| rows.iter()) {
                    let (inner, outer) = (pool.class(inner).ok(), pool.class(outer).ok());
                    if inner == Some(own) || outer == Some(own) {
                        shown.others.extend(inner.into_iter().chain(outer));
                    }
                }
            }
            AttributeKind::EnclosingMethod => {
                if let [high, low, ..] = attribute.data {
                    shown.others.extend(pool.class(u16::from_be_bytes([*high, *low])).ok());
                }
            }
            AttributeKind::Record => {
                for component in attribute.record_components().unwrap_or_default() {
                    collect(pool, &component.attributes, own, shown);
                }
            }
            AttributeKind::RuntimeVisibleAnnotations
            | AttributeKind::RuntimeVisibleParameterAnnotations
            | AttributeKind::RuntimeVisibleTypeAnnotations
            | AttributeKind::AnnotationDefault => in_annotations(pool, kind, attribute.cursor(), shown),
            _ => {}
        }
    }
}

/// Annotation types and the classes named in annotations. A test framework creates new instances
/// of the classes in its own annotations for each test, so these go to `others`.
fn in_annotations<'a>(
    pool: &ConstantPool<'a>,
    kind: AttributeKind,
    mut cursor: Cursor<'a>,
    shown: &mut ReflectableNames<'a>,
) {
    let class = |descriptor: u16| {
        let text = pool.utf8(descriptor).unwrap_or_default();
        let array = text.iter().take_while(|byte| **byte == b'[').count();
        text.get(array..).and_then(|text| text.strip_prefix(b"L")?.strip_suffix(b";"))
    };
    let mut is_framework = false;
    let mut take = |event: AnnotationEvent| match event {
        AnnotationEvent::Annotation(descriptor, _) => {
            let name = class(descriptor);
            is_framework = name.is_some_and(tamis_catalog::owns_annotations);
            shown.annotated.extend(name);
        }
        AnnotationEvent::Class(descriptor) | AnnotationEvent::Enum(descriptor, _) if is_framework => {
            shown.others.extend(class(descriptor));
        }
        AnnotationEvent::Class(descriptor) | AnnotationEvent::Enum(descriptor, _) => {
            shown.annotated.extend(class(descriptor))
        }
        _ => {}
    };
    // A malformed attribute has passed on the events before the error.
    let _ = match kind {
        AttributeKind::RuntimeVisibleParameterAnnotations => parameter_annotations(&mut cursor, &mut take),
        AttributeKind::RuntimeVisibleTypeAnnotations => type_annotations(&mut cursor, &mut take),
        AttributeKind::AnnotationDefault => default_value(&mut cursor, &mut take),
        _ => annotations(&mut cursor, &mut take),
    };
}

/// Class names follow an `L` and end at their type arguments, at a nested class, or at `;`.
fn in_signature<'a>(text: &'a [u8], names: &mut BTreeSet<&'a [u8]>) {
    let is_end = |byte: &u8| b"<>;:().".contains(byte);
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'L') {
        let rest = text.get(at + 1..).unwrap_or_default();
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        names.extend(rest.get(..length));
    }
}

#[cfg(test)]
mod tests {
    use super::in_signature;
    use std::collections::BTreeSet;

    #[test]
    fn a_signature_names_classes_at_every_depth() {
        let mut names = BTreeSet::new();
        in_signature(b"<T:La/B;>Lc/Dao<La/User;[[La/List<-TX;>;>;", &mut names);
        for name in ["a/B", "c/Dao", "a/User", "a/List"] {
            assert!(names.contains(name.as_bytes()), "{name}");
        }
    }
}
