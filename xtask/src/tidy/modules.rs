//! Modules of a crate that import each other in a cycle.
//!
//! A file or folder directly below `src` is one module here; references inside it are free. Finds paths that
//! begin with `crate` or `super`, and names that the crate's root re-exports; not names in the output of
//! macros.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use anyhow::Result;

use super::Finding;
use super::lexer::{Token, TokenKind};
use super::tree::{SourceFile, Tree};

/// Crates that consist of layers.
const PACKAGES: [&str; 2] = ["agent", "session"];

/// By module, the modules that it refers to, each with a place.
type Graph = BTreeMap<String, BTreeMap<String, Place>>;

/// The place of a reference from one module to another.
#[derive(Clone, Debug)]
struct Place {
    path: String,
    line: usize,
}

pub(super) fn find(tree: &Tree) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for package in PACKAGES {
        let files: Vec<&SourceFile> = tree.product().filter(|file| file.package == package).collect();
        found.extend(circles(&graph(&files)));
    }
    Ok(found)
}

/// The references between the modules of one crate.
fn graph(files: &[&SourceFile]) -> Graph {
    let modules: BTreeSet<&str> =
        files.iter().filter_map(|file| file.module.first().map(String::as_str)).collect();
    let mut exported: BTreeMap<String, String> = BTreeMap::new();
    for root in files.iter().filter(|file| file.module.is_empty()) {
        for path in paths(root).iter().filter(|path| path.is_use) {
            let names: Vec<&String> = path.names.iter().skip_while(|name| *name == "self").collect();
            if let [module, .., name] = names[..]
                && modules.contains(module.as_str())
            {
                exported.insert(name.clone(), module.clone());
            }
        }
    }
    let mut graph = Graph::new();
    for file in files {
        let Some(own) = file.module.first() else { continue };
        for path in paths(file) {
            let Some(name) = below_root(&file.module, &path.names) else { continue };
            let module = modules.get(name).copied().or_else(|| exported.get(name).map(String::as_str));
            if let Some(module) = module.filter(|module| module != own) {
                let place = Place { path: file.path.clone(), line: path.line };
                graph.entry(own.clone()).or_default().entry(module.to_owned()).or_insert(place);
            }
        }
    }
    graph
}

/// The name below the crate's root to which a path in this module leads.
fn below_root<'a>(module: &[String], names: &'a [String]) -> Option<&'a str> {
    let supers = names.iter().take_while(|name| *name == "super").count();
    let is_at_root = match names.first()?.as_str() {
        "crate" => true,
        "super" => supers == module.len(),
        _ => false,
    };
    names.get(supers.max(1)).filter(|_| is_at_root).map(String::as_str)
}

/// Names with `::` between them.
struct NamePath {
    names: Vec<String>,
    line: usize,
    /// Whether it is from a `use` item.
    is_use: bool,
}

/// All paths of a file; a group in braces is one path for each of its members.
fn paths(file: &SourceFile) -> Vec<NamePath> {
    let tokens = file.product();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_inside = at > 0 && tokens[at - 1].is_mark(':');
        let is_use = at > 0 && tokens[at - 1].is_word("use");
        let known = found.len();
        let end = if is_inside { at } else { path(&tokens, at, &[], &mut found) };
        found[known..].iter_mut().for_each(|path| path.is_use = is_use);
        at = end.max(at + 1);
    }
    found
}

/// Reads a path that begins here, below these names. Returns its end.
fn path(tokens: &[&Token], start: usize, below: &[String], found: &mut Vec<NamePath>) -> usize {
    let is = |at: usize, mark: char| tokens.get(at).is_some_and(|token| token.is_mark(mark));
    let mut names = below.to_vec();
    let mut at = start;
    while let Some(name) = tokens.get(at).filter(|token| token.kind == TokenKind::Word) {
        names.push(name.text.clone());
        at += 1;
        if !is(at, ':') || !is(at + 1, ':') {
            break;
        }
        at += 2;
    }
    if is(at, '{') && at > start && is(at - 1, ':') {
        return group(tokens, at + 1, &names, found);
    }
    if names.len() > below.len().max(1) {
        found.push(NamePath { names, line: tokens[start].line, is_use: false });
    }
    at
}

/// Reads the members of a group. Returns the position after its closing brace.
fn group(tokens: &[&Token], start: usize, below: &[String], found: &mut Vec<NamePath>) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        if token.is_mark('}') {
            return at + 1;
        }
        // `as` and the new name are not part of a path.
        at = if token.is_word("as") { at + 2 } else { path(tokens, at, below, found).max(at + 1) };
    }
    at
}

