//! A class file prepared for operators: names as text, and offsets of its parts.

use tamis_classfile::read::attribute::{Attribute, AttributeKind, Attributes};
use tamis_classfile::read::code::Code;
use tamis_classfile::read::instruction::Instruction;
use tamis_classfile::{ClassFile, Member, access, mutf8};

/// An editable class.
pub struct EditableClass<'a> {
    /// The file.
    pub(crate) file: ClassFile<'a>,
    /// Its name, `a/B`.
    pub name: String,
}

/// A field.
pub(crate) struct EditableField<'a> {
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) member: Member<'a>,
}

/// A method.
pub(crate) struct EditableMethod<'a> {
    /// Its index in the file.
    pub(crate) index: usize,
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) member: Member<'a>,
    pub(crate) code: Option<Code<'a>>,
}

impl<'a> EditableClass<'a> {
    /// Reads a class. `None` if it cannot be read, or if it describes a module or package.
    pub fn read(bytes: &'a [u8]) -> Option<EditableClass<'a>> {
        let file = ClassFile::parse(bytes).ok()?;
        let name = mutf8::decode(file.name().ok()?).into_owned();
        let is_class = file.access & access::MODULE == 0 && !name.ends_with("package-info");
        is_class.then_some(EditableClass { file, name })
    }

    /// Whether it is an interface or annotation type.
    pub(crate) fn is_interface(&self) -> bool {
        self.file.access & access::INTERFACE != 0
    }

    pub(crate) fn package(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(package, _)| package)
    }

    pub(crate) fn super_name(&self) -> Option<String> {
        self.file.super_name().ok().flatten().map(|name| mutf8::decode(name).into_owned())
    }

    pub(crate) fn interfaces(&self) -> Vec<String> {
        self.file.interface_names().flatten().map(|name| mutf8::decode(name).into_owned()).collect()
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = EditableField<'a>> {
        self.file.fields.iter().filter_map(|member| {
            Some(EditableField {
                access: member.access,
                name: self.file.pool.text(member.name).ok()?.into_owned(),
                descriptor: self.file.pool.text(member.descriptor).ok()?.into_owned(),
                member,
            })
        })
    }

    pub(crate) fn methods(&self) -> impl Iterator<Item = EditableMethod<'a>> {
        self.file.methods.iter().enumerate().filter_map(|(index, member)| {
            Some(EditableMethod {
                index,
                access: member.access,
                name: self.file.pool.text(member.name).ok()?.into_owned(),
                descriptor: self.file.pool.text(member.descriptor).ok()?.into_owned(),
                code: self
                    .attribute(member.attributes, AttributeKind::Code)
                    .and_then(|a| Code::read(&a).ok()),
                member,
            })
        })
    }

    /// Whether it declares this method.
    pub(crate) fn declares(&self, name: &str, descriptor: &str) -> bool {
        self.methods().any(|method| method.name == name && method.descriptor == descriptor)
    }

    pub(crate) fn attribute(&self, of: Attributes<'a>, kind: AttributeKind) -> Option<Attribute<'a>> {
        of.find(&self.file.pool, kind).ok().flatten()
    }

    /// The offset of the number of superinterfaces.
    pub(crate) fn interface_count(&self) -> usize {
        10 + self.file.pool.raw().len() + 6
    }

    /// The offset of the number of fields.
    pub(crate) fn field_count(&self) -> usize {
        self.interface_count() + 2 + 2 * self.file.interfaces.len()
    }

    /// The offset of the number of methods.
    pub(crate) fn method_count(&self) -> usize {
        self.file.fields.iter().last().map_or(self.field_count() + 2, |last| end(&last))
    }

    /// The offset of the number of the class's own attributes.
    pub(crate) fn attribute_count(&self) -> usize {
        self.file.methods.iter().last().map_or(self.method_count() + 2, |last| end(&last))
    }
}

/// The offset of a member's end.
pub(crate) fn end(member: &Member<'_>) -> usize {
    let last = member.attributes.iter().last();
    last.map_or(member.offset + 8, |last| last.offset + last.data.len())
}

impl<'a> EditableMethod<'a> {
    /// `a/B.m(I)V`
    pub(crate) fn entity(&self, class: &EditableClass<'_>) -> String {
        format!("{}.{}{}", class.name, self.name, self.descriptor)
    }

    /// Whether the compiler made it from a lambda expression.
    pub(crate) fn is_lambda(&self) -> bool {
        self.access & access::SYNTHETIC != 0 && self.name.starts_with("lambda$")
    }

    /// Whether its code is from the source.
    pub(crate) fn is_written(&self) -> bool {
        self.access & (access::SYNTHETIC | access::BRIDGE) == 0 || self.is_lambda()
    }

    /// Its instructions with their offsets in the class file; empty if any instruction cannot be read.
    pub(crate) fn instructions(&self) -> Vec<(usize, Instruction<'a>)> {
        let Some(code) = &self.code else { return Vec::new() };
        let all: Result<Vec<_>, _> = code.instructions().collect();
        let all = all.unwrap_or_default();
        all.into_iter().map(|instruction| (code.offset + instruction.pc as usize, instruction)).collect()
    }
}
