//! Runs the queries in `docs/store.md` literally.

use crate::sample::{facts, finish, pass, run};
use std::path::Path;
use tamis_store::traces::{StoredOutcome, TraceStore};

fn queries() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/store.md");
    let page = std::fs::read_to_string(page).unwrap();
    page.split("```sql\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_documented_queries_return_rows() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "com.example.OrderTest", "f=1 g=-");
    finish(&mut store, &run("1"), "com.example.OrderTest", StoredOutcome::Passed, None);
    let other = rusqlite::Connection::open(there.path().join("traces.db")).unwrap();
    let queries = queries();
    assert!(queries.len() >= 4, "{queries:?}");
    for query in queries {
        let mut statement = other.prepare(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let rows = statement.query_map([], |_| Ok(())).unwrap().count();
        assert!(rows > 0, "{query} finds nothing");
    }
}

#[test]
fn the_documented_way_to_read_a_set_finds_its_facts() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    // So many that some numbers are far apart.
    let filler: String = (0..40_000).map(|number| format!("x{number}=1 ")).collect();
    pass(&mut store, "first", "a=1 b=2");
    pass(&mut store, "filler", &(filler + "a=1"));
    pass(&mut store, "com.example.OrderTest", "a=1 b=2 x100=1 x101=1 x39999=1 last=-");
    let query = queries().into_iter().find(|query| query.contains("RECURSIVE")).unwrap();
    let other = rusqlite::Connection::open(there.path().join("traces.db")).unwrap();
    let mut statement = other.prepare(&query).unwrap();
    let mut found: Vec<(String, String, Option<String>)> = statement
        .query_map([], |row| Ok((row.get("about")?, row.get("entity")?, row.get("answer")?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    found.sort();
    let mut expected: Vec<(String, String, Option<String>)> = facts("a=1 b=2 x100=1 x101=1 x39999=1 last=-")
        .into_iter()
        .map(|fact| {
            let answer = fact.answer.map(|answer| answer.to_string());
            (fact.question.kind.word().to_owned(), fact.question.subject.to_string(), answer)
        })
        .collect();
    expected.sort();
    assert_eq!(found, expected);
}
