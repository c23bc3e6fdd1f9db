//! A module's declaration in canonical form: its statements in an order independent of the source.
//!
//! `ModuleDescriptor` returns them as sets, and so does every other API at run time. The only exception is
//! the list of providers of one service: they are tried in the listed order.

use super::code_mentions::CONSTANT_DEPTH;
use super::constant::ConstantEncodings;
use super::value::{CanonicalOutput, DigestEncoder, EncodingTag};
use tamis_classfile::ParseError;
use tamis_classfile::read::attribute::Attribute;
use tamis_classfile::read::module::{self, ModuleItem};

/// The list that ends a statement.
#[derive(Clone, Copy)]
enum ModuleList {
    None,
    /// The modules to which a package is exported or opened.
    Set,
    /// The providers of a service.
    Ordered,
}

/// The number of items and the final list of each kind of statement: requires, exports, opens, uses,
/// provides.
const STATEMENTS: [(usize, ModuleList); 5] = [
    (3, ModuleList::None),
    (2, ModuleList::Set),
    (2, ModuleList::Set),
    (1, ModuleList::None),
    (1, ModuleList::Ordered),
];

/// Writes a Module attribute.
pub(crate) fn write(
    constants: &ConstantEncodings<'_, '_>,
    attribute: &Attribute<'_>,
    out: &mut DigestEncoder,
) -> Result<(), ParseError> {
    let mut items = Vec::new();
    module::module(&mut attribute.cursor(), &mut |item| items.push(item))?;
    let mut items = items.into_iter();
    out.tag(EncodingTag::Module);
    write_items(constants, items.by_ref().take(3), out)?; // name, flags, version
    for (length, list) in STATEMENTS {
        let mut statements = Vec::new();
        for _ in 0..count(items.next()) {
            let mut statement = DigestEncoder::default();
            write_items(constants, items.by_ref().take(length), &mut statement)?;
            let mut listed = Vec::new();
            let end = if matches!(list, ModuleList::None) { 0 } else { count(items.next()) };
            for item in items.by_ref().take(end) {
                let mut one = DigestEncoder::default();
                write_items(constants, std::iter::once(item), &mut one)?;
                listed.push(one);
            }
            if matches!(list, ModuleList::Set) {
                sort(&mut listed);
            }
            write_all(&listed, &mut statement);
            statements.push(statement);
        }
        sort(&mut statements);
        write_all(&statements, out);
    }
    Ok(())
}

fn count(item: Option<ModuleItem>) -> usize {
    match item {
        Some(ModuleItem::Number(count)) => usize::from(count),
        Some(ModuleItem::Constant(_)) | None => 0,
    }
}

fn write_items(
    constants: &ConstantEncodings<'_, '_>,
    items: impl Iterator<Item = ModuleItem>,
    out: &mut DigestEncoder,
) -> Result<(), ParseError> {
    for item in items {
        match item {
            ModuleItem::Constant(0) => out.tag(EncodingTag::Absent),
            ModuleItem::Constant(index) => constants.encode(index, CONSTANT_DEPTH, out)?,
            ModuleItem::Number(number) => out.num(i64::from(number)),
        }
    }
    Ok(())
}

fn sort(encoded: &mut [DigestEncoder]) {
    encoded.sort_unstable_by(|a, b| a.as_slice().cmp(b.as_slice()));
}

fn write_all(encoded: &[DigestEncoder], out: &mut DigestEncoder) {
    out.num(encoded.len() as i64);
    for one in encoded {
        out.bytes(one.as_slice());
    }
}
