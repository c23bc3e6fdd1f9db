//! Files of the product that are too long to read at once.
//!
//! Test code in a file does not count. A table may be long; its file is exempt.

use anyhow::Result;

use super::tree::Tree;
use super::{Exemption, Finding};

const LINES: usize = 500;

/// Files that are long for a reason.
pub(super) const EXEMPT: &[Exemption] = &[];

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let long = tree.product().filter(|file| file.product_lines() > LINES);
    let finding = |lines: usize| format!("{lines} lines without tests, more than {LINES}");
    Ok(long.map(|file| Finding::new(&file.path, 0, finding(file.product_lines()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_found_and_its_tests_do_not_count() {
        let of = |product: usize, tests: usize| {
            let text =
                "fn a() {}\n".repeat(product) + "#[cfg(test)]\nmod tests {\n" + &"\n".repeat(tests) + "}\n";
            find(&Tree::of(vec![("crates/a/src/b.rs".to_owned(), text)])).unwrap()
        };
        assert_eq!(of(500, 500), []);
        assert_eq!(
            of(501, 0),
            [Finding::new("crates/a/src/b.rs", 0, "501 lines without tests, more than 500")]
        );
    }
}
