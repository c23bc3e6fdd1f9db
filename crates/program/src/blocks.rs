//! Contents of the basic blocks of a method, so that two versions of it can be compared block by block.
//!
//! A content is the digest of a block's instructions with their constants, and of the targets of its static references where
//! these deviate from the named ones. Jumps are not part of it: edges say where they lead. Local variables count by their
//! slots, and compiler-made members by their names, so a content may differ although nothing changed. It is never equal
//! although something did: the bodies of lambdas that run have contents of their own.

use crate::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use crate::record::ReferenceKind;
use crate::snapshot::{ClassId, Snapshot};
use tamis_classfile::flow::ControlFlow;
use tamis_classfile::read::attribute::{AttributeKind, BootstrapMethod};
use tamis_classfile::read::code::Code;
use tamis_classfile::read::instruction::{Instruction, Operand};
use tamis_classfile::{ClassFile, Constant, ConstantPool, Member, mutf8, opcode};

/// How deep constants may nest inside bootstrap arguments.
const DEEPEST: usize = 32;

/// The blocks of a method.
pub struct MethodBlocks {
    /// How control goes from block to block.
    pub flow: ControlFlow,
    /// By block: its content.
    contents: Vec<Digest>,
    /// By block: the types that its handlers catch, in order.
    caught: Vec<Vec<Digest>>,
}

impl MethodBlocks {
    /// The blocks of a method; `None` if it has no code or no flow, or is not understood.
    pub fn of(
        snapshot: &Snapshot,
        id: ClassId,
        class: &ClassFile<'_>,
        method: &Member<'_>,
    ) -> Option<MethodBlocks> {
        let code = code_of(class, method)?;
        let flow = ControlFlow::comparable(class, method)?;
        let bootstrap = class.attributes.find(&class.pool, AttributeKind::BootstrapMethods).ok()?;
        let bootstrap =
            bootstrap.map(|found| found.bootstrap_methods()).transpose().ok()?.unwrap_or_default();
        let writer = ContentWriter { snapshot, id, pool: &class.pool, bootstrap: &bootstrap };
        let mut contents = Vec::with_capacity(flow.blocks.len());
        let mut out = DigestEncoder::default();
        let mut instructions = code.instructions().peekable();
        for block in &flow.blocks {
            out.start(EncodingTag::Body);
            // Blocks that only jump were taken out of the flow.
            while instructions.next_if(|next| next.as_ref().is_ok_and(|next| next.pc < block.start)).is_some()
            {
            }
            while let Some(next) =
                instructions.next_if(|next| next.as_ref().map_or(true, |next| next.pc < block.end))
            {
                writer.instruction(&next.ok()?, &mut out)?;
            }
            contents.push(out.finish());
        }
        let mut caught = Vec::with_capacity(flow.blocks.len());
        for block in &flow.blocks {
            let mut types = Vec::with_capacity(block.chain.len());
            for row in &block.chain {
                out.start(EncodingTag::Handlers);
                match row.caught {
                    0 => out.tag(EncodingTag::Any),
                    class => writer.constant(class, opcode::CHECKCAST, DEEPEST, &mut out)?,
                }
                types.push(out.finish());
            }
            caught.push(types);
        }
        Some(MethodBlocks { flow, contents, caught })
    }

    /// The content of a block.
    pub fn content(&self, block: usize) -> Option<Digest> {
        self.contents.get(block).copied()
    }

    /// The types that the handlers of a block catch, in order.
    pub fn caught(&self, block: usize) -> &[Digest] {
        self.caught.get(block).map_or(&[], Vec::as_slice)
    }
}

fn code_of<'a>(class: &ClassFile<'a>, method: &Member<'a>) -> Option<Code<'a>> {
    let attribute = method.attributes.find(&class.pool, AttributeKind::Code).ok()??;
    Code::read(&attribute).ok()
}

struct ContentWriter<'w, 'a> {
    snapshot: &'w Snapshot,
    id: ClassId,
    pool: &'w ConstantPool<'a>,
    bootstrap: &'w [BootstrapMethod<'a>],
}

impl ContentWriter<'_, '_> {
    fn instruction(&self, next: &Instruction<'_>, out: &mut DigestEncoder) -> Option<()> {
        let op = match next.opcode {
            // Where they lead is in the edges.
            opcode::GOTO | opcode::GOTO_W => return Some(()),
            opcode::LDC_W => opcode::LDC,
            opcode::TABLESWITCH => opcode::LOOKUPSWITCH,
            op => op,
        };
        out.num(i64::from(op));
        match next.operand {
            Operand::None | Operand::Branch(_) | Operand::Switch(_) => {}
            Operand::Int(value) => out.num(i64::from(value)),
            Operand::Slot(slot) => out.num(i64::from(slot)),
            Operand::Increment(slot, by) => {
                out.num(i64::from(slot));
                out.num(i64::from(by));
            }
            Operand::Constant(index) => self.constant(index, op, DEEPEST, out)?,
            Operand::ArrayType(kind) => out.num(i64::from(kind)),
            Operand::Dimensions(index, dimensions) => {
                self.constant(index, op, DEEPEST, out)?;
                out.num(i64::from(dimensions));
            }
        }
        Some(())
    }

