//! Traits of a method that matter for state left behind by earlier tests.
//!
//! They are: whether an annotation makes a test framework call it around tests, and how it uses the JDK. The
//! digest step records them because methods of the JDK are not kept by name.

use crate::record::{FixtureKind, MethodTraits};
use tamis_classfile::read::annotation::{self, AnnotationEvent};
use tamis_classfile::read::attribute::{AttributeKind, Attributes};
use tamis_classfile::{ConstantPool, ParseError, opcode};

/// Packages of the annotations for set-up and tear-down.
const FRAMEWORKS: [&[u8]; 2] = [b"Lorg/junit/", b"Lorg/testng/annotations/"];

/// JDK classes that neither query other code nor call back, whatever their arguments.
const PLAIN: [&[u8]; 6] = [
    b"java/lang/Object",
    b"java/lang/SecurityManager",
    b"java/lang/ThreadLocal",
    b"java/security/BasicPermission",
    b"java/util/Locale",
    b"java/util/TimeZone",
];

/// The prefix of the JDK's atomic variables, and their methods that only write.
const ATOMIC: &[u8] = b"java/util/concurrent/atomic/Atomic";
const SETTING: [&[u8]; 3] = [b"<init>", b"set", b"lazySet"];

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
                if !member.owner.starts_with(b"java/") {
                    continue;
                }
                if member.owner.starts_with(ATOMIC) {
                    conduct.reads_variables |= !SETTING.contains(&member.name);
                } else {
                    conduct.is_plain &= is_plain(member.owner, member.name);
                }
            }
            _ => {}
        }
    }
    conduct
}

fn is_plain(owner: &[u8], name: &[u8]) -> bool {
    let is_thrown = owner.starts_with(b"java/lang/")
        && (owner.ends_with(b"Exception") || owner.ends_with(b"Error"))
        && name == b"<init>";
    PLAIN.contains(&owner) || is_thrown || (owner, name) == (b"java/lang/System", b"getSecurityManager")
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
            if FRAMEWORKS.iter().any(|framework| class.starts_with(framework)) {
                let simple = class.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
                if simple.starts_with(b"After") {
                    found = FixtureKind::After;
                } else if simple.starts_with(b"Before") && found == FixtureKind::No {
                    found = FixtureKind::Before;
                }
            }
        })?;
    }
    Ok(found)
}
