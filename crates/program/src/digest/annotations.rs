//! Annotations in canonical form: all Runtime* attributes, type-use and parameter annotations, default
//! values.
//!
//! Annotations and attributes that Kotlin and Scala write for their own compilers and reflection go to a
//! layer of their own, *metadata*: they change with every declaration, and only those reflection libraries
//! read them (hazard 32). Annotations that hold line numbers and variable names belong to the debug layer,
//! like the attributes with the same content.

use super::body::BodyBuffers;
use super::code_mentions::CONSTANT_DEPTH;
use super::constant::ConstantEncodings;
use super::value::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_catalog::compilers;
use tamis_classfile::ParseError;
use tamis_classfile::read::annotation::{self, AnnotationEvent, TypeTarget};
use tamis_classfile::read::attribute::{Attribute, AttributeKind, Attributes};

/// The annotation layers of the class or member at hand.
#[derive(Default)]
pub(crate) struct AnnotationLayers {
    plain: DigestEncoder,
    metadata: DigestEncoder,
    /// Unlike the other two, collected over the whole class.
    debug: DigestEncoder,
}

#[derive(Clone, Copy)]
enum AnnotationLayer {
    Plain,
    Metadata,
    Debug,
}

impl AnnotationLayer {
    /// The layer of an annotation with this type on a class, field or method.
    fn of(class: &[u8]) -> AnnotationLayer {
        match class {
            class if compilers::is_metadata(class) => AnnotationLayer::Metadata,
            class if compilers::is_debug(class) => AnnotationLayer::Debug,
            _ => AnnotationLayer::Plain,
        }
    }
}

impl AnnotationLayers {
    pub(crate) fn start_class(&mut self) {
        self.debug.clear();
    }

    /// The debug part of the annotations, for the whole class.
    pub(crate) fn debug(&self) -> &[u8] {
        self.debug.as_slice()
    }

    pub(crate) fn clear(&mut self) {
        self.plain.clear();
        self.metadata.clear();
    }

    /// The digest of the plain annotations, if there are any.
    pub(crate) fn plain(&mut self) -> Option<Digest> {
        finish(&mut self.plain)
    }

    /// The digest of the metadata, if there is any.
    pub(crate) fn metadata(&mut self) -> Option<Digest> {
        finish(&mut self.metadata)
    }

    /// Encodes the annotations among these attributes. `scratch` must hold the code they point into.
    pub(crate) fn take(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
        attributes: &Attributes<'_>,
        scratch: &mut BodyBuffers,
    ) -> Result<(), ParseError> {
        for attribute in attributes.iter() {
            self.attribute(constants, &attribute, scratch)?;
        }
        Ok(())
    }

    fn attribute(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
        attribute: &Attribute<'_>,
        scratch: &mut BodyBuffers,
    ) -> Result<(), ParseError> {
        let pool = &constants.class.file.pool;
        let mut cursor = attribute.cursor();
        let name = pool.utf8(attribute.name)?;
        let kind = AttributeKind::of(name);
        let mut encoding = AnnotationEncoding {
            constants,
            annotations: self,
            scratch,
            kind,
            name,
            pending: 0,
            layer: AnnotationLayer::Plain,
            error: None,
        };
        let mut each = |event| encoding.event(event);
        match kind {
            AttributeKind::RuntimeVisibleAnnotations | AttributeKind::RuntimeInvisibleAnnotations => {
                annotation::annotations(&mut cursor, &mut each)?;
            }
            AttributeKind::RuntimeVisibleParameterAnnotations
            | AttributeKind::RuntimeInvisibleParameterAnnotations => {
                annotation::parameter_annotations(&mut cursor, &mut each)?;
            }
            AttributeKind::RuntimeVisibleTypeAnnotations | AttributeKind::RuntimeInvisibleTypeAnnotations => {
                annotation::type_annotations(&mut cursor, &mut each)?;
            }
            AttributeKind::AnnotationDefault => annotation::default_value(&mut cursor, &mut each)?,
            AttributeKind::Unknown if compilers::is_metadata_attribute(pool.utf8(attribute.name)?) => {
                self.metadata.tag(EncodingTag::Raw);
                self.metadata.bytes(attribute.data);
                return Ok(());
            }
            _ => return Ok(()),
        }
        encoding.error.map_or(Ok(()), Err)
    }
}

fn finish(encoder: &mut DigestEncoder) -> Option<Digest> {
    (!encoder.as_slice().is_empty()).then(|| encoder.finish())
}

struct AnnotationEncoding<'e, 'c, 'a> {
    constants: &'e ConstantEncodings<'c, 'a>,
    annotations: &'e mut AnnotationLayers,
    scratch: &'e mut BodyBuffers,
    kind: AttributeKind,
    /// The attribute's name, written before each of its annotations.
    name: &'e [u8],
    /// How many values of the current annotation still follow.
    pending: u64,
    layer: AnnotationLayer,
    error: Option<ParseError>,
}

