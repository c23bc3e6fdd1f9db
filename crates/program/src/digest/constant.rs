//! Constants in canonical form: by content, never by index.

use super::code_mentions::CONSTANT_DEPTH;
use super::compiler::{self, ASSERTIONS_DISABLED, CAPTURED, MadeClass, SwitchMap};
use super::family::{Family, ParsedClass};
use super::lambda_places::LambdaPlace;
use super::value::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use tamis_classfile::read::attribute::Attribute;
use tamis_classfile::read::pool::{MemberKind, MemberRef};
use tamis_classfile::{Constant, ParseError, access};

/// The digests of compiler-made methods, by class and method; filled callees first.
#[derive(Default)]
pub(crate) struct CompilerMethods {
    made: RefCell<FxHashMap<(usize, usize), CompilerMethod>>,
}

/// One compiler-made method: its digest, and the constants it names.
pub(crate) struct CompilerMethod {
    pub(crate) digest: Digest,
    pub(crate) named: Vec<(u8, u16)>,
}

impl CompilerMethods {
    pub(crate) fn insert(&self, method: (usize, usize), content: CompilerMethod) {
        self.made.borrow_mut().insert(method, content);
    }

    pub(crate) fn digest(&self, method: (usize, usize)) -> Option<Digest> {
        self.made.borrow().get(&method).map(|content| content.digest)
    }

    pub(crate) fn take(&self, method: (usize, usize)) -> Option<CompilerMethod> {
        let mut made = self.made.borrow_mut();
        let content = made.get_mut(&method)?;
        Some(CompilerMethod { digest: content.digest, named: std::mem::take(&mut content.named) })
    }
}

/// The constants of one class, each encoded once.
pub(crate) struct ConstantEncodings<'c, 'a> {
    pub(crate) family: &'c Family<'a>,
    pub(crate) class: &'c ParsedClass<'a>,
    contents: &'c CompilerMethods,
    /// Whether lambda bodies are written by place, where they have one.
    by_place: bool,
    encoded: EncodedConstants,
    /// The cost that may still be spent, in visits and pieces of text. Bootstrap arguments that share
    /// arguments would otherwise cost exponential time and memory.
    budget: Cell<u32>,
}

const BUDGET: u32 = 2_000_000;

/// The constants encoded so far.
#[derive(Default)]
pub(crate) struct EncodedConstants {
    /// By constant: its range in `bytes`. The end is 0 for a constant not encoded yet.
    spans: Vec<(u32, u32)>,
    bytes: DigestEncoder,
}

impl<'c, 'a> ConstantEncodings<'c, 'a> {
    /// No constant is encoded yet. `used` lends the buffers of a finished class.
    pub(crate) fn new(
        family: &'c Family<'a>,
        class: &'c ParsedClass<'a>,
        contents: &'c CompilerMethods,
        used: Option<EncodedConstants>,
    ) -> Self {
        let mut encoded = used.unwrap_or_default();
        encoded.bytes.clear();
        encoded.spans.clear();
        encoded.spans.resize(usize::from(class.file.pool.count()), (0, 0));
        ConstantEncodings { family, class, contents, by_place: false, encoded, budget: Cell::new(BUDGET) }
    }

    /// The same, with lambda bodies by place.
    pub(crate) fn by_place(
        family: &'c Family<'a>,
        class: &'c ParsedClass<'a>,
        contents: &'c CompilerMethods,
    ) -> Self {
        ConstantEncodings { by_place: true, ..ConstantEncodings::new(family, class, contents, None) }
    }

    /// Returns the buffers for reuse.
    pub(crate) fn done(self) -> EncodedConstants {
        self.encoded
    }

    /// The canonical bytes of a constant.
    pub(crate) fn bytes(&mut self, index: u16) -> Result<&[u8], ParseError> {
        let known = self.encoded.spans.get(usize::from(index)).copied().unwrap_or_default();
        let (start, end) = if known.1 != 0 { known } else { self.add(index)? };
        Ok(self.encoded.bytes.as_slice().get(start as usize..end as usize).unwrap_or_default())
    }

    fn add(&mut self, index: u16) -> Result<(u32, u32), ParseError> {
        let mut bytes = std::mem::take(&mut self.encoded.bytes);
        let start = bytes.as_slice().len();
        let written = self.encode(index, CONSTANT_DEPTH, &mut bytes);
        bytes.shorten(start);
        let span = (start as u32, bytes.as_slice().len() as u32);
        self.encoded.bytes = bytes;
        written?;
        if let Some(place) = self.encoded.spans.get_mut(usize::from(index)) {
            *place = span;
        }
        Ok(span)
    }