    /// A constant, and the outcome of the reference if it is one.
    fn constant(&self, index: u16, op: u8, depth: usize, out: &mut DigestEncoder) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let pool = self.pool;
        match pool.get(index).ok()? {
            Constant::Integer(value) => self.value(EncodingTag::Int, i64::from(value), out),
            Constant::Float(bits) => self.value(EncodingTag::Float, i64::from(bits), out),
            Constant::Long(value) => self.value(EncodingTag::Long, value, out),
            Constant::Double(bits) => self.value(EncodingTag::Double, bits as i64, out),
            Constant::String(text) => {
                out.tag(EncodingTag::String);
                out.bytes(pool.utf8(text).ok()?);
            }
            Constant::Class(name) => {
                let kind = if op == opcode::NEW { ReferenceKind::New } else { ReferenceKind::Class };
                out.tag(EncodingTag::Class);
                out.bytes(pool.utf8(name).ok()?);
                self.outcome(kind, pool.utf8(name).ok()?, b"", b"", out);
            }
            Constant::Member(..) => {
                let member = pool.member(index).ok()?;
                let kind = match op {
                    opcode::GETSTATIC | opcode::GETFIELD => ReferenceKind::Field,
                    opcode::PUTSTATIC | opcode::PUTFIELD => ReferenceKind::Written,
                    opcode::INVOKESTATIC => ReferenceKind::Static,
                    opcode::INVOKESPECIAL => ReferenceKind::Special,
                    _ => ReferenceKind::Virtual,
                };
                out.tag(EncodingTag::Method);
                out.num(member.kind as i64);
                [member.owner, member.name, member.descriptor].into_iter().for_each(|text| out.bytes(text));
                self.outcome(kind, member.owner, member.name, member.descriptor, out);
            }
            Constant::MethodHandle(kind, member) => {
                self.value(EncodingTag::Handle, i64::from(kind), out);
                let op = match kind {
                    1 | 2 => opcode::GETFIELD,
                    3 | 4 => opcode::PUTFIELD,
                    6 => opcode::INVOKESTATIC,
                    7 | 8 => opcode::INVOKESPECIAL,
                    _ => opcode::INVOKEVIRTUAL,
                };
                self.constant(member, op, depth, out)?;
            }
            Constant::MethodType(descriptor) => {
                out.tag(EncodingTag::MethodType);
                out.bytes(pool.utf8(descriptor).ok()?);
            }
            Constant::Dynamic(bootstrap, kind) | Constant::InvokeDynamic(bootstrap, kind) => {
                out.tag(EncodingTag::CallSite);
                let (name, descriptor) = pool.name_and_type(kind).ok()?;
                out.bytes(name);
                out.bytes(descriptor);
                let method = self.bootstrap.get(usize::from(bootstrap))?;
                self.constant(method.method, op, depth, out)?;
                for argument in method.arguments.values() {
                    self.constant(argument, opcode::LDC, depth, out)?;
                }
                out.tag(EncodingTag::Absent);
            }
            Constant::Utf8(_) | Constant::NameAndType(..) | Constant::Module(_) | Constant::Package(_) => {
                return None;
            }
        }
        Some(())
    }

    fn value(&self, tag: EncodingTag, value: i64, out: &mut DigestEncoder) {
        out.tag(tag);
        out.num(value);
    }

    /// How the target deviates from the named one, in the words of linked bodies.
    fn outcome(
        &self,
        kind: ReferenceKind,
        owner: &[u8],
        name: &[u8],
        descriptor: &[u8],
        out: &mut DigestEncoder,
    ) {
        let owner = mutf8::decode(owner);
        // The element class of an array counts.
        let element = match owner.trim_start_matches('[') {
            element if element.len() == owner.len() => element,
            element => element.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or_default(),
        };
        let is_array = element.len() < owner.len();
        let kind = if is_array { ReferenceKind::Class } else { kind };
        if !element.is_empty() && !element.starts_with("java/") {
            let (name, descriptor) = (mutf8::decode(name), mutf8::decode(descriptor));
            let names = if is_array { [element, "", ""] } else { [element, &*name, &*descriptor] };
            self.snapshot.outcome(self.id, kind, names, out);
        }
    }
}