impl AnnotationEncoding<'_, '_, '_> {
    fn event(&mut self, event: AnnotationEvent) {
        if self.error.is_none()
            && let Err(error) = self.encode(event)
        {
            self.error = Some(error);
        }
    }

    fn encode(&mut self, event: AnnotationEvent) -> Result<(), ParseError> {
        let pool = &self.constants.class.file.pool;
        if let AnnotationEvent::Annotation(class, values) = event {
            let top = self.pending == 0;
            let class = pool.utf8(class)?;
            if top && self.is_plain_list() {
                self.layer = AnnotationLayer::of(class);
            }
            self.pending = self.pending.saturating_sub(u64::from(!top)) + u64::from(values);
            let attribute = self.name;
            let rewritten = self.constants.rewrite(class);
            let out = self.out();
            out.tag(EncodingTag::Annotations);
            out.bytes(attribute);
            out.bytes(&rewritten);
            out.num(i64::from(values));
            return Ok(());
        }
        match event {
            AnnotationEvent::Annotation(..) => {}
            // Each annotation of a class is tagged, so their count adds nothing; that of parameters does.
            AnnotationEvent::Count(_) if self.is_plain_list() => {}
            AnnotationEvent::Count(count) => self.out().num(i64::from(count)),
            AnnotationEvent::Name(name) => {
                let name = pool.utf8(name)?;
                self.out().bytes(name);
            }
            AnnotationEvent::Value(tag, index) => {
                self.pending = self.pending.saturating_sub(1);
                let constants = self.constants;
                let out = self.out();
                out.byte(tag);
                constants.encode(index, CONSTANT_DEPTH, out)?;
            }
            AnnotationEvent::Enum(class, name) => {
                self.pending = self.pending.saturating_sub(1);
                let (class, name) = (self.constants.rewrite(pool.utf8(class)?), pool.utf8(name)?);
                let out = self.out();
                out.byte(b'e');
                out.bytes(&class);
                out.bytes(name);
            }
            AnnotationEvent::Class(class) => {
                self.pending = self.pending.saturating_sub(1);
                let class = self.constants.rewrite(pool.utf8(class)?);
                let out = self.out();
                out.byte(b'c');
                out.bytes(&class);
            }
            AnnotationEvent::Array(count) => {
                self.pending = self.pending.saturating_sub(1) + u64::from(count);
                let out = self.out();
                out.byte(b'[');
                out.num(i64::from(count));
            }
            AnnotationEvent::Target(target) => self.target(target),
            AnnotationEvent::Path(kind, argument) => {
                let out = self.out();
                out.byte(kind);
                out.byte(argument);
            }
        }
        Ok(())
    }

    /// Offsets into the code are written as instruction numbers: a wider constant elsewhere must not change
    /// them.
    fn target(&mut self, target: TypeTarget) {
        let numbers: [i64; 5] = match target {
            TypeTarget::Plain(kind, value) => [i64::from(kind), i64::from(value), 0, 0, 0],
            TypeTarget::NoRange(kind) => [i64::from(kind), -1, 0, 0, 0],
            TypeTarget::LocalRange(kind, count, [start, length, slot]) => [
                i64::from(kind),
                i64::from(count),
                self.scratch.number_at(start),
                self.scratch.number_at(start.saturating_add(length)),
                i64::from(self.scratch.slot(slot)),
            ],
            TypeTarget::Offset(kind, pc, argument) => {
                [i64::from(kind), self.scratch.number_at(pc), i64::from(argument), 0, 0]
            }
        };
        let out = self.out();
        for number in numbers {
            out.num(number);
        }
    }

    /// Whether the attribute is only a list of annotations, without parameter positions or targets.
    fn is_plain_list(&self) -> bool {
        let lists = [AttributeKind::RuntimeVisibleAnnotations, AttributeKind::RuntimeInvisibleAnnotations];
        lists.contains(&self.kind)
    }

    fn out(&mut self) -> &mut DigestEncoder {
        match self.layer {
            AnnotationLayer::Plain => &mut self.annotations.plain,
            AnnotationLayer::Metadata => &mut self.annotations.metadata,
            AnnotationLayer::Debug => &mut self.annotations.debug,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::digest::{ClassSource, Digester};
    use crate::record::ClassLayers;

    #[test]
    fn lines_that_kotlin_keeps_in_annotations_are_debug() {
        let debug = "Lkotlin/coroutines/jvm/internal/DebugMetadata;";
        let inlined = "Lkotlin/jvm/internal/SourceDebugExtension;";
        for (attribute, class) in
            [("RuntimeVisibleAnnotations", debug), ("RuntimeInvisibleAnnotations", inlined)]
        {
            let (a, b) = (annotated(attribute, class, 1), annotated(attribute, class, 2));
            assert_ne!(a.debug, b.debug, "{class}");
            assert_eq!((a.annotations, a.class), (b.annotations, b.class), "{class}");
            assert_eq!(a.annotations, None, "{class}");
        }
    }

    #[test]
    fn any_other_annotation_counts() {
        for attribute in ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"] {
            let (a, b) = (annotated(attribute, "La/Lines;", 1), annotated(attribute, "La/Lines;", 2));
            assert_ne!((a.annotations, a.class), (b.annotations, b.class), "{attribute}");
            assert_eq!(a.debug, b.debug, "{attribute}");
        }
    }

    /// The layers of a class with one annotation: `@class(l = line)`.
    fn annotated(attribute: &str, class: &str, line: u8) -> ClassLayers {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 9];
        for text in ["K", "java/lang/Object", attribute, class, "l"] {
            bytes.extend([1, 0, text.len() as u8]);
            bytes.extend(text.as_bytes());
        }
        bytes.extend([7, 0, 1, 7, 0, 2, 3, 0, 0, 0, line]); // 6: this class, 7: its superclass, 8: the line
        bytes.extend([0, 0x21, 0, 6, 0, 7, 0, 0, 0, 0, 0, 0, 0, 1]); // One attribute, no members.
        let values = [0, 1, 0, 4, 0, 1, 0, 5, b'I', 0, 8];
        bytes.extend([0, 3, 0, 0, 0, values.len() as u8]);
        bytes.extend(values);
        let records = Digester::default().family(&[ClassSource { name: "K", bytes: &bytes }]);
        assert!(!records[0].is_opaque(), "{:?}", records[0].kind);
        records[0].layers.clone()
    }
}
