//! Words in docs, comments and code that refer to something outside of this repository.
//!
//! They are pages that a reader cannot open, and folders of one machine.

use anyhow::Result;

use super::tree::Tree;
use super::{Exemption, Finding};

/// Forbidden words, and the advice for each.
const PHRASES: &[(&str, &str)] = &[
    ("INTERFACE's", "name docs/interface.md"),
    ("of INTERFACE", "name docs/interface.md"),
    ("the plan left open", "give the reason itself"),
    ("the plan leaves open", "give the reason itself"),
    ("The plan asked", "give the reason itself"),
    ("the plan asks", "give the reason itself"),
    ("The plan wanted", "give the reason itself"),
    ("STYLE.md", "CONTRIBUTING.md has the rules"),
    ("/Volumes/", "a folder of one machine"),
    ("/Users/", "a folder of one machine"),
];

/// Files that need the words.
pub(super) const EXEMPT: &[Exemption] =
    &[Exemption { path: "xtask/src/tidy/phrases.rs", why: "the table of the words" }];

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for file in &tree.texts {
        for (at, line) in file.text.lines().enumerate() {
            for (phrase, instead) in PHRASES.iter().filter(|(phrase, _)| is_written(line, phrase)) {
                let text = format!("`{phrase}` refers to something outside of the repository: {instead}");
                found.push(Finding::new(&file.path, at + 1, text));
            }
        }
    }
    Ok(found)
}

/// Whether the phrase occurs. A folder counts only at the beginning of a path: not in `$folder/Users/usr`.
fn is_written(line: &str, phrase: &str) -> bool {
    let is_inside =
        |at: usize| phrase.starts_with('/') && !line[..at].ends_with(|c: char| " \t\"'`(=:,".contains(c));
    line.match_indices(phrase).any(|(at, _)| at == 0 || !is_inside(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        let tree = Tree::of(vec![("docs/a.md".to_owned(), text.to_owned())]);
        find(&tree).unwrap().iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_page_outside_of_the_repository_is_found() {
        assert_eq!(lines("One.\nThe keys are INTERFACE's document.\nThe plan asked for more."), [2, 3]);
        assert_eq!(lines("INTERFACE is a constant, and the plan is a message."), [0; 0]);
    }

    #[test]
    fn a_folder_of_one_machine_is_found_and_a_part_of_a_path_is_not() {
        assert_eq!(lines("cd /Volumes/main\n(see /Users/x)\n/Volumes/y"), [1, 2, 3]);
        assert_eq!(lines("$folder/Users/usr, a/Users/b, https://x.org/Users/"), [0; 0]);
    }
}
