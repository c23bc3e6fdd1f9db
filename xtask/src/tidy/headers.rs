//! The header of a file: a few lines about its purpose and its limits.

use anyhow::Result;

use super::tree::Tree;
use super::{Exemption, Finding};

/// A longer header belongs in `docs/design`. Rows of tables and layouts do not count.
const LINES: usize = 9;

/// Files that need a longer header.
pub(super) const EXEMPT: &[Exemption] =
    &[Exemption { path: "crates/test-support/src/markdown.rs", why: "the format of cases, with an example" }];

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for file in &tree.sources {
        let mut in_layout = false;
        let is_prose = |text: &&str| {
            let is_fence = text.starts_with("//! ```");
            in_layout ^= is_fence;
            !in_layout && !is_fence && !text.starts_with("//! |")
        };
        let lines = file.tokens.iter().map(|token| &*token.text).take_while(|text| text.starts_with("//!"));
        let header = lines.filter(is_prose).count();
        if header == 0 {
            found.push(Finding::new(&file.path, 1, "begins without a `//!` header"));
        } else if header > LINES {
            let text = format!("the header has {header} lines, more than {LINES}; docs/design has room");
            found.push(Finding::new(&file.path, 1, text));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let tree = Tree::of(vec![("crates/a/src/b.rs".to_owned(), text.to_owned())]);
        find(&tree).unwrap().into_iter().map(|finding| finding.text).collect()
    }

    #[test]
    fn a_file_begins_with_a_short_header() {
        assert_eq!(found("//! A.\n//!\n//! B.\n#![cfg(test)]\nfn f() {}"), [""; 0]);
        for text in ["", "fn f() {}\n", "/// A.\nfn f() {}", "use a;\n//! A."] {
            assert!(found(text)[0].starts_with("begins without"), "{text}");
        }
        assert_eq!(found(&"//! A.\n".repeat(9)), [""; 0]);
        assert!(found(&"//! A.\n".repeat(10))[0].contains("10 lines"));
        // Rows of tables and layouts do not count.
        assert_eq!(found(&format!("//! A.\n{}", "//! | a | b |\n".repeat(12))), [""; 0]);
        assert_eq!(found(&format!("//! A.\n//! ```text\n{}//! ```\n", "//! a\n".repeat(12))), [""; 0]);
    }
}
