//! Probes into classes, calls into test frameworks and static initialisers.
//!
//! A probe is `if (!hits[i]) hits[i] = true`: unconditional stores would make two threads fight for a cache line
//! (fib ran 3 times slower), a conditional one is hoisted out of hot loops. It is 20 bytes long, so switches keep their
//! padding, and needs one more frame.

use crate::calls::Calls;
use crate::frameworks::{Hook, Place};
use crate::holder::{self, BRIDGE, HITS, PAGE};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{Insertion, JumpsLand};
use tamis_classfile::{ClassFile, Member, WriteError, opcode};

/// How a class is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// One probe a method, and its static initialiser bracketed.
    Methods {
        /// The probe of the first method; the others follow in the order of the class file.
        first: u32,
        /// What `init` is called with.
        class: u32,
    },
    /// One probe for all methods.
    Class {
        /// The probe.
        probe: u32,
    },
}

/// A rewritten class.
#[derive(Debug)]
pub struct Rewritten {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Methods that were left alone, by name: too long, or with jumps that cannot reach.
    pub left: Vec<String>,
    /// Methods that were expected to tell where tests begin and end, and do not.
    pub unhooked: Vec<&'static str>,
}

/// Puts probes into a class. `None` if it has no code.
pub fn probes(class: &ClassFile<'_>, watch: Watch) -> Result<Option<Rewritten>, WriteError> {
    rewrite(class, watch, &[])
}

