//! Names of foreign packages, classes and tools in literals of the product: they belong in the crate
//! `catalog`.
//!
//! Comments and tests may contain them. The words are a table of names without another meaning.

use anyhow::Result;

use super::lexer::TokenKind;
use super::tree::{SourceFile, Tree};
use super::{Exemption, Finding};

/// Parts of literals, in lower case; with a slash or a dot if the word alone is an ordinary one.
const WORDS: &[&str] = &[
    "apiguardian",
    "assertj",
    "bytebuddy",
    "cglib",
    "clojure/",
    "com/google/",
    "com.google.",
    "commons/logging",
    "cucumber",
    "easymock",
    "failsafe",
    "gradle",
    "groovy",
    "hamcrest",
    "io/kotest",
    "io.kotest",
    "jacoco",
    "jakarta/",
    "jakarta.",
    "javassist",
    "jmockit",
    "jqwik",
    "junit",
    "jupiter",
    "kotlin/",
    "kotlin.",
    "kotlinx",
    "log4j",
    "logback",
    "lombok",
    "mockito",
    "mockk",
    "opentest4j",
    "org/apache/",
    "org.apache.",
    "org/codehaus/",
    "org.codehaus.",
    "powermock",
    "scala/",
    "scala.",
    "scalatest",
    "slf4j",
    "specs2",
    "spek",
    "spock",
    "springframework",
    "surefire",
    "testng",
];

/// Files that still have such names.
pub(super) const EXEMPT: &[Exemption] = &[
    Exemption { path: "crates/cli/src/args.rs", why: "examples in the help" },
    Exemption {
        path: "crates/project/src/build/error.rs",
        why: "advice to install or to update a build tool",
    },
    Exemption { path: "crates/project/src/build/gradle/", why: "the names of our own plugin and its files" },
    Exemption {
        path: "crates/project/src/classpath/kind.rs",
        why: "the languages of source files, for an advice",
    },
];

/// Whether a file may have such names: the catalog, and the agent's hooks, which are part of it.
fn is_place(file: &SourceFile) -> bool {
    let is_hooks = file.module.iter().any(|name| name.starts_with("frameworks"));
    file.package == "catalog" || file.package == "agent" && is_hooks
}

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for file in tree.product().filter(|file| !is_place(file)) {
        for token in file.product().iter().filter(|token| token.kind == TokenKind::Text) {
            let text = token.text.to_lowercase();
            if let Some(word) = WORDS.iter().find(|word| is_named(&text, word)) {
                let text = format!("a literal names `{word}`; the crate catalog is the place for it");
                found.push(Finding::new(&file.path, token.line, text));
            }
        }
    }
    Ok(found)
}

/// Whether the word is at the beginning of a word in the text: `junit` is in `org/junit/Test`, but not in
/// `conjunit`.
fn is_named(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let tree = Tree::of(vec![(path.to_owned(), text.to_owned())]);
        find(&tree).unwrap().iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_foreign_name_in_a_literal_is_found() {
        let text = "const A: &str = \"Lorg/junit/Test;\";\nconst B: &[u8] = b\"org.mockito.\";\nconst C: &str = r#\"SUREFIRE\"#;";
        assert_eq!(lines("crates/select/src/a.rs", text), [1, 2, 3]);
    }

    #[test]
    fn the_catalog_comments_tests_and_ordinary_words_are_allowed() {
        for path in ["catalog/src/a.rs", "agent/src/frameworks.rs", "agent/src/boundary/frameworks/testng.rs"]
        {
            assert_eq!(
                lines(&format!("crates/{path}"), "const A: &str = \"org/junit/Test\";"),
                [0; 0],
                "{path}"
            );
        }
        let text = "// junit\n/// \"junit\"\nfn junit() { \"java/lang/String escalate scalable conjunitx\" }
            #[cfg(test)] mod tests { const A: &str = \"org/junit\"; }";
        assert_eq!(lines("crates/select/src/a.rs", text), [0; 0]);
    }

    #[test]
    fn the_table_is_sorted_and_in_lower_case() {
        assert!(WORDS.is_sorted_by_key(|word| word.replace(['/', '.'], "")));
        assert!(WORDS.iter().all(|word| *word == word.to_lowercase()));
    }
}
