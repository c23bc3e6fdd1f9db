//! Stack map frames (JVMS 4.7.4), moved and repeated where code is inserted.
//!
//! Most forms describe the difference to the previous frame, so an inserted frame must not change the base of
//! the next one. A frame repeated at another offset has the same locals, so the base is preserved.

use super::output::ClassOutput;
use super::placement::{InsertionGroup, OffsetMap};
use crate::WriteError;
use crate::read::attribute::Attribute;
use crate::read::frame::{StackMapFrame, VerificationType, VerificationTypes, frames};

/// Writes a StackMapTable: the frames of `old`, if there is one, those that the insertions need, and one for
/// code appended to the method that starts with an object of the class `caught` on the stack.
pub(crate) fn table(
    old: Option<&Attribute<'_>>,
    placement: &OffsetMap<'_>,
    caught: Option<u16>,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    out.counted(|out| {
        let mut encoder = FrameEncoder { placement, out, previous: None, count: 0 };
        let mut groups = placement.groups().iter().peekable();
        for frame in old.map(frames).transpose()?.into_iter().flatten() {
            let frame = frame?;
            while let Some(group) = groups.next_if(|group| group.at < frame.pc) {
                encoder.group(group, None)?;
            }
            match groups.next_if(|group| group.at == frame.pc) {
                Some(group) => encoder.group(group, Some(&frame))?,
                None => encoder.frame(placement.instruction(frame.pc)?, &frame)?,
            }
        }
        for group in groups {
            encoder.group(group, None)?;
        }
        if let Some(class) = caught {
            let delta = encoder.delta(placement.length());
            encoder.out.u8(255);
            // No locals; one object on the stack.
            for cell in [delta, 0, 1] {
                encoder.out.u16(cell);
            }
            encoder.out.u8(7);
            encoder.out.u16(class);
        }
        Ok(encoder.count)
    })
}

struct FrameEncoder<'p, 'i> {
    placement: &'p OffsetMap<'i>,
    out: &'p mut Vec<u8>,
    /// The new offset of the last frame.
    previous: Option<u32>,
    count: u16,
}

impl FrameEncoder<'_, '_> {
    /// Writes the frames of the code inserted before an instruction, and the frame of the instruction itself.
    fn group(&mut self, group: &InsertionGroup, frame: Option<&StackMapFrame<'_>>) -> Result<(), WriteError> {
        let mut places = Vec::new();
        for (start, insertion) in self.placement.inserted(group) {
            if insertion.frames.iter().any(|offset| usize::from(*offset) > insertion.code.len()) {
                return Err(WriteError::NoFrame { pc: group.at });
            }
            places.extend(insertion.frames.iter().map(|offset| start + u32::from(*offset)));
        }
        let landing = self.placement.landing(group.at)?;
        if frame.is_some() {
            places.push(landing);
            if !group.reached {
                // Code without fall-through into it needs a frame for verification, even if it never runs.
                places.push(self.placement.end(group.at)?);
            }
        }
        places.sort_unstable();
        places.dedup();
        let mut last = None;
        for pc in places {
            match (frame, last) {
                // The parameters are the locals at a method's entry; the first frame is relative to them.
                (None, _) if group.at == 0 => self.same(pc),
                (None, _) => return Err(WriteError::NoFrame { pc: group.at }),
                // The inserted code runs with the same frame as the instruction after it: it changes neither
                // stack nor locals.
                (Some(frame), None) => {
                    self.frame(pc, frame)?;
                    last = Some(frame);
                }
                (Some(_), Some(last)) => self.repeat(pc, last)?,
            }
        }
        Ok(())
    }

    /// A frame in its old form, at another offset.
    fn frame(&mut self, pc: u32, frame: &StackMapFrame<'_>) -> Result<(), WriteError> {
        let delta = self.delta(pc);
        match frame.tag {
            0..=63 => self.short_or_long(0, 251, delta),
            64..=127 => self.short_or_long(64, 247, delta),
            tag => {
                self.out.u8(tag);
                self.out.u16(delta);
            }
        }
        if frame.tag == 255 {
            self.out.u16(frame.locals.len() as u16);
        }
        self.types(&frame.locals)?;
        if frame.tag == 255 {
            self.out.u16(frame.stack.len() as u16);
        }
        self.types(&frame.stack)
    }

    /// Repeats the last frame.
    fn repeat(&mut self, pc: u32, frame: &StackMapFrame<'_>) -> Result<(), WriteError> {
        match frame.stack.len() {
            0 => {
                self.same(pc);
                Ok(())
            }
            _ if frame.tag == 255 => self.frame(pc, frame),
            _ => self.frame(pc, &StackMapFrame { tag: 64, ..*frame }),
        }
    }

    /// The locals of the previous frame, with an empty stack.
    fn same(&mut self, pc: u32) {
        let delta = self.delta(pc);
        self.short_or_long(0, 251, delta);
    }

    /// The encoded distance of `pc` from the last frame.
    fn delta(&mut self, pc: u32) -> u16 {
        let next = self.previous.map_or(0, |previous| previous + 1);
        self.previous = Some(pc);
        self.count += 1;
        // Offsets ascend, stay below 65536, and no two frames have the same offset.
        pc.saturating_sub(next) as u16
    }

    fn short_or_long(&mut self, short: u8, long: u8, delta: u16) {
        match u8::try_from(delta) {
            Ok(delta @ 0..=63) => self.out.u8(short + delta),
            _ => {
                self.out.u8(long);
                self.out.u16(delta);
            }
        }
    }

    fn types(&mut self, types: &VerificationTypes<'_>) -> Result<(), WriteError> {
        for verification_type in types.iter() {
            match verification_type {
                VerificationType::Simple(tag) => self.out.u8(tag),
                VerificationType::Object(class) => {
                    self.out.u8(7);
                    self.out.u16(class);
                }
                VerificationType::Uninitialized(pc) => {
                    self.out.u8(8);
                    // The type refers to the `new` itself, not to code inserted before it.
                    self.out.u16(self.placement.instruction(u32::from(pc))? as u16);
                }
            }
        }
        Ok(())
    }
}
