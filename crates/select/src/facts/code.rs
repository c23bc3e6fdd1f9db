//! Questions about code, asked and answered from a snapshot.

use super::{Answer, FactKind, Question};
use rustc_hash::FxHashMap;
use tamis_classfile::access;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_program::record::{ClassRecord, MethodOrigin, MethodRecord};
use tamis_program::snapshot::{BodyLinker, ClassId, FoundMethod, MethodId, Snapshot};

/// The flags of a method that decide which method a call finds.
const LOOKED_UP_BY: u16 =
    access::PUBLIC | access::PROTECTED | access::PRIVATE | access::ABSTRACT | access::FINAL;

/// Answers questions about code from a snapshot, under canonical names.
pub struct CodeFacts<'s> {
    snapshot: &'s Snapshot,
    by_canonical: FxHashMap<&'s str, ClassId>,
    linker: BodyLinker<'s>,
}

impl<'s> CodeFacts<'s> {
    /// The facts of this snapshot.
    pub fn new(snapshot: &'s Snapshot) -> CodeFacts<'s> {
        let name = |id: ClassId| snapshot.class(id).canonical_name();
        let by_canonical = snapshot.project().map(|id| (name(id), id)).collect();
        CodeFacts { snapshot, by_canonical, linker: BodyLinker::by_place(snapshot) }
    }

    /// The question about a method. Its subject is `a/B.f(I)V`.
    pub fn of_method(&self, about: FactKind, receiver: ClassId, method: MethodId) -> Question {
        let declaring = self.snapshot.class(method.class);
        let found = self.snapshot.method(method);
        if let Some(place) = found.place.filter(|_| !self.snapshot.is_own_method(method)) {
            return Question::new(about, format!("{}.{}", declaring.canonical_name(), declaring.str(place)));
        }
        let descriptor = declaring.str(found.canonical_descriptor.unwrap_or(found.descriptor));
        let class = self.snapshot.class(receiver).canonical_name();
        Question::new(about, format!("{class}.{}{descriptor}", declaring.str(found.name)))
    }

    /// The question about a class.
    pub fn of_class(&self, about: FactKind, class: ClassId) -> Question {
        Question::new(about, self.snapshot.class(class).canonical_name())
    }

    /// The present answer. `None` if there is no such thing, or if the question is not about code.
    pub fn answer(&mut self, question: &Question) -> Answer {
        match question.kind {
            FactKind::Body => {
                let method = self.method_named(&question.subject)?;
                let body = self.linker.linked_body(method);
                Some(self.reached(method, body))
            }
            FactKind::Inherits => {
                let mut names = self.method_names(&question.subject);
                let first = names.next()?;
                let (class, name, descriptor) = std::iter::once(first)
                    .chain(names)
                    .find_map(|named| self.inheritable(named))
                    .unwrap_or(first);
                Some(self.inherited(class, name, descriptor))
            }
            FactKind::Supers => self.class(question).map(|class| self.snapshot.all_supers(class)),
            FactKind::External => self.class(question).map(|class| self.snapshot.external(class)),
            FactKind::Init => self.init(self.class(question)?),
            FactKind::Shape => self.class(question).map(|class| self.shape(class)),
            FactKind::Class => self.class(question).map(|class| self.whole(class)),
            FactKind::Debug => self.class(question).map(|class| self.snapshot.class(class).layers.debug),
            FactKind::Head => self.class(question).map(|class| self.head(class)),
            FactKind::Methods => self.class(question).map(|class| self.instance_methods(class)),
            _ => None,
        }
    }

    /// The method of a question about a body.
    pub(crate) fn method_named(&self, subject: &str) -> Option<MethodId> {
        self.method_names(subject)
            .find_map(|(class, name, descriptor)| self.declared(class, name, descriptor))
    }

    fn class(&self, question: &Question) -> Option<ClassId> {
        self.by_canonical.get(&*question.subject).copied()
    }

    /// Class, name and descriptor of `a/B.f(I)V`. Names of classes that were made for a method contain dots and
    /// parentheses, too, and stand in front of the name and in the descriptor. So there may be several readings.
    fn method_names<'q>(&self, entity: &'q str) -> impl Iterator<Item = (ClassId, &'q str, &'q str)> {
        let ends = entity.match_indices('(').map(|(at, _)| at).rev();
        ends.filter_map(|at| {
            let (before, descriptor) = entity.split_at_checked(at)?;
            let (class, name) = before.rsplit_once('.')?;
            Some((*self.by_canonical.get(class)?, name, descriptor))
        })
    }

