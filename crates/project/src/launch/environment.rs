//! The environment of a test JVM, as differences from ours: variables that a build sets or removes.

use crate::build::maven;
use std::collections::BTreeMap;
use std::fs;
use tamis_catalog::builds::maven::JVM_VARIABLE;
use tamis_catalog::environment::VOLATILE;

/// The differences of a running process.
pub(super) fn of_process(pid: u32) -> BTreeMap<String, Option<String>> {
    let Ok(bytes) = fs::read(format!("/proc/{pid}/environ")) else { return BTreeMap::new() };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut theirs: BTreeMap<String, String> = bytes
        .split(|byte| *byte == 0)
        .filter_map(|entry| {
            let at = entry.iter().position(|byte| *byte == b'=')?;
            Some((text(entry.get(..at)?), text(entry.get(at + 1..)?)))
        })
        .collect();
    // Our own options for Maven's JVM are not the user's, and may differ the next time.
    if let Some(options) = theirs.remove(JVM_VARIABLE)
        && let Some(own) = maven::without_ours(&options)
    {
        theirs.insert(JVM_VARIABLE.to_owned(), own);
    }
    differences(&theirs)
}

/// The differences of an environment from ours, without variables that differ in each run.
pub fn differences(theirs: &BTreeMap<String, String>) -> BTreeMap<String, Option<String>> {
    let ours: BTreeMap<String, String> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .collect();
    let mut differences: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (name, value) in theirs {
        if ours.get(name) != Some(value) {
            differences.insert(name.clone(), Some(value.clone()));
        }
    }
    for name in ours.keys().filter(|name| !theirs.contains_key(*name)) {
        differences.insert(name.clone(), None);
    }
    differences.retain(|name, _| !VOLATILE.has(name));
    differences
}
