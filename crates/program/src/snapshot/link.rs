//! The linked body: a body digest together with the targets of its static references.
//!
//! Only deviations from the named target are added: a reference that resolves in the class it names adds
//! nothing. So a field or static method that newly hides another one changes exactly the bodies it affects.
//! The same holds for a class or member that was removed.

use super::{ClassId, FoundMethod, LookupResult, MethodId, Snapshot};
use crate::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use crate::record::{MethodOrigin, ReferenceKind, StaticReference};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_classfile::access;

/// The linked bodies of one snapshot, each computed once.
pub struct BodyLinker<'s> {
    snapshot: &'s Snapshot,
    /// Whether lambda bodies that have a place count by that, and not by content.
    by_place: bool,
    /// `None` while a method is being linked.
    linked: FxHashMap<MethodId, Option<Digest>>,
}

impl<'s> BodyLinker<'s> {
    /// Starts without any linked body.
    pub fn new(snapshot: &'s Snapshot) -> BodyLinker<'s> {
        BodyLinker { snapshot, by_place: false, linked: FxHashMap::default() }
    }

    /// The same, with lambda bodies by place: their content belongs to these alone.
    pub fn by_place(snapshot: &'s Snapshot) -> BodyLinker<'s> {
        BodyLinker { by_place: true, ..BodyLinker::new(snapshot) }
    }

    /// The linked body of a method, including the linked bodies of the compiler-made methods it uses.
    pub fn linked_body(&mut self, method: MethodId) -> Digest {
        // An explicit stack: compiler-made methods may refer to each other in chains of any length.
        let mut stack = vec![method];
        while let Some(next) = stack.last().copied() {
            match self.linked.get(&next) {
                Some(Some(_)) => {
                    stack.pop();
                }
                // All its callees are linked, except those in a cycle with it: they contribute their plain
                // bodies.
                Some(None) => {
                    let digest = self.encode(next);
                    self.linked.insert(next, Some(digest));
                    stack.pop();
                }
                None => {
                    self.linked.insert(next, None);
                    let made = self.made(next).filter(|made| !self.linked.contains_key(made));
                    stack.extend(made.collect::<Vec<_>>());
                }
            }
        }
        self.linked.get(&method).copied().flatten().unwrap_or_else(|| self.plain(method))
    }

    /// The body of a method without the targets of its references.
    fn plain(&self, method: MethodId) -> Digest {
        let found = self.snapshot.method(method);
        found.frame.filter(|_| self.by_place).unwrap_or(found.body)
    }

    /// The compiler-made methods that a method refers to.
    fn made(&self, method: MethodId) -> impl Iterator<Item = MethodId> + use<'s> {
        let (snapshot, by_place) = (self.snapshot, self.by_place);
        let record = snapshot.class(method.class);
        record
            .references_of(method.method as usize)
            .filter(|reference| reference.kind == ReferenceKind::Made)
            .filter_map(move |reference| {
                let owner = snapshot.find(record.str(reference.owner))?;
                snapshot.declared(owner, record.str(reference.name), record.str(reference.descriptor))
            })
            .filter(move |made| {
                let made = snapshot.method(*made);
                made.origin == MethodOrigin::Made && (made.place.is_none() || !by_place)
            })
    }

    fn encode(&self, method: MethodId) -> Digest {
        let snapshot = self.snapshot;
        let plain = self.plain(method);
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Linked).digest(&plain);
        let empty = out.as_slice().len();
        let mut written: FxHashSet<StaticReference> = FxHashSet::default();
        for reference in snapshot.class(method.class).references_of(method.method as usize) {
            let counts = !matches!(reference.kind, ReferenceKind::Made | ReferenceKind::Handed);
            if counts && written.insert(*reference) {
                let record = snapshot.class(method.class);
                let named =
                    [reference.owner, reference.name, reference.descriptor].map(|text| record.str(text));
                snapshot.outcome(method.class, reference.kind, named, &mut out);
            }
        }
        for made in self.made(method) {
            let linked = self.linked.get(&made).copied().flatten();
            if let Some(linked) = linked.filter(|linked| *linked != self.plain(made)) {
                out.digest(&linked);
            }
        }
        if out.as_slice().len() == empty { plain } else { out.finish() }
    }
}

impl Snapshot {
    /// The linked body of one method. For many methods, use a [`BodyLinker`].
    pub fn linked_body(&self, method: MethodId) -> Digest {
        BodyLinker::new(self).linked_body(method)
    }

