//! Type annotations of a method's code (JVMS 4.7.20), encoded from the reader's events.

use super::output::ClassOutput;
use super::placement::OffsetMap;
use crate::WriteError;
use crate::read::annotation::{self, AnnotationEvent, TypeTarget};
use crate::read::cursor::Cursor;

/// Writes a RuntimeVisibleTypeAnnotations or RuntimeInvisibleTypeAnnotations with its offsets moved.
pub(crate) fn type_annotations(
    mut cursor: Cursor<'_>,
    placement: &OffsetMap<'_>,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    let mut encoder = AnnotationEncoder { placement, out, place: EventPlace::Start, ranges: 0 };
    annotation::type_annotations(&mut cursor, &mut |event| encoder.event(event))?;
    Ok(())
}

/// The meaning of the next event: the same events occur in several positions, with different encodings.
#[derive(PartialEq)]
enum EventPlace {
    /// The number of annotations.
    Start,
    /// The length of a path.
    Path,
    /// An annotation that is not a value of another one.
    Annotation,
    /// Names and values.
    Values,
}

struct AnnotationEncoder<'p, 'i> {
    placement: &'p OffsetMap<'i>,
    out: &'p mut Vec<u8>,
    place: EventPlace,
    /// Ranges of a local variable that still follow.
    ranges: u16,
}

impl AnnotationEncoder<'_, '_> {
    fn event(&mut self, event: AnnotationEvent) {
        let out = &mut *self.out;
        match event {
            AnnotationEvent::Count(count) if self.place == EventPlace::Path => {
                // The reader took it from eight bits.
                out.u8(count as u8);
                self.place = EventPlace::Annotation;
            }
            AnnotationEvent::Count(count) => out.u16(count),
            AnnotationEvent::Annotation(class, count) => {
                if self.place == EventPlace::Values {
                    out.u8(b'@');
                }
                out.u16(class);
                out.u16(count);
                self.place = EventPlace::Values;
            }
            AnnotationEvent::Name(name) => out.u16(name),
            AnnotationEvent::Value(tag, constant) => {
                out.u8(tag);
                out.u16(constant);
            }
            AnnotationEvent::Enum(class, name) => {
                out.u8(b'e');
                out.u16(class);
                out.u16(name);
            }
            AnnotationEvent::Class(descriptor) => {
                out.u8(b'c');
                out.u16(descriptor);
            }
            AnnotationEvent::Array(count) => {
                out.u8(b'[');
                out.u16(count);
            }
            AnnotationEvent::Target(target) => {
                self.target(target);
                self.place = EventPlace::Path;
            }
            AnnotationEvent::Path(kind, argument) => out.extend([kind, argument]),
        }
    }

    fn target(&mut self, target: TypeTarget) {
        let out = &mut *self.out;
        match target {
            TypeTarget::Plain(kind, value) => {
                out.u8(kind);
                match kind {
                    0x00 | 0x01 | 0x16 => out.u8(value as u8),
                    0x13..=0x15 => {}
                    _ => out.u16(value as u16),
                }
            }
            TypeTarget::LocalRange(kind, count, [start, length, slot]) => {
                if self.ranges == 0 {
                    out.u8(kind);
                    out.u16(count);
                    self.ranges = count;
                }
                self.ranges = self.ranges.saturating_sub(1);
                let (start, length) = self.placement.loose_range(start, length);
                for number in [start, length, slot] {
                    out.u16(number);
                }
            }
            TypeTarget::NoRange(kind) => {
                out.u8(kind);
                out.u16(0);
            }
            TypeTarget::Offset(kind, pc, argument) => {
                out.u8(kind);
                out.u16(self.placement.loose(pc));
                if kind >= 0x47 {
                    out.u8(argument);
                }
            }
        }
    }
}
