//! The Module attribute (JVMS 4.7.25), as a stream of items in file order, counts first.

use super::cursor::Cursor;
use crate::ParseError;

/// One item of a module's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleItem {
    /// Index of a module, package or class constant, or of text (a version); 0 if absent.
    Constant(u16),
    /// Flags, or a count.
    Number(u16),
}

/// Walks a Module attribute.
pub fn module(cursor: &mut Cursor<'_>, f: &mut impl FnMut(ModuleItem)) -> Result<(), ParseError> {
    row(cursor, "cfc", f)?; // name, flags, version
    table(cursor, "cfc", false, f)?; // requires: module, flags, version
    table(cursor, "cf", true, f)?; // exports: package, flags, to…
    table(cursor, "cf", true, f)?; // opens: package, flags, to…
    table(cursor, "c", false, f)?; // uses: class
    table(cursor, "c", true, f)?; // provides: class, with…
    cursor.finish()
}

/// A count, then rows. With `listed`, each row ends in a counted list of constants.
fn table(
    cursor: &mut Cursor<'_>,
    columns: &str,
    listed: bool,
    f: &mut impl FnMut(ModuleItem),
) -> Result<(), ParseError> {
    let count = cursor.u16()?;
    f(ModuleItem::Number(count));
    for _ in 0..count {
        row(cursor, columns, f)?;
        if listed {
            table(cursor, "c", false, f)?;
        }
    }
    Ok(())
}

/// Columns: `c` a constant, `f` flags.
fn row(cursor: &mut Cursor<'_>, columns: &str, f: &mut impl FnMut(ModuleItem)) -> Result<(), ParseError> {
    for column in columns.bytes() {
        let value = cursor.u16()?;
        f(if column == b'c' { ModuleItem::Constant(value) } else { ModuleItem::Number(value) });
    }
    Ok(())
}
