//! The static references of code. A linked body replaces each of them by its target.

use super::code_mentions::CONSTANT_DEPTH;
use super::constant::ConstantEncodings;
use super::mutator_names::changed;
use super::string_table::StringTable;
use crate::record::{ReferenceKind, StaticReference, TextSpan};
use rustc_hash::FxHashSet;
use tamis_catalog::jdk::is_java;
use tamis_classfile::{Constant, ParseError, opcode};

/// The references of one class, each stored once.
#[derive(Default)]
pub(crate) struct ClassReferences {
    references: Vec<StaticReference>,
    links: Vec<u32>,
    /// By constant and kind: the index of the reference. Class numbers keep rising, so nothing has to be
    /// cleared between classes.
    known: Vec<[KnownReference; KINDS]>,
    class: u32,
    /// Bootstrap constants already walked for the current body.
    walked: FxHashSet<u16>,
}

/// The number of reference kinds that code states directly. [`ReferenceKind::Made`] is derived.
const KINDS: usize = 9;

/// The index of [`ReferenceKind::New`] among them.
const NEW: usize = 1;

#[derive(Clone, Copy, Default)]
struct KnownReference {
    /// The last class for which this entry was set.
    class: u32,
    reference: Option<u32>,
}

impl ClassReferences {
    /// Begins a class with this many constants.
    pub(crate) fn start_class(&mut self, constants: u16) {
        self.references.clear();
        self.links.clear();
        self.class += 1;
        if self.known.len() < usize::from(constants) {
            self.known.resize(usize::from(constants), Default::default());
        }
    }

    /// Adds the constants that one body names; returns the range of its links.
    pub(crate) fn take(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
        named: &[(u8, u16)],
        texts: &mut StringTable<'_>,
    ) -> Result<(u32, u32), ParseError> {
        let start = self.links.len();
        self.walked.clear();
        for (op, index) in named {
            let kind = match *op {
                opcode::GETSTATIC | opcode::GETFIELD => ReferenceKind::Field,
                opcode::PUTSTATIC | opcode::PUTFIELD => ReferenceKind::Written,
                opcode::INVOKESTATIC => ReferenceKind::Static,
                opcode::INVOKESPECIAL => ReferenceKind::Special,
                opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE => ReferenceKind::Virtual,
                opcode::NEW => ReferenceKind::New,
                _ => {
                    self.loadable(constants, *index, CONSTANT_DEPTH, texts)?;
                    continue;
                }
            };
            self.refer(constants, kind, *index, texts)?;
        }
        for index in changed(&constants.class.file.pool, named) {
            self.refer(constants, ReferenceKind::Altered, index, texts)?;
        }
        Ok((start as u32, (self.links.len() - start) as u32))
    }

    /// The references and the links of the class.
    pub(crate) fn finish(&self) -> (Vec<StaticReference>, Vec<u32>) {
        (self.references.clone(), self.links.clone())
    }

