//! The environment of the edited class: the supertypes it inherits from.

use crate::EditableClass;
use std::collections::BTreeSet;
use std::sync::Arc;
use tamis_classfile::access;

/// Looks up class files of a program, its libraries and its JDK.
pub trait ClassLookup {
    /// The class with this internal name, by the program's class path.
    fn class(&self, name: &str) -> Option<Arc<[u8]>>;
}

/// The maximum number of supertypes. A longer hierarchy is malicious.
const LONGEST: usize = 200;

/// A method that a class inherits, or would inherit without a declaration of its own.
#[derive(Clone, Debug)]
pub(crate) struct InheritedMethod {
    pub(crate) owner: String,
    pub(crate) of_interface: bool,
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

impl InheritedMethod {
    /// Whether a method of a class in this package overrides this one.
    pub(crate) fn is_overridable(&self, package: &str) -> bool {
        let own = self.owner.rsplit_once('/').map_or("", |(package, _)| package) == package;
        !self.name.starts_with('<')
            && self.access & (access::STATIC | access::PRIVATE | access::FINAL) == 0
            && (own || self.access & (access::PUBLIC | access::PROTECTED) != 0)
    }
}

/// A field that a class inherits, or would inherit.
#[derive(Clone, Debug)]
pub(crate) struct InheritedField {
    pub(crate) owner: String,
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

/// All inherited members, superclasses first, nearest first. Each name and descriptor occurs once.
#[derive(Default)]
pub(crate) struct Inheritance {
    pub(crate) methods: Vec<InheritedMethod>,
    pub(crate) fields: Vec<InheritedField>,
    /// All supertypes found.
    pub(crate) supers: BTreeSet<String>,
    /// Whether every supertype was found.
    pub(crate) complete: bool,
}

impl Inheritance {
    pub(crate) fn of(class: &EditableClass<'_>, around: &dyn ClassLookup) -> Inheritance {
        let mut found = Inheritance { complete: true, ..Inheritance::default() };
        let mut interfaces = class.interfaces();
        let mut next = class.super_name();
        while let Some(name) = next.take() {
            next = found.add(&name, around, false, &mut interfaces);
        }
        let mut at = 0;
        while let Some(name) = interfaces.get(at).cloned() {
            at += 1;
            found.add(&name, around, true, &mut interfaces);
        }
        found
    }

    /// Adds a supertype; returns its superclass.
    fn add(
        &mut self,
        name: &str,
        around: &dyn ClassLookup,
        of_interface: bool,
        interfaces: &mut Vec<String>,
    ) -> Option<String> {
        if self.supers.len() > LONGEST || !self.supers.insert(name.to_owned()) {
            return None;
        }
        let bytes = around.class(name);
        let Some(class) = bytes.as_deref().and_then(EditableClass::read) else {
            self.complete = false;
            return None;
        };
        for method in class.methods() {
            let same =
                |known: &InheritedMethod| known.name == method.name && known.descriptor == method.descriptor;
            // A private method of a superclass hides nothing.
            if method.access & access::PRIVATE == 0 && !self.methods.iter().any(same) {
                self.methods.push(InheritedMethod {
                    owner: name.to_owned(),
                    of_interface,
                    access: method.access,
                    name: method.name,
                    descriptor: method.descriptor,
                });
            }
        }
        for field in class.fields() {
            let same =
                |known: &InheritedField| known.name == field.name && known.descriptor == field.descriptor;
            if !self.fields.iter().any(same) {
                self.fields.push(InheritedField {
                    owner: name.to_owned(),
                    access: field.access,
                    name: field.name,
                    descriptor: field.descriptor,
                });
            }
        }
        interfaces.extend(class.interfaces());
        class.super_name().filter(|_| !of_interface)
    }
}
