//! Makes the body of a method throw at once: tests that then fail depend on it, and no others do.
//!
//! The rest of the body stays, so that lambdas and anonymous classes in it keep their places.

use super::in_methods;
use crate::class::EditableMethod;
use crate::edit::{ClassEdit, CodePiece};
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::{access, opcode};

/// Every class loader finds it. Handlers catch it less often than other exceptions: those for exceptions and
/// for linkage errors do not, and libraries that route errors elsewhere throw those of the JVM. No code
/// expects this one: the JVM itself never throws it, unlike `InternalError` and `StackOverflowError`.
const THROWN: &str = "java/lang/UnknownError";

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    in_methods(class, find)
}

fn find(class: &EditableClass<'_>, method: &EditableMethod<'_>, sites: &mut Vec<MutationSite>) {
    let has_body = method.code.is_some() && method.name != "<clinit>";
    if !has_body || is_of_every_enum(class, method) {
        return;
    }
    let constructor = CodePiece::Member(
        opcode::INVOKESPECIAL,
        MemberKind::Method,
        THROWN.to_owned(),
        "<init>".to_owned(),
        "()V".to_owned(),
    );
    sites.push(MutationSite {
        entity: method.entity(class),
        what: "throws at once".to_owned(),
        edit: ClassEdit::Prepend {
            method: method.index,
            code: vec![
                CodePiece::Class(opcode::NEW, THROWN.to_owned()),
                CodePiece::Bytes(vec![opcode::DUP]),
                constructor,
                CodePiece::Bytes(vec![opcode::ATHROW]),
            ],
            stack: 2,
        },
    });
}

/// `values` and `valueOf`, which nobody can edit.
fn is_of_every_enum(class: &EditableClass<'_>, method: &EditableMethod<'_>) -> bool {
    let own = &class.name;
    class.file.access & access::ENUM != 0
        && method.access & access::STATIC != 0
        && match method.name.as_str() {
            "values" => method.descriptor == format!("()[L{own};"),
            "valueOf" => method.descriptor == format!("(Ljava/lang/String;)L{own};"),
            _ => false,
        }
}
