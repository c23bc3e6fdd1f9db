//! Traits of a method that matter for state left behind by earlier tests.
//!
//! They are: whether an annotation makes a test framework call it around tests, and how it uses the JDK. The
//! digest step records them because methods of the JDK are not kept by name.

use crate::record::{FixtureKind, MethodTraits};
use tamis_catalog::frameworks::{FixtureTime, fixture_by_annotation};
use tamis_catalog::jdk::{self, UnfollowedSet, types};
use tamis_classfile::read::annotation::{self, AnnotationEvent};
use tamis_classfile::read::attribute::{AttributeKind, Attributes};
use tamis_classfile::{Constant, ConstantPool, ParseError, opcode};

/// The traits of a body that names these constants with these opcodes.
///
/// `handles` remembers, for all methods of a class, what its method handles name.
pub(super) fn of(
    pool: &ConstantPool<'_>,
    named: &[(u8, u16)],
    handles: &mut Option<UnfollowedSet>,
) -> MethodTraits {
    let mut conduct = MethodTraits::default();
    for (op, index) in named {
        match *op {
            opcode::INVOKEDYNAMIC => {
                conduct.is_plain = false;
                conduct.unfollowed.unite(*handles.get_or_insert_with(|| unfollowed_handles(pool)));
            }
            opcode::LDC | opcode::LDC_W | opcode::LDC2_W => {
                // A handle, or a constant that a bootstrap method makes of handles.
                if let Ok(Constant::MethodHandle(..) | Constant::Dynamic(..)) = pool.get(*index) {
                    conduct.unfollowed.unite(*handles.get_or_insert_with(|| unfollowed_handles(pool)));
                }
            }
            opcode::INVOKESTATIC
            | opcode::INVOKESPECIAL
            | opcode::INVOKEVIRTUAL
            | opcode::INVOKEINTERFACE => {
                let Ok(member) = pool.member(*index) else { continue };
                if let Some(api) = jdk::unfollowed(member.owner, member.name, member.descriptor) {
                    conduct.unfollowed.insert(api);
                }
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

/// What the method handles of a class name. Which call site gets which handle is not looked at.
fn unfollowed_handles(pool: &ConstantPool<'_>) -> UnfollowedSet {
    let mut found = UnfollowedSet::default();
    for index in 1..pool.count() {
        if let Ok(Constant::MethodHandle(_, member)) = pool.get(index)
            && let Ok(member) = pool.member(member)
            && let Some(api) = jdk::unfollowed(member.owner, member.name, member.descriptor)
        {
            found.insert(api);
        }
    }
    found
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
