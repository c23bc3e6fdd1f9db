//! Facts: statements about a program and its surroundings that hold or do not hold.
//!
//! A fact is a question with the answer that it had when a test passed. A question is a kind and a name, so
//! all kinds are stored, compared and explained in the same way. An answer is a digest, or that there is no
//! such thing. [`CodeFacts`] answers questions about code from a snapshot; a [`World`](crate::world::World)
//! answers the others.

mod code;
mod fact_table;
mod flow_table;
mod question_table;
pub mod walk;
mod walk_answers;

pub use code::CodeFacts;
pub use fact_table::FactTable;
pub use flow_table::FlowTable;
pub use question_table::{Marker, QuestionTable};
pub(crate) use walk_answers::WalkAnswers;

use std::sync::Arc;
use tamis_program::names::{dotted, without_place};

use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};

macro_rules! abouts {
    ($($(#[$doc:meta])* $about:ident $word:literal $number:literal),* $(,)?) => {
        /// The kind of a question. The numbers are stored: add, never change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FactKind { $($(#[$doc])* $about),* }

        impl FactKind {
            /// All kinds.
            pub const ALL: &[FactKind] = &[$(FactKind::$about),*];

            /// The word in reports.
            pub fn word(self) -> &'static str {
                match self { $(FactKind::$about => $word),* }
            }

            /// Whether a snapshot answers questions of this kind.
            pub fn is_code(self) -> bool {
                match self {
                    FactKind::Body
                    | FactKind::Inherits
                    | FactKind::Supers
                    | FactKind::External
                    | FactKind::Init
                    | FactKind::Shape
                    | FactKind::Class
                    | FactKind::Debug
                    | FactKind::Head
                    | FactKind::Methods
                    | FactKind::Walk => true,
                    FactKind::Library
                    | FactKind::Resource
                    | FactKind::File
                    | FactKind::Exists
                    | FactKind::Listing
                    | FactKind::Attribute
                    | FactKind::Environment
                    | FactKind::Property
                    | FactKind::Machine
                    | FactKind::Jvm
                    | FactKind::Scan => false,
                }
            }

            /// The number that is stored.
            pub fn number(self) -> u8 {
                match self { $(FactKind::$about => $number),* }
            }

            /// The kind of a stored number.
            pub fn from_number(number: u8) -> Option<FactKind> {
                match number { $($number => Some(FactKind::$about),)* _ => None }
            }
        }
    };
}

abouts! {
    /// The linked body of a method: `a/B.f(I)V`.
    Body "body" 1,
    /// The method that a call finds on objects of a class: `a/R.f(I)V`.
    Inherits "inherits" 2,
    /// All supertypes of a class.
    Supers "supers" 3,
    /// A class's methods that override a method from outside the project.
    External "external" 4,
    /// The static initialiser of a class, and which interfaces are initialised with it.
    Init "init" 5,
    /// Members, flags, signatures, annotations of a class.
    Shape "shape" 6,
    /// All of a class but debug information.
    Class "class" 7,
    /// Debug information of a class: lines, names of variables and source.
    Debug "debug" 8,
    /// The content of a library's class, found first on the class path.
    Library "library" 9,
    /// The content of all resources of a name on the class path, in order: `a/b.txt`.
    Resource "resource" 10,
    /// The content of a file.
    File "file" 11,
    /// Whether a file or directory is there, which of the two, and a file's length.
    Exists "exists" 12,
    /// The names in a directory.
    Listing "listing" 13,
    /// An environment variable; all of them if the name is empty.
    Environment "env" 14,
    /// A system property; all of them if the name is empty.
    Property "property" 15,
    /// A property of the machine: `processors`, `host`.
    Machine "machine" 16,
    /// A property of the whole JVM: `jdk`, `flags`, `settings`, `defaults`, `framework` and others.
    Jvm "jvm" 17,
    /// An attribute of a file or directory: `modified a/b.txt`.
    Attribute "attribute" 18,
    /// Flags, direct supertypes, generic signature, permitted subclasses, nest, record components and annotations of a class.
    Head "head" 19,
    /// The instance methods that a class declares: names, descriptors, and the flags that decide look-ups.
    Methods "methods" 20,
    /// What a scan for components sees of a class: its head, its annotations, and its methods with annotations, in order.
    Scan "scan" 21,
    /// What a walk of a shape meets in a method: `a/B.f(I)V`, a space, and the shape ([`walk`]).
    Walk "walk" 22,
}

impl FactKind {
    /// Whether the answer is that of a file or directory, which may change while tests run.
    pub fn is_of_file(self) -> bool {
        matches!(self, FactKind::File | FactKind::Exists | FactKind::Listing | FactKind::Attribute)
    }

    /// Whether it is about something that code reads at run time: files, settings, the machine.
    pub fn is_input(self) -> bool {
        self.is_of_file()
            || matches!(
                self,
                FactKind::Resource | FactKind::Environment | FactKind::Property | FactKind::Machine
            )
    }

    /// The kinds that are not about code.
    pub const OUTSIDE: &[FactKind] = &[
        FactKind::Library,
        FactKind::Resource,
        FactKind::File,
        FactKind::Exists,
        FactKind::Listing,
        FactKind::Attribute,
        FactKind::Environment,
        FactKind::Property,
        FactKind::Machine,
        FactKind::Jvm,
        FactKind::Scan,
    ];
}

/// Something that can be asked of a program at any time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Question {
    /// The kind.
    pub kind: FactKind,
    /// The name of a class, a method, a file… Names of classes are canonical, without the compiler's numbers.
    pub subject: Arc<str>,
}

impl Question {
    /// A question.
    pub fn new(about: FactKind, entity: impl Into<Arc<str>>) -> Question {
        Question { kind: about, subject: entity.into() }
    }

    /// The subject as people write it: `org.x.Parser.flatten(I)V` for `org/x/Parser.flatten(I)V`.
    pub fn displayed(&self) -> String {
        match self.kind {
            FactKind::Body | FactKind::Inherits => displayed_method(&self.subject),
            FactKind::Walk => {
                displayed_method(walk::parts(&self.subject).map_or(&*self.subject, |(method, _)| method))
            }
            FactKind::Supers
            | FactKind::External
            | FactKind::Init
            | FactKind::Shape
            | FactKind::Class
            | FactKind::Debug
            | FactKind::Head
            | FactKind::Methods
            | FactKind::Library
            | FactKind::Scan => dotted(&self.subject),
            FactKind::Resource
            | FactKind::File
            | FactKind::Exists
            | FactKind::Listing
            | FactKind::Attribute
            | FactKind::Environment
            | FactKind::Property
            | FactKind::Machine
            | FactKind::Jvm => self.subject.to_string(),
        }
    }
}

/// Only the class is dotted, not the descriptor. A lambda is shown as the method around it.
fn displayed_method(subject: &str) -> String {
    match subject.split_once('(') {
        Some((method, descriptor)) => format!("{}({}", dotted(method), without_place(descriptor)),
        None => dotted(subject),
    }
}

/// An answer; `None` if there is no such thing.
pub type Answer = Option<Digest>;

/// A question, with the answer that it had in a passing run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The question.
    pub question: Question,
    /// The answer.
    pub answer: Answer,
}

impl Fact {
    /// The digest that identifies a fact in every store.
    pub fn digest(&self, encoder: &mut DigestEncoder) -> Digest {
        encoder.start(EncodingTag::Key);
        encoder.byte(self.question.kind.number());
        encoder.bytes(self.question.subject.as_bytes());
        encoder.optional(self.answer.as_ref());
        encoder.finish()
    }
}