/// One finding for each set of modules that reach each other: a shortest cycle through the first of them.
fn circles(graph: &Graph) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for module in graph.keys() {
        if done.contains(module.as_str()) {
            continue;
        }
        let Some(circle) = circle(graph, module) else { continue };
        let mut together = reached(graph, module);
        together.retain(|other| reached(graph, other).contains(module.as_str()));
        done.extend(&together);
        let steps: Vec<String> = circle
            .windows(2)
            .filter_map(|step| {
                let place = graph.get(step[0])?.get(step[1])?;
                Some(format!("{} ({}:{})", step[1], place.path, place.line))
            })
            .collect();
        let place = circle.get(1).and_then(|next| graph.get(module)?.get(*next));
        let text = format!(
            "modules import each other: {module} → {}; {} modules reach each other",
            steps.join(" → "),
            together.len()
        );
        found.extend(place.map(|place| Finding::new(&place.path, place.line, text)));
    }
    found
}

/// The modules on a shortest way from a module back to itself, with this module at both ends.
fn circle<'a>(graph: &'a Graph, start: &'a str) -> Option<Vec<&'a str>> {
    let mut ways: VecDeque<Vec<&str>> = VecDeque::from([vec![start]]);
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in graph.get(*way.last()?).into_iter().flatten().map(|(next, _)| next.as_str()) {
            let mut way = way.clone();
            way.push(next);
            if next == start {
                return Some(way);
            }
            if seen.insert(next) {
                ways.push_back(way);
            }
        }
    }
    None
}

/// All modules that a module refers to, directly or not.
fn reached<'a>(graph: &'a Graph, start: &str) -> BTreeSet<&'a str> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = vec![start];
    while let Some(module) = open.pop() {
        for next in graph.get(module).into_iter().flatten().map(|(next, _)| next.as_str()) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |(name, text): &(&str, &str)| (format!("crates/agent/src/{name}.rs"), (*text).to_owned());
        Tree::of(files.iter().map(file).collect())
    }

    /// `a → b` for each reference.
    fn edges(files: &[(&str, &str)]) -> Vec<String> {
        let tree = tree(files);
        let graph = graph(&tree.product().collect::<Vec<_>>());
        let edges = graph.iter().flat_map(|(from, to)| to.keys().map(move |to| format!("{from} → {to}")));
        edges.collect()
    }

    #[test]
    fn paths_and_groups_lead_to_modules() {
        let others = [("b", ""), ("c", ""), ("d/mod", ""), ("d/e", "")];
        let with = |text| edges(&[&[("a", text)][..], &others].concat());
        assert_eq!(with("use crate::b::X; fn f() { crate::c::g(); }"), ["a → b", "a → c"]);
        assert_eq!(with("use crate::{b::{X, Y}, d::e}; use c::x;"), ["a → b", "a → d"]);
        assert_eq!(with("use super::b; use crate::a::x; pub(crate) use self::x; use std::b::c;"), ["a → b"]);
        assert_eq!(with("use super::{\n    b,\n    c::{self, X},\n};"), ["a → b", "a → c"]);
        assert_eq!(
            with("use crate::d::{x as c, y}; fn f() -> Vec::<crate::b::X> { a::b { c: 1 } }"),
            ["a → b", "a → d"]
        );
        assert_eq!(with("// crate::b\n#[cfg(test)] mod tests { use crate::c; }"), [""; 0]);
    }

    #[test]
    fn super_leads_out_of_a_folder_only_with_enough_steps() {
        let inner = |text| edges(&[("a/mod", ""), ("a/x", text), ("a/b", ""), ("b", "")]);
        assert_eq!(inner("use super::b;"), [""; 0]);
        assert_eq!(inner("use super::super::b;"), ["a → b"]);
    }

    #[test]
    fn a_name_that_the_root_re_exports_leads_to_its_module() {
        let root = ("lib", "mod a; mod b; pub use b::{Thing, inner::Other};");
        assert_eq!(edges(&[root, ("a", "use crate::Thing;"), ("b", "")]), ["a → b"]);
        assert_eq!(edges(&[root, ("a", "use crate::Other;"), ("b", "")]), ["a → b"]);
    }

    #[test]
    fn a_cycle_is_found_with_its_steps() {
        let found = find(&tree(&[
            ("a", "use crate::b;"),
            ("b", "\nuse crate::c;"),
            ("c", "use crate::{d, a};"),
            ("d", ""),
            ("e", "use crate::a;"),
        ]))
        .unwrap();
        let text = "modules import each other: a → b (crates/agent/src/a.rs:1) → c (crates/agent/src/b.rs:2) \
                    → a (crates/agent/src/c.rs:1); 3 modules reach each other";
        assert_eq!(found, [Finding::new("crates/agent/src/a.rs", 1, text)]);
    }

    #[test]
    fn layers_are_not_a_cycle_and_other_crates_may_have_one() {
        assert_eq!(
            find(&tree(&[("a", "use crate::{b, c};"), ("b", "use crate::c;"), ("c", "")])).unwrap(),
            []
        );
        let files = [("crates/cli/src/a.rs", "use crate::b;"), ("crates/cli/src/b.rs", "use crate::a;")];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        assert_eq!(find(&Tree::of(files.to_vec())).unwrap(), []);
    }
}