    /// Writes a constant's canonical form.
    pub(crate) fn encode(
        &self,
        index: u16,
        depth: usize,
        out: &mut impl CanonicalOutput,
    ) -> Result<(), ParseError> {
        let pool = &self.class.file.pool;
        self.spend(index, 0)?;
        let deeper = || depth.checked_sub(1).ok_or(pool.wrong(index, "constants are nested too deeply"));
        match pool.get(index)? {
            Constant::Utf8(text) => {
                self.spend(index, text.len())?;
                out.tag(EncodingTag::Text);
                out.bytes(text);
            }
            Constant::Integer(value) => {
                out.tag(EncodingTag::Int);
                out.num(i64::from(value));
            }
            Constant::Float(bits) => {
                out.tag(EncodingTag::Float);
                out.num(i64::from(bits));
            }
            Constant::Long(value) => {
                out.tag(EncodingTag::Long);
                out.num(value);
            }
            Constant::Double(bits) => {
                out.tag(EncodingTag::Double);
                out.num(bits as i64);
            }
            Constant::String(text) => {
                let text = pool.utf8(text)?;
                self.spend(index, text.len())?;
                out.tag(EncodingTag::String);
                out.bytes(text);
            }
            Constant::Class(name) => self.class_name(pool.utf8(name)?, out),
            Constant::Member(kind, owner, name_and_type) => {
                let (name, descriptor) = pool.name_and_type(name_and_type)?;
                let member = MemberRef { kind, owner: pool.class(owner)?, name, descriptor };
                self.spend(index, member.owner.len() + member.name.len() + member.descriptor.len())?;
                self.member(member, out);
            }
            Constant::MethodHandle(kind, member) => {
                out.tag(EncodingTag::Handle);
                out.num(i64::from(kind));
                let member = pool.member(member)?;
                match self.place(&member) {
                    Some(place) => {
                        out.tag(EncodingTag::Lambda);
                        out.num(place.position as i64);
                        out.bytes(&self.rewrite(member.descriptor));
                    }
                    None => self.member(member, out),
                }
            }
            Constant::MethodType(descriptor) => {
                out.tag(EncodingTag::MethodType);
                out.bytes(&self.rewrite(pool.utf8(descriptor)?));
            }
            Constant::Dynamic(bootstrap, name_and_type) => {
                out.tag(EncodingTag::Dynamic);
                self.dynamic(index, bootstrap, name_and_type, deeper()?, out)?;
            }
            Constant::InvokeDynamic(bootstrap, name_and_type) => {
                out.tag(EncodingTag::CallSite);
                self.dynamic(index, bootstrap, name_and_type, deeper()?, out)?;
            }
            Constant::NameAndType(name, descriptor) => {
                out.tag(EncodingTag::Key);
                out.bytes(pool.utf8(name)?);
                out.bytes(&self.rewrite(pool.utf8(descriptor)?));
            }
            Constant::Module(name) => {
                out.tag(EncodingTag::Module);
                out.bytes(pool.utf8(name)?);
            }
            Constant::Package(name) => {
                out.tag(EncodingTag::Package);
                out.bytes(pool.utf8(name)?);
            }
        }
        Ok(())
    }

    fn spend(&self, index: u16, bytes: usize) -> Result<(), ParseError> {
        let cost = 1 + (bytes / 64).min(16) as u32;
        let left = self.budget.get().checked_sub(cost);
        let pool = &self.class.file.pool;
        self.budget.set(left.ok_or(pool.wrong(index, "constants refer to too many others"))?);
        Ok(())
    }

    /// Writes an unknown attribute as raw bytes. They may contain constant indexes, so the whole pool is
    /// hashed with them.
    pub(crate) fn raw(
        &self,
        attribute: &Attribute<'_>,
        out: &mut impl CanonicalOutput,
    ) -> Result<(), ParseError> {
        let pool = &self.class.file.pool;
        out.tag(EncodingTag::Raw);
        out.bytes(pool.utf8(attribute.name)?);
        out.bytes(attribute.data);
        out.digest(&Digest::of(pool.raw()));
        Ok(())
    }

    /// Writes the name of a class.
    pub(crate) fn class_name(&self, name: &[u8], out: &mut impl CanonicalOutput) {
        if name == self.class.name {
            out.tag(EncodingTag::SelfClass);
        } else {
            out.tag(EncodingTag::Class);
            out.bytes(&self.rewrite(name));
        }
    }

