//! What the agent and the CLI tell each other.

use crate::format::wire;

/// The version of the protocol; both sides must speak the same.
pub const VERSION: u32 = 1;

/// Numbers of probes or of texts, ascending.
pub type Ids = Vec<u32>;

/// What the agent says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// First of all: which JVM this is.
    Hello(Hello),
    /// A class was instrumented; its probes are known from now on.
    Class(ClassSeen),
    /// A span of time has begun: a test, a class of tests, a container.
    Started(Span),
    /// A span has ended: its number, outcome and duration in microseconds.
    Finished(Finished),
    /// What was hit since the last message of this kind, while these spans were open.
    Hits(Hits),
    /// What ran inside a static initialiser.
    Init(InitTrace),
    /// Something that could not be seen.
    Gap(Gap),
    /// The JVM ends in good order.
    Bye,
}

wire!(enum Said {
    1 = Hello(Hello), 2 = Class(ClassSeen), 3 = Started(Span), 4 = Finished(Finished), 5 = Hits(Hits),
    6 = Init(InitTrace), 7 = Gap(Gap), 8 = Bye,
});

/// What the CLI tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// The answer to hello.
    Plan(Plan),
}

wire!(enum Told { 1 = Plan(Plan) });

/// Which JVM is speaking.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Hello {
    /// [`VERSION`] of the agent.
    pub version: u32,
    /// Its process.
    pub pid: u32,
    /// The test, of another JVM, that started this one, if that is known.
    pub parent: Option<String>,
    /// The directory it was started in.
    pub directory: String,
    /// System properties that identify JVM and class path, as the JVM has them.
    pub properties: Vec<(String, String)>,
}

wire!(struct Hello { version, pid, parent, directory, properties });

/// What the agent shall do.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Plan {
    /// [`VERSION`] of the CLI.
    pub version: u32,
    /// Directories and jars whose classes are watched method by method; others by class.
    pub watch: Vec<String>,
    /// Tests that may be skipped.
    pub skip: Vec<TestId>,
}

wire!(struct Plan { version, watch, skip });

/// A test class, or one test of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TestId {
    /// `org.x.ParserTest`
    pub class: String,
    /// The method, without parameters; the whole class if there is none.
    pub method: Option<String>,
}

wire!(struct TestId { class, method });

/// A class whose methods carry probes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSeen {
    /// `a/B$C`
    pub name: String,
    /// The probe of its first method; the others follow. A class watched as a whole has one probe.
    pub first_probe: u32,
    /// Name and descriptor of each probe's method; empty if the class is watched as a whole.
    pub methods: Vec<(String, String)>,
    /// Length of the class file as the agent saw it.
    pub length: u32,
}

wire!(struct ClassSeen { name, first_probe, methods, length });

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
}

wire!(struct Span { number, kind, test, name });

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

wire!(enum Outcome { 1 = Passed, 2 = Failed, 3 = Aborted, 4 = Ignored, 5 = Unknown });

/// A span that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its number.
    pub number: u32,
    /// How.
    pub outcome: Outcome,
    /// After how many microseconds.
    pub microseconds: u64,
}

wire!(struct Finished { number, outcome, microseconds });

/// Probes hit while some spans were open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hits {
    /// The numbers of the open spans; none between tests.
    pub spans: Ids,
    /// The probes.
    pub probes: Ids,
}

wire!(struct Hits { spans, probes });

/// What ran inside the static initialiser of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitTrace {
    /// `a/B`
    pub class: String,
    /// The probes hit, those of nested initialisers not among them.
    pub probes: Ids,
    /// The classes whose initialisers ran inside.
    pub nested: Vec<String>,
    /// The spans that were open when it began.
    pub spans: Ids,
}

wire!(struct InitTrace { class, probes, nested, spans });

/// Something that could not be seen: a reason not to skip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The spans it concerns; all of this JVM if empty.
    pub spans: Ids,
    /// What: one line.
    pub what: String,
}

wire!(struct Gap { spans, what });
