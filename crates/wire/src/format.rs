//! The bytes of messages: little-endian numbers of variable length, length-prefixed text and lists.

use std::fmt;

/// The bytes are not a message of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The offset in the frame.
    pub offset: usize,
    /// The problem there.
    pub what: &'static str,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed message at byte {}: {}", self.offset, self.what)
    }
}

impl std::error::Error for DecodeError {}

/// A value that can be written to a frame and read from it.
pub trait WireFormat: Sized {
    /// Appends the value.
    fn put(&self, out: &mut Vec<u8>);
    /// Reads a value.
    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError>;
}

/// The unread part of a frame.
#[derive(Clone, Debug)]
pub struct FrameInput<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> FrameInput<'a> {
    /// A whole frame.
    pub fn new(frame: &'a [u8]) -> FrameInput<'a> {
        FrameInput { rest: frame, offset: 0 }
    }

    /// An error at the current offset.
    pub fn error(&self, what: &'static str) -> DecodeError {
        DecodeError { offset: self.offset, what }
    }

    /// Fails unless everything was read.
    pub fn finish(&self) -> Result<(), DecodeError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.error("bytes after the message")) }
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8, DecodeError> {
        let (first, rest) = self.rest.split_first().ok_or(self.error("unexpected end"))?;
        self.rest = rest;
        self.offset += 1;
        Ok(*first)
    }

    fn bytes(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) =
            self.rest.split_at_checked(length).ok_or(self.error("length exceeds the message"))?;
        self.rest = rest;
        self.offset += length;
        Ok(taken)
    }

    /// A count of items of at least one byte each; fails if it exceeds the unread bytes.
    fn count(&mut self) -> Result<usize, DecodeError> {
        let count = u64::take(self)?;
        match usize::try_from(count) {
            Ok(count) if count <= self.rest.len() => Ok(count),
            _ => Err(self.error("count exceeds the message")),
        }
    }
}

impl WireFormat for u64 {
    fn put(&self, out: &mut Vec<u8>) {
        let mut value = *self;
        while value >= 0x80 {
            out.push(value as u8 | 0x80);
            value >>= 7;
        }
        out.push(value as u8);
    }

    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = input.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(input.error("number is longer than 64 bits"))
    }
}

impl WireFormat for u32 {
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError> {
        u32::try_from(u64::take(input)?).map_err(|_| input.error("number is longer than 32 bits"))
    }
}

impl WireFormat for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError> {
        match input.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(input.error("neither true nor false")),
        }
    }
}

impl WireFormat for String {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError> {
        let length = input.count()?;
        let bytes = input.bytes(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| input.error("text is not UTF-8"))
    }
}

impl<T: WireFormat> WireFormat for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        for item in self {
            item.put(out);
        }
    }

    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError> {
        let count = input.count()?;
        // Not allocated by `count`: an item may be far larger in memory than in the frame.
        let mut items = Vec::with_capacity(count.min(1024));
        for _ in 0..count {
            items.push(T::take(input)?);
        }
        Ok(items)
    }
}

/// Numbers of probes, mostly ascending, written as runs of consecutive numbers. Most runs take a byte or two.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProbeRuns(pub Vec<u32>);

/// Limit on probes in a message. A long run takes few bytes, so the length of the frame is not a limit.
const MOST_PROBES: u64 = 1 << 24;

impl WireFormat for ProbeRuns {
    fn put(&self, out: &mut Vec<u8>) {
        (self.0.len() as u64).put(out);
        let mut expected = 0u32;
        for run in self.0.chunk_by(|one, next| one.wrapping_add(1) == *next) {
            let Some(first) = run.first() else { continue };
            // The lowest bit is set if a length follows.
            let distance = u64::from(first.wrapping_sub(expected)) << 1;
            match run.len() as u32 {
                1 => distance.put(out),
                length => {
                    (distance | 1).put(out);
                    length.put(out);
                }
            }
            expected = first.wrapping_add(run.len() as u32);
        }
    }

    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError> {
        let count = u64::take(input)?;
        if count > MOST_PROBES {
            return Err(input.error("too many probes"));
        }
        let mut probes = Vec::new();
        let mut expected = 0u32;
        while (probes.len() as u64) < count {
            let head = u64::take(input)?;
            let distance =
                u32::try_from(head >> 1).map_err(|_| input.error("number is longer than 32 bits"))?;
            let length = if head & 1 == 1 { u32::take(input)? } else { 1 };
            if length == 0 || u64::from(length) > count - probes.len() as u64 {
                return Err(input.error("run does not fit"));
            }
            let first = expected.wrapping_add(distance);
            probes.extend((0..length).map(|at| first.wrapping_add(at)));
            expected = first.wrapping_add(length);
        }
        Ok(ProbeRuns(probes))
    }
}

impl<T: WireFormat> WireFormat for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(item) = self {
            item.put(out);
        }
    }

    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError> {
        bool::take(input)?.then(|| T::take(input)).transpose()
    }
}

impl<A: WireFormat, B: WireFormat> WireFormat for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(input: &mut FrameInput<'_>) -> Result<Self, DecodeError> {
        Ok((A::take(input)?, B::take(input)?))
    }
}

/// Implements [`WireFormat`] for a struct, field by field in this order, or for an enum, by number.
macro_rules! wire {
    (struct $name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::format::WireFormat for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $($crate::format::WireFormat::put(&self.$field, out);)*
            }
            fn take(input: &mut $crate::format::FrameInput<'_>) -> Result<Self, $crate::format::DecodeError> {
                Ok($name { $($field: $crate::format::WireFormat::take(input)?),* })
            }
        }
    };
    (enum $name:ident { $($number:literal = $variant:ident $(($inner:ty))?),* $(,)? }) => {
        impl $crate::format::WireFormat for $name {
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $(wire!(@pattern $variant inner $(($inner))?) => {
                        out.push($number);
                        wire!(@put out inner $(($inner))?);
                    })*
                }
            }
            fn take(input: &mut $crate::format::FrameInput<'_>) -> Result<Self, $crate::format::DecodeError> {
                match input.byte()? {
                    $($number => Ok(wire!(@take input $name $variant $(($inner))?)),)*
                    _ => Err(input.error(concat!("no such ", stringify!($name)))),
                }
            }
        }
    };
    (@pattern $variant:ident $inner:ident ($type:ty)) => { Self::$variant($inner) };
    (@pattern $variant:ident $inner:ident) => { Self::$variant };
    (@put $out:ident $inner:ident ($type:ty)) => { $crate::format::WireFormat::put($inner, $out) };
    (@put $out:ident $inner:ident) => {};
    (@take $input:ident $name:ident $variant:ident ($type:ty)) => {
        $name::$variant(<$type as $crate::format::WireFormat>::take($input)?)
    };
    (@take $input:ident $name:ident $variant:ident) => { $name::$variant };
}
pub(crate) use wire;
