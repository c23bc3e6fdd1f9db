//! What a scan for components sees of a class.
//!
//! It asks for the head of the class, its annotations, and the methods with annotations, which it takes in the order of the class
//! file. Annotations of test frameworks do not make a component; some scans leave out classes that have any.

use super::ProjectWorld;
use super::libraries::{annotations_in_order, member_classes};
use std::collections::BTreeSet;
use tamis_classfile::read::annotation::{AnnotationEvent, annotations};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::{ClassFile, Member};
use tamis_program::digest::{CanonicalOutput, DigestEncoder, EncodingTag};
use tamis_program::snapshot::ClassId;
use tamis_select::facts::Answer;
use tamis_select::world::World;

impl ProjectWorld {
    pub(super) fn scanned(&self, class: &str) -> Answer {
        let bytes = self.class_file(class)?.ok()?;
        let file = ClassFile::parse(&bytes).ok()?;
        let id: ClassId = self.snapshot().find(class)?;
        let record = self.snapshot().class(id);
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Order);
        out.digest(&record.layers.head);
        out.digest(&record.layers.supers);
        out.optional(record.layers.annotations.as_ref());
        annotations_in_order(&file.pool, &file.attributes, &mut out);
        let mut test_types: BTreeSet<Vec<u8>> = BTreeSet::new();
        for method in file.methods.iter() {
            let types = annotation_types(&file, &method);
            let is_only_test = types.iter().all(tamis_catalog::owns_annotations);
            if is_only_test {
                test_types.extend(types);
                continue;
            }
            let (name, descriptor) =
                (file.pool.text(method.name).ok()?, file.pool.text(method.descriptor).ok()?);
            out.bytes(name.as_bytes());
            out.bytes(descriptor.as_bytes());
            annotations_in_order(&file.pool, &method.attributes, &mut out);
            let known = record.method(&name, &descriptor).map(|(_, known)| known);
            out.optional(known.map(|known| &known.shape));
            out.optional(known.and_then(|known| known.annotations.as_ref()));
        }
        test_types.iter().for_each(|name| out.bytes(name));
        member_classes(&file, file.name().ok()?, &mut out);
        Some(out.finish())
    }
}

/// The types of a method's annotations, without those inside of others: `a/B`.
fn annotation_types(file: &ClassFile<'_>, method: &Member<'_>) -> Vec<Vec<u8>> {
    let mut types = Vec::new();
    if let Ok(Some(list)) = method.attributes.find(&file.pool, AttributeKind::RuntimeVisibleAnnotations) {
        let _ = annotations(&mut list.cursor(), &mut |event| {
            if let AnnotationEvent::Annotation(name, _) = event {
                let name = file.pool.utf8(name).unwrap_or_default();
                types.extend(
                    name.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")).map(<[u8]>::to_vec),
                );
            }
        });
    }
    types
}