    /// A descriptor, signature or class name without the compiler's numbers.
    pub(crate) fn rewrite<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        self.family.renames.rewrite(text, self.class.name)
    }

    /// The switch map in the field that a constant names, if it names one.
    pub(crate) fn switch_map(&self, index: u16) -> Option<&'c SwitchMap<'a>> {
        if !self.family.has_maps {
            return None;
        }
        let member = self.class.file.pool.member(index).ok()?;
        let (_, class) = self.family.class(member.owner)?;
        match &class.made {
            MadeClass::SwitchMaps(maps) => maps.iter().find(|map| map.field == member.name),
            MadeClass::No | MadeClass::Assertions | MadeClass::Empty => None,
        }
    }

    fn member(&self, member: MemberRef<'_>, out: &mut impl CanonicalOutput) {
        if let Some(class) = self.assertions(&member) {
            out.tag(EncodingTag::Assertions);
            return self.class_name(class, out);
        }
        if member.kind != MemberKind::Field
            && let Some(made) = self.family.made_method(member.owner, member.name, member.descriptor)
            && let Some(content) = self.contents.digest(made)
        {
            out.tag(EncodingTag::Made);
            out.tag(member_tag(member.kind));
            self.class_name(member.owner, out);
            out.digest(&content);
            return;
        }
        out.tag(member_tag(member.kind));
        self.class_name(member.owner, out);
        out.bytes(self.captured(&member).as_deref().unwrap_or(member.name));
        out.bytes(&self.rewrite(member.descriptor));
    }

    /// The place of the lambda body that a handle names, if it counts by that.
    fn place(&self, member: &MemberRef<'_>) -> Option<LambdaPlace> {
        if !self.by_place {
            return None;
        }
        let made = self.family.made_method(member.owner, member.name, member.descriptor)?;
        self.family.lambdas.of(made)
    }

    /// The canonical name of a field that holds a captured variable.
    fn captured(&self, member: &MemberRef<'_>) -> Option<Vec<u8>> {
        if member.kind != MemberKind::Field || !member.name.starts_with(CAPTURED) {
            return None;
        }
        self.family.class(member.owner).and_then(|(_, owner)| owner.captured(member.name))
    }

    /// The class whose assertion status this field holds, if it holds one.
    fn assertions(&self, member: &MemberRef<'_>) -> Option<&'a [u8]> {
        if member.kind != MemberKind::Field || member.name != ASSERTIONS_DISABLED {
            return None;
        }
        let (_, owner) = self.family.class(member.owner)?;
        owner.assertions
    }

    fn dynamic(
        &self,
        index: u16,
        bootstrap: u16,
        name_and_type: u16,
        depth: usize,
        out: &mut impl CanonicalOutput,
    ) -> Result<(), ParseError> {
        let pool = &self.class.file.pool;
        let (name, descriptor) = pool.name_and_type(name_and_type)?;
        out.bytes(name);
        out.bytes(&self.rewrite(descriptor));
        let method = self.class.bootstrap.get(usize::from(bootstrap));
        let method = method.ok_or(pool.wrong(index, "bootstrap method does not exist"))?;
        self.encode(method.method, depth, out)?;
        out.num(method.arguments.len() as i64);
        for argument in method.arguments.values() {
            self.encode(argument, depth, out)?;
        }
        Ok(())
    }
}

fn member_tag(kind: MemberKind) -> EncodingTag {
    match kind {
        MemberKind::Field => EncodingTag::Field,
        MemberKind::Method => EncodingTag::Method,
        MemberKind::InterfaceMethod => EncodingTag::InterfaceMethod,
    }
}

/// The descriptor of a compiler-made method, without the parameter that only marks an accessor constructor.
pub(crate) fn made_descriptor<'t>(
    constants: &ConstantEncodings<'_, '_>,
    name: &[u8],
    flags: u16,
    descriptor: &'t [u8],
) -> Cow<'t, [u8]> {
    let tag =
        compiler::tag_parameter(descriptor).filter(|_| name == b"<init>" && flags & access::SYNTHETIC != 0);
    match tag {
        Some(tag) => {
            let parameter = [b"L", tag, b";)"].concat();
            let at = descriptor.windows(parameter.len()).position(|window| window == parameter);
            let (before, after) = descriptor.split_at(at.unwrap_or(0));
            Cow::Owned(
                constants
                    .rewrite(&[before, after.get(parameter.len() - 1..).unwrap_or_default()].concat())
                    .into_owned(),
            )
        }
        None => constants.rewrite(descriptor),
    }
}
