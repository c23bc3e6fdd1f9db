//! Rewrites class files: probes, calls at the entry and exit of framework methods and static initialisers.
//!
//! Knows bytes only: no JVM, no lock. A probe is `if (!hits[i]) hits[i] = true`. With unconditional stores two threads contend for
//! a cache line (`fib` ran 3 times slower), and the compiler moves a conditional one out of hot loops. A probe is 20 bytes long,
//! so that switches keep their padding, and needs one more stack map frame.

pub mod block_probes;
pub(crate) mod class_calls;
pub(crate) mod frameworks;
pub mod helper_classes;
pub(crate) mod jdk_calls;

use block_probes::BlockProbes;
use class_calls::ClassCalls;
use frameworks::{FrameworkHook, HookPlace};
use helper_classes::{BRIDGE, HITS, PAGE};

use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{CodeInsertion, ExitHandler, JumpsLand};
use tamis_classfile::{ClassFile, Member, WriteError, opcode};

/// The granularity of a class's probes. Its static initialiser is bracketed in all modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchMode {
    /// One probe per method.
    Methods {
        /// The probe of the first method; the others follow in the order of the class file.
        first: u32,
        /// The number of the class, with which `init` is called.
        class: u32,
    },
    /// One probe for all methods.
    Class {
        /// The probe.
        probe: u32,
        /// The number of the class, with which `init` is called.
        class: u32,
    },
    /// A probe in the static initialiser only: every test uses the class anyway.
    Initialiser {
        /// The probe.
        probe: u32,
        /// The number of the class, with which `init` is called.
        class: u32,
    },
}

impl WatchMode {
    /// The probe of the method with this index in the class file.
    pub fn probe(self, index: usize) -> u32 {
        match self {
            WatchMode::Methods { first, .. } => first + index as u32,
            WatchMode::Class { probe, .. } | WatchMode::Initialiser { probe, .. } => probe,
        }
    }

    fn class(self) -> u32 {
        match self {
            WatchMode::Methods { class, .. }
            | WatchMode::Class { class, .. }
            | WatchMode::Initialiser { class, .. } => class,
        }
    }
}

/// A rewritten class.
#[derive(Debug, Default)]
pub struct RewrittenClass {
    /// The class file; `None` if nothing was inserted.
    pub bytes: Option<Vec<u8>>,
    /// The probes of methods that have code, but no room for a probe.
    pub left: Vec<u32>,
    /// Whether a static initialiser could not be bracketed.
    pub unbracketed: bool,
    /// The number of methods without room for all calls of `note`.
    pub unnoted: usize,
    /// Methods for which a hook is needed, and into which none was inserted.
    pub unhooked: Vec<&'static str>,
}

impl RewrittenClass {
    /// Whether anything could not be inserted.
    pub(crate) fn is_partial(&self) -> bool {
        self.unbracketed || self.unnoted > 0 || !self.left.is_empty() || !self.unhooked.is_empty()
    }
}

/// Inserts probes into a class.
pub fn probes(class: &ClassFile<'_>, watch: WatchMode) -> Result<RewrittenClass, WriteError> {
    rewrite(class, watch, &[], &BlockProbes::default())
}

/// Inserts probes into a class, also into the blocks of its methods.
pub fn block_probes(class: &ClassFile<'_>, watch: WatchMode) -> Result<RewrittenClass, WriteError> {
    rewrite(class, watch, &[], &BlockProbes::of(class).after(watch.probe(0)))
}

