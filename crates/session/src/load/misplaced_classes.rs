//! Classes whose location does not fit their names, so that Java would not find them there.
//!
//! | location | known by |
//! |---|---|
//! | below a common folder, such as `BOOT-INF/classes` | its name, unless another class has that name |
//! | anywhere else | its location, so that it does not hide another class |

use tamis_program::record::ClassRecord;
use tamis_project::classpath::ClassEntry;

/// A class whose location does not fit its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MisplacedClass {
    /// The location: `BOOT-INF/classes/a/B`.
    pub(crate) place: String,
    /// The name: `a/B`.
    pub(crate) name: String,
}

/// Renames the records of one family to their locations where these differ from their names.
pub(crate) fn find(entries: &[&ClassEntry], records: &mut [ClassRecord], found: &mut Vec<MisplacedClass>) {
    let is_place = |name: &str| entries.iter().any(|entry| entry.name.as_ref() == name);
    if records.iter().all(|record| is_place(record.name())) && all_differ(records) {
        return;
    }
    let mut free: Vec<&str> = entries.iter().map(|entry| entry.name.as_ref()).collect();
    // If a record's name is also a location, the first record of that name gets this location.
    let mut placed: Vec<bool> = Vec::with_capacity(records.len());
    for record in records.iter() {
        let at = free.iter().position(|place| *place == record.name());
        placed.push(at.map(|at| free.remove(at)).is_some());
    }
    for (record, _) in records.iter_mut().zip(placed).filter(|(_, placed)| !placed) {
        let below =
            |place: &&str| place.strip_suffix(record.name()).is_some_and(|folder| folder.ends_with('/'));
        let at = free.iter().position(below).or((!free.is_empty()).then_some(0));
        if let Some(place) = at.map(|at| free.remove(at)) {
            found.push(MisplacedClass { place: place.to_owned(), name: record.name().to_owned() });
            record.rename(place);
        }
    }
}

/// Gives classes below a common folder their own names back, if no other class has them. `records` stay
/// sorted by name.
pub(crate) fn settle(misplaced: &[MisplacedClass], records: &mut [ClassRecord]) {
    if misplaced.is_empty() {
        return;
    }
    for one in misplaced {
        let below = one.place.strip_suffix(&one.name).is_some_and(|folder| folder.ends_with('/'));
        let rivals = misplaced.iter().filter(|other| other.name == one.name).count();
        let taken = records.iter().any(|record| record.name() == one.name);
        if below
            && rivals == 1
            && !taken
            && let Some(record) = records.iter_mut().find(|record| record.name() == one.place)
        {
            record.rename(&one.name);
        }
    }
    records.sort_by(|a, b| a.name().cmp(b.name()));
}

fn all_differ(records: &[ClassRecord]) -> bool {
    records.iter().zip(records.iter().skip(1)).all(|(a, b)| a.name() != b.name())
}
