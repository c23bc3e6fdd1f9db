//! Fields whose objects a body may change.
//!
//! There are two kinds. For the first, the body calls a method with a mutator's name on the field's object, or on
//! an object in one of that object's fields. For the second, a static field, the body stores to the fields of its
//! object. Changes inside library objects are visible nowhere else.
//!
//! A name is only a guess. It decides only which methods may have left state behind for a later test, never
//! by itself what a test depends on. Arrays are left out: most stores go to arrays other than the tables in
//! static fields that the same code reads.

use tamis_catalog::class_of;
use tamis_catalog::jdk::types;
use tamis_classfile::{ConstantPool, opcode};

/// Prefixes of the names of mutators.
#[rustfmt::skip]
const VERBS: [&str; 36] = [
    "accumulate", "add", "append", "clear", "compareAnd", "complete", "compute", "decrement", "delete", "drain", "exchange", "fill", "getAnd",
    "increment", "insert", "lazySet", "load", "merge", "next", "offer", "poll", "pop", "push", "put", "register", "remove", "replace",
    "reset", "retain", "reverse", "set", "sort", "store", "update", "weakCompare", "write",
];

/// The fields, among the constants a body names, whose objects it may change.
pub(crate) fn changed(pool: &ConstantPool<'_>, named: &[(u8, u16)]) -> Vec<u16> {
    let members = |ops: &'static [u8]| {
        let named = named.iter().filter(move |(op, _)| ops.contains(op));
        named.filter_map(|(_, index)| Some((*index, pool.member(*index).ok()?)))
    };
    if members(&[opcode::GETSTATIC, opcode::GETFIELD]).next().is_none() {
        return Vec::new();
    }
    let calls = members(&[opcode::INVOKEVIRTUAL, opcode::INVOKEINTERFACE]);
    let changing = calls.filter(|(_, call)| VERBS.iter().any(|verb| call.name.starts_with(verb.as_bytes())));
    // Code names a variable's declared class: a call on `Collection` may change a list from any field.
    let mut owners: Vec<&[u8]> = changing.map(|(_, call)| call.owner).collect();
    let has_collection = owners.contains(&types::COLLECTION.as_bytes());
    let changes = |owners: &[&[u8]], descriptor: &[u8]| {
        let Some(class) = class_of(descriptor) else { return false };
        owners.contains(&class) || (has_collection && types::is_collection(class))
    };
    let holders = members(&[opcode::GETFIELD]).filter(|(_, field)| changes(&owners, field.descriptor));
    let (mut found, mut further): (Vec<u16>, Vec<&[u8]>) =
        holders.map(|(index, field)| (index, field.owner)).unzip();
    further.extend(members(&[opcode::PUTFIELD]).map(|(_, field)| field.owner));
    owners.extend(further);
    let fields = members(&[opcode::GETSTATIC]).filter(|(_, field)| changes(&owners, field.descriptor));
    found.extend(fields.map(|(index, _)| index));
    found
}
