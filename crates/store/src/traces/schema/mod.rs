//! The tables of a store, and the migration of an older store.
//!
//! Each version has a file: `2.sql` migrates from version 1 to 2. A file is never changed. `docs/store.md`
//! describes the tables for people who query them with SQL.

use super::error::{StoreFault, StoreProblem};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tamis_select::facts::FactKind;

/// `Tams`: the application id by which `file` and SQLite recognise our stores.
const APPLICATION: i64 = 0x5461_6d73;

/// The migrations from each version to the next. SQLite stores the statements literally; they are compared
/// with the ones in a file, so that nothing else can have the name of one of our tables.
const VERSIONS: &[&str] = &[include_str!("1.sql"), include_str!("2.sql"), include_str!("3.sql")];

/// The statements that migrate from one version to another.
fn statements(from: usize, to: usize) -> impl Iterator<Item = &'static str> {
    let versions = VERSIONS.get(from..to).unwrap_or_default();
    versions.iter().flat_map(|sql| sql.split(";\n")).map(str::trim).filter(|sql| !sql.is_empty())
}

/// Tables whose rows `clear` deletes.
pub(super) const TABLES: &[&str] =
    &["trace", "fact_set", "fact", "verdict", "running", "whole", "left_field", "test", "run"];

/// The kind of a database file.
pub(super) enum FileKind {
    /// Empty: not written yet.
    New,
    /// A store of this version.
    Current,
    /// A store of an earlier version.
    Older(usize),
}

/// Detects the kind of a file. It is an error if this Tamis cannot use the file.
pub(super) fn kind(connection: &Connection) -> Result<FileKind, StoreFault> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if (application, version, objects) == (0, 0, 0) {
        return Ok(FileKind::New);
    }
    if application != APPLICATION {
        return Err(StoreFault(StoreProblem::Foreign));
    }
    let version = usize::try_from(version).map_err(|_| StoreFault::damaged("unknown schema version"))?;
    if version > VERSIONS.len() {
        return Err(StoreFault(StoreProblem::Newer));
    }
    check(connection, version)?;
    Ok(if version == VERSIONS.len() { FileKind::Current } else { FileKind::Older(version) })
}

/// Checks that all tables of a version exist unchanged. Additional tables are ignored.
fn check(connection: &Connection, version: usize) -> Result<(), StoreFault> {
    let mut query = connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")?;
    let there = query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    let whole = statements(0, version).all(|sql| there.iter().any(|there| there == sql));
    if whole { Ok(()) } else { Err(StoreFault::damaged("its tables are not those of a store")) }
}

/// Migrates a file to this version, also if another process changes it meanwhile.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreFault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = match kind(&transaction)? {
        FileKind::New => 0,
        FileKind::Older(version) => version,
        FileKind::Current => return Ok(()),
    };
    for sql in statements(from, VERSIONS.len()) {
        transaction.execute_batch(sql)?;
    }
    words(&transaction)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSIONS.len() as i64)?;
    Ok(transaction.commit()?)
}

/// Writes the words for the numbers in `fact.about`, for people who read with SQL. A later Tamis has more
/// words.
pub(super) fn words(transaction: &Transaction<'_>) -> Result<(), StoreFault> {
    let known: i64 = transaction.query_row("SELECT count(*) FROM about", [], |row| row.get(0))?;
    if known < FactKind::ALL.len() as i64 {
        let mut insert = transaction.prepare("INSERT OR IGNORE INTO about VALUES (?1, ?2)")?;
        for about in FactKind::ALL {
            insert.execute((about.number(), about.word()))?;
        }
    }
    Ok(())
}
