//! Classes of libraries: which were used, and what their static initialisers did.
//!
//! A library is watched by class. An initialiser runs once in a JVM; whoever uses a class that names the initialised one
//! may rely on what it did, whichever test it ran for.

use crate::ops::world::World;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_classfile::{ClassFile, Constant};
use tamis_core::fact::{About, Asked, Question};
use tamis_core::snapshot::{ClassId, MethodId};
use tamis_core::used::Used;

#[derive(Default)]
pub(super) struct Libraries {
    /// Questions about library classes, by name; none for the JDK's and for frameworks'.
    numbers: FxHashMap<String, Option<u32>>,
    names: FxHashMap<u32, String>,
    /// What ran inside the initialisers of library classes, by question.
    inits: FxHashMap<u32, Used>,
    /// The library classes that a library class names.
    named: FxHashMap<u32, Box<[u32]>>,
    /// The library classes that a method of the project names.
    by_method: FxHashMap<MethodId, Box<[u32]>>,
    /// The library classes above a class of the project.
    above: FxHashMap<ClassId, Box<[u32]>>,
}

impl Libraries {
    /// The question about a library class, unless it is the JDK's or a framework's.
    pub(super) fn number(&mut self, world: &World, asked: &mut Asked, name: &str) -> Option<u32> {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let counts = world.is_library(name) && !world.is_framework(name);
        let number = counts.then(|| asked.number(Question::new(About::Library, name)));
        self.numbers.insert(name.to_owned(), number);
        if let Some(number) = number {
            self.names.insert(number, name.to_owned());
        }
        number
    }

    /// The static initialiser of a library class ran.
    pub(super) fn initialised(&mut self, world: &World, asked: &mut Asked, name: &str, used: Used) {
        if let Some(number) = self.number(world, asked, name) {
            self.inits.entry(number).or_default().add(&used);
        }
    }

    /// What `used` relies on of the initialisers of library classes; `None` if nothing that it does not have.
    pub(super) fn owed(&mut self, world: &World, asked: &mut Asked, used: &Used) -> Option<Used> {
        let mut owed = Used::default();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut todo: Vec<u32> =
            used.others.iter().filter(|number| self.names.contains_key(number)).collect();
        for method in &used.methods {
            todo.extend(
                self.named_by(world, asked, method).iter().filter(|number| self.inits.contains_key(number)),
            );
        }
        while let Some(number) = todo.pop() {
            if !seen.insert(number) {
                continue;
            }
            owed.others.insert(number);
            if let Some(init) = self.inits.get(&number) {
                owed.add(&init.clone());
                todo.extend(init.others.iter().filter(|number| self.names.contains_key(number)));
            }
            let named: Vec<u32> = self.named_in(world, asked, number).to_vec();
            todo.extend(named.into_iter().filter(|number| self.inits.contains_key(number)));
        }
        let mut all = used.clone();
        all.add(&owed).then_some(all)
    }

    /// The library classes that a class of the project inherits from.
    pub(super) fn above(&mut self, world: &World, asked: &mut Asked, class: ClassId) -> Box<[u32]> {
        if let Some(known) = self.above.get(&class) {
            return known.clone();
        }
        let snapshot = world.snapshot();
        let (known, missing) = snapshot.supertypes(class);
        let known = known.into_iter().filter(|above| !snapshot.is_project(*above));
        let names = known.map(|above| snapshot.class(above).name()).chain(missing);
        let numbers: Box<[u32]> = names.filter_map(|name| self.number(world, asked, name)).collect();
        self.above.insert(class, numbers.clone());
        numbers
    }

    fn named_by(&mut self, world: &World, asked: &mut Asked, method: MethodId) -> Box<[u32]> {
        if let Some(known) = self.by_method.get(&method) {
            return known.clone();
        }
        let record = world.snapshot().class(method.class);
        let mut numbers: Vec<u32> = record
            .references_of(method.method as usize)
            .filter_map(|reference| self.number(world, asked, record.str(reference.owner)))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let numbers: Box<[u32]> = numbers.into();
        self.by_method.insert(method, numbers.clone());
        numbers
    }

    fn named_in(&mut self, world: &World, asked: &mut Asked, number: u32) -> Box<[u32]> {
        if let Some(known) = self.named.get(&number) {
            return known.clone();
        }
        let mut numbers = Vec::new();
        if let Some(name) = self.names.get(&number).cloned() {
            for named in names_in(world, &name) {
                numbers.extend(self.number(world, asked, &named));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let numbers: Box<[u32]> = numbers.into();
        self.named.insert(number, numbers.clone());
        numbers
    }
}

/// The classes that a library class names in its code.
fn names_in(world: &World, name: &str) -> Vec<String> {
    let path = &world.loaded.libraries;
    let mut bytes = Vec::new();
    let Some(entry) = path.find(name) else { return Vec::new() };
    if path.read(entry, &mut bytes).is_err() {
        return Vec::new();
    }
    let Ok(class) = ClassFile::parse(&bytes) else { return Vec::new() };
    let pool = &class.pool;
    let names = pool.iter().filter_map(|(_, constant)| match constant {
        Constant::Class(name) => pool.text(name).ok().map(std::borrow::Cow::into_owned),
        _ => None,
    });
    names.collect()
}
