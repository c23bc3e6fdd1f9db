//! Type annotations of a method's code (JVMS 4.7.20), encoded from the reader's events.

use super::output::Output;
use super::placement::Placement;
use crate::WriteError;
use crate::read::annotation::{self, Event, Target};
use crate::read::cursor::Cursor;

/// Writes a RuntimeVisibleTypeAnnotations or RuntimeInvisibleTypeAnnotations with its offsets moved.
pub(crate) fn type_annotations(
    mut cursor: Cursor<'_>,
    placement: &Placement<'_>,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    let mut encoder = Encoder { placement, out, place: Place::Start, ranges: 0 };
    annotation::type_annotations(&mut cursor, &mut |event| encoder.event(event))?;
    Ok(())
}

/// The meaning of the next event: the same events occur in several positions, with different encodings.
#[derive(PartialEq)]
enum Place {
    /// The number of annotations.
    Start,
    /// The length of a path.
    Path,
    /// An annotation that is not a value of another one.
    Annotation,
    /// Names and values.
    Values,
}

struct Encoder<'p, 'i> {
    placement: &'p Placement<'i>,
    out: &'p mut Vec<u8>,
    place: Place,
    /// Ranges of a local variable that still follow.
    ranges: u16,
}

impl Encoder<'_, '_> {
    fn event(&mut self, event: Event) {
        let out = &mut *self.out;
        match event {
            Event::Count(count) if self.place == Place::Path => {
                // The reader took it from eight bits.
                out.u8(count as u8);
                self.place = Place::Annotation;
            }
            Event::Count(count) => out.u16(count),
            Event::Annotation(class, count) => {
                if self.place == Place::Values {
                    out.u8(b'@');
                }
                out.u16(class);
                out.u16(count);
                self.place = Place::Values;
            }
            Event::Name(name) => out.u16(name),
            Event::Value(tag, constant) => {
                out.u8(tag);
                out.u16(constant);
            }
            Event::Enum(class, name) => {
                out.u8(b'e');
                out.u16(class);
                out.u16(name);
            }
            Event::Class(descriptor) => {
                out.u8(b'c');
                out.u16(descriptor);
            }
            Event::Array(count) => {
                out.u8(b'[');
                out.u16(count);
            }
            Event::Target(target) => {
                self.target(target);
                self.place = Place::Path;
            }
            Event::Path(kind, argument) => out.extend([kind, argument]),
        }
    }

    fn target(&mut self, target: Target) {
        let out = &mut *self.out;
        match target {
            Target::Plain(kind, value) => {
                out.u8(kind);
                match kind {
                    0x00 | 0x01 | 0x16 => out.u8(value as u8),
                    0x13..=0x15 => {}
                    _ => out.u16(value as u16),
                }
            }
            Target::LocalRange(kind, count, [start, length, slot]) => {
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
            Target::NoRange(kind) => {
                out.u8(kind);
                out.u16(0);
            }
            Target::Offset(kind, pc, argument) => {
                out.u8(kind);
                out.u16(self.placement.loose(pc));
                if kind >= 0x47 {
                    out.u8(argument);
                }
            }
        }
    }
}
