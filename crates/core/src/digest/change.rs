//! Whose content a body may change: objects in static fields on which it calls a method that sounds like it.
//!
//! What is written into an object of a library shows nowhere else. A name is a guess; it decides only who may have left something
//! for a later test, never what a test relies on by itself. Arrays are left out: most stores are into others than the tables
//! in static fields that the same code reads.

use tamis_classfile::{ConstantPool, opcode};

/// How methods begin that change their object.
#[rustfmt::skip]
const VERBS: [&str; 34] = [
    "accumulate", "add", "append", "clear", "compareAnd", "compute", "decrement", "delete", "drain", "exchange", "fill", "getAnd",
    "increment", "insert", "lazySet", "load", "merge", "offer", "poll", "pop", "push", "put", "register", "remove", "replace",
    "reset", "retain", "reverse", "set", "sort", "store", "update", "weakCompare", "write",
];

/// The static fields that a body reads and whose objects it may change, of the constants that it names with these opcodes.
pub(crate) fn changed(pool: &ConstantPool<'_>, named: &[(u8, u16)]) -> Vec<u16> {
    let members = |ops: &'static [u8]| {
        let named = named.iter().filter(move |(op, _)| ops.contains(op));
        named.filter_map(|(_, index)| Some((*index, pool.member(*index).ok()?)))
    };
    let mut fields = members(&[opcode::GETSTATIC]).peekable();
    if fields.peek().is_none() {
        return Vec::new();
    }
    let calls = members(&[opcode::INVOKEVIRTUAL, opcode::INVOKEINTERFACE]);
    let changing = calls.filter(|(_, call)| VERBS.iter().any(|verb| call.name.starts_with(verb.as_bytes())));
    // A compiler names the class that the field is declared with.
    let owners: Vec<&[u8]> = changing.map(|(_, call)| call.owner).collect();
    let class = |descriptor: &[u8]| {
        let class = descriptor.strip_prefix(b"L").and_then(|class| class.strip_suffix(b";"));
        class.is_some_and(|class| owners.contains(&class))
    };
    fields.filter(|(_, field)| class(field.descriptor)).map(|(index, _)| index).collect()
}
