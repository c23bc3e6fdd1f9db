//! Adds a static initialiser to a class without one: it throws, sets a field, or sets a system property.

use crate::edit::{ClassEdit, CodePiece};
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::{access, opcode};

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    if class.declares("<clinit>", "()V") {
        return Vec::new();
    }
    let add = |what: String, code: Vec<CodePiece>, stack: u16| MutationSite {
        entity: class.name.clone(),
        what,
        edit: ClassEdit::AddMethod {
            access: access::STATIC,
            name: "<clinit>".to_owned(),
            descriptor: "()V".to_owned(),
            code,
            stack,
        },
    };
    let throws = vec![CodePiece::Bytes(vec![opcode::ACONST_NULL, opcode::ATHROW])];
    let property = vec![
        CodePiece::Text("tamis.mutant".to_owned()),
        CodePiece::Text(class.name.clone()),
        CodePiece::Member(
            opcode::INVOKESTATIC,
            MemberKind::Method,
            "java/lang/System".to_owned(),
            "setProperty".to_owned(),
            "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;".to_owned(),
        ),
        CodePiece::Bytes(vec![opcode::POP, opcode::RETURN]),
    ];
    let mut sites = vec![
        add("a static initialiser that throws".to_owned(), throws, 1),
        add("a static initialiser that sets a system property".to_owned(), property, 2),
    ];
    for field in class.fields().filter(|field| field.access & access::STATIC != 0) {
        let is_constant = class.attribute(field.member.attributes, AttributeKind::ConstantValue).is_some();
        let value = match field.descriptor.as_str() {
            "I" | "S" | "B" | "C" | "Z" => vec![opcode::ICONST_1],
            "J" => vec![opcode::LCONST_1],
            "F" => vec![opcode::FCONST_1],
            "D" => vec![opcode::DCONST_1],
            _ => continue,
        };
        if is_constant {
            continue;
        }
        let put = CodePiece::Member(
            opcode::PUTSTATIC,
            MemberKind::Field,
            class.name.clone(),
            field.name.clone(),
            field.descriptor.clone(),
        );
        let code = vec![CodePiece::Bytes(value), put, CodePiece::Bytes(vec![opcode::RETURN])];
        sites.push(add(format!("a static initialiser that sets {} to 1", field.name), code, 2));
    }
    sites
}