    /// A constant that is loaded or passed to a bootstrap method.
    fn loadable(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
        index: u16,
        depth: usize,
        texts: &mut StringTable<'_>,
    ) -> Result<(), ParseError> {
        let pool = &constants.class.file.pool;
        match pool.get(index)? {
            Constant::Class(_) => self.refer(constants, ReferenceKind::Class, index, texts),
            Constant::MethodHandle(kind, member) => {
                let kind = match kind {
                    1 | 2 => ReferenceKind::Field,
                    3 | 4 => ReferenceKind::Written,
                    6 => ReferenceKind::Static,
                    7 | 8 => ReferenceKind::Special,
                    _ => ReferenceKind::Virtual,
                };
                self.refer(constants, kind, member, texts)?;
                if kind.is_field() {
                    return Ok(());
                }
                self.refer(constants, ReferenceKind::Handed, member, texts)
            }
            Constant::Dynamic(bootstrap, kind) | Constant::InvokeDynamic(bootstrap, kind) => {
                self.made_by_call(constants, index, kind, texts)?;
                let Some(bootstrap) = constants.class.bootstrap.get(usize::from(bootstrap)) else {
                    return Ok(());
                };
                if depth > 0 && self.walked.insert(index) {
                    self.loadable(constants, bootstrap.method, depth - 1, texts)?;
                    for argument in bootstrap.arguments.values() {
                        self.loadable(constants, argument, depth - 1, texts)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The object that a call site creates: a lambda implements the interface that the site is declared to
    /// return.
    fn made_by_call(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
        index: u16,
        kind: u16,
        texts: &mut StringTable<'_>,
    ) -> Result<(), ParseError> {
        let class = self.class;
        let known = self.known.get_mut(usize::from(index)).and_then(|kinds| kinds.get_mut(NEW));
        let Some(known) = known else { return Ok(()) };
        if known.class != class {
            let (_, descriptor) = constants.class.file.pool.name_and_type(kind)?;
            let result = descriptor.rsplit(|byte| *byte == b')').next().unwrap_or_default();
            let name = result.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";"));
            // Sites that concatenate strings return one of the JDK's classes.
            let name = name.filter(|name| !is_java(name));
            let number = name.map(|_| self.references.len() as u32);
            self.references.extend(name.map(|name| StaticReference {
                kind: ReferenceKind::New,
                owner: texts.push(name),
                name: TextSpan::default(),
                descriptor: TextSpan::default(),
            }));
            *known = KnownReference { class, reference: number };
        }
        self.links.extend(known.reference);
        Ok(())
    }

    fn refer(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
        kind: ReferenceKind,
        index: u16,
        texts: &mut StringTable<'_>,
    ) -> Result<(), ParseError> {
        let slot = match kind {
            ReferenceKind::Class | ReferenceKind::Shown | ReferenceKind::Annotated => 0,
            ReferenceKind::New => NEW,
            ReferenceKind::Field => 2,
            ReferenceKind::Static => 3,
            ReferenceKind::Special => 4,
            ReferenceKind::Virtual | ReferenceKind::Made => 5,
            ReferenceKind::Written => 6,
            ReferenceKind::Altered => 7,
            ReferenceKind::Handed => 8,
        };
        let class = self.class;
        let Some(known) = self.known.get_mut(usize::from(index)).and_then(|kinds| kinds.get_mut(slot)) else {
            return Err(constants.class.file.pool.wrong(index, "constant pool index names no constant"));
        };
        if known.class != class {
            let reference = reference(constants, kind, index, texts)?;
            let number = reference.map(|_| self.references.len() as u32);
            self.references.extend(reference);
            *known = KnownReference { class, reference: number };
        }
        self.links.extend(known.reference);
        Ok(())
    }
}

/// `None` for classes that no class path can change: packages of the JDK, named from outside them, and arrays
/// of primitives.
fn reference(
    constants: &ConstantEncodings<'_, '_>,
    kind: ReferenceKind,
    index: u16,
    texts: &mut StringTable<'_>,
) -> Result<Option<StaticReference>, ParseError> {
    let pool = &constants.class.file.pool;
    let (class, name_and_type) = match pool.get(index)? {
        Constant::Member(_, class, name_and_type) => (class, Some(name_and_type)),
        _ => (index, None),
    };
    let Constant::Class(class) = pool.get(class)? else {
        return Err(pool.wrong(class, "constant is not a class"));
    };
    let raw = pool.utf8(class)?;
    let element = match raw.strip_prefix(b"[") {
        Some(array) => {
            let element = array
                .strip_prefix(b"L")
                .or(array.rsplit(|byte| *byte == b'[').next().and_then(|e| e.strip_prefix(b"L")));
            match element.and_then(|element| element.strip_suffix(b";")) {
                Some(element) => element,
                None => return Ok(None),
            }
        }
        None => raw,
    };
    // Only the JDK's own class loader may define a class in `java`.
    if is_java(element) && !is_java(constants.class.name) {
        return Ok(None);
    }
    let owner = if element.len() == raw.len() { texts.constant(class)? } else { texts.push(element) };
    let (kind, name, descriptor) = match name_and_type {
        Some(_) if raw.len() != element.len() => {
            (ReferenceKind::Class, TextSpan::default(), TextSpan::default())
        } // `x.clone()` of an array
        Some(name_and_type) => {
            let Constant::NameAndType(name, descriptor) = pool.get(name_and_type)? else {
                return Err(pool.wrong(name_and_type, "constant is not a name and type"));
            };
            let made = match constants.family.class(element) {
                Some((_, class)) => class.made_method(pool.utf8(name)?, pool.utf8(descriptor)?).is_some(),
                None => false,
            };
            let kind = if made && !kind.is_field() { ReferenceKind::Made } else { kind };
            (kind, texts.constant(name)?, texts.constant(descriptor)?)
        }
        None => (kind, TextSpan::default(), TextSpan::default()),
    };
    Ok(Some(StaticReference { kind, owner, name, descriptor }))
}
