//! Library classes: which ones were used, and the footprints of their static initialisers.
//!
//! A library is watched class by class. An initialiser runs once in a JVM. A test that uses a class which
//! names the initialised one may depend on it, whichever test it ran for.

use crate::facts::{FactKind, Question, QuestionTable};
use crate::history::{Footprint, LibraryGraph};
use crate::world::World;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use tamis_classfile::{ClassFile, Constant};
use tamis_program::bitset::{BitSet, ClosureCache};
use tamis_program::snapshot::{ClassId, MethodId};

#[derive(Default)]
pub(super) struct LibraryClasses {
    /// Questions about library classes, by name; `None` for classes of the JDK and of frameworks.
    numbers: FxHashMap<String, Option<u32>>,
    names: FxHashMap<u32, String>,
    /// Footprints of the initialisers of library classes, by question.
    inits: FxHashMap<u32, Footprint>,
    initialised: BitSet<u32>,
    /// The library classes that a library class names.
    named: FxHashMap<u32, Arc<[u32]>>,
    /// The library classes that a method of the project names.
    by_method: FxHashMap<MethodId, Arc<[u32]>>,
    /// The library classes from which classes of the project inherit.
    above: ClosureCache<ClassId, u32>,
    /// By archive, the questions about its classes.
    archives: FxHashMap<usize, BitSet<u32>>,
    /// By library class, the archives whose classes name it; and the number of classes that were examined for
    /// that.
    callers: FxHashMap<u32, (usize, BTreeSet<usize>)>,
    /// The strings in the code of library classes.
    constants: FxHashMap<u32, Arc<[String]>>,
}

impl LibraryClasses {
    /// The question about a library class; `None` for a class of the JDK or of a framework.
    pub(super) fn number(&mut self, world: &dyn World, asked: &mut QuestionTable, name: &str) -> Option<u32> {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let counts = world.is_library(name) && !world.is_framework(name);
        let number = counts.then(|| asked.number(Question::new(FactKind::Library, name)));
        self.numbers.insert(name.to_owned(), number);
        if let Some(number) = number {
            self.names.insert(number, name.to_owned());
            if let Some(archive) = world.archive_of(name) {
                self.archives.entry(archive).or_default().insert(number);
            }
        }
        number
    }

    /// Whether a question is about a library class.
    pub(super) fn is_one(&self, number: u32) -> bool {
        self.names.contains_key(&number)
    }

    /// The archive of a library class.
    pub(super) fn archive(&self, class: u32) -> Option<usize> {
        self.archives.iter().find(|(_, classes)| classes.contains(class)).map(|(archive, _)| *archive)
    }

    /// Whether one of these questions is about a class of an archive.
    pub(super) fn is_any_of(&self, archive: usize, numbers: &BitSet<u32>) -> bool {
        self.archives.get(&archive).is_some_and(|classes| {
            let mut both = classes.clone();
            both.keep(numbers);
            !both.is_empty()
        })
    }

    /// Whether one of these questions is about the archive of a class, or about an archive whose classes name
    /// it: the interfaces of a specification may be in another archive than the code that calls them.
    fn is_used(&mut self, class: u32, others: &BitSet<u32>) -> bool {
        let (seen, archives) = self.callers.remove(&class).unwrap_or_default();
        let archives = match seen == self.named.len() {
            true => archives,
            false => {
                let naming = self.named.iter().filter(|(_, named)| named.binary_search(&class).is_ok());
                let naming = naming.map(|(caller, _)| *caller).chain([class]);
                naming.filter_map(|caller| self.archive(caller)).collect()
            }
        };
        let is_used = archives.iter().any(|archive| self.is_any_of(*archive, others));
        self.callers.insert(class, (self.named.len(), archives));
        is_used
    }

