//! The digest itself, and the encoding that is hashed.
//!
//! Everything hashed is tagged and length-prefixed, so that two different things never encode to the same
//! bytes (hazard 30). The hash is BLAKE3, cut to 128 bits; it is cryptographic because digests travel between
//! machines.

use std::cmp::Ordering;
use std::fmt;

/// A 128-bit digest of one canonical form. There is no digest that means "unknown".
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 16]);

impl Ord for Digest {
    fn cmp(&self, other: &Digest) -> Ordering {
        // The order of the bytes, compared as one number instead of by a call.
        u128::from_be_bytes(self.0).cmp(&u128::from_be_bytes(other.0))
    }
}

impl PartialOrd for Digest {
    fn partial_cmp(&self, other: &Digest) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut out = [0; 16];
        out.copy_from_slice(blake3::hash(bytes).as_bytes().first_chunk::<16>().unwrap_or(&[0; 16]));
        Digest(out)
    }

    /// A digest from its stored bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Digest {
        Digest(bytes)
    }

    /// Its bytes, for storage.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! tags {
    ($($tag:ident $text:literal),* $(,)?) => {
        /// The kind of the next item of an encoding. The number is hashed; listings show the word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // The names explain themselves.
        #[repr(u8)]
        pub enum EncodingTag { $($tag),* }

        impl EncodingTag {
            /// The word for listings.
            pub fn word(self) -> &'static str {
                match self { $(EncodingTag::$tag => $text),* }
            }
        }
    };
}

// The numbers are part of every digest: add at the end, never reorder.
tags! {
    Body "body", NoCode "no code", Int "int", Long "long", Float "float", Double "double", String "string",
    Class "class", SelfClass "this class", Field "field", Method "method", InterfaceMethod "interface method",
    Handle "handle", MethodType "method type", Dynamic "dynamic", CallSite "call site", Made "made",
    Assertions "assertions disabled of", SwitchMap "switch map of", Handlers "handlers", Any "any", Raw "raw attribute",
    Head "head", Shape "shape", Annotations "annotations", Debug "debug", Supers "supers", Init "init",
    WholeClass "class file", Flags "flags", Signature "signature", Permits "permits", NestHost "nest host", Record "record",
    Component "component", Enclosing "enclosing", Inner "inner", MemberClasses "member classes", Module "module",
    Package "package", Text "text", Throws "throws", Parameter "parameter", Constant "constant", Absent "absent",
    Visible "visible", Invisible "invisible", Default "default", Linked "linked", Made2 "made members", Opaque "opaque",
    Serial "serial", External "external", Family "family", Version "version", Key "key", Long2 "long",
    Inherits "inherits", Reflected "reflected", Order "order", Lambda "lambda", Methods "methods", Walk "walk",
}

/// Receives a canonical form: bytes to hash, or lines to read.
pub trait CanonicalOutput {
    /// The kind of the next item.
    fn tag(&mut self, tag: EncodingTag);
    /// A number.
    fn num(&mut self, value: i64);
    /// Text or raw bytes.
    fn bytes(&mut self, bytes: &[u8]);
    /// The digest of another item.
    fn digest(&mut self, digest: &Digest);
}

/// Texts longer than this are replaced by their digests. Otherwise a class file that names one long text a
/// thousand times would grow a thousandfold.
const LONG: usize = 1024;

/// Collects an encoding and hashes it.
#[derive(Clone, Debug, Default)]
pub struct DigestEncoder {
    buffer: Vec<u8>,
}

impl DigestEncoder {
    /// Clears the buffer and writes one tag.
    pub fn start(&mut self, tag: EncodingTag) -> &mut Self {
        self.buffer.clear();
        self.tag(tag);
        self
    }

    /// The digest of everything encoded since [`DigestEncoder::start`].
    pub fn finish(&mut self) -> Digest {
        Digest::of(&self.buffer)
    }

    /// The bytes encoded so far.
    pub fn as_slice(&self) -> &[u8] {
        &self.buffer
    }

    /// Clears the buffer.
    pub fn clear(&mut self) {
        self.buffer.clear();
    }

    /// Replaces the bytes since `start` by their digest if they are long.
    pub fn shorten(&mut self, start: usize) {
        if let Some(long) = self.buffer.get(start..).filter(|bytes| bytes.len() > LONG) {
            let digest = Digest::of(long);
            self.buffer.truncate(start);
            self.tag(EncodingTag::Long2);
            self.digest(&digest);
        }
    }

    /// A single byte that needs no tag: an opcode.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.buffer.push(byte);
    }

    /// A non-negative number. Most are below 128 and take one byte.
    #[inline]
    pub fn unsigned(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.buffer.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.buffer.push(value as u8);
    }

    /// An optional digest.
    pub fn optional(&mut self, digest: Option<&Digest>) {
        match digest {
            Some(digest) => self.digest(digest),
            None => self.tag(EncodingTag::Absent),
        }
    }
}

impl CanonicalOutput for DigestEncoder {
    #[inline]
    fn tag(&mut self, tag: EncodingTag) {
        self.buffer.push(tag as u8);
    }

    #[inline]
    fn num(&mut self, value: i64) {
        // Zigzag, so that small negative numbers stay short.
        self.unsigned(((value << 1) ^ (value >> 63)) as u64);
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.unsigned(bytes.len() as u64);
        if bytes.len() <= LONG {
            self.buffer.extend_from_slice(bytes);
        } else {
            self.digest(&Digest::of(bytes));
        }
    }

    fn digest(&mut self, digest: &Digest) {
        self.buffer.push(16);
        self.buffer.extend_from_slice(digest.as_bytes());
    }
}