    /// Writes how the target of a reference deviates from the named one; nothing if it does not.
    pub(crate) fn outcome(
        &self,
        from: ClassId,
        kind: ReferenceKind,
        [owner, name, descriptor]: [&str; 3],
        out: &mut DigestEncoder,
    ) {
        let record = self.class(from);
        // All external classes are treated alike, because only those that the project inherits from are
        // known. A class that was the project's and was removed is external now, and that must show.
        let Some(class) = self.find(owner).filter(|class| self.is_project(*class) || !self.is_project(from))
        else {
            return deviates(out, kind, [owner, "", ""], "outside");
        };
        let target = self.class(class);
        let named = [target.canonical_name(), name, descriptor];
        let mut report = |what: &str| deviates(out, kind, named, what);
        if !self.may_use_class(record, target) {
            report("class not accessible");
        }
        match kind {
            ReferenceKind::Class
            | ReferenceKind::Made
            | ReferenceKind::Handed
            | ReferenceKind::Shown
            | ReferenceKind::Annotated => {}
            ReferenceKind::New => {
                if target.access & (access::ABSTRACT | access::INTERFACE) != 0 {
                    report("not instantiable");
                }
            }
            ReferenceKind::Field | ReferenceKind::Written | ReferenceKind::Altered => {
                let lookup = self.resolve_field(class, name, descriptor);
                for missing in &lookup.missing {
                    report(&format!("beyond {missing}"));
                }
                match lookup.found {
                    FoundMethod::One(at) => {
                        if at.class != class {
                            report(&format!("in {}", self.class(at.class).canonical_name()));
                        }
                        if at.field.access & access::STATIC != 0 {
                            report("static");
                        }
                        if !self.may_use(from, at.class, at.field.access) {
                            report("not accessible");
                        }
                        if let Some(constant) = at.field.constant {
                            report(&format!("constant {constant}"));
                        }
                    }
                    FoundMethod::Conflict(_) | FoundMethod::Nothing => report("no such field"),
                }
            }
            ReferenceKind::Static | ReferenceKind::Special | ReferenceKind::Virtual => {
                // A call of a class's method does not link to an interface's method, and vice versa (JVMS
                // 5.4.3.3).
                if target.is_interface() {
                    report("interface");
                }
                let lookup = self.call(from, class, kind, name, descriptor);
                for missing in &lookup.missing {
                    report(&format!("beyond {missing}"));
                }
                match lookup.found {
                    FoundMethod::One(found) => {
                        let method = self.method(found);
                        let fixed = kind != ReferenceKind::Virtual || method.is(access::PRIVATE);
                        if fixed && found.class != class {
                            report(&format!("in {}", self.class(found.class).canonical_name()));
                        }
                        if method.is(access::PRIVATE) && kind == ReferenceKind::Virtual {
                            report("private");
                        }
                        if method.is(access::STATIC) != (kind == ReferenceKind::Static) {
                            report("static or not");
                        }
                        if !self.may_use(from, found.class, method.access) {
                            report("not accessible");
                        }
                    }
                    FoundMethod::Conflict(_) => report("conflict"),
                    // `clone` and the like on an array or interface are Object's, which always exist.
                    FoundMethod::Nothing if lookup.missing.is_empty() => report("no such method"),
                    FoundMethod::Nothing => {}
                }
            }
        }
    }

    /// Resolves a call. For `super.m()` the search starts above the caller (JVMS 6.5 invokespecial).
    fn call(
        &self,
        from: ClassId,
        class: ClassId,
        kind: ReferenceKind,
        name: &str,
        descriptor: &str,
    ) -> LookupResult<'_, MethodId> {
        let is_super = kind == ReferenceKind::Special
            && name != "<init>"
            && from != class
            && !self.class(class).is_interface();
        if is_super && let Some(Ok(parent)) = self.superclasses(from).nth(1) {
            return self.resolve_method(parent, name, descriptor);
        }
        let lookup = self.resolve_method(class, name, descriptor);
        // Interfaces also have Object's methods.
        if lookup.found == FoundMethod::Nothing
            && self.class(class).is_interface()
            && let Some(object) = self.find("java/lang/Object")
            && let Some(method) = self.declared(object, name, descriptor)
        {
            return LookupResult { found: FoundMethod::One(method), missing: Vec::new() };
        }
        lookup
    }
}

fn deviates(out: &mut DigestEncoder, kind: ReferenceKind, named: [&str; 3], what: &str) {
    out.num(match kind {
        ReferenceKind::Class => 0,
        ReferenceKind::New => 1,
        ReferenceKind::Field => 2,
        ReferenceKind::Static => 3,
        ReferenceKind::Special => 4,
        ReferenceKind::Virtual => 5,
        ReferenceKind::Made => 6,
        ReferenceKind::Written => 7,
        ReferenceKind::Altered => 9,
        ReferenceKind::Shown => 8,
        ReferenceKind::Handed => 10,
        ReferenceKind::Annotated => 11,
    });
    for text in named {
        out.bytes(text.as_bytes());
    }
    out.bytes(what.as_bytes());
}