    /// The strings in the code of a library class.
    pub(super) fn constants(&mut self, world: &dyn World, class: u32) -> Arc<[String]> {
        if let Some(known) = self.constants.get(&class) {
            return Arc::clone(known);
        }
        let texts = |constant: Constant<'_>| match constant {
            Constant::String(text) => Some(text),
            _ => None,
        };
        let found: Arc<[String]> =
            self.names.get(&class).map(|name| pool_of(world, name, texts)).unwrap_or_default().into();
        self.constants.insert(class, Arc::clone(&found));
        found
    }

    /// Adds a run of the static initialiser of a library class.
    pub(super) fn initialised(
        &mut self,
        world: &dyn World,
        asked: &mut QuestionTable,
        name: &str,
        used: Footprint,
    ) {
        if let Some(number) = self.number(world, asked, name) {
            self.inits.entry(number).or_default().add(&used);
            self.initialised.insert(number);
        }
    }

    /// The library classes from which classes of the project inherit.
    pub(super) fn above(
        &mut self,
        world: &dyn World,
        asked: &mut QuestionTable,
        classes: &BitSet<ClassId>,
    ) -> BitSet<u32> {
        let snapshot = world.snapshot();
        let above = std::mem::take(&mut self.above);
        let found = above.all(classes, |class, into| {
            let (known, missing) = snapshot.supertypes(class);
            let known = known.into_iter().filter(|above| !snapshot.is_project(*above));
            let names = known.map(|above| snapshot.class(above).name()).chain(missing);
            into.extend(names.filter_map(|name| self.number(world, asked, name)));
        });
        self.above = above;
        found
    }
}

/// The libraries in the form in which the history asks about them.
pub(super) struct LibraryAnswers<'a> {
    pub(super) libraries: &'a mut LibraryClasses,
    pub(super) world: &'a dyn World,
    pub(super) asked: &'a mut QuestionTable,
}

impl LibraryGraph for LibraryAnswers<'_> {
    fn named_by(&mut self, method: MethodId) -> Arc<[u32]> {
        if let Some(known) = self.libraries.by_method.get(&method) {
            return Arc::clone(known);
        }
        let record = self.world.snapshot().class(method.class);
        let owners = record.references_of(method.method as usize).map(|found| record.str(found.owner));
        let numbers = self.numbers(owners);
        self.libraries.by_method.insert(method, Arc::clone(&numbers));
        numbers
    }

    fn named_in(&mut self, class: u32) -> Arc<[u32]> {
        if let Some(known) = self.libraries.named.get(&class) {
            return Arc::clone(known);
        }
        let classes = |constant: Constant<'_>| match constant {
            Constant::Class(name) => Some(name),
            _ => None,
        };
        let names = self.libraries.names.get(&class).map(|name| pool_of(self.world, name, classes));
        let numbers = self.numbers(names.iter().flatten().map(String::as_str));
        self.libraries.named.insert(class, Arc::clone(&numbers));
        numbers
    }

    fn initialised(&self) -> &BitSet<u32> {
        &self.libraries.initialised
    }

    fn init(&self, class: u32) -> Option<&Footprint> {
        self.libraries.inits.get(&class)
    }

    fn is_made_for(&mut self, class: ClassId, others: &BitSet<u32>) -> bool {
        let above: BitSet<ClassId> = [class].into_iter().collect();
        let above = self.libraries.above(self.world, self.asked, &above);
        above.is_empty() || above.iter().any(|above| self.libraries.is_used(above, others))
    }
}

impl LibraryAnswers<'_> {
    fn numbers<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Arc<[u32]> {
        let mut numbers: Vec<u32> =
            names.filter_map(|name| self.libraries.number(self.world, self.asked, name)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into()
    }
}

/// The texts of the chosen constants of a library class.
fn pool_of(world: &dyn World, name: &str, chosen: impl Fn(Constant<'_>) -> Option<u16>) -> Vec<String> {
    let Some(bytes) = world.library_class_file(name) else { return Vec::new() };
    let Ok(class) = ClassFile::parse(&bytes) else { return Vec::new() };
    let pool = &class.pool;
    let texts = pool.iter().filter_map(|(_, constant)| chosen(constant));
    texts.filter_map(|text| pool.text(text).ok().map(std::borrow::Cow::into_owned)).collect()
}
