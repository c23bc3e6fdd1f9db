//! A method's code in canonical form.
//!
//! Left out: constant-pool indexes, width forms (`ldc_w`, `goto_w`, `wide`, `iload_0`, `bipush`), the kind of
//! a switch instruction, the slots of local variables, frames, stack depth, debug tables. Everything else is
//! written in order, with jumps as instruction numbers.

use super::compiler::SwitchMap;
use super::constant::ConstantEncodings;
use super::family::ParsedMethod;
use super::field_effects;
use super::value::{CanonicalOutput, DigestEncoder, EncodingTag};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::instruction::{Operand, SwitchTable, boundaries, implied};
use tamis_classfile::{Constant, ParseError, access, descriptor, opcode};

/// Canonical instructions that have no opcode.
pub(crate) mod pseudo {
    pub(crate) const PUSH_INT: u8 = 0xd0;
    pub(crate) const PUSH_LONG: u8 = 0xd1;
    pub(crate) const PUSH_FLOAT: u8 = 0xd2;
    pub(crate) const PUSH_DOUBLE: u8 = 0xd3;
    pub(crate) const SWITCH: u8 = 0xd4;
    pub(crate) const ENUM_SWITCH: u8 = 0xd5;
    pub(crate) const SWITCH_MAP: u8 = 0xd6;
    pub(crate) const END: u8 = 0xd7;
}

/// The flags that change how a method runs, for every caller.
const BODY_FLAGS: u16 =
    access::STATIC | access::SYNCHRONIZED | access::NATIVE | access::ABSTRACT | access::STRICT;

/// Receives the canonical instructions, to encode or to list them.
pub(crate) trait InstructionSink: CanonicalOutput {
    /// A new instruction begins.
    fn op(&mut self, opcode: u8);
    /// A jump to the instruction of this number.
    fn label(&mut self, instruction: u32);
    /// A constant, and the opcode that names it.
    fn constant(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        op: u8,
        index: u16,
    ) -> Result<(), ParseError>;
}

/// Buffers reused from body to body.
#[derive(Default)]
pub(crate) struct BodyBuffers {
    /// Instruction number by offset; `INSIDE` within an instruction. Filled only when an offset must be
    /// translated: much code has no jumps.
    numbers: Vec<u16>,
    /// The number of instructions, once they are numbered.
    count: u32,
    /// Canonical slot by slot; `NONE` if not seen yet.
    slots: Vec<u32>,
    next_slot: u32,
}

const NONE: u32 = u32::MAX;
/// Not an instruction's number: code is shorter than 65,536 bytes.
const INSIDE: u16 = u16::MAX;

/// Writes the canonical form of one method.
pub(crate) fn write(
    constants: &mut ConstantEncodings<'_, '_>,
    method: &ParsedMethod<'_>,
    scratch: &mut BodyBuffers,
    out: &mut impl InstructionSink,
) -> Result<(), ParseError> {
    out.tag(EncodingTag::Flags);
    out.num(i64::from(method.member.access & BODY_FLAGS));
    let Some(code) = &method.code else {
        out.tag(EncodingTag::NoCode);
        return Ok(());
    };
    out.tag(EncodingTag::Body);
    scratch.prepare(method, code);
    let skipped = if method.name == b"<clinit>" { constants.class.prologue } else { 0 };
    let mut writer = BodyWriter { constants, scratch, skipped, map: None };
    for instruction in code.instructions().skip(skipped as usize) {
        let instruction = instruction?;
        if writer.map.is_some() {
            writer.follow_map(instruction.opcode, &instruction.operand, out);
        }
        writer.instruction(instruction.opcode, &instruction.operand, instruction.pc, code, out)?;
    }
    out.op(pseudo::END);
    writer.drop_map(out);
    writer.handlers(code, out)?;
    let pool = &writer.constants.class.file.pool;
    for attribute in code.attributes.iter().filter(|_| method.code_kinds.has(AttributeKind::Unknown)) {
        if attribute.kind(pool)? == AttributeKind::Unknown {
            writer.constants.raw(&attribute, out)?;
        }
    }
    Ok(())
}

/// Whether a static initialiser only returns after a prologue of this many instructions.
pub(crate) fn is_only_prologue(code: &Code<'_>, prologue: u32) -> bool {
    let rest: Vec<_> = code.instructions().skip(prologue as usize).take(2).collect();
    matches!(rest.as_slice(), [Ok(last)] if last.opcode == opcode::RETURN)
}

struct BodyWriter<'w, 'c, 'a> {
    constants: &'w mut ConstantEncodings<'c, 'a>,
    scratch: &'w mut BodyBuffers,
    skipped: u32,
    /// The switch map loaded last, while no switch has used it yet.
    map: Option<LoadedMap<'c, 'a>>,
}

