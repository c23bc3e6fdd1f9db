//! The canonical form as lines for people: the same walk that is hashed, written as text.

use super::body::{InstructionSink, pseudo};
use super::code_mentions::CONSTANT_DEPTH;
use super::constant::ConstantEncodings;
use super::value::{CanonicalOutput, Digest, EncodingTag};
use tamis_classfile::{ParseError, mutf8, opcode};

/// One line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingLine {
    /// The text to show: number, instruction, operands.
    pub text: String,
    /// The key that decides whether two lines are equal: without the number, and with jumps as distances, so
    /// that an instruction inserted above changes nothing below.
    pub key: String,
}

/// Collects lines, one per instruction.
#[derive(Default)]
pub(crate) struct ListingLines {
    lines: Vec<ListingLine>,
    text: String,
    key: String,
    instruction: i64,
    /// Whether the next bytes are a string literal.
    literal: bool,
}

impl ListingLines {
    /// A line between two listings that names the method that follows.
    pub(crate) fn heading(&mut self, heading: &str) {
        self.end_line();
        self.word(heading);
        self.instruction = 0;
    }

    pub(crate) fn finish(mut self) -> Vec<ListingLine> {
        self.end_line();
        self.lines
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() {
            let (text, key) = (std::mem::take(&mut self.text), std::mem::take(&mut self.key));
            self.lines.push(ListingLine { text, key });
        }
    }

    fn word(&mut self, word: &str) {
        self.words(word, word);
    }

    fn words(&mut self, text: &str, key: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.key.push(' ');
        self.key.push_str(key);
    }
}

impl CanonicalOutput for ListingLines {
    fn tag(&mut self, tag: EncodingTag) {
        self.literal = tag == EncodingTag::String;
        match tag {
            // The opcode and the form of the operand already show the kind.
            EncodingTag::Body
            | EncodingTag::Class
            | EncodingTag::Field
            | EncodingTag::Method
            | EncodingTag::InterfaceMethod
            | EncodingTag::CallSite
            | EncodingTag::String => {}
            EncodingTag::SelfClass => self.word("this"),
            EncodingTag::Handlers | EncodingTag::Raw => {
                self.end_line();
                self.word(tag.word());
            }
            _ => self.word(tag.word()),
        }
    }

    fn num(&mut self, value: i64) {
        self.word(&value.to_string());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let text = mutf8::decode(bytes);
        if std::mem::take(&mut self.literal) {
            self.word(&format!("{text:?}"));
        } else {
            self.word(&text.escape_debug().to_string());
        }
    }

    fn digest(&mut self, digest: &Digest) {
        self.word(&format!("{{{}}}", digest.to_string().get(..12).unwrap_or_default()));
    }
}

impl InstructionSink for ListingLines {
    fn op(&mut self, op: u8) {
        self.end_line();
        let name = match op {
            pseudo::PUSH_INT => "push int",
            pseudo::PUSH_LONG => "push long",
            pseudo::PUSH_FLOAT => "push float bits",
            pseudo::PUSH_DOUBLE => "push double bits",
            pseudo::SWITCH => "switch",
            pseudo::ENUM_SWITCH => "switch on enum",
            pseudo::SWITCH_MAP => "switch map of",
            pseudo::END => return,
            _ => opcode::name(op),
        };
        self.text = format!("{:>4}  {name}", self.instruction);
        self.key = name.to_owned();
        self.instruction += 1;
    }

    fn label(&mut self, instruction: u32) {
        let distance = i64::from(instruction) - self.instruction;
        self.words(&format!("→{instruction}"), &format!("→{distance:+}"));
    }

    fn constant(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        _op: u8,
        index: u16,
    ) -> Result<(), ParseError> {
        constants.encode(index, CONSTANT_DEPTH, self)
    }
}
