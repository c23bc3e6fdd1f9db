//! Names of files: they name the content of the file.

use anyhow::Result;

use super::Finding;
use super::tree::Tree;

/// Names that fit any content.
const EMPTY: [&str; 9] =
    ["util", "utils", "utilities", "helper", "helpers", "common", "misc", "shared", "stuff"];

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for file in tree.texts.iter().filter(|file| file.path.ends_with(".rs")) {
        let names = file.path.split('/').map(|name| name.strip_suffix(".rs").unwrap_or(name));
        for name in names.filter(|name| EMPTY.contains(name)) {
            let text = format!("`{name}` does not say what is in it: name the file after what it holds");
            found.push(Finding::new(&file.path, 0, text));
        }
    }
    for file in tree.product().filter(|file| file.path.ends_with("/tests.rs")) {
        found.push(Finding::new(&file.path, 0, "product code in a file named tests.rs"));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(paths: &[(&str, &str)]) -> Vec<String> {
        let files = paths.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        find(&Tree::of(files.collect())).unwrap().into_iter().map(|finding| finding.place).collect()
    }

    #[test]
    fn names_that_fit_any_content_are_found() {
        let files =
            [("crates/a/src/util.rs", ""), ("crates/a/tests/common/mod.rs", ""), ("crates/a/src/b.rs", "")];
        assert_eq!(found(&files), ["crates/a/src/util.rs", "crates/a/tests/common/mod.rs"]);
    }

    #[test]
    fn product_code_is_not_in_tests_rs() {
        let tests = ("crates/a/src/tests.rs", "fn a() {}");
        assert_eq!(found(&[("crates/a/src/lib.rs", "mod tests;"), tests]), ["crates/a/src/tests.rs"]);
        assert_eq!(found(&[("crates/a/src/lib.rs", "#[cfg(test)]\nmod tests;"), tests]), [""; 0]);
    }
}
