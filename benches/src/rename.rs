//! Copies classes under other names, so that there can be any number of them.

use anyhow::{Context, Result};
use std::collections::HashSet;
use tamis_classfile::{ClassFile, Constant};

/// Moves every class of `names`, including the class itself, below the package `prefix`. Names inside
/// descriptors stay, because the cost of digesting does not depend on them.
pub(crate) fn rename(bytes: &[u8], names: &HashSet<&[u8]>, prefix: &str) -> Result<Vec<u8>> {
    let file = ClassFile::parse(bytes)?;
    let mut renamed = bytes.get(..10).context("a class file has a head")?.to_vec();
    let mut rest = file.pool.raw();
    for index in 1..file.pool.count() {
        // The second index of a long or double has no bytes.
        let Ok(constant) = file.pool.get(index) else { continue };
        let length = match constant {
            Constant::Utf8(text) => 3 + text.len(),
            Constant::Long(_) | Constant::Double(_) => 9,
            Constant::MethodHandle(..) => 4,
            Constant::Class(_)
            | Constant::String(_)
            | Constant::MethodType(_)
            | Constant::Module(_)
            | Constant::Package(_) => 3,
            Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Member(..)
            | Constant::NameAndType(..)
            | Constant::Dynamic(..)
            | Constant::InvokeDynamic(..) => 5,
        };
        let (raw, after) = rest.split_at_checked(length).context("the pool was checked")?;
        rest = after;
        match constant {
            Constant::Utf8(text) if names.contains(text) => {
                let text = [prefix.as_bytes(), text].concat();
                renamed.push(1);
                renamed.extend(u16::try_from(text.len())?.to_be_bytes());
                renamed.extend(text);
            }
            _ => renamed.extend(raw),
        }
    }
    let head = 10 + file.pool.raw().len();
    renamed.extend(bytes.get(head..).context("the pool was checked")?);
    Ok(renamed)
}
