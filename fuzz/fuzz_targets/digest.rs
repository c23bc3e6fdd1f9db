//! Any bytes as the classes of a family can be digested, linked, listed and compared: without a panic,
//! without excessive time or memory, and twice with the same result. The first two bytes of the input give
//! the length at which it is split.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_program::diff::diff;
use tamis_program::digest::{Digester, ClassSource, list_methods};
use tamis_program::snapshot::Snapshot;

fuzz_target!(|input: &[u8]| {
    let Some(([high, low], rest)) = input.split_first_chunk::<2>() else { return };
    let cut = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
    let (first, second) = rest.split_at(cut);
    let both = [ClassSource { name: "A", bytes: first }, ClassSource { name: "A$1", bytes: second }];
    let records = Digester::default().family(&both);
    assert_eq!(records, Digester::default().family(&both));
    let whole = Snapshot::new(records, Vec::new());
    let alone = Snapshot::new(Digester::default().family(&both[..1]), Vec::new());
    for id in whole.project() {
        whole.external(id);
        list_methods(&both, whole.class(id).name());
    }
    diff(&alone, &whole);
    diff(&whole, &alone);
});
