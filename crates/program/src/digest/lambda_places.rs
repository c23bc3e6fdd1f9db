//! Names for lambda bodies by their place: the method around them, and their position in it.
//!
//! A lambda body that one method alone refers to is an entity of its own, like an anonymous class. `f(I)V~1` is the
//! second one in the code of `f`, whatever number the compiler gave it. All other compiler-made methods (accessors,
//! lambda bodies that several methods share) are part of the methods that use them.

use super::code_mentions::CodeMention;
use super::family::Family;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_classfile::access;

/// The lambda bodies of a family that have a place, by class and method.
#[derive(Default)]
pub(crate) struct LambdaPlaces {
    places: FxHashMap<(usize, usize), LambdaPlace>,
    /// The methods around them.
    around: FxHashSet<(usize, usize)>,
}

/// The place of a lambda body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LambdaPlace {
    /// Class and method around it; the method may be a lambda body, too.
    pub(crate) around: (usize, usize),
    /// Its position among the compiler-made methods that the code around it names, from 0.
    pub(crate) position: usize,
}

/// A place that is nested more deeply has no name.
const DEEPEST: usize = 16;

impl LambdaPlaces {
    /// Finds the places; `mentions` are the numbered things that each method names, in the order of its code.
    pub(crate) fn find(family: &Family<'_>, mentions: &[Vec<Vec<CodeMention>>]) -> LambdaPlaces {
        let mut places: FxHashMap<(usize, usize), Option<LambdaPlace>> = FxHashMap::default();
        for (class, methods) in mentions.iter().enumerate() {
            for (method, mentioned) in methods.iter().enumerate() {
                let made = mentioned.iter().filter_map(|mention| match mention {
                    CodeMention::Made(class, method) => Some((*class, *method)),
                    CodeMention::Class(_) => None,
                });
                for (position, lambda) in made.enumerate() {
                    let place = LambdaPlace { around: (class, method), position };
                    // A second method refers to it.
                    places.entry(lambda).and_modify(|known| *known = None).or_insert(Some(place));
                }
            }
        }
        let alone = places.into_iter().filter_map(|(lambda, place)| Some((lambda, place?)));
        let places = alone.filter(|(lambda, _)| is_lambda(family, *lambda)).collect();
        let mut found = LambdaPlaces { places, around: FxHashSet::default() };
        let rootless: Vec<(usize, usize)> =
            found.places.keys().copied().filter(|lambda| !found.is_rooted(family, *lambda)).collect();
        rootless.iter().for_each(|lambda| _ = found.places.remove(lambda));
        found.around = found.places.values().map(|place| place.around).collect();
        found
    }

    /// Whether a class has a method with lambda bodies that have a place.
    pub(crate) fn is_in(&self, class: usize) -> bool {
        self.around.iter().any(|(around, _)| *around == class)
    }

    /// Whether a method is around such a lambda body.
    pub(crate) fn are_in(&self, method: (usize, usize)) -> bool {
        self.around.contains(&method)
    }

    /// The place of a method, if it is a lambda body that has one.
    pub(crate) fn of(&self, method: (usize, usize)) -> Option<LambdaPlace> {
        self.places.get(&method).copied()
    }

    /// The name of a place: the member around it as in the source, and the positions down to it.
    pub(crate) fn name(&self, family: &Family<'_>, method: (usize, usize)) -> Option<Vec<u8>> {
        let mut positions = Vec::new();
        let mut at = method;
        while let Some(place) = self.of(at) {
            positions.push(place.position);
            at = place.around;
        }
        let class = family.classes.get(at.0)?;
        let root = class.methods.get(at.1).filter(|_| at != method)?;
        let mut name = [root.name, &family.renames.rewrite(root.descriptor, class.name)].concat();
        for position in positions.iter().rev() {
            name.extend_from_slice(format!("~{position}").as_bytes());
        }
        Some(name)
    }

    /// Whether a place leads to a method of the same class that stands for itself.
    fn is_rooted(&self, family: &Family<'_>, lambda: (usize, usize)) -> bool {
        let mut at = lambda;
        for _ in 0..DEEPEST {
            match self.of(at) {
                Some(place) if place.around.0 == lambda.0 => at = place.around,
                Some(_) => return false,
                None => return !family.is_made(at),
            }
        }
        false
    }
}

/// Whether a compiler-made method can be the body of a lambda: no accessor, no constructor.
fn is_lambda(family: &Family<'_>, (class, method): (usize, usize)) -> bool {
    let found = family.classes.get(class).and_then(|class| class.methods.get(method));
    found.is_some_and(|method| {
        method.made && method.member.access & access::PRIVATE != 0 && !method.name.starts_with(b"<")
    })
}
