//! Reads the error of a failed test for people: class, message, stack, causes.
//!
//! Calls the error's own methods, as the framework does when it reports the failure. A failed test leaves no trace, so
//! nothing is decided by what these methods do.

use crate::vm::{JavaEnv, JavaObject};
use std::sync::atomic::{AtomicUsize, Ordering};
use tamis_wire::TestFailure;

/// The number of failures of a JVM that are sent with their stack.
const WITH_STACK: usize = 200;
/// The number of frames that are sent of an error, and of each of its causes.
const FRAMES: [usize; 2] = [100, 30];
/// The number of causes that are followed: a chain may be a circle.
const CAUSES: usize = 5;
/// Local references for an error and its causes.
const REFERENCES: i32 = 128;
/// The number of characters of a message and of a line.
const MESSAGE: usize = 4000;
const LINE: usize = 500;

static SENT: AtomicUsize = AtomicUsize::new(0);

/// The error without its span; `None` if the class of the object is not known.
pub(super) fn read(jni: JavaEnv, error: JavaObject) -> Option<TestFailure> {
    jni.with_room_for(REFERENCES, || with_causes(jni, error)).flatten()
}

fn with_causes(jni: JavaEnv, error: JavaObject) -> Option<TestFailure> {
    let class = jni.class_name(error)?;
    let message = message(jni, error);
    let has_stack = SENT.fetch_add(1, Ordering::Relaxed) < WITH_STACK;
    let mut trace = Vec::new();
    if has_stack {
        add_frames(jni, error, FRAMES[0], &mut trace);
        let mut above = error;
        for _ in 0..CAUSES {
            let cause = jni.call(above, "getCause", "()Ljava/lang/Throwable;");
            let Some(cause) = cause.filter(|cause| !jni.is_same(*cause, above)) else { break };
            let text = self::message(jni, cause);
            let separator = if text.is_empty() { "" } else { ": " };
            let name = jni.class_name(cause).unwrap_or_default();
            trace.push(cut(format!("Caused by: {name}{separator}{text}"), LINE));
            add_frames(jni, cause, FRAMES[1], &mut trace);
            above = cause;
        }
    }
    Some(TestFailure { number: 0, error: class, message, trace })
}

fn message(jni: JavaEnv, error: JavaObject) -> String {
    cut(jni.call_string(error, "getLocalizedMessage").unwrap_or_default(), MESSAGE)
}

fn add_frames(jni: JavaEnv, error: JavaObject, most: usize, trace: &mut Vec<String>) {
    let Some(frames) = jni.call(error, "getStackTrace", "()[Ljava/lang/StackTraceElement;") else { return };
    let mut left = most;
    jni.each_element(frames, |frame| {
        let text = jni.call_string(frame, "toString").unwrap_or_default();
        trace.push(cut(format!("at {text}"), LINE));
        left -= 1;
        (left == 0).then_some(())
    });
}

/// The first characters of a text.
fn cut(mut text: String, most: usize) -> String {
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(cut("äöü".to_owned(), 2), "äö…");
        assert_eq!(cut("äö".to_owned(), 2), "äö");
    }
}
