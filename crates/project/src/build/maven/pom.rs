//! Reads the list of modules from a `pom.xml`, and nothing else.
//!
//! Not an XML parser: it follows elements, comments and CDATA as far as a list of names requires. A file that
//! it cannot follow lists nothing.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Longer than any hand-written `pom.xml`.
const LONGEST: u64 = 8 << 20;

/// Elements that list modules, profiles included. Since model 4.1 they are also called subprojects.
const PLACES: [&str; 4] = [
    "project/modules/module",
    "project/profiles/profile/modules/module",
    "project/subprojects/subproject",
    "project/profiles/profile/subprojects/subproject",
];

/// The modules that a file lists, as written there.
pub(super) fn modules(pom: &Path) -> io::Result<Vec<String>> {
    let mut bytes = Vec::new();
    File::open(pom)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(listed(&String::from_utf8_lossy(&bytes)))
}

fn listed(text: &str) -> Vec<String> {
    let mut modules = Vec::new();
    let mut place = String::new();
    let mut name = String::new();
    let mut rest = text;
    while let Some((before, markup)) = rest.split_once('<') {
        name.push_str(before);
        let Some((item, after)) = item(markup) else { break };
        rest = after;
        match item {
            PomItem::Text(text) => name.push_str(text),
            PomItem::Start(element) => {
                place.push_str(if place.is_empty() { "" } else { "/" });
                place.push_str(element);
                name.clear();
            }
            PomItem::End => {
                if PLACES.contains(&place.as_str()) {
                    modules.push(unescaped(name.trim()));
                }
                place.truncate(place.rfind('/').unwrap_or(0));
                name.clear();
            }
            PomItem::Other => {}
        }
    }
    modules
}

enum PomItem<'a> {
    Start(&'a str),
    End,
    Text(&'a str),
    Other,
}

/// The item that begins after a `<`, and the text after it. `None` if it does not end.
fn item(markup: &str) -> Option<(PomItem<'_>, &str)> {
    for (begin, end) in [("!--", "-->"), ("?", "?>"), ("![CDATA[", "]]>")] {
        if let Some(inside) = markup.strip_prefix(begin) {
            let (text, after) = inside.split_once(end)?;
            return Some((if begin == "![CDATA[" { PomItem::Text(text) } else { PomItem::Other }, after));
        }
    }
    let (tag, after) = tag(markup)?;
    let name = tag.split([' ', '\t', '\r', '\n', '/']).next().unwrap_or_default();
    let item = match tag.bytes().next()? {
        b'!' => PomItem::Other,
        b'/' => PomItem::End,
        _ if tag.ends_with('/') => PomItem::Other,
        _ => PomItem::Start(name.rsplit(':').next().unwrap_or(name)),
    };
    Some((item, after))
}

/// The text up to the first `>` outside of quotes, and the text after it.
fn tag(markup: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, c) in markup.char_indices() {
        match (quote, c) {
            (None, '>') => return Some((markup.get(..at)?, markup.get(at + 1..)?)),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

fn unescaped(text: &str) -> String {
    let mut text = text.to_owned();
    for (written, meant) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
    {
        text = text.replace(written, meant);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_listed_also_in_profiles_and_as_subprojects() {
        let text = r#"<?xml version="1.0"?><!DOCTYPE project>
            <project xmlns="http://maven.apache.org/POM/4.0.0" a='>'>
              <!-- <modules><module>no</module></modules> -->
              <modules> <module>
                core </module><module>a&amp;b</module><module/><module><![CDATA[c/d]]></module></modules>
              <build><modules><module>not-here</module></modules></build>
              <profiles><profile><id>x</id><modules><module>slow</module></modules></profile></profiles>
              <subprojects><subproject>../new</subproject></subprojects>
            </project>"#;
        assert_eq!(listed(text), ["core", "a&b", "c/d", "slow", "../new"]);
    }

    #[test]
    fn a_broken_pom_lists_only_the_modules_before_the_error() {
        for text in [
            "",
            "<",
            "<project",
            "<project><modules><module",
            "</></></>",
            "<!-- x",
            "<project><modules><module>x",
            "\0\u{fffd}",
        ] {
            assert_eq!(listed(text), [""; 0], "{text}");
        }
        assert_eq!(listed("<project><modules><module>x</module><module"), ["x"]);
    }
}
