//! Whether tests may still be skipped in this JVM: all of them, and single ones.

use crate::sync::lock;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tamis_wire::TestId;

/// Set when a framework lacks a method that needs a hook, or when the CLI does not say which tests still may be skipped.
static IS_OFF: AtomicBool = AtomicBool::new(false);

/// Tests of the plan that use something that another test has left for the first time.
static RUN_AGAIN: Mutex<Option<HashSet<TestId>>> = Mutex::new(None);

/// From now on no test is skipped.
pub(crate) fn turn_off() {
    IS_OFF.store(true, Ordering::SeqCst);
}

/// Whether no test is skipped any more.
pub(crate) fn is_off() -> bool {
    IS_OFF.load(Ordering::SeqCst)
}

/// From now on these tests are not skipped. A class stands for all its tests.
pub(crate) fn turn_off_for(tests: Vec<TestId>) {
    lock(&RUN_AGAIN).get_or_insert_with(HashSet::new).extend(tests);
}

/// Whether this test, or its class, is not skipped any more.
pub(crate) fn is_off_for(test: &TestId) -> bool {
    let again = lock(&RUN_AGAIN);
    let Some(again) = again.as_ref() else { return false };
    again.contains(test) || again.contains(&TestId { class: test.class.clone(), method: None })
}
