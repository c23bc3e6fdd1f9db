//! Names for local and anonymous classes that do not depend on the compiler's numbering.
//!
//! `C$3` becomes `C$f(I)V~new java/lang/Runnable#1`. The parts are: the outer class, the member, the class's
//! own name (or the supertype of an anonymous class), and, if a member holds several of a kind, its position
//! in the order in which the member's code first names them. Inserting or moving a class elsewhere changes
//! none of these.

use super::code_mentions::CodeMention;
use super::compiler::MadeClass;
use super::family::{Family, Nesting, ParsedClass};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Maps actual class names to canonical ones.
#[derive(Default)]
pub(crate) struct ClassRenames<'a> {
    names: FxHashMap<&'a [u8], Vec<u8>>,
    /// The member around a local class, as in the source: `f(I)V`, or empty if unknown.
    owners: FxHashMap<&'a [u8], Vec<u8>>,
}

impl<'a> ClassRenames<'a> {
    pub(crate) fn find(family: &Family<'a>, mentions: &[Vec<Vec<CodeMention>>]) -> Self {
        let mut renames = ClassRenames::default();
        // Shorter names first, so that an outer class is renamed before its inner classes.
        for (index, class) in family.classes.iter().enumerate() {
            if let Nesting::Member { outer, name } = class.place
                && let Some(outer) = renames.names.get(outer)
            {
                let name = [outer.as_slice(), b"$", name].concat();
                renames.names.insert(class.name, name);
            }
            renames.name_locals_of(family, index, class, mentions);
        }
        renames
    }

    /// The canonical name, if it differs from the actual one.
    pub(crate) fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.names.get(name).map(Vec::as_slice)
    }

    /// The member around a local class.
    pub(crate) fn owner(&self, name: &[u8]) -> Option<&[u8]> {
        self.owners.get(name).map(Vec::as_slice)
    }

    /// Renames all classes in a class constant's name, a descriptor or a signature. `own` is the class that
    /// contains the text: a local class refers to itself as `~`, whatever its number.
    #[inline]
    pub(crate) fn rewrite<'t>(&self, text: &'t [u8], own: &[u8]) -> Cow<'t, [u8]> {
        if self.names.is_empty() || !text.contains(&b'$') {
            return Cow::Borrowed(text);
        }
        self.rewrite_names(text, own)
    }

    fn rewrite_names<'t>(&self, text: &'t [u8], own: &[u8]) -> Cow<'t, [u8]> {
        if let Some(name) = self.name_for(text, own) {
            return Cow::Owned(name.to_vec());
        }
        let mut out = Vec::new();
        let mut rest = text;
        let mut changed = false;
        while let Some(start) = rest.iter().position(|byte| *byte == b'L') {
            let (before, from) = rest.split_at(start + 1);
            out.extend_from_slice(before);
            let end = from.iter().position(|byte| b";<.:".contains(byte)).unwrap_or(from.len());
            let (class, after) = from.split_at(end);
            match self.name_for(class, own) {
                Some(name) => {
                    out.extend_from_slice(name);
                    changed = true;
                }
                None => out.extend_from_slice(class),
            }
            rest = after;
        }
        out.extend_from_slice(rest);
        if changed { Cow::Owned(out) } else { Cow::Borrowed(text) }
    }

    fn name_for(&self, class: &[u8], own: &[u8]) -> Option<&[u8]> {
        let name = self.names.get(class)?;
        Some(if class == own { b"~" } else { name })
    }

    fn name_locals_of(
        &mut self,
        family: &Family<'a>,
        index: usize,
        outer: &ParsedClass<'a>,
        mentions: &[Vec<Vec<CodeMention>>],
    ) {
        let mut locals: Vec<(usize, &ParsedClass<'a>)> = family
            .classes
            .iter()
            .enumerate()
            .filter(
                |(_, class)| matches!(class.place, Nesting::Local { enclosing, .. } if enclosing == outer.name),
            )
            .collect();
        if locals.is_empty() {
            return;
        }
        let first = first_mentions(family, index, mentions);
        // Classes are sorted by length and name, so classes that are never mentioned keep the order of their
        // numbers.
        locals.sort_by_key(|(class, _)| first.get(class).map_or(usize::MAX, |(rank, _)| *rank));
        let prefix = self.get(outer.name).unwrap_or(outer.name).to_vec();
        let mut twins: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
        for (class, local) in locals {
            let owner = self.owner_of(family, local, first.get(&class).map(|(_, owner)| owner.as_slice()));
            let mut name = [&prefix, b"$".as_slice(), &owner, b"~", &self.what(family, local)].concat();
            let twin = twins.entry(name.clone()).or_default();
            if *twin > 0 {
                name.extend_from_slice(format!("#{twin}").as_bytes());
            }
            *twin += 1;
            if name.len() > LONGEST {
                // Nested members with parameters of local types make names within names, of unbounded length.
                name = [outermost(&prefix), b"$~", super::value::Digest::of(&name).to_string().as_bytes()]
                    .concat();
            }
            self.names.insert(local.name, name);
            self.owners.insert(local.name, owner);
        }
    }

    /// The member around a local class. A class inside a lambda may name the lambda's method (javac 8): then
    /// it is the member whose code first leads to the class. The same holds for field initialisers, which
    /// belong to no method.
    fn owner_of(&self, family: &Family<'a>, local: &ParsedClass<'a>, mentioned_by: Option<&[u8]>) -> Vec<u8> {
        if let Nesting::Local { enclosing, method: Some((name, descriptor)), .. } = local.place
            && family.made_method(enclosing, name, descriptor).is_none()
        {
            return [name, &self.rewrite(descriptor, b"")].concat();
        }
        mentioned_by.unwrap_or_default().to_vec()
    }

    /// The class's own name, or the supertype of an anonymous class.
    fn what(&self, family: &Family<'a>, local: &ParsedClass<'a>) -> Vec<u8> {
        if let Nesting::Local { name: Some(name), .. } = local.place {
            return name.to_vec();
        }
        if local.made != MadeClass::No {
            return b"made".to_vec();
        }
        let interface = local.file.interface_names().next().and_then(Result::ok);
        let parent = interface.or(local.file.super_name().ok().flatten()).unwrap_or_default();
        let parent = match family.class(parent).map(|(_, class)| class.place) {
            Some(Nesting::Local { name: Some(name), .. }) => Cow::Borrowed(name),
            _ => self.rewrite(parent, b""),
        };
        [b"new ".as_slice(), &parent].concat()
    }
}