/// Inserts probes, framework hooks and calls of `note` into a class.
pub(crate) fn rewrite(
    class: &ClassFile<'_>,
    watch: WatchMode,
    hooks: &[&'static FrameworkHook],
    blocks: &BlockProbes,
) -> Result<RewrittenClass, WriteError> {
    let mut unhooked: Vec<&FrameworkHook> = hooks.iter().filter(|hook| hook.needed).copied().collect();
    let mut writer = ClassWriter::new(class);
    let mut rewritten = RewrittenClass::default();
    let mut pages = PageFields::default();
    let calls = ClassCalls::of(class, matches!(watch, WatchMode::Methods { .. }))?;
    let has_probes = !matches!(watch, WatchMode::Initialiser { .. });
    let mut any = false;
    for (index, method) in class.methods.iter().enumerate() {
        let Some(code) = code_of(class, &method)? else { continue };
        let name = class.pool.utf8(method.name)?;
        let probe = watch.probe(index);
        let descriptor = class.pool.utf8(method.descriptor)?;
        let here: Vec<&FrameworkHook> =
            hooks.iter().filter(|hook| hook.is_at(name, descriptor)).copied().collect();
        if name == b"finalize" && code.instructions().count() == 1 {
            // HotSpot recognises an empty finalizer by its length. With a probe in it, every object would be finalized.
            rewritten.left.push(probe);
            rewritten.left.extend(blocks.of_method(index).map(|(_, probe)| probe));
            continue;
        }
        let notes = calls.insertions(&mut writer, &code)?;
        if !has_probes && name != b"<clinit>" && notes.is_empty() && here.is_empty() {
            continue;
        }
        let conditional = probe_code(&mut writer, &mut pages, probe)?;
        if name == b"<clinit>" {
            if fits(bracketed(&mut writer, &method, &code, &notes, &conditional, watch.class()))? {
                any = true;
                continue;
            }
            rewritten.unbracketed = true;
        }
        let (front, exits) = hooks_code(&mut writer, &code, &here)?;
        let in_blocks = blocks.of_method(index).map(|(at, probe)| {
            let probe = unconditional(&probe_code(&mut writer, &mut pages, probe)?);
            Ok(CodeInsertion { at, jumps: JumpsLand::Before, ..probe })
        });
        let in_blocks: Vec<CodeInsertion> = in_blocks.collect::<Result<_, WriteError>>()?;
        // From the longest form to the shortest, until one fits. Two threads that hit the short probe contend for a cache line.
        let forms = [
            (&notes[..], true, &in_blocks[..]),
            (&notes[..], true, &[]),
            (&notes[..], false, &[]),
            (&[], true, &[]),
            (&[], false, &[]),
        ];
        let mut inserted = None;
        let mut has_blocks = in_blocks.is_empty();
        for (notes, is_conditional, in_blocks) in forms {
            let probe = || if is_conditional { conditional.clone() } else { unconditional(&conditional) };
            let entry = has_probes.then(probe).into_iter().chain(front.iter().cloned());
            let mut insertions: Vec<CodeInsertion> = entry.reduce(one_after_the_other).into_iter().collect();
            insertions.extend(notes.iter().chain(&exits).chain(in_blocks).cloned());
            if fits(writer.insert(&method, &insertions))? {
                inserted = Some(notes.len());
                has_blocks |= !in_blocks.is_empty();
                break;
            }
        }
        if inserted.is_some() {
            any = true;
            unhooked.retain(|hook| !here.iter().any(|found| std::ptr::eq(*found, *hook)));
        } else if has_probes {
            rewritten.left.push(probe);
        }
        if !has_blocks {
            // All blocks are assumed to run: the body of the method counts.
            rewritten.left.extend(blocks.of_method(index).map(|(_, probe)| probe));
        }
        if inserted.unwrap_or(0) < notes.len() {
            rewritten.unnoted += 1;
        }
    }
    if any {
        rewritten.bytes = Some(writer.finish()?);
    }
    rewritten.unhooked = unhooked.iter().map(|hook| hook.method).collect();
    Ok(rewritten)
}

/// The probe without its condition.
fn unconditional(conditional: &CodeInsertion) -> CodeInsertion {
    // getstatic hits; sipush i; iconst_1; bastore                              stack: 3
    let code = conditional.code.get(10..18).unwrap_or_default().to_vec();
    CodeInsertion { code, frames: Vec::new(), ..conditional.clone() }
}

/// Whether an insertion fits: a method near the limit of 64 KiB may have no room for it.
fn fits(inserted: Result<(), WriteError>) -> Result<bool, WriteError> {
    match inserted {
        Ok(()) => Ok(true),
        Err(WriteError::CodeTooLarge | WriteError::BranchTooFar { .. } | WriteError::StackTooDeep) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Inserts calls of `init` where a static initialiser begins and ends, also by an exception.
fn bracketed<'a>(
    writer: &mut ClassWriter<'_, 'a>,
    method: &Member<'a>,
    code: &Code<'a>,
    notes: &[CodeInsertion],
    probe: &CodeInsertion,
    class: u32,
) -> Result<(), WriteError> {
    let call = init_call(writer, class, false)?;
    let mut insertions = at_returns(code, &call);
    insertions.push(one_after_the_other(init_call(writer, class, true)?, probe.clone()));
    insertions.extend_from_slice(notes);
    let mut code = call.code;
    code.push(opcode::ATHROW);
    writer.insert_with_rescue(method, &insertions, Some(&ExitHandler { code, stack: call.stack }))
}

/// The hooks of a method: calls at its entry, one after the other, and calls at its returns.
fn hooks_code(
    writer: &mut ClassWriter<'_, '_>,
    code: &Code<'_>,
    hooks: &[&FrameworkHook],
) -> Result<(Vec<CodeInsertion>, Vec<CodeInsertion>), WriteError> {
    let (mut front, mut exits) = (Vec::new(), Vec::new());
    for hook in hooks {
        let call = hook_code(writer, hook)?;
        match hook.place {
            HookPlace::Entry(_) | HookPlace::Gate(_) => front.push(call),
            HookPlace::Exits(_) | HookPlace::Results(_) => exits.extend(at_returns(code, &call)),
        }
    }
    Ok((front, exits))
}

/// Joins two insertions at the same position.
fn one_after_the_other(mut first: CodeInsertion, second: CodeInsertion) -> CodeInsertion {
    // Fewer than 100 bytes.
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

/// The constant pool's fields that hold probes, by page. Finding one in the pool takes long in a class with many methods.
#[derive(Default)]
struct PageFields(Vec<(u32, u16)>);

impl PageFields {
    fn field(&mut self, writer: &mut ClassWriter<'_, '_>, page: u32) -> Result<u16, WriteError> {
        if let Some((_, field)) = self.0.iter().find(|(known, _)| *known == page) {
            return Ok(*field);
        }
        let owner = helper_classes::page_name(page);
        let (name, descriptor) = (HITS.0.as_bytes(), HITS.1.as_bytes());
        let field = writer.pool.member(MemberKind::Field, owner.as_bytes(), name, descriptor)?;
        self.0.push((page, field));
        Ok(field)
    }
}

fn probe_code(
    writer: &mut ClassWriter<'_, '_>,
    pages: &mut PageFields,
    probe: u32,
) -> Result<CodeInsertion, WriteError> {
    let field = pages.field(writer, probe / PAGE)?;
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
        opcode::NOP, opcode::NOP,                  // 18  20 is a multiple of 4
    ];
    Ok(CodeInsertion { at: 0, code, jumps: JumpsLand::After, frames: vec![20], stack: 3 })
}

fn init_call(writer: &mut ClassWriter<'_, '_>, class: u32, begin: bool) -> Result<CodeInsertion, WriteError> {
    let number = writer.pool.constant(tamis_classfile::Constant::Integer(class as i32))?.to_be_bytes();
    let method = writer.pool.member(MemberKind::Method, BRIDGE.as_bytes(), b"init", b"(IZ)V")?.to_be_bytes();
    #[rustfmt::skip]
    let code = vec![
        opcode::LDC_W, number[0], number[1],                              //  class
        if begin { opcode::ICONST_1 } else { opcode::ICONST_0 },          //  class begin?
        opcode::INVOKESTATIC, method[0], method[1],                       //  -
        opcode::NOP,                                                      //  8 is a multiple of 4
    ];
    Ok(CodeInsertion { at: 0, code, jumps: JumpsLand::After, frames: Vec::new(), stack: 2 })
}

fn at_returns(code: &Code<'_>, call: &CodeInsertion) -> Vec<CodeInsertion> {
    let returns = code
        .instructions()
        .map_while(Result::ok)
        .filter(|instruction| (opcode::IRETURN..=opcode::RETURN).contains(&instruction.opcode));
    returns.map(|at| CodeInsertion { at: at.pc, jumps: JumpsLand::Before, ..call.clone() }).collect()
}

fn hook_code(writer: &mut ClassWriter<'_, '_>, hook: &FrameworkHook) -> Result<CodeInsertion, WriteError> {
    let (name, result): (&[u8], &str) = match hook.place {
        HookPlace::Gate(_) => (b"skip", "Z"),
        HookPlace::Entry(_) | HookPlace::Exits(_) | HookPlace::Results(_) => (b"event", "V"),
    };
    let descriptor = format!("(ILjava/lang/Object;Ljava/lang/Object;){result}");
    let method =
        writer.pool.member(MemberKind::Method, BRIDGE.as_bytes(), name, descriptor.as_bytes())?.to_be_bytes();
    let mut code = Vec::new();
    match hook.place {
        HookPlace::Entry(arguments) | HookPlace::Gate(arguments) | HookPlace::Exits(arguments) => {
            code.extend([opcode::BIPUSH, hook.signal as u8]); //                    signal
            for argument in arguments {
                match argument {
                    Some(slot) => code.extend([opcode::ALOAD, slot]), //            signal first second
                    None => code.push(opcode::ACONST_NULL),
                }
            }
        }
        HookPlace::Results(slot) => {
            code.push(opcode::DUP); //                                              result result
            code.extend([opcode::BIPUSH, hook.signal as u8]); //                    result result signal
            code.push(opcode::SWAP); //                                             result signal result
            code.extend([opcode::ALOAD, slot]); //                                  result signal result second
        }
    }
    code.extend([opcode::INVOKESTATIC, method[0], method[1]]);
    let mut frames = Vec::new();
    if matches!(hook.place, HookPlace::Gate(_)) {
        code.extend([opcode::IFEQ, 0, 4, opcode::RETURN]); //                       -           to the end
    }
    // Padding goes in front: code after a return would need a stack map frame.
    let padding = code.len().next_multiple_of(4) - code.len();
    code.splice(0..0, std::iter::repeat_n(opcode::NOP, padding));
    if matches!(hook.place, HookPlace::Gate(_)) {
        frames.push(code.len() as u16);
    }
    Ok(CodeInsertion { at: 0, code, jumps: JumpsLand::After, frames, stack: 3 })
}
