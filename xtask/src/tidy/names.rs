//! Names of types: each is defined once in the product, and most have more than one word.
//!
//! Counts structs, enums, unions, traits and aliases of `crates/*/src`, except private `Kind`, `State` and
//! `Row`, and types inside of functions.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;

use anyhow::Result;

use super::Finding;
use super::lexer::{Token, TokenKind};
use super::tree::{SourceFile, Tree};

/// Percentage of names that may be defined more than once.
const REPEATED: usize = 2;

/// Percentage of names that may be a single word.
const SINGLE: usize = 40;

/// Too short to be unique, but clear if only one file sees them.
const LOCAL: [&str; 3] = ["Kind", "State", "Row"];

/// The names, each with its places.
pub(super) struct Names(BTreeMap<String, Vec<(String, usize)>>);

impl Names {
    pub(super) fn of(tree: &Tree) -> Names {
        let mut names: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
        for file in tree.product() {
            for (name, line) in defined(file) {
                names.entry(name).or_default().push((file.path.clone(), line));
            }
        }
        Names(names)
    }

    fn repeated(&self) -> impl Iterator<Item = (&String, &Vec<(String, usize)>)> {
        self.0.iter().filter(|(_, places)| places.len() > 1)
    }

    fn single(&self) -> impl Iterator<Item = &String> {
        self.0.keys().filter(|name| humps(name) == 1)
    }

    /// Both lists, for the user.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let repeated = self.repeated().map(|(name, places)| {
            let places: Vec<&str> = places.iter().map(|(path, _)| path.as_str()).collect();
            format!("defined more than once: {name} in {}", places.join(", "))
        });
        repeated.chain(self.single().map(|name| format!("single word: {name}")))
    }
}

/// The two ratios: the last line of `cargo xtask tidy`.
impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.0.len();
        let (repeated, single) = (self.repeated().count(), self.single().count());
        write!(
            f,
            "type names: {all}; defined more than once: {repeated} ({}, at most {REPEATED} %); \
             single words: {single} ({}, at most {SINGLE} %)",
            percent(repeated, all),
            percent(single, all)
        )
    }
}

/// `19.7 %`
fn percent(part: usize, all: usize) -> String {
    let tenths = (part * 1000 + all / 2) / all.max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let names = Names::of(tree);
    let all = names.0.len();
    let mut found = Vec::new();
    if names.repeated().count() * 100 > all * REPEATED {
        for (name, places) in names.repeated() {
            let first = &places[0];
            let others = places[1..].iter().map(|(path, line)| {
                let text = format!("type {name} is defined in {}:{} too", first.0, first.1);
                Finding::new(path, *line, text)
            });
            found.extend(others);
        }
    }
    let single = names.single().count();
    if single * 100 > all * SINGLE {
        let text = format!("{single} of {all} type names are single words; --verbose lists them");
        found.push(Finding::new("crates", 0, text));
    }
    Ok(found)
}

/// The types that a file defines, with their lines.
fn defined(file: &SourceFile) -> Vec<(String, usize)> {
    let tokens = file.product();
    let mut found = Vec::new();
    let mut scopes: Vec<Scope> = Vec::new();
    let mut next = Scope::Other;
    let mut brackets = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let before_name = tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Word);
        match (token.kind, token.text.as_str()) {
            _ if token.is_attribute => {}
            (TokenKind::Word, "fn") if before_name => next = Scope::Function, // `fn(u8)` is a type.
            // `impl Trait` in a signature opens nothing: the next brace still belongs to the function.
            (TokenKind::Word, "impl" | "trait") if next != Scope::Function => next = Scope::Members,
            (TokenKind::Mark, "(" | "[") => brackets += 1,
            (TokenKind::Mark, ")" | "]") => brackets = brackets.saturating_sub(1),
            (TokenKind::Mark, "{") => scopes.push(mem::replace(&mut next, Scope::Other)),
            (TokenKind::Mark, "}") => drop(scopes.pop()),
            (TokenKind::Mark, ";") if brackets == 0 => next = Scope::Other,
            _ => {}
        }
        // `wire!(struct Hello { … })` repeats a name.
        let is_item = brackets == 0 && !scopes.contains(&Scope::Function) && next != Scope::Function;
        let is_alias = token.is_word("type") && !scopes.contains(&Scope::Members);
        let is_type = ["struct", "enum", "union", "trait"].iter().any(|word| token.is_word(word));
        if !token.is_attribute
            && is_item
            && (is_type || is_alias)
            && let Some(name) = tokens.get(at + 1)
            && name.text.starts_with(|c: char| c.is_uppercase())
            && (is_public(&tokens[..at]) || !LOCAL.contains(&name.text.as_str()))
        {
            found.push((name.text.clone(), name.line));
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Function,
    /// Of a trait or an `impl`; a `type` in it is not a name of its own.
    Members,
    Other,
}

