//! Resolves symbolic references (JVMS 5.4.3.2 to 5.4.3.4) and checks access (5.4.4).

use super::{ClassId, FoundMethod, LookupResult, MethodId, Snapshot};
use crate::record::{ClassRecord, FieldRecord};
use rustc_hash::FxHashSet;
use tamis_classfile::access;

/// A field of a class of a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct FieldAt<'s> {
    /// The class that declares it.
    pub class: ClassId,
    /// The field.
    pub field: &'s FieldRecord,
}

impl Snapshot {
    /// JVMS 5.4.3.2: the class itself, then its superinterfaces, then its superclass, each likewise.
    pub fn resolve_field(
        &self,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> LookupResult<'_, FieldAt<'_>> {
        let mut missing = Vec::new();
        let mut seen = FxHashSet::default();
        let found = self.field_in(class, name, descriptor, &mut seen, &mut missing);
        LookupResult { found: found.map_or(FoundMethod::Nothing, FoundMethod::One), missing }
    }

    fn field_in<'s>(
        &'s self,
        class: ClassId,
        name: &str,
        descriptor: &str,
        seen: &mut FxHashSet<ClassId>,
        missing: &mut Vec<&'s str>,
    ) -> Option<FieldAt<'s>> {
        // An explicit stack instead of recursion: class files can form chains of any length.
        let mut stack = vec![class];
        while let Some(class) = stack.pop() {
            if !seen.insert(class) {
                continue;
            }
            let record = self.class(class);
            if let Some(field) = record.field(name, descriptor) {
                return Some(FieldAt { class, field });
            }
            let order: Vec<&str> = record.interface_names().chain(record.super_name()).collect();
            for next in order.iter().rev() {
                match self.find(next) {
                    Some(next) => stack.push(next),
                    None => missing.push(*next),
                }
            }
        }
        None
    }

    /// JVMS 5.4.3.3 and 5.4.3.4: superclasses first, then the most specific superinterface method, then any.
    pub fn resolve_method(&self, class: ClassId, name: &str, descriptor: &str) -> LookupResult<'_, MethodId> {
        let one = |method| LookupResult { found: FoundMethod::One(method), missing: Vec::new() };
        let mut beyond = None;
        for step in self.superclasses(class) {
            match step {
                Ok(class) => {
                    if let Some(found) = self.declared(class, name, descriptor) {
                        return one(found);
                    }
                }
                Err(missing) => beyond = Some(missing),
            }
        }
        let (candidates, mut missing) = self.superinterface_methods(class, name, descriptor);
        let specific = self.most_specific(&candidates);
        let concrete = specific.iter().find(|method| !self.method(**method).is(access::ABSTRACT));
        let found =
            concrete.or(specific.first()).map_or(FoundMethod::Nothing, |method| FoundMethod::One(*method));
        if let Some(beyond) = beyond
            && !missing.contains(&beyond)
        {
            missing.push(beyond);
        }
        LookupResult { found, missing }
    }

    /// JVMS 5.4.4: whether code of `from` may use a class.
    pub(super) fn may_use_class(&self, from: &ClassRecord, class: &ClassRecord) -> bool {
        class.access & access::PUBLIC != 0 || from.package() == class.package()
    }

    /// JVMS 5.4.4: whether code of `from` may use a member, with these flags, that `class` declares.
    pub(super) fn may_use(&self, from: ClassId, class: ClassId, flags: u16) -> bool {
        let (user, owner) = (self.class(from), self.class(class));
        if flags & access::PUBLIC != 0 || from == class {
            return true;
        }
        if flags & access::PRIVATE != 0 {
            return user.nest() == owner.nest();
        }
        user.package() == owner.package()
            || flags & access::PROTECTED != 0 && self.superclasses(from).any(|step| step == Ok(class))
            // `clone` and `finalize` of Object, seen through an array or an interface.
            || flags & access::PROTECTED != 0 && owner.super_class.is_none()
    }
}
