//! Traits of a method that matter for state left behind by earlier tests.
//!
//! They are: whether an annotation makes a test framework call it around tests, and how it uses the JDK. The
//! digest step records them because methods of the JDK are not kept by name.

use crate::record::{FixtureKind, MethodTraits};
use tamis_catalog::frameworks::{FixtureTime, fixture_by_annotation};
use tamis_catalog::jdk::{self, types};
use tamis_classfile::read::annotation::{self, AnnotationEvent};
use tamis_classfile::read::attribute::{AttributeKind, Attributes};
use tamis_classfile::{ConstantPool, ParseError, opcode};

/// The traits of a body that names these constants with these opcodes.
pub(super) fn of(pool: &ConstantPool<'_>, named: &[(u8, u16)]) -> MethodTraits {
    let mut conduct = MethodTraits::default();
    for (op, index) in named {
        match *op {
            opcode::INVOKEDYNAMIC => conduct.is_plain = false,
            opcode::INVOKESTATIC
            | opcode::INVOKESPECIAL
            | opcode::INVOKEVIRTUAL
            | opcode::INVOKEINTERFACE => {
                let Ok(member) = pool.member(*index) else { continue };
                if !jdk::is_java(member.owner) {
                    continue;
                }
                if types::ATOMIC.has(member.owner) {
                    conduct.reads_variables |= !types::only_sets(member.name);
                } else {
                    conduct.is_plain &= types::is_plain_call(member.owner, member.name);
                }
            }
            _ => {}
        }
    }
    conduct
}

/// When a framework calls a method with these attributes.
pub(super) fn fixture(
    pool: &ConstantPool<'_>,
    attributes: &Attributes<'_>,
) -> Result<FixtureKind, ParseError> {
    let mut found = FixtureKind::No;
    for attribute in attributes.iter() {
        if AttributeKind::of(pool.utf8(attribute.name)?) != AttributeKind::RuntimeVisibleAnnotations {
            continue;
        }
        annotation::annotations(&mut attribute.cursor(), &mut |event| {
            let AnnotationEvent::Annotation(kind, _) = event else { return };
            let class = pool.utf8(kind).unwrap_or_default();
            match fixture_by_annotation(class) {
                Some(FixtureTime::After) => found = FixtureKind::After,
                Some(FixtureTime::Before) if found == FixtureKind::No => found = FixtureKind::Before,
                Some(FixtureTime::Before) | None => {}
            }
        })?;
    }
    Ok(found)
}
