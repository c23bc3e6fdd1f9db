//! Decodes everything in a class file and counts it, for tests and fuzz targets.
#![allow(dead_code)] // Each test program uses a part.

use tamis_classfile::read::annotation::{self, AnnotationEvent};
use tamis_classfile::read::attribute::{Attribute, AttributeKind, Attributes};
use tamis_classfile::read::code::Code;
use tamis_classfile::read::frame::frames;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::read::module::module;
use tamis_classfile::{ClassFile, Constant, ConstantPool, Members, ParseError, descriptor};

/// The contents of a class file, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) constants: usize,
    pub(crate) fields: usize,
    pub(crate) methods: usize,
    pub(crate) attributes: usize,
    /// Attributes that this crate does not know.
    pub(crate) unknown: usize,
    pub(crate) instructions: usize,
    pub(crate) cases: usize,
    pub(crate) frames: usize,
    pub(crate) annotation_events: usize,
    pub(crate) rows: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.constants += other.constants;
        self.fields += other.fields;
        self.methods += other.methods;
        self.attributes += other.attributes;
        self.unknown += other.unknown;
        self.instructions += other.instructions;
        self.cases += other.cases;
        self.frames += other.frames;
        self.annotation_events += other.annotation_events;
        self.rows += other.rows;
    }
}

/// Decodes everything; returns the first error.
pub(crate) fn walk(class: &ClassFile<'_>) -> Result<Counts, ParseError> {
    let mut walk = Walk { pool: &class.pool, counts: Counts::default() };
    walk.constants()?;
    class.name()?;
    class.super_name()?;
    for name in class.interface_names() {
        name?;
    }
    walk.counts.fields = class.fields.len();
    walk.counts.methods = class.methods.len();
    walk.members(&class.fields)?;
    walk.members(&class.methods)?;
    walk.attributes(&class.attributes)?;
    Ok(walk.counts)
}

struct Walk<'p, 'a> {
    pool: &'p ConstantPool<'a>,
    counts: Counts,
}

impl<'a> Walk<'_, 'a> {
    fn constants(&mut self) -> Result<(), ParseError> {
        let pool = self.pool;
        for (index, constant) in pool.iter() {
            self.counts.constants += 1;
            match constant {
                Constant::Utf8(_) => ignore(pool.text(index)?),
                Constant::Class(_) => ignore(pool.class(index)?),
                Constant::NameAndType(..) => ignore(pool.name_and_type(index)?),
                Constant::Member(..) => ignore(pool.member(index)?),
                Constant::String(i)
                | Constant::MethodType(i)
                | Constant::Module(i)
                | Constant::Package(i) => {
                    ignore(pool.utf8(i)?);
                }
                Constant::MethodHandle(_, member) => ignore(pool.member(member)?),
                Constant::Dynamic(_, i) | Constant::InvokeDynamic(_, i) => ignore(pool.name_and_type(i)?),
                Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => {}
            }
        }
        Ok(())
    }

    fn members(&mut self, members: &Members<'a>) -> Result<(), ParseError> {
        for member in members.iter() {
            self.pool.text(member.name)?;
            let text = self.pool.utf8(member.descriptor)?;
            descriptor::parameter_slots(text);
            descriptor::class_names(text, |_| {});
            self.attributes(&member.attributes)?;
        }
        Ok(())
    }

    fn attributes(&mut self, attributes: &Attributes<'a>) -> Result<(), ParseError> {
        for attribute in attributes.iter() {
            self.counts.attributes += 1;
            self.attribute(&attribute)?;
        }
        Ok(())
    }

    fn attribute(&mut self, attribute: &Attribute<'a>) -> Result<(), ParseError> {
        use AttributeKind as K;
        let mut cursor = attribute.cursor();
        let events = &mut self.counts.annotation_events;
        let mut event = |_: AnnotationEvent| *events += 1;
        match attribute.kind(self.pool)? {
            K::Code => self.code(attribute)?,
            K::ConstantValue | K::Signature | K::SourceFile | K::NestHost | K::ModuleMainClass => {
                self.pool.get(attribute.index()?)?;
            }
            K::LineNumberTable => self.counts.rows += attribute.rows::<2>()?.iter().count(),
            K::LocalVariableTable | K::LocalVariableTypeTable => {
                self.counts.rows += attribute.rows::<5>()?.iter().count();
            }
            K::InnerClasses => self.counts.rows += attribute.rows::<4>()?.iter().count(),
            K::Exceptions | K::NestMembers | K::PermittedSubclasses | K::ModulePackages => {
                for index in attribute.rows::<1>()?.values() {
                    self.counts.rows += 1;
                    self.pool.get(index)?;
                }
            }
            K::MethodParameters => self.counts.rows += attribute.method_parameters()?.iter().count(),
            K::EnclosingMethod => ignore(self.pool.class(attribute.enclosing_method()?.0)?),
            K::BootstrapMethods => {
                for method in attribute.bootstrap_methods()? {
                    self.pool.get(method.method)?;
                    for argument in method.arguments.values() {
                        self.pool.get(argument)?;
                    }
                }
            }
            K::Record => {
                for component in attribute.record_components()? {
                    self.pool.text(component.name)?;
                    self.attributes(&component.attributes)?;
                }
            }
            K::StackMapTable => {
                for frame in frames(attribute)? {
                    let frame = frame?;
                    self.counts.frames += 1;
                    assert_eq!(frame.locals.iter().count(), frame.locals.len());
                    assert_eq!(frame.stack.iter().count(), frame.stack.len());
                }
            }
            K::RuntimeVisibleAnnotations | K::RuntimeInvisibleAnnotations => {
                annotation::annotations(&mut cursor, &mut event)?;
            }
            K::RuntimeVisibleParameterAnnotations | K::RuntimeInvisibleParameterAnnotations => {
                annotation::parameter_annotations(&mut cursor, &mut event)?;
            }
            K::RuntimeVisibleTypeAnnotations | K::RuntimeInvisibleTypeAnnotations => {
                annotation::type_annotations(&mut cursor, &mut event)?;
            }
            K::AnnotationDefault => annotation::default_value(&mut cursor, &mut event)?,
            K::Module => module(&mut cursor, &mut |_| *events += 1)?,
            K::Deprecated | K::Synthetic => cursor.finish()?,
            K::SourceDebugExtension => {}
            K::Unknown => self.counts.unknown += 1,
        }
        Ok(())
    }

    fn code(&mut self, attribute: &Attribute<'a>) -> Result<(), ParseError> {
        let code = Code::read(attribute)?;
        let mut end = 0;
        for instruction in code.instructions() {
            let instruction = instruction?;
            assert_eq!(instruction.pc, end);
            end = instruction.next;
            self.counts.instructions += 1;
            match instruction.operand {
                Operand::Constant(index) | Operand::Dimensions(index, _) => ignore(self.pool.get(index)?),
                Operand::Switch(switch) => {
                    for case in switch.cases() {
                        let offset = code.offset + instruction.pc as usize;
                        case.ok_or(ParseError { offset, what: "case leads out of the code" })?;
                        self.counts.cases += 1;
                    }
                }
                Operand::None
                | Operand::Int(_)
                | Operand::Slot(_)
                | Operand::Increment(..)
                | Operand::Branch(_)
                | Operand::ArrayType(_) => {}
            }
        }
        assert_eq!(end as usize, code.bytes.len());
        self.attributes(&code.attributes)
    }
}

/// For values that only have to decode.
fn ignore<T>(_: T) {}
