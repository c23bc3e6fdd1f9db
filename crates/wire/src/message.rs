//! The messages of the agent and of the CLI.

use crate::file_attribute::{AttributeRead, CopiedTime};
use crate::format::{ProbeRuns, wire};
use std::fmt;

/// The version of the protocol, which must be the same on both sides.
pub const VERSION: u32 = 13;

/// Numbers of spans or of inputs.
pub type NumberList = Vec<u32>;

/// A message from the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentMessage {
    /// The first message: identifies the JVM.
    Hello(Hello),
    /// A class was instrumented; its probes are known from now on.
    Class(ClassLoaded),
    /// A span of time has begun: a test, a class of tests, a container.
    Started(Span),
    /// A span has ended: its number, outcome and duration in microseconds.
    Finished(SpanFinished),
    /// Probes and inputs used since the last message of this kind, while these spans were open.
    Hits(SpanHits),
    /// Probes and inputs used inside a static initialiser.
    Init(StaticInit),
    /// A context of Spring's test framework was asked for: until its work is reported, classes are made for it.
    ContextAsked,
    /// Probes and inputs used while a context of Spring's test framework was loaded, or restarted.
    Context(ContextWork),
    /// Something that could not be observed.
    Gap(Gap),
    /// An input other than code was used for the first time in this JVM; its number is known from now on.
    Note(NumberedInput),
    /// A test was skipped according to the plan.
    Skipped(TestId),
    /// These probes could not be inserted: spans that are open now or start later are assumed to have hit them.
    Assumed(ProbeRuns),
    /// A static field of the project has its first value.
    Field(StaticFieldInfo),
    /// The code that was running when an input was used.
    Under(StackContext),
    /// What a static field of the project reaches.
    Graph(StaticFieldGraph),
    /// Static fields, as `a/B.name`, in which a test left something that no recorded run has shown. The agent waits for the
    /// answer.
    NewLeftovers(Vec<String>),
    /// The error of a span that will end as failed. At most one for each invocation.
    Failure(TestFailure),
    /// The JVM ends normally.
    Bye,
}

wire!(enum AgentMessage {
    1 = Hello(Hello), 2 = Class(ClassLoaded), 3 = Started(Span), 4 = Finished(SpanFinished), 5 = Hits(SpanHits),
    6 = Init(StaticInit), 7 = Gap(Gap), 8 = Bye, 9 = Note(NumberedInput), 10 = Skipped(TestId), 11 = Assumed(ProbeRuns),
    12 = Field(StaticFieldInfo), 13 = Under(StackContext), 14 = Graph(StaticFieldGraph), 15 = NewLeftovers(Vec<String>),
    16 = Failure(TestFailure), 17 = Context(ContextWork), 18 = ContextAsked,
});

/// A message from the CLI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CliMessage {
    /// The answer to [`Hello`].
    Plan(Plan),
    /// The answer to [`AgentMessage::NewLeftovers`]: tests of the plan that may use these fields, and therefore run.
    RunAgain(Vec<TestId>),
}

wire!(enum CliMessage { 1 = Plan(Plan), 2 = RunAgain(Vec<TestId>) });

/// The description of a JVM.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Hello {
    /// [`VERSION`] of the agent.
    pub version: u32,
    /// Its process id.
    pub pid: u32,
    /// Its parent process, the parent of that, and so on: one of them may be a JVM whose test started this one.
    pub ancestors: Vec<u32>,
    /// The directory it was started in.
    pub directory: String,
    /// Its command line, argument files not resolved.
    pub command: Vec<String>,
    /// Environment variables that hold options of JVMs.
    pub options: Vec<(String, String)>,
    /// System properties that identify the JVM and its class path.
    pub properties: Vec<(String, String)>,
    /// The word that the agent's options have after the socket: which request of the build this JVM was started for.
    /// Empty if there is none.
    pub token: String,
}

wire!(struct Hello { version, pid, ancestors, directory, command, options, properties, token });

/// The instructions for the agent.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Plan {
    /// [`VERSION`] of the CLI.
    pub version: u32,
    /// Directories and jars whose classes have a probe per method. Other classes have one probe.
    pub watch: Vec<String>,
    /// The class path and the module path, with the entries that manifests name: facts of the whole JVM, not of a test.
    pub class_path: Vec<String>,
    /// Tests that may be skipped.
    pub skip: Vec<TestId>,
    /// Static fields in which tests were seen to leave something, as `a/B.name`. A change of another one has to be
    /// told with [`AgentMessage::NewLeftovers`].
    pub known_left: Vec<String>,
    /// Whether the start of a test is sent at once: earlier traces of the test are in doubt until it ends.
    pub prompt: bool,
    /// The detail of the probes in a watched class.
    pub detail: ProbeDetail,
}

wire!(struct Plan { version, watch, class_path, skip, known_left, prompt, detail });

