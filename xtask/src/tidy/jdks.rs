//! Tests that need one JDK have its number at the end of their name, so that `cargo xtask test` can skip and
//! list them.
//!
//! Finds tests with the number in a call; numbers in the data of a test are not seen.

use anyhow::Result;
use tamis_test_support::jdk::NEEDED;

use super::Finding;
use super::lexer::{self, Token, TokenKind};
use super::tree::Tree;
use crate::gaps;

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    let is_crate = |path: &str| path.starts_with("crates/") && path.ends_with(".rs");
    for file in tree.texts.iter().filter(|file| is_crate(&file.path)) {
        let tokens = lexer::tokens(&file.text);
        let mut function = "";
        for (at, token) in tokens.iter().enumerate() {
            if token.is_word("fn") && tokens.get(at + 1).is_some_and(|name| name.kind == TokenKind::Word) {
                function = &tokens[at + 1].text;
            }
            if let Some(feature) = asked(&tokens[at..])
                && !NEEDED.contains(&feature)
                && !function.ends_with(&format!("{}{feature}", gaps::MARK))
            {
                let text =
                    format!("{function} needs JDK {feature}: end its name with {}{feature}", gaps::MARK);
                found.push(Finding::new(&file.path, token.line, text));
            }
        }
    }
    Ok(found)
}

/// The number in `jdk(8)`.
fn asked(tokens: &[Token]) -> Option<u32> {
    let [name, open, number, close, ..] = tokens else { return None };
    let is_call = name.is_word("jdk") && open.is_mark('(') && close.is_mark(')');
    number.text.parse().ok().filter(|_| is_call)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_needs_one_jdk_has_its_number_in_its_name() {
        let text = "fn a() { jdk(17); jdk::jdk(25); }\nfn b_on_jdk_8() { jdk(8); }\nfn c() { jdk::jdk(11); }";
        let tree = Tree::of(vec![("crates/a/tests/b.rs".to_owned(), text.to_owned())]);
        let text = "c needs JDK 11: end its name with _on_jdk_11";
        assert_eq!(find(&tree).unwrap(), [Finding::new("crates/a/tests/b.rs", 3, text)]);
    }
}
