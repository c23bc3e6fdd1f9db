//! The classes that a test may reach over names in class files.

use super::{StaticGraph, StaticReach, TestRoots};
use std::collections::BTreeSet;
use tamis_catalog::jdk::is_java;
use tamis_program::record::ClassRecord;
use tamis_program::snapshot::{ClassId, Snapshot};

/// What a class file names.
pub(super) struct NamedClasses {
    classes: Box<[ClassId]>,
    /// Names of classes outside of the program.
    pub(super) absent: Box<[Box<str>]>,
}

/// Supertypes, types of members, references of code, annotations, and the classes nested in the same class.
pub(super) fn named(snapshot: &Snapshot, class: ClassId) -> NamedClasses {
    let (mut classes, mut absent) = (BTreeSet::new(), BTreeSet::new());
    if snapshot.is_project(class) {
        classes.extend(snapshot.family_of(class));
        let record = snapshot.class(class);
        for name in names(record) {
            match snapshot.find(name) {
                Some(found) if snapshot.is_project(found) => drop(classes.insert(found)),
                None if !is_java(name) => drop(absent.insert(name.into())),
                Some(_) | None => {}
            }
        }
    }
    NamedClasses { classes: classes.into_iter().collect(), absent: absent.into_iter().collect() }
}

fn names(record: &ClassRecord) -> impl Iterator<Item = &str> {
    let fields = record.fields.iter().map(|field| record.str(field.descriptor));
    let methods = record.methods.iter().map(|method| record.str(method.descriptor));
    let references = record.references.iter();
    let descriptors = references.clone().map(|reference| record.str(reference.descriptor));
    let types = fields.chain(methods).chain(descriptors).flat_map(|text| text.split(['(', ')', ';', '[']));
    let types = types.filter_map(|part| part.find('L').and_then(|at| part.get(at + 1..)));
    let owners = references.map(|reference| record.str(reference.owner));
    record.super_types().chain(record.nest_host.map(|host| record.str(host))).chain(types).chain(owners)
}

impl StaticGraph<'_> {
    pub(super) fn classes_from(&self, roots: &TestRoots) -> StaticReach {
        let mut reach = StaticReach::default();
        let mut open: Vec<ClassId> = self.services.iter().map(|method| method.class).collect();
        open.extend(roots.made.iter().copied());
        open.extend(roots.methods.iter().map(|method| method.class));
        while let Some(class) = open.pop() {
            if !reach.used.classes.insert(class) {
                continue;
            }
            self.note_class(class, &mut reach);
            self.declared(class).for_each(|method| self.note_gaps(method, &mut reach));
            let Some(named) = self.named.get(class.index()) else { continue };
            open.extend(named.classes.iter().copied());
            let absent = named.absent.iter().filter(|name| self.absent.contains(&***name));
            reach.absent.extend(absent.map(|name| name.to_string()));
        }
        reach
    }
}
