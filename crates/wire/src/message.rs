//! What the agent and the CLI tell each other.

use crate::format::{ProbeRuns, wire};
use std::fmt;

/// The version of the protocol; both sides must speak the same.
pub const VERSION: u32 = 8;

/// Numbers of spans or of notes.
pub type NumberList = Vec<u32>;

/// What the agent says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentMessage {
    /// First of all: which JVM this is.
    Hello(Hello),
    /// A class was instrumented; its probes are known from now on.
    Class(ClassLoaded),
    /// A span of time has begun: a test, a class of tests, a container.
    Started(Span),
    /// A span has ended: its number, outcome and duration in microseconds.
    Finished(SpanFinished),
    /// What was hit since the last message of this kind, while these spans were open.
    Hits(SpanHits),
    /// What ran inside a static initialiser.
    Init(StaticInit),
    /// Something that could not be seen.
    Gap(Gap),
    /// Something other than code was used for the first time in this JVM; its number is known from now on.
    Note(NumberedInput),
    /// A test was skipped as the plan wanted.
    Skipped(TestId),
    /// These probes could not be put where they belong: whatever is open now or starts later is taken to have hit them.
    Assumed(ProbeRuns),
    /// A static field of the project has its first value.
    Field(StaticFieldInfo),
    /// What code was running when something noted was used.
    Under(StackContext),
    /// The JVM ends in good order.
    Bye,
}

wire!(enum AgentMessage {
    1 = Hello(Hello), 2 = Class(ClassLoaded), 3 = Started(Span), 4 = Finished(SpanFinished), 5 = Hits(SpanHits),
    6 = Init(StaticInit), 7 = Gap(Gap), 8 = Bye, 9 = Note(NumberedInput), 10 = Skipped(TestId), 11 = Assumed(ProbeRuns),
    12 = Field(StaticFieldInfo), 13 = Under(StackContext),
});

/// What the CLI tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CliMessage {
    /// The answer to hello.
    Plan(Plan),
}

wire!(enum CliMessage { 1 = Plan(Plan) });

/// Which JVM is speaking.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Hello {
    /// [`VERSION`] of the agent.
    pub version: u32,
    /// Its process.
    pub pid: u32,
    /// Its parent process, that one's parent, and so on: one of them may be a JVM whose test started this one.
    pub ancestors: Vec<u32>,
    /// The directory it was started in.
    pub directory: String,
    /// Its command line, argument files not resolved.
    pub command: Vec<String>,
    /// Environment variables that hold options of JVMs.
    pub options: Vec<(String, String)>,
    /// System properties that identify JVM and class path, as the JVM has them.
    pub properties: Vec<(String, String)>,
}

wire!(struct Hello { version, pid, ancestors, directory, command, options, properties });

/// What the agent shall do.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Plan {
    /// [`VERSION`] of the CLI.
    pub version: u32,
    /// Directories and jars whose classes are watched method by method; others by class.
    pub watch: Vec<String>,
    /// All of the class path and the module path, what manifests name included: facts of the whole JVM, not of a test.
    pub class_path: Vec<String>,
    /// Tests that may be skipped.
    pub skip: Vec<TestId>,
    /// Whether it is told at once when a test begins: what is known of it is in doubt until it ends.
    pub prompt: bool,
}

wire!(struct Plan { version, watch, class_path, skip, prompt });

/// A test class, or one test of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TestId {
    /// `org.x.ParserTest`
    pub class: String,
    /// The method, without parameters; the whole class if there is none.
    pub method: Option<String>,
}

impl fmt::Display for TestId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            Some(method) => write!(to, "{}#{method}", self.class),
            None => to.write_str(&self.class),
        }
    }
}

wire!(struct TestId { class, method });

/// A class whose methods carry probes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassLoaded {
    /// `a/B$C`
    pub name: String,
    /// The probe of its first method; the others follow. A class watched as a whole has one probe.
    pub first_probe: u32,
    /// Name and descriptor of each probe's method; empty if the class is watched as a whole.
    pub methods: Vec<(String, String)>,
    /// Its superclass and interfaces: what a class without a file was made from.
    pub supers: Vec<String>,
    /// [`content`] of the class file as the agent saw it.
    pub content: u64,
}

wire!(struct ClassLoaded { name, first_probe, methods, supers, content });

/// Tells class files apart that a JVM loads. Not a digest to rely on; that is taken from the file itself. As FNV-1a, but eight
/// bytes at a time and stirred in between: it is taken of every class that a JVM loads, while that waits.
pub fn content(bytes: &[u8]) -> u64 {
    let stir = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ (hash >> 32)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| stir(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
    stir(stir(hash, last), bytes.len() as u64)
}

/// A static field of a class that is watched method by method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticFieldInfo {
    /// `a/B`
    pub class: String,
    /// Its name.
    pub name: String,
    /// Whether what it holds is compared when tests begin and end: see [`Input::FieldLeft`].
    pub is_compared: bool,
    /// Of a constant: the class of its object, empty if that can keep nothing.
    pub holds: Option<String>,
}

wire!(struct StaticFieldInfo { class, name, is_compared, holds });

/// What a span is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpanKind {
    /// A single test.
    Test,
    /// A class of tests, with what is shared by them.
    Class,
    /// Anything else that holds tests: a suite, an engine, a dynamic container.
    Container,
}

wire!(enum SpanKind { 1 = Test, 2 = Class, 3 = Container });

/// A span that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its number in this JVM.
    pub number: u32,
    /// What it is.
    pub kind: SpanKind,
    /// Whose it is.
    pub test: TestId,
    /// The name that the framework shows or identifies it by.
    pub name: String,
    /// The span that it is in.
    pub parent: Option<u32>,
}

