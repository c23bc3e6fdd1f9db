//! The atomic changes between two snapshots (HyRTS table 2), each through the member that a person wrote.
//!
//! | kind | meaning |
//! |---|---|
//! | AF DF | a class added, deleted |
//! | CH | a class's head changed: flags, supertypes, generic signature, annotations, record components, version |
//! | CF | something else of a class changed: a field, or the bytes of an unreadable class |
//! | ASI DSI CSI | a static initialiser added, deleted, changed |
//! | AI DI CI | a constructor added, deleted, changed |
//! | ASM DSM CSM | a static method added, deleted, changed |
//! | AIM DIM CIM | an instance method added, deleted, changed |
//! | LC ⟨X, Y.m⟩ | calls that ran Y.m on an object of class X now run another method, or none |
//!
//! Pure. Differences only in the compiler's numbering or in debug tables are not changes.

mod classes;
mod lookups;
mod members;

pub use classes::{ClassMatch, match_classes};

use crate::names::dotted;
use crate::snapshot::Snapshot;
use std::fmt;

/// All changes from `old` to `new`, sorted by class, then kind, then entity.
pub fn diff(old: &Snapshot, new: &Snapshot) -> Vec<AtomicChange> {
    let matching = match_classes(old, new);
    let mut changes = classes::changes(old, new, &matching);
    changes.extend(members::changes(old, new, &matching));
    changes.extend(lookups::changes(old, new, &matching));
    matching.mark_renumbered(old, new, &mut changes);
    changes.sort();
    changes.dedup();
    changes
}

/// One atomic change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AtomicChange {
    /// The class it belongs to, as the JVM names it (`a/B$1`): the new name where there is one.
    pub class: String,
    /// Its kind.
    pub kind: ChangeKind,
    /// The member of the class, or the class itself.
    pub member: ChangedMember,
    /// The layers that changed; empty for additions and deletions.
    pub layers: Vec<ChangedLayer>,
    /// For a look-up change, the class of the objects on which calls run another method.
    pub receiver: Option<String>,
    /// For an added class, the deleted class with the same content; for a deleted class, the added one.
    pub renamed: Option<String>,
    /// For a change in a class whose compiler-given number is different now, its earlier name.
    pub was: Option<String>,
}

/// The part of a class that an entity is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangedMember {
    /// The class itself.
    Class,
    /// A field: its name.
    Field(String),
    /// A method: name and descriptor.
    Method(String, String),
}

impl AtomicChange {
    /// The entity as reports name it: `org.x.Parser`, `org.x.Parser.count`, `org.x.Parser.flatten(I)V`.
    pub fn entity(&self) -> String {
        let class = dotted(&self.class);
        match &self.member {
            ChangedMember::Class => class,
            ChangedMember::Field(name) => format!("{class}.{name}"),
            ChangedMember::Method(name, descriptor) => format!("{class}.{name}{descriptor}"),
        }
    }
}

/// The atomic changes of HyRTS table 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // The module's table explains them.
pub enum ChangeKind {
    AF,
    DF,
    CH,
    CF,
    ASI,
    DSI,
    CSI,
    AI,
    DI,
    CI,
    ASM,
    DSM,
    CSM,
    AIM,
    DIM,
    CIM,
    LC,
}

/// Whether something was added, deleted or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeDirection {
    Added,
    Deleted,
    Changed,
}

impl ChangeKind {
    /// The kind for a method of this name, static or not.
    pub(crate) fn of_method(name: &str, is_static: bool, how: ChangeDirection) -> ChangeKind {
        let kinds = match name {
            "<clinit>" => [ChangeKind::ASI, ChangeKind::DSI, ChangeKind::CSI],
            "<init>" => [ChangeKind::AI, ChangeKind::DI, ChangeKind::CI],
            _ if is_static => [ChangeKind::ASM, ChangeKind::DSM, ChangeKind::CSM],
            _ => [ChangeKind::AIM, ChangeKind::DIM, ChangeKind::CIM],
        };
        let [added, deleted, changed] = kinds;
        match how {
            ChangeDirection::Added => added,
            ChangeDirection::Deleted => deleted,
            ChangeDirection::Changed => changed,
        }
    }

    /// The sign of the change: `+` added, `-` deleted, `~` changed, `>` look-up.
    pub fn sign(self) -> char {
        match self {
            ChangeKind::AF | ChangeKind::ASI | ChangeKind::AI | ChangeKind::ASM | ChangeKind::AIM => '+',
            ChangeKind::DF | ChangeKind::DSI | ChangeKind::DI | ChangeKind::DSM | ChangeKind::DIM => '-',
            ChangeKind::CH
            | ChangeKind::CF
            | ChangeKind::CSI
            | ChangeKind::CI
            | ChangeKind::CSM
            | ChangeKind::CIM => '~',
            ChangeKind::LC => '>',
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The layer of an entity that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangedLayer {
    /// Canonical code.
    Code,
    /// The targets of static references in the code.
    Linked,
    /// Flags, types, signatures and the other declared structure.
    Shape,
    /// Superclass or interfaces.
    Supers,
    /// Annotations.
    Annotations,
    /// Kotlin or Scala metadata.
    Metadata,
    /// A field's ConstantValue.
    Constant,
    /// The class-file version.
    Version,
    /// The bridge methods that call it.
    Bridge,
    /// The bytes of a class that cannot be read.
    Bytes,
    /// The entity is new.
    Added,
    /// The entity was deleted.
    Deleted,
}

impl fmt::Display for ChangedLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChangedLayer::Code => "code",
            ChangedLayer::Linked => "linked",
            ChangedLayer::Shape => "shape",
            ChangedLayer::Supers => "supers",
            ChangedLayer::Annotations => "annotations",
            ChangedLayer::Metadata => "metadata",
            ChangedLayer::Constant => "constant",
            ChangedLayer::Version => "version",
            ChangedLayer::Bridge => "bridge",
            ChangedLayer::Bytes => "bytes",
            ChangedLayer::Added => "added",
            ChangedLayer::Deleted => "deleted",
        })
    }
}
