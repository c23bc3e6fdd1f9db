//! Sentences for users in literals of the product: they belong in the crate `report`.
//!
//! Four words in a row are a sentence. Panics, expectations, attributes, SQL, and the `Display` of errors in
//! an `error.rs` may have sentences.

use anyhow::Result;

use super::lexer::{self, Token, TokenKind};
use super::tree::{SourceFile, Tree};
use super::{Exemption, Finding};

/// Minimum number of words in a row, separated by spaces.
const WORDS: usize = 4;

/// Files that may have sentences.
pub(super) const EXEMPT: &[Exemption] = &[
    Exemption {
        path: "crates/classfile/src/",
        why: "the problem of a class file is a part of the error, and the crate depends on nothing",
    },
    Exemption {
        path: "crates/program/src/digest/",
        why: "the problem of a class file is a part of the error, as in classfile",
    },
    Exemption {
        path: "crates/wire/src/",
        why: "the problem of a message is a part of the error, and the crate depends on nothing",
    },
    Exemption {
        path: "crates/project/src/classpath/",
        why: "the problem of an archive or an entry, and its remedy, are parts of ClassPathError and ClassPathProblem",
    },
    Exemption {
        path: "crates/store/src/",
        why: "the damage of a file is a part of StoreError, or of the one problem of an index",
    },
    Exemption {
        path: "crates/mutate/src/operators/",
        why: "the description of an edit is made where the edit is, from its operands",
    },
    Exemption {
        path: "crates/session/src/world/files.rs",
        why: "the texts are input of digests, and must not change",
    },
    Exemption {
        path: "crates/catalog/src/",
        why: "the reason of a row is read by developers, and never printed",
    },
    Exemption {
        path: "crates/agent/src/",
        why: "a gap travels as text: the agent of a later version may know others",
    },
    Exemption { path: "crates/cli/src/args.rs", why: "the help of an option stands beside the option" },
];

/// Crates that may have sentences.
const PACKAGES: [&str; 1] = ["report"];

/// Macros whose text is for developers of Tamis.
const MACROS: [&str; 9] = [
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
];

/// Methods whose text is for developers of Tamis.
const METHODS: [&str; 2] = ["expect", "expect_err"];

/// A literal that begins with one of these is for the database.
const SQL: [&str; 12] = [
    "ALTER", "ATTACH", "BEGIN", "CREATE", "DELETE", "DROP", "INSERT", "PRAGMA", "REPLACE", "SELECT",
    "UPDATE", "WITH",
];

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for file in tree.product().filter(|file| !PACKAGES.contains(&file.package.as_str())) {
        for token in for_people(file) {
            let text = lexer::plain(&token.text);
            if is_sentence(&text) {
                let start: String = text.trim().chars().take(60).collect();
                let text = format!("a sentence (\"{start}\"); the crate report is the place for it");
                found.push(Finding::new(&file.path, token.line, text));
            }
        }
    }
    Ok(found)
}

/// The literals of a file, without those that may be sentences.
fn for_people(file: &SourceFile) -> Vec<&Token> {
    let tokens = file.product();
    let has_errors = file.path.ends_with("/error.rs");
    let mut found = Vec::new();
    let mut until = 0;
    for (at, token) in tokens.iter().enumerate() {
        if at < until || token.is_attribute {
            continue;
        }
        let is_mark = |at: usize, mark: char| tokens.get(at).is_some_and(|token| token.is_mark(mark));
        let is_one_of = |words: &[&str]| words.iter().any(|word| token.is_word(word));
        if is_one_of(&MACROS) && is_mark(at + 1, '!') {
            until = closed(&tokens, at + 2);
        } else if is_one_of(&METHODS) && at > 0 && is_mark(at - 1, '.') {
            until = closed(&tokens, at + 1);
        } else if token.is_word("impl") && has_errors {
            let open =
                tokens[at..].iter().position(|token| token.is_mark('{')).map_or(tokens.len(), |n| at + n);
            if tokens[at..open].iter().any(|token| token.is_word("Display")) {
                until = closed(&tokens, open);
            }
        } else if token.kind == TokenKind::Text {
            found.push(*token);
        }
    }
    found
}

/// The position at which the bracket opened here is closed.
fn closed(tokens: &[&Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if ['(', '[', '{'].iter().any(|mark| token.is_mark(*mark)) {
            depth += 1;
        } else if [')', ']', '}'].iter().any(|mark| token.is_mark(*mark)) {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len()
}

/// Whether enough words follow each other. A placeholder of a format is not a word, and does not interrupt.
fn is_sentence(text: &str) -> bool {
    if text.split_whitespace().next().is_some_and(|first| SQL.contains(&first)) {
        return false;
    }
    let mut in_a_row = 0;
    for part in text.split_whitespace() {
        let bare = part.trim_matches(|c: char| ",.:;!?()'\"`".contains(c));
        let is_word = !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || "'-".contains(c));
        if is_word && bare.starts_with(|c: char| c.is_alphabetic()) {
            in_a_row += 1;
        } else if !part.contains('{') {
            in_a_row = 0;
        }
        if in_a_row >= WORDS {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let tree = Tree::of(vec![(path.to_owned(), text.to_owned())]);
        find(&tree).unwrap().iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn four_words_are_a_sentence_and_placeholders_do_not_count() {
        for sentence in [
            "this is not good",
            "could not {verb} the {thing} here: {}",
            "test JVM {} exited unexpectedly; {n} lost",
        ] {
            assert!(is_sentence(sentence), "{sentence}");
        }
        for other in [
            "three words only",
            "{} {} {} {}",
            "-cp target/classes org.junit.runner.JUnitCore a.Test",
            "SELECT name FROM tests WHERE id IN these",
            "a = b + c * d",
        ] {
            assert!(!is_sentence(other), "{other}");
        }
    }

    #[test]
    fn a_sentence_over_two_lines_is_found_at_its_first_line() {
        let text = "fn f() {\n    println!(\"this one is\\\n        not good\");\n    g(b\"and this is another\");\n}";
        assert_eq!(lines("crates/select/src/a.rs", text), [2, 4]);
    }

    #[test]
    fn report_attributes_panics_and_errors_may_have_sentences() {
        let text = "const A: &str = \"this is a sentence\";";
        assert_eq!(lines("crates/report/src/a.rs", text), [0; 0]);
        let text = "#[doc = \"this is a sentence\"] fn f() {
            panic!(\"this is a sentence {}\", g(\"and so is this one\"));
            x.expect(\"this is a sentence\");
            assert!(x, \"this is a sentence\");
        }
        // \"This is a sentence.\"
        #[cfg(test)] mod tests { const A: &str = \"this is a sentence\"; }";
        assert_eq!(lines("crates/select/src/a.rs", text), [0; 0]);
        let text = "impl fmt::Display for E { fn fmt(&self) { write!(f, \"this is a sentence\") } }";
        assert_eq!(lines("crates/store/src/error.rs", text), [0; 0]);
        assert_eq!(lines("crates/store/src/other.rs", text), [1]);
    }

    #[test]
    fn a_sentence_after_an_expectation_is_found() {
        assert_eq!(
            lines("crates/a/src/a.rs", "fn f() { x.expect(\"a b c d\");\n\"this is a sentence\" }"),
            [2]
        );
    }
}