wire!(struct Span { number, kind, test, name, parent });

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed or threw.
    Failed,
    /// An assumption did not hold.
    Aborted,
    /// It was not run: disabled, ignored.
    Ignored,
    /// The framework did not say.
    Unknown,
}

impl Outcome {
    /// What two invocations of a test come to.
    pub fn worse(self, other: Outcome) -> Outcome {
        let order = [Outcome::Failed, Outcome::Unknown, Outcome::Aborted, Outcome::Passed, Outcome::Ignored];
        order.into_iter().find(|outcome| *outcome == self || *outcome == other).unwrap_or(Outcome::Unknown)
    }
}

wire!(enum Outcome { 1 = Passed, 2 = Failed, 3 = Aborted, 4 = Ignored, 5 = Unknown });

/// A span that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanFinished {
    /// Its number.
    pub number: u32,
    /// How.
    pub outcome: Outcome,
    /// After how many microseconds.
    pub microseconds: u64,
}

wire!(struct SpanFinished { number, outcome, microseconds });

/// What was used while some spans were open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanHits {
    /// The numbers of the open spans, and of ended ones whose threads were still at work; none between tests.
    pub spans: NumberList,
    /// The probes hit.
    pub probes: ProbeRuns,
    /// The numbers of notes, in the order in which they came first.
    pub notes: NumberList,
}

wire!(struct SpanHits { spans, probes, notes });

/// What ran inside the static initialiser of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticInit {
    /// `a/B`
    pub class: String,
    /// The probes hit, those of nested initialisers not among them.
    pub probes: ProbeRuns,
    /// The classes whose initialisers ran inside.
    pub nested: Vec<String>,
    /// The numbers of notes, in the order in which they came first.
    pub notes: NumberList,
    /// The spans that were open while it ran.
    pub spans: NumberList,
}

wire!(struct StaticInit { class, probes, nested, notes, spans });

/// Something that could not be seen: a reason not to skip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The spans it concerns; all of this JVM if empty.
    pub spans: NumberList,
    /// What: one line.
    pub what: String,
}

wire!(struct Gap { spans, what });

/// Something other than code that a test used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedInput {
    /// Its number in this JVM.
    pub number: u32,
    /// What it is.
    pub what: Input,
}

wire!(struct NumberedInput { number, what });

/// Code that was running when something noted was used: a file may be read once, for whoever asks that code first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackContext {
    /// The number of the note.
    pub note: u32,
    /// The probes of the methods on the thread's stack.
    pub probes: ProbeRuns,
}

wire!(struct StackContext { note, probes });

/// Paths are absolute; classes are `a/B$C`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// A file was opened for reading.
    Read(String),
    /// A file or directory was asked whether it is there, how long, how old it is.
    Examined(String),
    /// A file or directory was looked for in vain. Look-ups of classes and resources show as this too.
    Missing(String),
    /// A directory was listed.
    Listed(String),
    /// A file or directory was created, written, renamed or deleted.
    Written(String),
    /// An environment variable was read; all of them if there is no name, or if it is `*`, by a library.
    Environment(Option<String>),
    /// A system property was read; all of them if there is no name.
    Property(Option<String>),
    /// A system property was set or cleared; any of them if there is no name.
    PropertySet(Option<String>),
    /// Something of the machine was read: `processors`, `host`.
    Machine(String),
    /// Members, annotations or other structure of a class were looked at.
    Reflected(String),
    /// A class was redefined or retransformed by another agent.
    Redefined(String),
    /// A process was started.
    Process(StartedProcess),
    /// A native library was loaded.
    Library(String),
    /// A stack trace was read.
    Stack,
    /// A class was made at run time that never was a file.
    Made(HiddenClass),
    /// A thread of a test was at work when the test ended: the thread's name.
    Thread(String),
    /// A class that is there was asked for by its name.
    Named(String),
    /// A host was connected to, `127.0.0.1:80` or `unix:/path`, or looked up by name.
    Network(String),
    /// A static field was set by reflection: `a/B.name`.
    FieldSet(String),
    /// A static field that is compared holds something else than before: `a/B.name`.
    FieldLeft(String),
    /// Texts were asked for, which the JDK keeps once they are read: the base name of the bundle, or any.
    Bundle(Option<String>),
    /// A class file was opened by somebody who looks at what it declares, and at nothing else.
    Declared(String),
}

wire!(enum Input {
    1 = Read(String), 2 = Examined(String), 3 = Missing(String), 4 = Listed(String), 5 = Written(String),
    6 = Environment(Option<String>), 7 = Property(Option<String>), 8 = PropertySet(Option<String>), 9 = Machine(String),
    10 = Reflected(String), 11 = Redefined(String), 12 = Process(StartedProcess), 13 = Library(String), 14 = Stack,
    15 = Made(HiddenClass), 16 = Thread(String), 17 = Named(String), 18 = Network(String),
    19 = Bundle(Option<String>), 20 = FieldSet(String), 21 = FieldLeft(String),
    22 = Declared(String),
});

/// A process that was started.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StartedProcess {
    /// Its number; a JVM that says hello with it, or has it among its ancestors, is this test's child.
    pub pid: u32,
    /// The program as it was named.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

wire!(struct StartedProcess { pid, program, arguments });

/// A class made at run time and hidden from class look-up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HiddenClass {
    /// Its name as far as it has one.
    pub name: String,
    /// The class that made it, or that it belongs to.
    pub host: String,
    /// Its superclass and interfaces.
    pub supers: Vec<String>,
}

wire!(struct HiddenClass { name, host, supers });
