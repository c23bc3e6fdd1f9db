//! Which methods of which test framework mean what: a table.
//!
//! Each row puts a call at the start of a framework's own method; what the arguments say is read in `bridge`. A row whose
//! class is loaded but whose method is not there is told as a gap: then nothing may be skipped.

/// What a call from a framework means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Signal {
    /// JUnit 4: a test begins, ends, fails, is aborted, is ignored.
    Junit4Started = 1,
    Junit4Finished = 2,
    Junit4Failed = 3,
    Junit4Aborted = 4,
    Junit4Ignored = 5,
    /// JUnit 4: a runner begins, ends.
    RunnerStarted = 6,
    RunnerFinished = 7,
    /// JUnit Platform: a node of the test plan begins, ends, is skipped.
    PlatformStarted = 8,
    PlatformFinished = 9,
    PlatformSkipped = 10,
}

impl Signal {
    pub(crate) fn from_number(number: i32) -> Option<Signal> {
        use Signal::*;
        let all = [
            Junit4Started,
            Junit4Finished,
            Junit4Failed,
            Junit4Aborted,
            Junit4Ignored,
            RunnerStarted,
            RunnerFinished,
            PlatformStarted,
            PlatformFinished,
            PlatformSkipped,
        ];
        all.into_iter().find(|signal| *signal as i32 == number)
    }
}

/// Where a call is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At the start.
    Entry,
    /// Before every return.
    Exits,
}

/// One call into the agent.
pub(crate) struct Hook {
    pub(crate) class: &'static str,
    pub(crate) method: &'static str,
    pub(crate) descriptor: &'static str,
    pub(crate) place: Place,
    pub(crate) signal: Signal,
    /// The slots of the two objects passed, `None` for null.
    pub(crate) arguments: [Option<u8>; 2],
}

const NOTIFIER: &str = "org/junit/runner/notification/RunNotifier";
const DESCRIPTION: &str = "(Lorg/junit/runner/Description;)V";
const FAILURE: &str = "(Lorg/junit/runner/notification/Failure;)V";
const PARENT_RUNNER: &str = "org/junit/runners/ParentRunner";
const RUN: &str = "(Lorg/junit/runner/notification/RunNotifier;)V";
const ADAPTER: &str = "org/junit/platform/launcher/core/ExecutionListenerAdapter";

/// All of them.
pub(crate) const HOOKS: [Hook; 10] = [
    entry(NOTIFIER, "fireTestStarted", DESCRIPTION, Signal::Junit4Started, [Some(1), None]),
    entry(NOTIFIER, "fireTestFinished", DESCRIPTION, Signal::Junit4Finished, [Some(1), None]),
    entry(NOTIFIER, "fireTestFailure", FAILURE, Signal::Junit4Failed, [Some(1), None]),
    entry(NOTIFIER, "fireTestAssumptionFailed", FAILURE, Signal::Junit4Aborted, [Some(1), None]),
    entry(NOTIFIER, "fireTestIgnored", DESCRIPTION, Signal::Junit4Ignored, [Some(1), None]),
    entry(PARENT_RUNNER, "run", RUN, Signal::RunnerStarted, [Some(0), None]),
    Hook {
        class: PARENT_RUNNER,
        method: "run",
        descriptor: RUN,
        place: Place::Exits,
        signal: Signal::RunnerFinished,
        arguments: [Some(0), None],
    },
    entry(
        ADAPTER,
        "executionStarted",
        "(Lorg/junit/platform/engine/TestDescriptor;)V",
        Signal::PlatformStarted,
        [Some(1), None],
    ),
    entry(
        ADAPTER,
        "executionFinished",
        "(Lorg/junit/platform/engine/TestDescriptor;Lorg/junit/platform/engine/TestExecutionResult;)V",
        Signal::PlatformFinished,
        [Some(1), Some(2)],
    ),
    entry(
        ADAPTER,
        "executionSkipped",
        "(Lorg/junit/platform/engine/TestDescriptor;Ljava/lang/String;)V",
        Signal::PlatformSkipped,
        [Some(1), None],
    ),
];

const fn entry(
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    signal: Signal,
    arguments: [Option<u8>; 2],
) -> Hook {
    Hook { class, method, descriptor, place: Place::Entry, signal, arguments }
}

/// The hooks of a class.
pub(crate) fn hooks(class: &[u8]) -> impl Iterator<Item = &'static Hook> {
    let framework = class.starts_with(b"org/junit/");
    HOOKS.iter().filter(move |hook| framework && hook.class.as_bytes() == class)
}
