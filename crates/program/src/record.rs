//! The record of a class after its bytes have been read: names, structure and digests.
//!
//! A record owns one block of text and a few tables, so that a hundred thousand of them fit in memory and are
//! quick to store and load. It does not know where the class was found.

use crate::digest::Digest;
use tamis_classfile::access;

pub use tamis_catalog::jdk::{UnfollowedApi, UnfollowedSet};
pub use tamis_classfile::ClassVersion;

/// A piece of a record's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TextSpan {
    /// The offset of its first byte.
    pub start: u32,
    /// Its length in bytes.
    pub length: u32,
}

/// One class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassRecord {
    /// All names of the record, concatenated.
    pub text: Box<str>,
    /// Its name in the JVM: `a/B$1`.
    pub name: TextSpan,
    /// The canonical name, if the name has a compiler's number: `a/B$f()V~new java/lang/Runnable`.
    pub canonical: Option<TextSpan>,
    /// Its superclass.
    pub super_class: Option<TextSpan>,
    /// Its direct superinterfaces, in order.
    pub interfaces: Vec<TextSpan>,
    /// The host of its nest, if that is another class.
    pub nest_host: Option<TextSpan>,
    /// The member around a local or anonymous class: `f(I)V`.
    pub enclosing_member: Option<TextSpan>,
    /// The flags of the class file.
    pub access: u16,
    /// The version of the class file.
    pub version: ClassVersion,
    /// Its kind.
    pub kind: ClassKind,
    /// Its digests.
    pub layers: ClassLayers,
    /// Its fields, sorted by name and descriptor.
    pub fields: Vec<FieldRecord>,
    /// Its methods, sorted by name and descriptor, including compiler-made ones.
    pub methods: Vec<MethodRecord>,
    /// The static references of its code.
    pub references: Vec<StaticReference>,
    /// For each method in turn, the indexes of its `references`, in order.
    pub links: Vec<u32>,
}

/// The kinds of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassKind {
    /// An ordinary class from the source.
    Written,
    /// Made by the compiler for another class, whose methods hold all its content: switch maps, assertion
    /// status.
    Made,
    /// Unreadable; only its bytes are known.
    Opaque {
        /// The error and its position.
        reason: Box<str>,
        /// Whether its class-file version is newer than this program knows, which may be the only reason.
        newer: bool,
    },
}

/// The digests of a class, by layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassLayers {
    /// Flags, generic signature, permitted subclasses, nest host, record components, enclosing member, module.
    pub head: Digest,
    /// Direct superclass and superinterfaces.
    pub supers: Digest,
    /// `head` with the shapes of all members and the list of member classes.
    pub shape: Digest,
    /// All annotations of the class itself.
    pub annotations: Option<Digest>,
    /// Notes of Kotlin or Scala for their own compilers and reflection.
    pub metadata: Option<Digest>,
    /// `<clinit>`, if there is one.
    pub init: Option<Digest>,
    /// The input of default serialisation.
    pub serial: Digest,
    /// The order of members in HotSpot's reflection, if any order is visible. Not part of `class`: only code
    /// that lists members can observe it.
    pub order: Option<Digest>,
    /// Line numbers, variable names, source name, and the compiler's numbers.
    pub debug: Digest,
    /// All but debug.
    pub class: Digest,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRecord {
    /// Its name.
    pub name: TextSpan,
    /// Its descriptor.
    pub descriptor: TextSpan,
    /// Its flags.
    pub access: u16,
    /// Flags, type and generic signature.
    pub shape: Digest,
    /// Its ConstantValue.
    pub constant: Option<Digest>,
    /// Its annotations.
    pub annotations: Option<Digest>,
}

/// One method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodRecord {
    /// Its name.
    pub name: TextSpan,
    /// Its descriptor.
    pub descriptor: TextSpan,
    /// Its canonical descriptor, if the descriptor names a class that the compiler numbered.
    pub canonical_descriptor: Option<TextSpan>,
    /// Its flags.
    pub access: u16,
    /// Its origin.
    pub origin: MethodOrigin,
    /// Traits that matter for state left behind by tests.
    pub conduct: MethodTraits,
    /// Canonical code.
    pub body: Digest,
    /// The same with the lambda bodies in it by place instead of content, if there are any.
    pub frame: Option<Digest>,
    /// For the body of a lambda that has a place, its name by that place: `f(I)V~0`.
    pub place: Option<TextSpan>,
    /// Flags, types, generic signature, exceptions declared, parameter names.
    pub shape: Digest,
    /// All its annotations.
    pub annotations: Option<Digest>,
    /// Its range in the class's links: first index and count.
    pub links: (u32, u32),
}

/// The origin of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodOrigin {
    /// Written in the source, or a compiler-made method that stands for itself.
    Written,
    /// Made by the compiler; part of the members that use it.
    Made,
    /// The method that rebuilds serialised lambdas.
    Deserializer,
}

/// Traits of a method that matter for state left behind by tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodTraits {
    /// Whether test frameworks call it around tests.
    pub fixture: FixtureKind,
    /// Whether the methods of the JDK that it calls neither query other code nor call back.
    pub is_plain: bool,
    /// Whether it reads the value of one of the JDK's atomic variables.
    pub reads_variables: bool,
    /// What it calls in the JDK that a static graph cannot follow.
    pub unfollowed: UnfollowedSet,
}