/// Detail of the probes in a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProbeDetail {
    /// Nothing: only where tests begin and end is observed.
    Nothing,
    /// Whether it was entered.
    #[default]
    Methods,
    /// Also which of its basic blocks were entered.
    Blocks,
}

wire!(enum ProbeDetail { 1 = Methods, 2 = Blocks, 3 = Nothing });

/// A test class, or one test of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TestId {
    /// `org.x.ParserTest`
    pub class: String,
    /// The method, without parameters; `None` for the whole class.
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
    /// The probe of its first method; the others follow. A class may have a single probe instead.
    pub first_probe: u32,
    /// Name and descriptor of each probe's method; empty if the class has a single probe.
    pub methods: Vec<(String, String)>,
    /// Its superclass and interfaces: a class without a file depends on them.
    pub supers: Vec<String>,
    /// [`content`] of the class file, as the agent received it.
    pub content: u64,
    /// For each method, the number of probes in its blocks. They follow the probes of the methods. Empty if no block has one.
    pub blocks: Vec<u32>,
}

wire!(struct ClassLoaded { name, first_probe, methods, supers, content, blocks });

/// A hash that tells apart the class files that a JVM loads. It is not a digest; that is computed from the file itself. Like FNV-1a,
/// but with eight bytes at a time and mixing in between: the JVM waits for it at every class that it loads.
pub fn content(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ (hash >> 32)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
    mix(mix(hash, last), bytes.len() as u64)
}

/// A static field of a class with a probe per method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticFieldInfo {
    /// `a/B`
    pub class: String,
    /// Its name.
    pub name: String,
    /// Whether its value is compared when tests begin and end: see [`Input::FieldLeft`].
    pub is_compared: bool,
    /// For a final field: the class of its object, empty if the object has no state.
    pub holds: Option<String>,
}

wire!(struct StaticFieldInfo { class, name, is_compared, holds });

/// What a static field reaches: its value, the objects that this refers to, and so on. Sent when the field has its first value
/// and again when more is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticFieldGraph {
    /// `a/B`
    pub class: String,
    /// Its name.
    pub name: String,
    /// Whether all of it is compared when test classes end.
    pub is_compared: bool,
    /// Whether it is compared when single tests end, too, and was since it was compared before.
    pub each_test: bool,
    /// Whether it is not the same as when it was compared before.
    pub has_changed: bool,
    /// Classes of objects in it, the JDK's left out, as far as they were not sent before.
    pub reaches: Vec<String>,
}

wire!(struct StaticFieldGraph { class, name, is_compared, each_test, has_changed, reaches });

/// The kind of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpanKind {
    /// A single test.
    Test,
    /// A class of tests, with their shared set-up and tear-down.
    Class,
    /// Any other group of tests: a suite, an engine, a dynamic container.
    Container,
}

wire!(enum SpanKind { 1 = Test, 2 = Class, 3 = Container });

/// A span that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its number in this JVM.
    pub number: u32,
    /// Its kind.
    pub kind: SpanKind,
    /// The test or class that it belongs to.
    pub test: TestId,
    /// The name with which the framework shows or identifies it.
    pub name: String,
    /// The span around it.
    pub parent: Option<u32>,
}

wire!(struct Span { number, kind, test, name, parent });

/// The outcome of a test.
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
    /// The framework did not report an outcome.
    Unknown,
}

impl Outcome {
    /// The outcome of a test with two invocations.
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
    /// Its outcome.
    pub outcome: Outcome,
    /// Its duration in microseconds.
    pub microseconds: u64,
}

wire!(struct SpanFinished { number, outcome, microseconds });

/// The error with which a test failed, for people: nothing is decided by it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TestFailure {
    /// The number of its span.
    pub number: u32,
    /// The class of the error: `java.lang.AssertionError`.
    pub error: String,
    /// Its message, which may be cut; empty if it has none.
    pub message: String,
    /// Its stack, as far as it is sent: `at a.B.m(B.java:7)`, and `Caused by: a.E: message` before the stack of a cause.
    pub trace: Vec<String>,
}

wire!(struct TestFailure { number, error, message, trace });

/// Probes and inputs used while some spans were open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanHits {
    /// The numbers of the open spans, and of ended ones whose threads were still at work; empty between tests.
    pub spans: NumberList,
    /// The probes hit.
    pub probes: ProbeRuns,
    /// The numbers of the inputs, in the order of their first use.
    pub notes: NumberList,
}

wire!(struct SpanHits { spans, probes, notes });

/// Probes and inputs used inside the static initialiser of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticInit {
    /// `a/B`
    pub class: String,
    /// The probes hit, without those of nested initialisers.
    pub probes: ProbeRuns,
    /// The classes whose initialisers ran inside.
    pub nested: Vec<String>,
    /// The numbers of the inputs, in the order of their first use.
    pub notes: NumberList,
    /// The spans that were open while it ran.
    pub spans: NumberList,
}