/// A switch map on the operand stack.
struct LoadedMap<'c, 'a> {
    map: &'c SwitchMap<'a>,
    /// The progress in `getstatic map; …; invokevirtual E.ordinal; iaload; switch`.
    step: BodyStep,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyStep {
    /// The map is on the stack, with this many slots above it.
    Above(i32),
    /// The ordinal of a constant of its enum is just above it.
    Ordinal,
    /// The map's element is on top: a switch must follow.
    Element,
}

impl BodyWriter<'_, '_, '_> {
    /// Follows a loaded map through the instructions after it. If any of them does, or could do, something
    /// else with the map, the whole map is written: the code can then observe its numbers.
    fn follow_map(&mut self, op: u8, operand: &Operand<'_>, out: &mut impl InstructionSink) {
        let Some(LoadedMap { map, step }) = self.map.take() else { return };
        let next = match (step, op) {
            (BodyStep::Element, opcode::TABLESWITCH | opcode::LOOKUPSWITCH) => Some(step),
            (BodyStep::Ordinal, opcode::IALOAD) => Some(BodyStep::Element),
            (BodyStep::Above(1), opcode::INVOKEVIRTUAL) if self.is_ordinal(operand, map) => {
                Some(BodyStep::Ordinal)
            }
            (BodyStep::Above(height), _) => field_effects::of(self.constants.class, op, operand)
                .map(|change| height + change)
                // Below zero, the instruction has touched the map itself.
                .filter(|height| *height >= 0 && !field_effects::looks_below(op, *height))
                .map(BodyStep::Above),
            (BodyStep::Ordinal | BodyStep::Element, _) => None,
        };
        match next {
            Some(step) => self.map = Some(LoadedMap { map, step }),
            None => whole_map(map, out),
        }
    }

    fn is_ordinal(&self, operand: &Operand<'_>, map: &SwitchMap<'_>) -> bool {
        let Operand::Constant(index) = operand else { return false };
        let member = self.constants.class.file.pool.member(*index);
        member.is_ok_and(|m| (m.owner, m.name, m.descriptor) == (map.enumeration, b"ordinal", b"()I"))
    }

    fn drop_map(&mut self, out: &mut impl InstructionSink) {
        if let Some(loaded) = self.map.take() {
            whole_map(loaded.map, out);
        }
    }

    fn instruction(
        &mut self,
        op: u8,
        operand: &Operand<'_>,
        pc: u32,
        code: &Code<'_>,
        out: &mut impl InstructionSink,
    ) -> Result<(), ParseError> {
        match *operand {
            Operand::None => match op {
                opcode::ICONST_M1..=opcode::ICONST_5 => push(pseudo::PUSH_INT, i64::from(op) - 3, out),
                opcode::LCONST_0 | opcode::LCONST_1 => push(pseudo::PUSH_LONG, i64::from(op) - 9, out),
                opcode::FCONST_0..=opcode::FCONST_2 => {
                    push(pseudo::PUSH_FLOAT, i64::from(f32::from(op - opcode::FCONST_0).to_bits()), out);
                }
                opcode::DCONST_0 | opcode::DCONST_1 => {
                    push(pseudo::PUSH_DOUBLE, f64::from(op - opcode::DCONST_0).to_bits() as i64, out);
                }
                _ => out.op(op),
            },
            Operand::Int(value) => push(pseudo::PUSH_INT, i64::from(value), out),
            Operand::Slot(slot) => {
                let general = if matches!(op, opcode::ILOAD..=opcode::ALOAD | opcode::ISTORE..=opcode::ASTORE | opcode::RET)
                {
                    op
                } else {
                    implied(op).0
                };
                out.op(general);
                out.num(i64::from(self.scratch.slot(slot)));
            }
            Operand::Increment(slot, by) => {
                out.op(op);
                out.num(i64::from(self.scratch.slot(slot)));
                out.num(i64::from(by));
            }
            Operand::Constant(index) => self.constant(op, index, out)?,
            Operand::Branch(target) => {
                out.op(match op {
                    opcode::GOTO_W => opcode::GOTO,
                    opcode::JSR_W => opcode::JSR,
                    _ => op,
                });
                out.label(self.label(target, pc, code)?);
            }
            Operand::Switch(switch) => self.switch(&switch, pc, code, out)?,
            Operand::ArrayType(kind) => {
                out.op(op);
                out.num(i64::from(kind));
            }
            Operand::Dimensions(index, dimensions) => {
                out.op(op);
                out.num(i64::from(dimensions));
                out.constant(self.constants, op, index)?;
            }
        }
        Ok(())
    }

