//! Finds the method that a virtual call selects on an object (JVMS 5.4.5 and 5.4.6).

use super::{ClassId, Snapshot};
use crate::record::MethodRecord;
use rustc_hash::FxHashSet;
use tamis_classfile::access;

/// A method of a class of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId {
    /// The class that declares it.
    pub class: ClassId,
    /// Its index among the class's methods.
    pub method: u32,
}

/// The result of a look-up, and the missing supertypes that might have given another result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupResult<'s, T> {
    /// The result among the known classes.
    pub found: FoundMethod<T>,
    /// Unknown supertypes that the search would have visited first.
    pub missing: Vec<&'s str>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundMethod<T> {
    /// Exactly one.
    One(T),
    /// Several default methods, none more specific than the others.
    Conflict(Vec<T>),
    /// None.
    Nothing,
}

impl Snapshot {
    /// A method's record.
    pub fn method(&self, id: MethodId) -> &MethodRecord {
        self.class(id.class).methods.get(id.method as usize).expect("method id of this snapshot")
    }

    /// The method that a class itself declares.
    pub fn declared(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let (method, _) = self.class(class).method(name, descriptor)?;
        Some(MethodId { class, method: method as u32 })
    }

    /// JVMS 5.4.6: the method that runs when `resolved` is called on an object of class `receiver`.
    pub fn select(&self, receiver: ClassId, resolved: MethodId) -> LookupResult<'_, MethodId> {
        if self.method(resolved).is(access::PRIVATE) {
            return LookupResult { found: FoundMethod::One(resolved), missing: Vec::new() };
        }
        let owner = self.class(resolved.class);
        let name = owner.str(self.method(resolved).name);
        let descriptor = owner.str(self.method(resolved).descriptor);
        self.search(receiver, name, descriptor, |candidate| self.overrides(candidate, resolved))
    }

    /// The method that a virtual call of this name and descriptor finds on an object of class `receiver`,
    /// whichever class the call names.
    pub fn lookup(&self, receiver: ClassId, name: &str, descriptor: &str) -> LookupResult<'_, MethodId> {
        self.search(receiver, name, descriptor, |_| true)
    }

    fn search(
        &self,
        receiver: ClassId,
        name: &str,
        descriptor: &str,
        accept: impl Fn(MethodId) -> bool,
    ) -> LookupResult<'_, MethodId> {
        for step in self.superclasses(receiver) {
            match step {
                Ok(class) => {
                    if let Some(found) = self.declared(class, name, descriptor)
                        && self.method(found).is_virtual(self.class(class))
                        && accept(found)
                    {
                        return LookupResult { found: FoundMethod::One(found), missing: Vec::new() };
                    }
                }
                // Above an unknown superclass, nothing is certain.
                Err(missing) => {
                    let defaults = self.defaults(receiver, name, descriptor);
                    return LookupResult { found: defaults.found, missing: vec![missing] };
                }
            }
        }
        self.defaults(receiver, name, descriptor)
    }

    /// Whether this interface is functional: its objects must implement exactly one signature (JLS 9.8).
    pub fn is_functional(&self, interface: ClassId) -> bool {
        let object = self.find("java/lang/Object");
        let mut wanted: FxHashSet<(&str, &str)> = FxHashSet::default();
        for class in self.supertypes(interface).0.into_iter().chain([interface]) {
            let record = self.class(class);
            for method in record.methods.iter().filter(|method| method.is(access::ABSTRACT)) {
                let signature = (record.str(method.name), record.str(method.descriptor));
                let object_has =
                    object.and_then(|object| self.declared(object, signature.0, signature.1)).is_some();
                let given =
                    matches!(self.defaults(interface, signature.0, signature.1).found, FoundMethod::One(_));
                if record.is_interface() && !object_has && !given {
                    wanted.insert(signature);
                }
            }
        }
        wanted.len() == 1
    }

    /// The class and its superclasses. Ends with the name of a missing one, if there is one.
    pub fn superclasses(&self, from: ClassId) -> impl Iterator<Item = Result<ClassId, &str>> {
        let mut next = Some(Ok(from));
        let mut steps = 0;
        std::iter::from_fn(move || {
            let now = next.take()?;
            steps += 1;
            if let Ok(class) = now
                && steps <= self.classes.len()
            {
                next = self.class(class).super_name().map(|name| self.find(name).ok_or(name));
            }
            Some(now)
        })
    }

    /// JVMS 5.4.3.3: the one default method that no other candidate is more specific than.
    pub(super) fn defaults(
        &self,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> LookupResult<'_, MethodId> {
        let (candidates, missing) = self.superinterface_methods(class, name, descriptor);
        let specific = self.most_specific(&candidates);
        let mut concrete: Vec<MethodId> =
            specific.iter().copied().filter(|method| !self.method(*method).is(access::ABSTRACT)).collect();
        let found = match concrete.as_slice() {
            // Abstract rivals do not count (JVMS 5.4.6).
            [one] => FoundMethod::One(*one),
            [] => FoundMethod::Nothing,
            _ => {
                concrete.sort_unstable();
                FoundMethod::Conflict(concrete)
            }
        };
        LookupResult { found, missing }
    }

    /// Instance methods of this name and descriptor in any superinterface, and the missing supertypes.
    pub(super) fn superinterface_methods(
        &self,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> (Vec<MethodId>, Vec<&str>) {
        let (supers, missing) = self.supertypes(class);
        let candidates = supers
            .into_iter()
            .chain([class])
            .filter(|class| self.class(*class).is_interface())
            .filter_map(|class| self.declared(class, name, descriptor))
            .filter(|method| self.method(*method).is_virtual(self.class(method.class)))
            .collect();
        (candidates, missing)
    }

    pub(super) fn most_specific(&self, candidates: &[MethodId]) -> Vec<MethodId> {
        if candidates.len() < 2 {
            return candidates.to_vec();
        }
        let mut above: FxHashSet<ClassId> = FxHashSet::default();
        for candidate in candidates {
            above.extend(self.supertypes(candidate.class).0);
        }
        candidates.iter().filter(|candidate| !above.contains(&candidate.class)).copied().collect()
    }

    /// JVMS 5.4.5: whether a method, found on the way up from a receiver, overrides another.
    fn overrides(&self, candidate: MethodId, resolved: MethodId) -> bool {
        if candidate == resolved {
            return true;
        }
        let (by, of) = (self.class(candidate.class), self.class(resolved.class));
        if self.method(resolved).is(access::PUBLIC | access::PROTECTED) || of.is_interface() {
            return true;
        }
        if by.package() == of.package() {
            return true;
        }
        // Package-private, in another package: only through a method in between that widened the access.
        let name = by.str(self.method(candidate).name);
        let descriptor = by.str(self.method(candidate).descriptor);
        self.superclasses(candidate.class)
            .skip(1)
            .map_while(Result::ok)
            .take_while(|class| *class != resolved.class)
            .any(|class| {
                self.declared(class, name, descriptor).is_some_and(|between| {
                    let method = self.method(between);
                    let visible = method.is(access::PUBLIC | access::PROTECTED)
                        || self.class(class).package() == by.package();
                    !method.is(access::PRIVATE | access::STATIC)
                        && visible
                        && self.class(class).package() == of.package()
                })
            })
    }
}
