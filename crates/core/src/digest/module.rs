//! A module's declaration in canonical form: its statements in an order independent of the source.
//!
//! `ModuleDescriptor` returns them as sets, and so does every other API at run time. The only exception is
//! the list of providers of one service: they are tried in the listed order.

use super::constant::Constants;
use super::mention::CONSTANT_DEPTH;
use super::value::{Encoder, Out, Tag};
use tamis_classfile::ParseError;
use tamis_classfile::read::attribute::Attribute;
use tamis_classfile::read::module::{self, Item};

/// The list that ends a statement.
#[derive(Clone, Copy)]
enum List {
    None,
    /// The modules to which a package is exported or opened.
    Set,
    /// The providers of a service.
    Ordered,
}

/// The number of items and the final list of each kind of statement: requires, exports, opens, uses,
/// provides.
const STATEMENTS: [(usize, List); 5] =
    [(3, List::None), (2, List::Set), (2, List::Set), (1, List::None), (1, List::Ordered)];

/// Writes a Module attribute.
pub(crate) fn write(
    constants: &Constants<'_, '_>,
    attribute: &Attribute<'_>,
    out: &mut Encoder,
) -> Result<(), ParseError> {
    let mut items = Vec::new();
    module::module(&mut attribute.cursor(), &mut |item| items.push(item))?;
    let mut items = items.into_iter();
    out.tag(Tag::Module);
    write_items(constants, items.by_ref().take(3), out)?; // name, flags, version
    for (length, list) in STATEMENTS {
        let mut statements = Vec::new();
        for _ in 0..count(items.next()) {
            let mut statement = Encoder::default();
            write_items(constants, items.by_ref().take(length), &mut statement)?;
            let mut listed = Vec::new();
            let end = if matches!(list, List::None) { 0 } else { count(items.next()) };
            for item in items.by_ref().take(end) {
                let mut one = Encoder::default();
                write_items(constants, std::iter::once(item), &mut one)?;
                listed.push(one);
            }
            if matches!(list, List::Set) {
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

fn count(item: Option<Item>) -> usize {
    match item {
        Some(Item::Number(count)) => usize::from(count),
        Some(Item::Constant(_)) | None => 0,
    }
}

fn write_items(
    constants: &Constants<'_, '_>,
    items: impl Iterator<Item = Item>,
    out: &mut Encoder,
) -> Result<(), ParseError> {
    for item in items {
        match item {
            Item::Constant(0) => out.tag(Tag::Absent),
            Item::Constant(index) => constants.encode(index, CONSTANT_DEPTH, out)?,
            Item::Number(number) => out.num(i64::from(number)),
        }
    }
    Ok(())
}

fn sort(encoded: &mut [Encoder]) {
    encoded.sort_unstable_by(|a, b| a.as_slice().cmp(b.as_slice()));
}

fn write_all(encoded: &[Encoder], out: &mut Encoder) {
    out.num(encoded.len() as i64);
    for one in encoded {
        out.bytes(one.as_slice());
    }
}
