//! Answers about classes of libraries.

use super::ProjectWorld;
use std::collections::BTreeSet;
use tamis_classfile::read::annotation::{AnnotationEvent, annotations};
use tamis_classfile::read::attribute::{AttributeKind, Attributes};
use tamis_classfile::{ClassFile, ConstantPool, access, mutf8};
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_select::facts::Answer;
use tamis_select::world::IN_ORDER;

impl ProjectWorld {
    /// The content of a library class, found first on the class path, and of its supertypes in libraries.
    pub(super) fn library_answer(&self, class: &str) -> Answer {
        if let Some(class) = class.strip_suffix(IN_ORDER) {
            return self.declared_in_order(class);
        }
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Raw);
        let mut todo = vec![class.to_owned()];
        let mut seen: BTreeSet<String> = BTreeSet::new();
        while let Some(next) = todo.pop() {
            if !seen.insert(next.clone()) {
                continue;
            }
            let mut bytes = Vec::new();
            let paths = [&self.loaded.class_path, &self.loaded.libraries];
            let found = paths.into_iter().find_map(|path| Some((path, path.find(&next)?)));
            let Some((path, entry)) = found else {
                if next == class {
                    return None;
                }
                continue; // A class of the JDK.
            };
            path.read(entry, &mut bytes).ok()?;
            out.digest(&Digest::of(&bytes));
            if let Ok(file) = ClassFile::parse(&bytes) {
                let above = file.super_name().ok().flatten().into_iter();
                let above = above.chain(file.interface_names().filter_map(Result::ok));
                todo.extend(above.map(|name| mutf8::decode(name).into_owned()));
            }
        }
        Some(out.finish())
    }

    /// The members that a class file declares, in the order of the file. Reflection lists them in another
    /// order.
    fn declared_in_order(&self, class: &str) -> Answer {
        let path = &self.loaded.class_path;
        let mut bytes = Vec::new();
        path.read(path.find(class)?, &mut bytes).ok()?;
        let file = ClassFile::parse(&bytes).ok()?;
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Order);
        let own = file.name().ok()?;
        for member in file.fields.iter().chain(file.methods.iter()) {
            if member.access & access::SYNTHETIC == 0 {
                out.bytes(file.pool.utf8(member.name).ok()?);
                out.bytes(file.pool.utf8(member.descriptor).ok()?);
                annotations_in_order(&file.pool, &member.attributes, &mut out);
            }
        }
        annotations_in_order(&file.pool, &file.attributes, &mut out);
        member_classes(&file, own, &mut out);
        Some(out.finish())
    }
}

/// Adds the member classes of a class in the order of the file.
pub(super) fn member_classes(file: &ClassFile<'_>, own: &[u8], out: &mut DigestEncoder) {
    if let Ok(Some(inner)) = file.attributes.find(&file.pool, AttributeKind::InnerClasses) {
        for [inner, outer, _, _] in inner.rows::<4>().into_iter().flat_map(|rows| rows.iter()) {
            if file.pool.class(outer).is_ok_and(|outer| outer == own) {
                out.bytes(file.pool.class(inner).unwrap_or_default());
            }
        }
    }
}

/// Adds the types of annotations in the order of the file. Their content is part of the shape.
pub(super) fn annotations_in_order(
    pool: &ConstantPool<'_>,
    attributes: &Attributes<'_>,
    out: &mut DigestEncoder,
) {
    if let Ok(Some(list)) = attributes.find(pool, AttributeKind::RuntimeVisibleAnnotations) {
        let _ = annotations(&mut list.cursor(), &mut |event| {
            if let AnnotationEvent::Annotation(name, _) = event {
                out.bytes(pool.utf8(name).unwrap_or_default());
            }
        });
    }
}