/// Puts probes and a framework's calls into a class. `None` if it has no code.
pub(crate) fn rewrite(
    class: &ClassFile<'_>,
    watch: Watch,
    hooks: &[&'static Hook],
) -> Result<Option<Rewritten>, WriteError> {
    let mut unhooked: Vec<&Hook> = hooks.iter().filter(|hook| hook.needed).copied().collect();
    let mut writer = ClassWriter::new(class);
    let calls = Calls::of(class)?;
    let mut left = Vec::new();
    let mut any = false;
    for (index, method) in class.methods.iter().enumerate() {
        let Some(code) = code_of(class, &method)? else { continue };
        let name = class.pool.utf8(method.name)?;
        if name == b"finalize" && code.instructions().count() == 1 {
            // HotSpot knows an empty finalizer by its length; with anything in it every object would be finalized.
            continue;
        }
        let mut insertions = calls.insertions(&mut writer, &code)?;
        let probe = match watch {
            Watch::Methods { first, class: number } => {
                if name == b"<clinit>" {
                    insertions.extend(initializer_exits(&mut writer, &code, number)?);
                }
                first + index as u32
            }
            Watch::Class { probe } => probe,
        };
        let descriptor = class.pool.utf8(method.descriptor)?;
        let here: Vec<&Hook> = hooks.iter().filter(|hook| hook.is_at(name, descriptor)).copied().collect();
        let mut entry = probe_code(&mut writer, probe)?;
        if let Watch::Methods { class: number, .. } = watch
            && name == b"<clinit>"
        {
            let mut begin = init_call(&mut writer, number, true)?;
            let shift = begin.code.len() as u16;
            begin.code.append(&mut entry.code);
            begin.frames = entry.frames.iter().map(|frame| frame + shift).collect();
            begin.stack = begin.stack.max(entry.stack);
            entry = begin;
        }
        for hook in &here {
            match hook.place {
                Place::Entry(_) | Place::Gate(_) => {
                    entry = one_after_the_other(entry, hook_code(&mut writer, hook)?)
                }
                Place::Exits(_) | Place::Results(_) => {
                    insertions.extend(at_returns(&code, &hook_code(&mut writer, hook)?));
                }
            }
        }
        insertions.push(entry);
        match writer.insert(&method, &insertions) {
            Ok(()) => {
                any = true;
                unhooked.retain(|hook| !here.iter().any(|found| std::ptr::eq(*found, *hook)));
            }
            // A method near the limit is left as it is: its class is then watched less closely, not wrongly.
            Err(WriteError::CodeTooLarge | WriteError::BranchTooFar { .. }) => {
                left.push(String::from_utf8_lossy(name).into_owned());
            }
            Err(error) => return Err(error),
        }
    }
    if !any {
        return Ok(None);
    }
    let unhooked = unhooked.iter().map(|hook| hook.method).collect();
    Ok(Some(Rewritten { bytes: writer.finish()?, left, unhooked }))
}

/// Both at one place.
fn one_after_the_other(mut first: Insertion, second: Insertion) -> Insertion {
    // Less than 100 bytes.
    let shift = first.code.len() as u16;
    first.code.extend(second.code);
    first.frames.extend(second.frames.iter().map(|frame| frame + shift));
    first.stack = first.stack.max(second.stack);
    first
}

fn code_of<'a>(class: &ClassFile<'a>, method: &Member<'a>) -> Result<Option<Code<'a>>, WriteError> {
    let attribute = method.attributes.find(&class.pool, AttributeKind::Code)?;
    Ok(attribute.as_ref().map(Code::read).transpose()?)
}

fn probe_code(writer: &mut ClassWriter<'_, '_>, probe: u32) -> Result<Insertion, WriteError> {
    let page = holder::page_name(probe / PAGE);
    let field =
        writer.pool.member(MemberKind::Field, page.as_bytes(), HITS.0.as_bytes(), HITS.1.as_bytes())?;
    let [high, low] = field.to_be_bytes();
    let [index_high, index_low] = ((probe % PAGE) as u16).to_be_bytes();
    #[rustfmt::skip]
    let code = vec![
        opcode::GETSTATIC, high, low,              //  0  hits
        opcode::SIPUSH, index_high, index_low,     //  3  hits i
        opcode::BALOAD,                            //  6  hit?
        opcode::IFNE, 0, 13,                       //  7  -           to 20
        opcode::GETSTATIC, high, low,              // 10  hits
        opcode::SIPUSH, index_high, index_low,     // 13  hits i
        opcode::ICONST_1,                          // 16  hits i 1
        opcode::BASTORE,                           // 17  -
        opcode::NOP, opcode::NOP,                  // 18  so that 20 is a multiple of 4
    ];
    Ok(Insertion { at: 0, code, jumps: JumpsLand::After, frames: vec![20], stack: 3 })
}

fn init_call(writer: &mut ClassWriter<'_, '_>, class: u32, begin: bool) -> Result<Insertion, WriteError> {
    let number = writer.pool.constant(tamis_classfile::Constant::Integer(class as i32))?.to_be_bytes();
    let method = writer.pool.member(MemberKind::Method, BRIDGE.as_bytes(), b"init", b"(IZ)V")?.to_be_bytes();
    #[rustfmt::skip]
    let code = vec![
        opcode::LDC_W, number[0], number[1],                              //  class
        if begin { opcode::ICONST_1 } else { opcode::ICONST_0 },          //  class begin?
        opcode::INVOKESTATIC, method[0], method[1],                       //  -
        opcode::NOP,                                                      //  so that the length is a multiple of 4
    ];
    Ok(Insertion { at: 0, code, jumps: JumpsLand::After, frames: Vec::new(), stack: 2 })
}

fn initializer_exits(
    writer: &mut ClassWriter<'_, '_>,
    code: &Code<'_>,
    class: u32,
) -> Result<Vec<Insertion>, WriteError> {
    let call = init_call(writer, class, false)?;
    Ok(at_returns(code, &call))
}

fn at_returns(code: &Code<'_>, call: &Insertion) -> Vec<Insertion> {
    let returns = code
        .instructions()
        .map_while(Result::ok)
        .filter(|instruction| (opcode::IRETURN..=opcode::RETURN).contains(&instruction.opcode));
    returns.map(|at| Insertion { at: at.pc, jumps: JumpsLand::Before, ..call.clone() }).collect()
}

fn hook_code(writer: &mut ClassWriter<'_, '_>, hook: &Hook) -> Result<Insertion, WriteError> {
    let (name, result): (&[u8], &str) = match hook.place {
        Place::Gate(_) => (b"skip", "Z"),
        Place::Entry(_) | Place::Exits(_) | Place::Results(_) => (b"event", "V"),
    };
    let descriptor = format!("(ILjava/lang/Object;Ljava/lang/Object;){result}");
    let method =
        writer.pool.member(MemberKind::Method, BRIDGE.as_bytes(), name, descriptor.as_bytes())?.to_be_bytes();
    let mut code = Vec::new();
    match hook.place {
        Place::Entry(arguments) | Place::Gate(arguments) | Place::Exits(arguments) => {
            code.extend([opcode::BIPUSH, hook.signal as u8]); //                    signal
            for argument in arguments {
                match argument {
                    Some(slot) => code.extend([opcode::ALOAD, slot]), //            signal first second
                    None => code.push(opcode::ACONST_NULL),
                }
            }
        }
        Place::Results(slot) => {
            code.push(opcode::DUP); //                                              result result
            code.extend([opcode::BIPUSH, hook.signal as u8]); //                    result result signal
            code.push(opcode::SWAP); //                                             result signal result
            code.extend([opcode::ALOAD, slot]); //                                  result signal result second
        }
    }
    code.extend([opcode::INVOKESTATIC, method[0], method[1]]);
    let mut frames = Vec::new();
    if matches!(hook.place, Place::Gate(_)) {
        code.extend([opcode::IFEQ, 0, 4, opcode::RETURN]); //                       -           to the end
    }
    // In front: what follows a return would need a frame of its own.
    let padding = code.len().next_multiple_of(4) - code.len();
    code.splice(0..0, std::iter::repeat_n(opcode::NOP, padding));
    if matches!(hook.place, Place::Gate(_)) {
        frames.push(code.len() as u16);
    }
    Ok(Insertion { at: 0, code, jumps: JumpsLand::After, frames, stack: 3 })
}
