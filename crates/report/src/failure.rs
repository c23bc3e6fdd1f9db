//! The error of a failed test in serialised form.

use serde::{Deserialize, Serialize};

/// The error of a failed test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureEntry {
    /// The class of the error.
    pub error: String,
    /// Its message; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The innermost frame in code of the project: `a.ATest.adds(ATest.java:7)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// The source file of this frame, relative to the outermost build file, if it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The stack, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
}

impl FailureEntry {
    /// The message; without one, the class of the error. Assertions are known by their message alone.
    pub fn headline(&self) -> String {
        let message = self.message.trim();
        let name = self.error.rsplit('.').next().unwrap_or(&self.error);
        match message {
            "" => self.error.clone(),
            message if name.ends_with("AssertionError") || name.ends_with("FailedError") => {
                message.to_owned()
            }
            message => format!("{name}: {message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FailureEntry;

    #[test]
    fn an_assertion_is_known_by_its_message_and_any_other_error_by_its_class() {
        let headline = |error: &str, message: &str| {
            FailureEntry { error: error.to_owned(), message: message.to_owned(), ..FailureEntry::default() }
                .headline()
        };
        assert_eq!(headline("org.opentest4j.AssertionFailedError", "expected: <1>\n"), "expected: <1>");
        assert_eq!(headline("java.io.IOException", "no room"), "IOException: no room");
        assert_eq!(headline("java.lang.AssertionError", ""), "java.lang.AssertionError");
    }
}
