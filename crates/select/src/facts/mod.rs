//! Facts: statements about a program that hold or do not.
//!
//! A fact is a question and the answer it had when a test passed. A question is a kind and a name, so that every kind is
//! stored, compared and explained alike; an answer is a digest, or that there is no such thing. Questions about code are
//! answered from a snapshot by [`Code`]; others by whoever knows files, libraries and the environment.

mod code;
mod question_table;

pub use code::CodeFacts;
pub use question_table::QuestionTable;

use std::sync::Arc;

use tamis_program::digest::Digest;

macro_rules! abouts {
    ($($(#[$doc:meta])* $about:ident $word:literal $number:literal),* $(,)?) => {
        /// What a question is about. The numbers are stored: add, never change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FactKind { $($(#[$doc])* $about),* }

        impl FactKind {
            /// All of them.
            pub const ALL: &[FactKind] = &[$(FactKind::$about),*];

            /// The word for a person, and in reports.
            pub fn word(self) -> &'static str {
                match self { $(FactKind::$about => $word),* }
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
    /// A class's methods that override what lies outside the project.
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
    /// The content of a resource, found first on the class path: `a/b.txt`.
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
    /// Something of the machine: `processors`, `host`.
    Machine "machine" 16,
    /// Something that holds for the whole JVM: `jdk`, `flags`, `framework`, `build`.
    Jvm "jvm" 17,
}

/// Something that can be asked of a program at any time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Question {
    /// The kind.
    pub kind: FactKind,
    /// The name: of a class, a method, a file… Classes bear the names that count, without the compiler's numbers.
    pub subject: Arc<str>,
}

impl Question {
    /// A question.
    pub fn new(about: FactKind, entity: impl Into<Arc<str>>) -> Question {
        Question { kind: about, subject: entity.into() }
    }
}

/// What was answered; `None` where there is no such thing.
pub type Answer = Option<Digest>;

/// A question and the answer that a test relied on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// What was asked.
    pub question: Question,
    /// What was answered.
    pub answer: Answer,
}
