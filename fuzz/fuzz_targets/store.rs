//! A store with random bytes anywhere in it is read, or refused with an error; its facts can be queried.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::OnceCell;
use std::time::UNIX_EPOCH;
use tamis_select::facts::{FactTable, FactKind, Fact, Question};
use tamis_store::traces::{NewTrace, StoredRun, TestKey, TraceStore};

struct Sound {
    folder: tempfile::TempDir,
    bytes: Vec<u8>,
}

thread_local! {
    static SOUND: OnceCell<Sound> = const { OnceCell::new() };
}

/// A store with three traces.
fn sound() -> Sound {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut traces = TraceStore::open(folder.path()).expect("a new store");
    let run = StoredRun { id: "one".to_owned(), began: UNIX_EPOCH, place: "here".to_owned() };
    for number in 0..3 {
        let told: FactTable = (0..20 + number)
            .map(|fact| Fact { question: Question::new(FactKind::File, format!("f{fact}")), answer: None })
            .collect();
        let test = TestKey { module: ".".to_owned(), class: format!("C{number}"), method: None };
        let trace = NewTrace::of_all(test, "hybrid", &told, 1);
        traces.commit(&run, &[trace]).expect("it is kept");
    }
    drop(traces);
    let bytes = std::fs::read(folder.path().join("traces.db")).expect("the store's file");
    Sound { folder, bytes }
}

fuzz_target!(|input: &[u8]| {
    SOUND.with(|known| {
        let sound = known.get_or_init(sound);
        let mut bytes = sound.bytes.clone();
        // Each piece is an offset, a length and bytes.
        let mut rest = input;
        while let [high, middle, low, length, after @ ..] = rest {
            let at = usize::from(*high) << 16 | usize::from(*middle) << 8 | usize::from(*low);
            let (piece, next) = after.split_at(usize::from(*length).min(after.len()));
            let start = at % bytes.len();
            for (byte, new) in bytes.iter_mut().skip(start).zip(piece) {
                *byte = *new;
            }
            rest = next;
        }
        std::fs::write(sound.folder.path().join("traces.db"), &bytes).expect("it can be written");
        let Ok(Some(traces)) = TraceStore::read_only(sound.folder.path()) else { return };
        let _ = traces.stats();
        if let Ok(stored) = traces.load("hybrid") {
            for set in 0..stored.set_count().min(100) {
                let _ = stored.facts_of(set);
            }
        }
    });
});
