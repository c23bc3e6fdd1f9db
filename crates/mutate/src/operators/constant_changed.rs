//! Changes a number or text in code, or the constant value of a field.

use super::in_methods;
use crate::class::EditableMethod;
use crate::edit::{ClassEdit, CodePiece, ConstantValue};
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::{Constant, opcode};

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    let mut sites = in_methods(class, find);
    for field in class.fields() {
        let Some(attribute) = class.attribute(field.member.attributes, AttributeKind::ConstantValue) else {
            continue;
        };
        let value = attribute.index().ok().and_then(|index| class.file.pool.get(index).ok());
        if let Some(value) = value.and_then(|value| other(class, value)) {
            sites.push(MutationSite {
                entity: format!("{}.{}", class.name, field.name),
                what: format!("{value:?}"),
                edit: ClassEdit::Constant { at: attribute.offset, value },
            });
        }
    }
    sites
}

fn other(class: &EditableClass<'_>, value: Constant<'_>) -> Option<ConstantValue> {
    Some(match value {
        // A boolean stays a boolean.
        Constant::Integer(value @ 0..=1) => ConstantValue::Int(1 - value),
        Constant::Integer(value) => ConstantValue::Int(value ^ 1),
        Constant::Float(bits) => ConstantValue::Float((f32::from_bits(bits) + 1.0).to_bits()),
        Constant::Long(value) => ConstantValue::Long(value ^ 1),
        Constant::Double(bits) => ConstantValue::Double((f64::from_bits(bits) + 1.0).to_bits()),
        Constant::String(text) => ConstantValue::String(changed(&class.file.pool.text(text).ok()?)),
        _ => return None,
    })
}

/// A similar but different text.
fn changed(text: &str) -> String {
    if text.len() > 200 { "changed".to_owned() } else { format!("{text}_") }
}

pub(super) fn find(class: &EditableClass<'_>, method: &EditableMethod<'_>, sites: &mut Vec<MutationSite>) {
    for (at, instruction) in method.instructions() {
        let (code, pc) = (instruction.opcode, instruction.pc);
        let overwrite = |bytes: Vec<u8>, at: usize| ClassEdit::Overwrite { at, bytes };
        // Pushes the old value and converts it: this works for operands of any length.
        let after = |code: Vec<CodePiece>, stack: u16| ClassEdit::Insert {
            method: method.index,
            pc: instruction.next,
            code,
            jumped_to: false,
            stack,
            blank: 0..0,
        };
        let bytes = |bytes: &[u8]| vec![CodePiece::Bytes(bytes.to_vec())];
        let (what, edit) = match (code, instruction.operand) {
            (opcode::ICONST_M1..=opcode::ICONST_5, _) => {
                let other = match code {
                    opcode::ICONST_0 => opcode::ICONST_1,
                    opcode::ICONST_5 => opcode::ICONST_4,
                    opcode::ICONST_1 => opcode::ICONST_0,
                    other => other + 1,
                };
                let number = |code: u8| i32::from(code) - i32::from(opcode::ICONST_0);
                (format!("{} instead of {}", number(other), number(code)), overwrite(vec![other], at))
            }
            (opcode::LCONST_0 | opcode::FCONST_0 | opcode::DCONST_0, _) => {
                ("1 instead of 0".to_owned(), overwrite(vec![code + 1], at))
            }
            (opcode::LCONST_1 | opcode::FCONST_1 | opcode::DCONST_1, _) => {
                ("0 instead of 1".to_owned(), overwrite(vec![code - 1], at))
            }
            (opcode::BIPUSH, Operand::Int(value)) => {
                let other = if value == 127 { 126 } else { value + 1 };
                (format!("{other} instead of {value}"), overwrite(vec![other as u8], at + 1))
            }
            (opcode::SIPUSH, Operand::Int(value)) => {
                let other = if value == 32_767 { 32_766 } else { value + 1 };
                (
                    format!("{other} instead of {value}"),
                    overwrite((other as i16).to_be_bytes().to_vec(), at + 1),
                )
            }
            (opcode::LDC | opcode::LDC_W | opcode::LDC2_W, Operand::Constant(index)) => {
                match class.file.pool.get(index) {
                    Ok(Constant::Integer(_)) => {
                        ("one more".to_owned(), after(bytes(&[opcode::ICONST_1, opcode::IADD]), 1))
                    }
                    Ok(Constant::Float(_)) => {
                        ("one more".to_owned(), after(bytes(&[opcode::FCONST_1, opcode::FADD]), 1))
                    }
                    Ok(Constant::Long(_)) => {
                        ("one more".to_owned(), after(bytes(&[opcode::LCONST_1, opcode::LADD]), 2))
                    }
                    Ok(Constant::Double(_)) => {
                        ("one more".to_owned(), after(bytes(&[opcode::DCONST_1, opcode::DADD]), 2))
                    }
                    Ok(Constant::String(text)) => {
                        let Ok(text) = class.file.pool.text(text) else { continue };
                        let new = changed(&text);
                        let code = vec![CodePiece::Bytes(vec![opcode::POP]), CodePiece::Text(new.clone())];
                        (format!("{new:?}"), after(code, 0))
                    }
                    _ => continue,
                }
            }
            _ => continue,
        };
        sites.push(MutationSite { entity: method.entity(class), what: format!("{what} at {pc}"), edit });
    }
}