    fn constant(&mut self, op: u8, index: u16, out: &mut impl InstructionSink) -> Result<(), ParseError> {
        if matches!(op, opcode::LDC | opcode::LDC_W | opcode::LDC2_W) {
            match self.constants.class.file.pool.get(index)? {
                Constant::Integer(value) => push(pseudo::PUSH_INT, i64::from(value), out),
                Constant::Long(value) => push(pseudo::PUSH_LONG, value, out),
                Constant::Float(bits) => push(pseudo::PUSH_FLOAT, i64::from(bits), out),
                Constant::Double(bits) => push(pseudo::PUSH_DOUBLE, bits as i64, out),
                _ => {
                    out.op(opcode::LDC);
                    out.constant(self.constants, op, index)?;
                }
            }
            return Ok(());
        }
        if op == opcode::GETSTATIC
            && let Some(map) = self.constants.switch_map(index)
        {
            out.op(pseudo::SWITCH_MAP);
            self.constants.class_name(map.enumeration, out);
            self.drop_map(out);
            self.map = Some(LoadedMap { map, step: BodyStep::Above(0) });
            return Ok(());
        }
        out.op(op);
        out.constant(self.constants, op, index)
    }

    /// Writes a switch with its keys sorted; a case with the default's target is dropped. A switch over an
    /// enum's map is written with the names of the constants, because the numbers depend on the other
    /// switches of the class.
    fn switch(
        &mut self,
        switch: &SwitchTable<'_>,
        pc: u32,
        code: &Code<'_>,
        out: &mut impl InstructionSink,
    ) -> Result<(), ParseError> {
        let map = self.map.take().filter(|loaded| loaded.step == BodyStep::Element).map(|loaded| loaded.map);
        let default = self.label(switch.default, pc, code)?;
        let mut cases = Vec::with_capacity(switch.len());
        for case in switch.cases() {
            let (key, target) = case.ok_or(outside(code, pc))?;
            if target != switch.default {
                cases.push((key, self.label(target, pc, code)?));
            }
        }
        let name = |key: i32| map?.cases.iter().find(|(case, _)| *case == key).map(|(_, name)| *name);
        let named: Option<Vec<_>> = cases.iter().map(|(key, target)| Some((name(*key)?, *target))).collect();
        match (map, named) {
            (Some(_), Some(mut named)) => {
                named.sort_unstable();
                out.op(pseudo::ENUM_SWITCH);
                out.num(named.len() as i64);
                for (name, target) in named {
                    out.bytes(name);
                    out.label(target);
                }
            }
            (map, _) => {
                cases.sort_unstable();
                out.op(pseudo::SWITCH);
                out.num(cases.len() as i64);
                for (key, target) in cases {
                    out.num(i64::from(key));
                    out.label(target);
                }
                if let Some(map) = map {
                    whole_map(map, out);
                }
            }
        }
        out.label(default);
        Ok(())
    }

    fn handlers(&mut self, code: &Code<'_>, out: &mut impl InstructionSink) -> Result<(), ParseError> {
        if code.exceptions.is_empty() {
            return Ok(());
        }
        out.tag(EncodingTag::Handlers);
        out.num(code.exceptions.len() as i64);
        for [start, end, handler, caught] in code.exceptions.iter() {
            let at = u32::from(start);
            let start = self.label(at, at, code)?;
            let end = if usize::from(end) == code.bytes.len() {
                self.scratch.count.saturating_sub(self.skipped)
            } else {
                self.label(u32::from(end), at, code)?
            };
            out.label(start);
            out.label(end);
            out.label(self.label(u32::from(handler), at, code)?);
            if caught == 0 {
                out.tag(EncodingTag::Any);
            } else {
                out.constant(self.constants, opcode::CHECKCAST, caught)?;
            }
        }
        Ok(())
    }

    fn label(&mut self, target: u32, pc: u32, code: &Code<'_>) -> Result<u32, ParseError> {
        if self.scratch.numbers.is_empty() {
            self.scratch.number(code);
        }
        let number = self.scratch.numbers.get(target as usize).filter(|number| **number != INSIDE);
        number.and_then(|number| u32::from(*number).checked_sub(self.skipped)).ok_or(outside(code, pc))
    }
}

impl BodyBuffers {
    /// Prepares for the code of one method.
    pub(crate) fn prepare(&mut self, method: &ParsedMethod<'_>, code: &Code<'_>) {
        self.seed_slots(method, code);
        self.numbers.clear();
    }