/// Whether `pub` or `pub(crate)` precedes.
fn is_public(before: &[&Token]) -> bool {
    let ends = |token: &&&Token| [';', '{', '}', ']'].iter().any(|mark| token.is_mark(*mark));
    before.iter().rev().take_while(|token| !ends(token)).any(|token| token.is_word("pub"))
}

/// Number of words: `ClassName` has two, `Utf8` one, `IOError` two.
fn humps(name: &str) -> usize {
    let chars: Vec<char> = name.chars().collect();
    let begins = |at: usize| {
        let is_upper = |at: usize| chars.get(at).is_some_and(|c| c.is_uppercase());
        let is_lower = |at: usize| chars.get(at).is_some_and(|c| c.is_lowercase());
        is_upper(at) && (at == 0 || !is_upper(at - 1) || is_lower(at + 1))
    };
    (0..chars.len()).filter(|at| begins(*at)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |(name, text): &(&str, &str)| (format!("crates/a/src/{name}.rs"), (*text).to_owned());
        Tree::of(files.iter().map(file).collect())
    }

    fn of(text: &str) -> Vec<String> {
        defined(&tree(&[("lib", text)]).sources[0]).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn every_kind_of_type_counts_and_no_other_name() {
        let text = "pub struct A<T>(T); enum B {} union C { x: u8 } pub(crate) trait D { type X; fn f(); } type E = A<u8>;
            impl D for A<u8> { type X = B; fn f() {} } mod m { pub(super) struct F; } const G: u8 = 1; use a::H;
            wire!(struct I { x }); macro_rules! m { ($name:ident) => { struct $name; } }";
        assert_eq!(of(text), ["A", "B", "C", "D", "E", "F"]);
    }

    #[test]
    fn a_type_inside_of_a_function_does_not_count() {
        assert_eq!(of("fn f(x: impl Copy) -> u8 { struct A; enum B {} 1 } struct C;"), ["C"]);
        assert_eq!(of("fn f() -> [u8; 3] { struct A; [0; 3] } struct B;"), ["B"]);
        assert_eq!(of("const T: &str = \"fn f() {\"; struct B;"), ["B"]);
        assert_eq!(of("impl C { fn f() { struct A; } } struct D;"), ["D"]);
        assert_eq!(of("trait T { fn f(); } struct D;"), ["T", "D"]);
        assert_eq!(of("struct A { run: fn(u8) -> u8 } struct B { c: C }"), ["A", "B"]);
    }

    #[test]
    fn private_kinds_rows_and_states_do_not_count() {
        assert_eq!(
            of("enum Kind {} struct Row; pub enum State {} #[derive(Debug)] pub(super) struct Row;"),
            ["State", "Row"]
        );
        assert_eq!(of("pub struct Rows; struct Kind;"), ["Rows"]);
    }

    #[test]
    fn a_name_defined_twice_is_found_at_its_second_place() {
        let found = find(&tree(&[("a", "pub struct ClassName;"), ("b", "\nenum ClassName {}")])).unwrap();
        assert_eq!(
            found,
            [Finding::new("crates/a/src/b.rs", 2, "type ClassName is defined in crates/a/src/a.rs:1 too")]
        );
    }

    #[test]
    fn few_repeated_names_are_allowed_and_counted() {
        let many: String = (0..60).map(|n| format!("struct TypeName{n};")).collect();
        let tree =
            tree(&[("a", &format!("{many} struct ClassName;")), ("b", "struct ClassName; struct Told;")]);
        assert_eq!(find(&tree).unwrap(), []);
        assert_eq!(
            Names::of(&tree).to_string(),
            "type names: 62; defined more than once: 1 (1.6 %, at most 2 %); \
             single words: 1 (1.6 %, at most 40 %)"
        );
    }

    #[test]
    fn too_many_single_words_are_found() {
        let found = find(&tree(&[("a", "struct Told; struct Held; struct ClassName;")])).unwrap();
        assert_eq!(
            found,
            [Finding::new("crates", 0, "2 of 3 type names are single words; --verbose lists them")]
        );
    }

    #[test]
    fn humps_are_words() {
        for (name, expected) in
            [("Told", 1), ("ClassName", 2), ("Utf8", 1), ("IOError", 2), ("JVM", 1), ("RunUTF8Now", 3)]
        {
            assert_eq!(humps(name), expected, "{name}");
        }
    }
}
