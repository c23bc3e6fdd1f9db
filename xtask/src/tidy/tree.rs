//! The workspace as the checks see it: its text files, and the lexed sources of the product without test
//! code.
//!
//! Reads the disk once. Does not know the checks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::lexer::{self, Token, TokenKind};

/// Crates that only tests use.
const TEST_CRATES: [&str; 1] = ["test-support"];

/// Folders without sources of ours.
const SKIPPED: [&str; 3] = ["target", "corpus", "artifacts"];

/// Extensions of files that people read.
const READ: [&str; 8] = ["rs", "md", "toml", "java", "sh", "kt", "xml", "groovy"];

/// All files, by path.
pub(super) struct Tree {
    /// Every text file.
    pub(super) texts: Vec<TextFile>,
    /// Every Rust file below `crates/*/src`.
    pub(super) sources: Vec<SourceFile>,
}

/// A file that is not lexed.
pub(super) struct TextFile {
    /// From the workspace's folder, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

/// A Rust file of a crate.
pub(super) struct SourceFile {
    /// From the workspace's folder, with `/`.
    pub(super) path: String,
    /// The crate's folder in `crates`.
    pub(super) package: String,
    /// The names of its module, none for `lib.rs` and `main.rs`.
    pub(super) module: Vec<String>,
    pub(super) tokens: Vec<Token>,
    /// Whether only tests compile it.
    pub(super) is_test: bool,
    pub(super) lines: usize,
}

impl SourceFile {
    /// The tokens that are compiled into the product, without comments.
    pub(super) fn product(&self) -> Vec<&Token> {
        let in_product = |token: &&Token| !token.is_test && token.kind != TokenKind::Comment;
        self.tokens.iter().filter(in_product).filter(|_| !self.is_test).collect()
    }

    /// Number of lines without test code.
    pub(super) fn product_lines(&self) -> usize {
        let tests: BTreeSet<usize> = self.tests().flat_map(|(first, last)| first..=last).collect();
        if self.is_test { 0 } else { self.lines - tests.len() }
    }

    /// First and last line of each run of test code.
    fn tests(&self) -> impl Iterator<Item = (usize, usize)> {
        let runs = self.tokens.chunk_by(|a, b| a.is_test == b.is_test).filter(|run| run[0].is_test);
        runs.filter_map(|run| Some((run.first()?.line, run.last()?.line)))
    }
}

impl Tree {
    /// Reads everything below the workspace's folder.
    pub(super) fn read(workspace: &Path) -> Result<Tree> {
        let mut files = Vec::new();
        collect(workspace, "", &mut files)?;
        Ok(Tree::of(files))
    }

    /// A tree of these paths and texts.
    pub(super) fn of(files: Vec<(String, String)>) -> Tree {
        let mut texts: Vec<TextFile> =
            files.into_iter().map(|(path, text)| TextFile { path, text }).collect();
        texts.sort_by(|a, b| a.path.cmp(&b.path));
        let mut sources: Vec<SourceFile> = texts.iter().filter_map(source).collect();
        find_tests(&mut sources);
        Tree { texts, sources }
    }

    /// The files of the product.
    pub(super) fn product(&self) -> impl Iterator<Item = &SourceFile> {
        self.sources.iter().filter(|source| !source.is_test)
    }
}

fn collect(folder: &Path, path: &str, files: &mut Vec<(String, String)>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() && !SKIPPED.contains(&name.as_str()) && (!name.starts_with('.') || name == ".ci") {
            collect(&entry.path(), &below, files)?;
        } else if kind.is_file() && is_read(&below) {
            // A file that is not text, such as a test's class file with a text's extension, is not checked.
            if let Ok(text) = fs::read_to_string(entry.path()) {
                files.push((below, text));
            }
        }
    }
    Ok(())
}

fn is_read(path: &str) -> bool {
    path.starts_with(".ci/") || path.rsplit_once('.').is_some_and(|(_, ending)| READ.contains(&ending))
}

fn source(file: &TextFile) -> Option<SourceFile> {
    let (package, below) = file.path.strip_prefix("crates/")?.split_once('/')?;
    let module = below.strip_prefix("src/")?.strip_suffix(".rs")?;
    let mut module: Vec<String> = module.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|name| ["lib", "main", "mod"].contains(&name.as_str())) {
        module.pop();
    }
    Some(SourceFile {
        path: file.path.clone(),
        package: package.to_owned(),
        module,
        tokens: lexer::tokens(&file.text),
        is_test: TEST_CRATES.contains(&package),
        lines: file.text.lines().count(),
    })
}

/// Flags test code: a file whose `mod` line is test code, or whose parent file is.
fn find_tests(sources: &mut [SourceFile]) {
    let mut modules: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    for source in &*sources {
        for window in source.tokens.windows(3) {
            if window[0].is_word("mod") && window[2].is_mark(';') && window[0].is_test {
                let mut module = source.module.clone();
                module.push(window[1].text.clone());
                modules.insert((source.package.clone(), module));
            }
        }
    }
    for source in sources {
        let is_declared = |length| {
            modules.contains(&(source.package.clone(), source.module.iter().take(length).cloned().collect()))
        };
        source.is_test |= (1..=source.module.len()).any(is_declared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        Tree::of(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }

    #[test]
    fn files_of_crates_are_lexed_with_their_module() {
        let tree = tree(&[
            ("crates/a/src/lib.rs", ""),
            ("crates/a/src/b/mod.rs", ""),
            ("crates/a/src/b/c.rs", ""),
            ("crates/a/tests/d.rs", ""),
            ("README.md", ""),
        ]);
        let modules: Vec<String> = tree.sources.iter().map(|source| source.module.join("::")).collect();
        assert_eq!(modules, ["b::c", "b", ""]);
        assert_eq!(tree.texts.len(), 5);
    }

    #[test]
    fn a_file_that_only_tests_compile_is_recognised_by_its_mod_line() {
        let tree = tree(&[
            ("crates/a/src/lib.rs", "mod b;\n#[cfg(test)]\nmod samples;"),
            ("crates/a/src/b.rs", "#[cfg(test)] mod tests; mod c;"),
            ("crates/a/src/b/tests.rs", ""),
            ("crates/a/src/b/c.rs", ""),
            ("crates/a/src/samples/more.rs", ""),
            ("crates/test-support/src/lib.rs", ""),
        ]);
        let product: Vec<&str> = tree.product().map(|source| source.path.as_str()).collect();
        assert_eq!(product, ["crates/a/src/b.rs", "crates/a/src/b/c.rs", "crates/a/src/lib.rs"]);
    }

    #[test]
    fn lines_of_tests_do_not_count() {
        let text = "//! A.\nfn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
        let tree = tree(&[("crates/a/src/lib.rs", text)]);
        assert_eq!(tree.sources[0].product_lines(), 3);
        assert_eq!(tree.sources[0].product().len(), 6);
    }

    #[test]
    fn in_this_workspace_every_bracket_is_closed() {
        let tree = Tree::read(&crate::cargo::workspace()).unwrap();
        assert!(tree.product().count() > 100);
        for source in &tree.sources {
            for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
                let count = |mark| source.tokens.iter().filter(|token| token.is_mark(mark)).count();
                assert_eq!(count(open), count(close), "{}: {open}", source.path);
            }
        }
    }
}