impl Default for MethodTraits {
    fn default() -> MethodTraits {
        MethodTraits {
            fixture: FixtureKind::No,
            is_plain: true,
            reads_variables: false,
            unfollowed: UnfollowedSet::default(),
        }
    }
}

/// Whether an annotation makes test frameworks call a method around tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixtureKind {
    /// Not called around tests.
    No,
    /// Called before a test.
    Before,
    /// Called after a test, however it ends.
    After,
}

/// A static reference in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StaticReference {
    /// The kind of its target and of the use.
    pub kind: ReferenceKind,
    /// The class it names.
    pub owner: TextSpan,
    /// The member it names; empty for a class.
    pub name: TextSpan,
    /// The member's descriptor; empty for a class.
    pub descriptor: TextSpan,
}

/// The ways in which code refers to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// A class: cast, literal, array or catch.
    Class,
    /// A class that is instantiated.
    New,
    /// A field that is read, or named by a method handle.
    Field,
    /// A field that is written.
    Written,
    /// A field whose object may be changed.
    Altered,
    /// `invokestatic`.
    Static,
    /// `invokespecial`.
    Special,
    /// `invokevirtual` or `invokeinterface`: only whether it links is of interest.
    Virtual,
    /// A compiler-made method whose content is part of the code that names it.
    Made,
    /// A method named by a handle, in addition to its other reference: any code that receives the method
    /// reference may call it later.
    Handed,
    /// A class reachable by reflection on this one; belongs to no method.
    Shown,
    /// A class named by annotations.
    Annotated,
}

impl ReferenceKind {
    /// Whether the target is a field.
    pub fn is_field(self) -> bool {
        matches!(self, Self::Field | Self::Written | Self::Altered)
    }

    /// Whether only reflection on the class reaches the target: no code names it.
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Shown | Self::Annotated)
    }

    /// Whether it is a write to a field, or a possible change of a field's object.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Written | Self::Altered)
    }
}

impl ClassRecord {
    /// A piece of its text.
    pub fn str(&self, text: TextSpan) -> &str {
        let start = text.start as usize;
        self.text.get(start..start + text.length as usize).unwrap_or_default()
    }

    /// Replaces its name by the one that its location gives.
    pub fn rename(&mut self, name: &str) {
        let mut text = std::mem::take(&mut self.text).into_string();
        let start = text.len() as u32;
        text.push_str(name);
        self.text = text.into();
        self.name = TextSpan { start, length: name.len() as u32 };
    }

    /// Its name in the JVM.
    pub fn name(&self) -> &str {
        self.str(self.name)
    }

    /// The canonical name, without the compiler's numbers.
    pub fn canonical_name(&self) -> &str {
        self.str(self.canonical.unwrap_or(self.name))
    }

    /// Its superclass.
    pub fn super_name(&self) -> Option<&str> {
        self.super_class.map(|name| self.str(name))
    }

    /// Its direct superinterfaces.
    pub fn interface_names(&self) -> impl Iterator<Item = &str> {
        self.interfaces.iter().map(|name| self.str(*name))
    }

    /// Its direct supertypes, the superclass first.
    pub fn super_types(&self) -> impl Iterator<Item = &str> {
        self.super_name().into_iter().chain(self.interface_names())
    }

    /// Its package, `a/b`.
    pub fn package(&self) -> &str {
        self.name().rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// The host of its nest.
    pub fn nest(&self) -> &str {
        self.nest_host.map_or(self.name(), |host| self.str(host))
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// Whether only its bytes are known.
    pub fn is_opaque(&self) -> bool {
        matches!(self.kind, ClassKind::Opaque { .. })
    }

    /// The method that it declares with this name and descriptor, and its index.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<(usize, &MethodRecord)> {
        let key = |method: &MethodRecord| (self.str(method.name), self.str(method.descriptor));
        let index = self.methods.binary_search_by(|method| key(method).cmp(&(name, descriptor))).ok()?;
        self.methods.get(index).map(|method| (index, method))
    }

    /// The field that it declares with this name and descriptor.
    pub fn field(&self, name: &str, descriptor: &str) -> Option<&FieldRecord> {
        let key = |field: &FieldRecord| (self.str(field.name), self.str(field.descriptor));
        let index = self.fields.binary_search_by(|field| key(field).cmp(&(name, descriptor))).ok()?;
        self.fields.get(index)
    }

    /// The static references that a method makes.
    pub fn references_of(&self, method: usize) -> impl Iterator<Item = &StaticReference> {
        let (start, count) = self.methods.get(method).map_or((0, 0), |method| method.links);
        let links = self.links.get(start as usize..start as usize + count as usize).unwrap_or_default();
        links.iter().filter_map(|link| self.references.get(*link as usize))
    }
}

impl MethodRecord {
    /// Whether it has any of these flags.
    pub fn is(&self, flags: u16) -> bool {
        self.access & flags != 0
    }

    /// Whether the receiver's class selects the method: an instance method, not private, not a constructor.
    pub fn is_virtual(&self, record: &ClassRecord) -> bool {
        !self.is(access::STATIC | access::PRIVATE) && !record.str(self.name).starts_with('<')
    }
}
