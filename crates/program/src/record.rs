//! What is kept of a class once its bytes have been read: names, structure and digests.
//!
//! A record owns one block of text and a few tables, so that a hundred thousand of them fit in memory and are quick
//! to store and load. It holds nothing of where the class was found.

use crate::digest::Digest;
use tamis_classfile::access;

pub use tamis_classfile::ClassVersion;

/// A piece of a record's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TextSpan {
    /// Where it begins.
    pub start: u32,
    /// How long it is.
    pub length: u32,
}

/// One class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassRecord {
    /// All its names, one after another.
    pub text: Box<str>,
    /// Its name as the JVM has it: `a/B$1`.
    pub name: TextSpan,
    /// The name that counts, where the compiler numbered it: `a/B$f()V~new java/lang/Runnable`.
    pub canonical: Option<TextSpan>,
    /// Its superclass.
    pub super_class: Option<TextSpan>,
    /// Its direct superinterfaces, in order.
    pub interfaces: Vec<TextSpan>,
    /// The class whose nest it belongs to, if not its own.
    pub nest_host: Option<TextSpan>,
    /// The member that a local or anonymous class stands in: `f(I)V`.
    pub enclosing_member: Option<TextSpan>,
    /// The flags of the class file.
    pub access: u16,
    /// The version of the class file.
    pub version: ClassVersion,
    /// What sort of class it is to us.
    pub kind: ClassKind,
    /// Its digests.
    pub layers: ClassLayers,
    /// Its fields, sorted by name and descriptor.
    pub fields: Vec<FieldRecord>,
    /// Its methods, sorted by name and descriptor; those that the compiler made included.
    pub methods: Vec<MethodRecord>,
    /// The static references of its code.
    pub references: Vec<StaticReference>,
    /// For each method in turn, which of `references` it makes, in order.
    pub links: Vec<u32>,
}

/// What sort of class it is to us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassKind {
    /// Somebody wrote it.
    Written,
    /// The compiler made it for another class, whose methods hold all that it says: switch maps, assertion status.
    Made,
    /// It could not be read; only its bytes are known.
    Opaque {
        /// What is wrong with it, and where.
        reason: Box<str>,
        /// Whether it is of a class-file version newer than this program knows, which may be all that is wrong.
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
    /// What Kotlin or Scala note for their own compilers and reflection.
    pub metadata: Option<Digest>,
    /// `<clinit>`, if there is one.
    pub init: Option<Digest>,
    /// What default serialisation looks at.
    pub serial: Digest,
    /// The order of members as HotSpot's reflection lists them, where there is one to see. No part of `class`: only who lists
    /// them is shown it.
    pub order: Option<Digest>,
    /// Lines, variable names, source name, and the numbers that the compiler gave.
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
    /// Its descriptor as it counts, where it names a class that the compiler numbered.
    pub canonical_descriptor: Option<TextSpan>,
    /// Its flags.
    pub access: u16,
    /// Who made it.
    pub origin: MethodOrigin,
    /// What it does, as far as that is asked of what tests leave behind.
    pub conduct: MethodTraits,
    /// Canonical code.
    pub body: Digest,
    /// Flags, types, generic signature, exceptions declared, parameter names.
    pub shape: Digest,
    /// All its annotations.
    pub annotations: Option<Digest>,
    /// Which of the class's links are its own: the first, and how many.
    pub links: (u32, u32),
}

/// Who made a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodOrigin {
    /// Somebody wrote it (or it stands for itself).
    Written,
    /// The compiler made it and it is part of the members that use it.
    Made,
    /// It rebuilds serialised lambdas.
    Deserializer,
}

/// What a method does, as far as that is asked of what tests leave behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodTraits {
    /// Whether test frameworks call it around tests.
    pub fixture: FixtureKind,
    /// Whether it calls nothing of the JDK that asks for more, or calls back.
    pub is_plain: bool,
    /// Whether it asks one of the JDK's atomic variables for what it holds.
    pub reads_variables: bool,
}

impl Default for MethodTraits {
    fn default() -> MethodTraits {
        MethodTraits { fixture: FixtureKind::No, is_plain: true, reads_variables: false }
    }
}

/// Whether test frameworks call a method around tests, as far as an annotation tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixtureKind {
    /// They do not.
    No,
    /// Before a test.
    Before,
    /// After it, however it ends.
    After,
}

/// A static reference in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StaticReference {
    /// What is referred to, and how.
    pub kind: ReferenceKind,
    /// The class named.
    pub owner: TextSpan,
    /// The member named; empty for a class.
    pub name: TextSpan,
    /// Its descriptor; empty for a class.
    pub descriptor: TextSpan,
}

/// How code refers to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// A class: cast, literal, array, catch.
    Class,
    /// A class of which an instance is made.
    New,
    /// A field that is read, or by a method handle named.
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
    /// A method that a handle names besides: whoever is given a method reference may call it, whenever that is.
    Handed,
    /// A class that one comes to by looking at this one; no method's.
    Shown,
    /// One that annotations name.
    Annotated,
}

impl ReferenceKind {
    /// Whether it is a field.
    pub fn is_field(self) -> bool {
        matches!(self, Self::Field | Self::Written | Self::Altered)
    }

    /// Whether one comes to it by looking at the class: no code names it.
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Shown | Self::Annotated)
    }

    /// Whether it is one that is written, or whose object may be changed.
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

    /// Calls it by another name: that of the place it was found in.
    pub fn rename(&mut self, name: &str) {
        let mut text = std::mem::take(&mut self.text).into_string();
        let start = text.len() as u32;
        text.push_str(name);
        self.text = text.into();
        self.name = TextSpan { start, length: name.len() as u32 };
    }

    /// Its name as the JVM has it.
    pub fn name(&self) -> &str {
        self.str(self.name)
    }

    /// The name that counts: without the compiler's numbers.
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

    /// The method of this name and descriptor that it declares.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<(usize, &MethodRecord)> {
        let key = |method: &MethodRecord| (self.str(method.name), self.str(method.descriptor));
        let index = self.methods.binary_search_by(|method| key(method).cmp(&(name, descriptor))).ok()?;
        self.methods.get(index).map(|method| (index, method))
    }

    /// The field of this name and descriptor that it declares.
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

    /// Whether calls choose it by the receiver's class: an instance method, not private, not a constructor.
    pub fn is_virtual(&self, record: &ClassRecord) -> bool {
        !self.is(access::STATIC | access::PRIVATE) && !record.str(self.name).starts_with('<')
    }
}