    /// Numbers the instructions.
    pub(crate) fn number(&mut self, code: &Code<'_>) {
        self.numbers.clear();
        self.numbers.resize(code.bytes.len(), INSIDE);
        let mut count: u16 = 0;
        for pc in boundaries(code.bytes) {
            if let Some(number) = self.numbers.get_mut(pc) {
                *number = count;
            }
            count += 1;
        }
        self.count = u32::from(count);
    }

    /// Parameters keep their slots. Other variables are numbered in the order of their first use in the code.
    fn seed_slots(&mut self, method: &ParsedMethod<'_>, code: &Code<'_>) {
        let this = u32::from(method.member.access & access::STATIC == 0);
        let parameters = u32::from(descriptor::parameter_slots(method.descriptor).unwrap_or(0)) + this;
        self.slots.clear();
        self.slots.extend(0..parameters);
        self.slots.resize(usize::from(code.max_locals).max(parameters as usize), NONE);
        self.next_slot = parameters;
    }

    /// The number of the instruction at an offset, in the code prepared last.
    pub(crate) fn number_at(&self, pc: u16) -> i64 {
        match self.numbers.get(usize::from(pc)) {
            None => -1,
            Some(&INSIDE) => i64::from(NONE),
            Some(number) => i64::from(*number),
        }
    }

    /// The canonical slot of a local variable, in the code prepared last.
    pub(crate) fn slot(&mut self, slot: u16) -> u32 {
        let index = usize::from(slot);
        if index >= self.slots.len() {
            self.slots.resize(index + 1, NONE);
        }
        match self.slots.get_mut(index) {
            Some(canonical) => {
                if *canonical == NONE {
                    *canonical = self.next_slot;
                    self.next_slot += 1;
                }
                *canonical
            }
            None => NONE,
        }
    }
}

/// Encodes bodies and collects the constants they name.
pub(crate) struct BodyHasher<'s> {
    pub(crate) encoder: &'s mut DigestEncoder,
    pub(crate) named: &'s mut NamedConstants,
}

/// The constants that the current body has named, and by which opcodes.
#[derive(Default)]
pub(crate) struct NamedConstants {
    /// Per constant: the last body that named it, and the uses in that body.
    last: Vec<(u32, u8)>,
    body: u32,
    /// Opcode and constant, in the order of first use in the body.
    pub(crate) order: Vec<(u8, u16)>,
}

impl NamedConstants {
    /// Makes room for this many constants. Body numbers keep rising, so nothing has to be cleared between
    /// classes.
    pub(crate) fn ensure(&mut self, constants: u16) {
        if self.last.len() < usize::from(constants) {
            self.last.resize(usize::from(constants), (0, 0));
        }
    }

    /// Begins a new body.
    pub(crate) fn start_body(&mut self) {
        self.body += 1;
        self.order.clear();
    }

    fn note(&mut self, op: u8, index: u16) {
        let r#use = match op {
            opcode::INVOKESPECIAL => 1,
            opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE => 2,
            opcode::NEW => 4,
            opcode::PUTSTATIC | opcode::PUTFIELD => 8,
            _ => 16,
        };
        let Some((body, uses)) = self.last.get_mut(usize::from(index)) else { return };
        if *body != self.body {
            (*body, *uses) = (self.body, 0);
        }
        if *uses & r#use == 0 {
            *uses |= r#use;
            self.order.push((op, index));
        }
    }
}

impl CanonicalOutput for BodyHasher<'_> {
    fn tag(&mut self, tag: EncodingTag) {
        self.encoder.tag(tag);
    }
    fn num(&mut self, value: i64) {
        self.encoder.num(value);
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.encoder.bytes(bytes);
    }
    fn digest(&mut self, digest: &super::value::Digest) {
        self.encoder.digest(digest);
    }
}

impl InstructionSink for BodyHasher<'_> {
    #[inline]
    fn op(&mut self, opcode: u8) {
        self.encoder.byte(opcode);
    }

    fn label(&mut self, instruction: u32) {
        self.encoder.unsigned(u64::from(instruction));
    }

    fn constant(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        op: u8,
        index: u16,
    ) -> Result<(), ParseError> {
        self.encoder.bytes(constants.bytes(index)?);
        self.named.note(op, index);
        Ok(())
    }
}

fn push(op: u8, value: i64, out: &mut impl InstructionSink) {
    out.op(op);
    out.num(value);
}

fn whole_map(map: &SwitchMap<'_>, out: &mut impl InstructionSink) {
    out.tag(EncodingTag::SwitchMap);
    out.num(map.cases.len() as i64);
    for (case, name) in &map.cases {
        out.num(i64::from(*case));
        out.bytes(name);
    }
}

fn outside(code: &Code<'_>, pc: u32) -> ParseError {
    ParseError { offset: code.offset + pc as usize, what: "jump does not lead to an instruction" }
}