wire!(struct StaticInit { class, probes, nested, notes, spans });

/// Work on a context, which all tests that use the context share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextWork {
    /// The number of the context in this JVM.
    pub number: u32,
    /// The probes hit, without those of static initialisers and of other contexts.
    pub probes: ProbeRuns,
    /// The classes whose static initialisers ran meanwhile.
    pub nested: Vec<String>,
    /// The numbers of the inputs, in the order of their first use.
    pub notes: NumberList,
}

wire!(struct ContextWork { number, probes, nested, notes });

/// Something that could not be observed: a reason to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The spans that it concerns; if empty, all spans of this JVM.
    pub spans: NumberList,
    /// A description of one line.
    pub what: String,
}

wire!(struct Gap { spans, what });

/// An input other than code, with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedInput {
    /// Its number in this JVM.
    pub number: u32,
    /// The input.
    pub what: Input,
}

wire!(struct NumberedInput { number, what });

/// The code that was running when an input was used. Such code may read a file once, for its first caller, and keep the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackContext {
    /// The number of the input.
    pub note: u32,
    /// The probes of the methods on the thread's stack.
    pub probes: ProbeRuns,
}

wire!(struct StackContext { note, probes });

/// An input of a test other than code. Paths are absolute; classes are named `a/B$C`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// A file was opened for reading.
    Read(String),
    /// The existence, length or time of a file or directory was read.
    Examined(String),
    /// A file or directory was looked for and not found. Look-ups of classes and resources appear as this too.
    Missing(String),
    /// A directory was listed.
    Listed(String),
    /// A file or directory was created, written, renamed or deleted.
    Written(String),
    /// An environment variable was read. `None`: all of them, by the project. `*`: all of them, by a library.
    Environment(Option<String>),
    /// A system property was read. `None`: all of them, by the project. `*`: all of them, by a library; `**`, by one whose look-ups
    /// are known.
    Property(Option<String>),
    /// A system property was set or cleared; `None` for any of them.
    PropertySet(Option<String>),
    /// A property of the machine was read: `processors`, `host`.
    Machine(String),
    /// Members, annotations or other structure of a class were read.
    Reflected(String),
    /// A class was redefined or retransformed by another agent.
    Redefined(String),
    /// A process was started.
    Process(StartedProcess),
    /// A native library was loaded.
    Library(String),
    /// A stack trace was read.
    Stack,
    /// A stack trace was read by a logger, for the log.
    LoggedStack,
    /// A class without a file was generated.
    Made(HiddenClass),
    /// A thread of a test was at work when the test ended: its name.
    Thread(String),
    /// A class was looked up by its name and found.
    Named(String),
    /// A host was connected to, `127.0.0.1:80` or `unix:/path`, or looked up by name.
    Network(String),
    /// A static field was set by reflection: `a/B.name`.
    FieldSet(String),
    /// A static field that is compared has another value than before: `a/B.name`.
    FieldLeft(String),
    /// A resource bundle was requested, which the JDK caches: its base name, or `None` for any.
    Bundle(Option<String>),
    /// A class file was opened by code that reads its declarations only.
    Declared(String),
    /// A class file was opened by code that looks for components.
    Scanned(String),
    /// An attribute of a file or directory was read: its time, its owner.
    Attribute(AttributeRead),
    /// A file was given the time of another one.
    TimeCopied(CopiedTime),
    /// A context of Spring's test framework was used, by its number.
    Context(u32),
}

wire!(enum Input {
    1 = Read(String), 2 = Examined(String), 3 = Missing(String), 4 = Listed(String), 5 = Written(String),
    6 = Environment(Option<String>), 7 = Property(Option<String>), 8 = PropertySet(Option<String>), 9 = Machine(String),
    10 = Reflected(String), 11 = Redefined(String), 12 = Process(StartedProcess), 13 = Library(String), 14 = Stack,
    15 = Made(HiddenClass), 16 = Thread(String), 17 = Named(String), 18 = Network(String),
    19 = Bundle(Option<String>), 20 = FieldSet(String), 21 = FieldLeft(String),
    22 = Declared(String), 23 = Attribute(AttributeRead), 24 = TimeCopied(CopiedTime), 25 = Scanned(String), 26 = LoggedStack, 27 = Context(u32),
});

/// A process that was started.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StartedProcess {
    /// Its process id. A JVM with this id, or with this id among its ancestors, was started by this test.
    pub pid: u32,
    /// The program, as the test named it.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

wire!(struct StartedProcess { pid, program, arguments });

/// A generated class that is hidden from class look-up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HiddenClass {
    /// Its name, as far as it has one.
    pub name: String,
    /// The class that defined it, or to which it belongs.
    pub host: String,
    /// Its superclass and interfaces.
    pub supers: Vec<String>,
}

wire!(struct HiddenClass { name, host, supers });
