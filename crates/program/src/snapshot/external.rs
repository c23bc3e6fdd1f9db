//! The edge of the project: overrides of external methods, and the built-in record of `java/lang/Object`.

use super::{ClassId, MethodId, Snapshot};
use crate::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use crate::record::{
    ClassKind, ClassLayers, ClassRecord, MethodOrigin, MethodRecord, MethodTraits, TextSpan,
};
use tamis_classfile::{ClassVersion, access};

impl Snapshot {
    /// The digest of all supertypes and the flags of a class. Linking checks them, and code that names the
    /// class can ask for them without leaving a trace.
    pub fn all_supers(&self, id: ClassId) -> Digest {
        let (known, missing) = self.supertypes(id);
        let mut names: Vec<&str> =
            known.iter().map(|class| self.class(*class).canonical_name()).chain(missing).collect();
        names.sort_unstable();
        let mut encoder = DigestEncoder::default();
        encoder.start(EncodingTag::Supers);
        for name in names {
            encoder.bytes(name.as_bytes());
        }
        encoder.num(i64::from(self.class(id).access & !access::SUPER));
        encoder.finish()
    }

    /// The project's methods that external code may call on an instance of this class: overrides of methods
    /// of an external supertype. If a supertype is missing, these are all overridable methods.
    pub fn external_overrides(&self, id: ClassId) -> Vec<MethodId> {
        let (supers, missing) = self.supertypes(id);
        let external: Vec<ClassId> =
            supers.iter().copied().filter(|class| !self.is_project(*class)).collect();
        let mut signatures: Vec<(&str, &str, MethodId)> = Vec::new();
        for class in supers.iter().copied().chain([id]).filter(|class| self.is_project(*class)) {
            let record = self.class(class);
            for (index, method) in record.methods.iter().enumerate() {
                if method.is_virtual(record) && method.origin == MethodOrigin::Written {
                    let method_id = MethodId { class, method: index as u32 };
                    signatures.push((record.str(method.name), record.str(method.descriptor), method_id));
                }
            }
        }
        signatures.sort_unstable();
        signatures.dedup_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let overridden = |name: &str, descriptor: &str| {
            !missing.is_empty()
                || external.iter().any(|class| {
                    self.declared(*class, name, descriptor)
                        .is_some_and(|method| self.method(method).is_virtual(self.class(*class)))
                })
        };
        let mut found: Vec<MethodId> = signatures
            .into_iter()
            .filter(|(name, descriptor, _)| overridden(name, descriptor))
            .filter_map(|(name, descriptor, _)| match self.lookup(id, name, descriptor).found {
                super::FoundMethod::One(method) if self.is_project(method.class) => Some(method),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The digest of [`Snapshot::external_overrides`].
    pub fn external(&self, id: ClassId) -> Digest {
        let mut encoder = DigestEncoder::default();
        encoder.start(EncodingTag::External);
        for method in self.external_overrides(id) {
            let record = self.class(method.class);
            let found = self.method(method);
            for text in [record.canonical_name(), record.str(found.name), record.str(found.descriptor)] {
                encoder.bytes(text.as_bytes());
            }
        }
        encoder.finish()
    }
}

/// `java/lang/Object` for snapshots without a JDK. The language fixes its methods (JLS 4.3.2), so every
/// look-up can end where it does in the JVM.
pub(super) fn object() -> ClassRecord {
    let name = "java/lang/Object";
    let (public, native) = (access::PUBLIC, access::PUBLIC | access::NATIVE);
    let methods = [
        ("<init>", "()V", public),
        ("clone", "()Ljava/lang/Object;", access::PROTECTED | access::NATIVE),
        ("equals", "(Ljava/lang/Object;)Z", public),
        ("finalize", "()V", access::PROTECTED),
        ("getClass", "()Ljava/lang/Class;", native | access::FINAL),
        ("hashCode", "()I", native),
        ("notify", "()V", native | access::FINAL),
        ("notifyAll", "()V", native | access::FINAL),
        ("toString", "()Ljava/lang/String;", public),
        ("wait", "()V", public | access::FINAL),
        ("wait", "(J)V", public | access::FINAL),
        ("wait", "(JI)V", public | access::FINAL),
    ];
    let mut text = name.to_owned();
    let mut push = |piece: &str| {
        let start = text.len() as u32;
        text.push_str(piece);
        TextSpan { start, length: piece.len() as u32 }
    };
    let built_in = Digest::of(name.as_bytes());
    let methods = methods.map(|(name, descriptor, access)| MethodRecord {
        name: push(name),
        descriptor: push(descriptor),
        canonical_descriptor: None,
        access,
        origin: MethodOrigin::Written,
        conduct: MethodTraits::default(),
        body: built_in,
        frame: None,
        place: None,
        shape: built_in,
        annotations: None,
        links: (0, 0),
    });
    ClassRecord {
        text: text.into(),
        name: TextSpan { start: 0, length: name.len() as u32 },
        canonical: None,
        super_class: None,
        interfaces: Vec::new(),
        nest_host: None,
        enclosing_member: None,
        access: access::PUBLIC,
        version: ClassVersion { major: 45, minor: 0 },
        kind: ClassKind::Written,
        layers: ClassLayers {
            head: built_in,
            supers: built_in,
            shape: built_in,
            annotations: None,
            metadata: None,
            order: None,
            init: None,
            serial: built_in,
            debug: built_in,
            class: built_in,
        },
        fields: Vec::new(),
        methods: methods.into(),
        references: Vec::new(),
        links: Vec::new(),
    }
}