    /// A method's name with the descriptor that it has in the class, or in a class above.
    fn inheritable<'q>(
        &self,
        (class, name, descriptor): (ClassId, &'q str, &'q str),
    ) -> Option<(ClassId, &'q str, &'q str)>
    where
        's: 'q,
    {
        let mut classes = std::iter::once(class).chain(self.snapshot.above(class).iter().copied());
        let method = classes.find_map(|above| self.declared(above, name, descriptor))?;
        Some((class, name, self.snapshot.class(method.class).str(self.snapshot.method(method).descriptor)))
    }

    fn declared(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        if let Some(method) = self.snapshot.declared(class, name, descriptor) {
            return Some(method);
        }
        let record = self.snapshot.class(class);
        let is_place = descriptor.contains('~');
        let at = record.methods.iter().position(|method| {
            let is_named = || {
                record.str(method.name) == name
                    && method.canonical_descriptor.is_some_and(|known| record.str(known) == descriptor)
            };
            let is_placed =
                |place| record.str(place).strip_prefix(name).is_some_and(|rest| rest == descriptor);
            is_place && method.place.is_some_and(is_placed) || is_named()
        })?;
        Some(MethodId { class, method: at as u32 })
    }

    /// The body of a method, with unusual access flags that decide whether calls reach it. A call through an
    /// interface fails if the method is not public. A superclass's method that is not public may not be
    /// overridden by it (JVMS 5.4.5).
    pub(crate) fn reached(&self, method: MethodId, body: Digest) -> Digest {
        let record = self.snapshot.class(method.class);
        let own = self.snapshot.method(method);
        if !own.is_virtual(record) {
            return body;
        }
        let (name, descriptor) = (record.str(own.name), record.str(own.descriptor));
        let mut hidden: Vec<(&str, u16)> = Vec::new();
        for class in self.snapshot.superclasses(method.class).map_while(Result::ok) {
            if let Some(found) = self.snapshot.declared(class, name, descriptor) {
                let found = self.snapshot.method(found);
                if !found.is(access::PUBLIC) {
                    let visible = found.access & (access::PROTECTED | access::PRIVATE);
                    hidden.push((self.snapshot.class(class).canonical_name(), visible));
                }
            }
        }
        if hidden.is_empty() {
            return body;
        }
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Inherits).digest(&body);
        for (class, visible) in hidden {
            out.bytes(class.as_bytes());
            out.num(i64::from(visible));
        }
        out.finish()
    }

    fn inherited(&self, class: ClassId, name: &str, descriptor: &str) -> Digest {
        let lookup = self.snapshot.lookup(class, name, descriptor);
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Inherits);
        let mut class_of = |method: &MethodId| {
            out.bytes(self.snapshot.class(method.class).canonical_name().as_bytes());
        };
        match &lookup.found {
            FoundMethod::One(method) => class_of(method),
            FoundMethod::Conflict(methods) => methods.iter().for_each(class_of),
            FoundMethod::Nothing => {}
        }
        for missing in lookup.missing {
            out.bytes(missing.as_bytes());
        }
        out.finish()
    }

    /// `<clinit>`, and the names of the interfaces that initialising the class also initialises: its
    /// superinterfaces with default methods (JLS 12.4.1).
    fn init(&mut self, class: ClassId) -> Answer {
        let own =
            self.snapshot.declared(class, "<clinit>", "()V").map(|method| self.linker.linked_body(method));
        let mut names = Vec::new();
        if !self.snapshot.class(class).is_interface() {
            for above in self.snapshot.supertypes(class).0 {
                let record = self.snapshot.class(above);
                if record.is_interface() && record.layers.init.is_some() && has_default(record) {
                    names.push(record.canonical_name());
                }
            }
        }
        if names.is_empty() {
            return own;
        }
        names.sort_unstable();
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Init);
        if let Some(own) = &own {
            out.digest(own);
        }
        for name in names {
            out.bytes(name.as_bytes());
        }
        Some(out.finish())
    }

    /// The class layer and the order of members: all of a class but debug information.
    fn whole(&self, class: ClassId) -> Digest {
        let layers = &self.snapshot.class(class).layers;
        let Some(order) = &layers.order else { return layers.class };
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::WholeClass).digest(&layers.class);
        out.digest(order);
        out.finish()
    }

    /// The class without its members.
    fn head(&self, class: ClassId) -> Digest {
        let layers = &self.snapshot.class(class).layers;
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Head).digest(&layers.head);
        out.digest(&layers.supers);
        out.optional(layers.annotations.as_ref());
        out.finish()
    }

    /// The instance methods that a class declares, without their bodies.
    fn instance_methods(&self, class: ClassId) -> Digest {
        let record = self.snapshot.class(class);
        let is_instance = |method: &&MethodRecord| {
            let is_made = method.origin != MethodOrigin::Written;
            !is_made && !method.is(access::STATIC) && !record.str(method.name).starts_with('<')
        };
        let mut methods: Vec<(&str, &str, u16)> = record
            .methods
            .iter()
            .filter(is_instance)
            .map(|method| {
                let descriptor = record.str(method.canonical_descriptor.unwrap_or(method.descriptor));
                (record.str(method.name), descriptor, method.access & LOOKED_UP_BY)
            })
            .collect();
        methods.sort_unstable();
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Methods);
        for (name, descriptor, flags) in methods {
            out.bytes(name.as_bytes());
            out.bytes(descriptor.as_bytes());
            out.num(i64::from(flags));
        }
        out.finish()
    }

    /// Everything that reflection shows.
    fn shape(&self, class: ClassId) -> Digest {
        let record = self.snapshot.class(class);
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Reflected).digest(&record.layers.shape);
        out.digest(&record.layers.supers);
        let layers = &record.layers;
        for digest in [&layers.annotations, &layers.metadata, &layers.order].into_iter().flatten() {
            out.digest(digest);
        }
        let members = record.fields.iter().map(|field| (record.str(field.name), field.annotations));
        let members =
            members.chain(record.methods.iter().map(|method| (record.str(method.name), method.annotations)));
        for (name, annotations) in members {
            if let Some(annotations) = annotations {
                out.bytes(name.as_bytes());
                out.digest(&annotations);
            }
        }
        out.finish()
    }
}

fn has_default(interface: &ClassRecord) -> bool {
    interface.methods.iter().any(|method| !method.is(access::STATIC | access::ABSTRACT | access::PRIVATE))
}