/// A canonical name longer than this is replaced by its digest.
const LONGEST: usize = 512;

fn outermost(name: &[u8]) -> &[u8] {
    let dollar = name.iter().skip(1).position(|byte| *byte == b'$').map(|at| at + 1);
    name.get(..dollar.unwrap_or(name.len()).min(LONGEST)).unwrap_or(name)
}

/// For each local class, the rank and the member of its first mention in the code of `outer`. Lambda bodies
/// count at their point of use. Members are taken in the order of their names, which is independent of
/// numbering.
fn first_mentions(
    family: &Family<'_>,
    outer: usize,
    mentions: &[Vec<Vec<CodeMention>>],
) -> FxHashMap<usize, (usize, Vec<u8>)> {
    let mut first = FxHashMap::default();
    let mut walked = FxHashMap::default();
    let Some(class) = family.classes.get(outer) else { return first };
    let mut members: Vec<usize> = (0..class.methods.len()).collect();
    members.retain(|member| class.methods.get(*member).is_some_and(|method| !method.made));
    members.sort_by_key(|member| class.methods.get(*member).map(|method| (method.name, method.descriptor)));
    for member in members {
        let Some(method) = class.methods.get(member) else { continue };
        // Field initialisers are copied into every constructor, so they belong to no particular one.
        let owner = if method.name.starts_with(b"<") {
            method.name.to_vec()
        } else {
            [method.name, method.descriptor].concat()
        };
        let mut stack = vec![(outer, member, 0usize)];
        while let Some((class, method, next)) = stack.pop() {
            let of = mentions.get(class).and_then(|methods| methods.get(method));
            let Some(mention) = of.and_then(|mentions| mentions.get(next)) else { continue };
            stack.push((class, method, next + 1));
            match *mention {
                CodeMention::Class(local) => {
                    let rank = first.len();
                    first.entry(local).or_insert_with(|| (rank, owner.clone()));
                }
                CodeMention::Made(class, method) => {
                    if walked.insert((class, method), ()).is_none() {
                        stack.push((class, method, 0));
                    }
                }
            }
        }
    }
    first
}
