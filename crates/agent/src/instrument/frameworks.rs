//! The table of hooks in test frameworks: methods that report where tests begin and end.
//!
//! Each row inserts a call into a method of a framework; the file of that framework in `boundary` reads the arguments. If a row
//! is needed and its class is loaded without the method, that is a gap, and no test is skipped in this JVM.

use tamis_catalog::libraries::spring;

/// The meaning of a call from a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum FrameworkSignal {
    /// JUnit 3: a test begins, ends, fails; a suite or test runs unless it is skipped, and has run.
    Junit3Started = 1,
    Junit3Finished = 2,
    Junit3Failed = 3,
    Junit3Suite = 4,
    Junit3SuiteFinished = 5,
    Junit3Test = 6,
    /// JUnit 4: a test begins, ends, fails, is aborted, is ignored.
    Junit4Started = 7,
    Junit4Finished = 8,
    Junit4Failed = 9,
    Junit4Aborted = 10,
    Junit4Ignored = 11,
    /// JUnit 4: a runner is built, was built; runs unless it is skipped, and has run; the same for one of its tests.
    RunnerBuilding = 12,
    RunnerBuilt = 13,
    RunnerStarted = 14,
    RunnerFinished = 15,
    ChildStarted = 16,
    ChildFinished = 17,
    /// JUnit 4.0 to 4.4: the runner of a class is requested, one of its methods runs unless it is skipped.
    ClassRequested = 18,
    MethodStarted = 19,
    /// JUnit Platform: the tests were found; a node of the test plan is prepared, begins, ends, is skipped.
    PlatformPlanned = 20,
    PlatformPrepared = 21,
    PlatformStarted = 22,
    PlatformFinished = 23,
    PlatformSkipped = 24,
    /// TestNG: the tests were found; a suite begins, ends; set-up of a class begins, its tear-down ends; a set-up method has
    /// run; a test method begins, and ends with its results.
    TestngFound = 25,
    TestngSuiteStarted = 26,
    TestngSuiteFinished = 27,
    TestngClassStarted = 28,
    TestngClassFinished = 29,
    TestngConfigured = 30,
    TestngStarted = 31,
    TestngFinished = 32,
    /// JUnit 3 or 4 is called to run tests, and has run them.
    RunStarted = 33,
    RunFinished = 34,
    /// Spring: a property is looked up by name; the notes of the build are asked for; a context is asked for, and given.
    PropertyAsked = 35,
    BuildInfoAsked = 36,
    ContextAsked = 37,
    ContextGiven = 38,
}

impl FrameworkSignal {
    pub(crate) fn from_number(number: i32) -> Option<FrameworkSignal> {
        HOOKS.iter().map(|hook| hook.signal).find(|signal| *signal as i32 == number)
    }
}

/// The position of a call, and its arguments: the contents of two local variables, `None` for null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookPlace {
    /// At the start.
    Entry([Option<u8>; 2]),
    /// At the start; the method returns at once if the call returns true.
    Gate([Option<u8>; 2]),
    /// Before every return.
    Exits([Option<u8>; 2]),
    /// Before every return, with the returned object and the contents of a local variable.
    Results(u8),
}

/// One call into the agent.
pub(crate) struct FrameworkHook {
    /// `None` for any class that has the method: projects write their own runners.
    pub(crate) class: Option<&'static str>,
    pub(crate) method: &'static str,
    /// The beginning of the descriptor.
    pub(crate) descriptor: &'static str,
    pub(crate) place: HookPlace,
    pub(crate) signal: FrameworkSignal,
    /// Whether the class has this method in every known version.
    pub(crate) needed: bool,
}

const TEST_RESULT: &str = "junit/framework/TestResult";
const NOTIFIER: &str = "org/junit/runner/notification/RunNotifier";
const DESCRIPTION: &str = "(Lorg/junit/runner/Description;)V";
const FAILURE: &str = "(Lorg/junit/runner/notification/Failure;)V";
const RUN: &str = "(Lorg/junit/runner/notification/RunNotifier;)V";
const RUN_CHILD: &str = "(Ljava/lang/Object;Lorg/junit/runner/notification/RunNotifier;)V";
const RUN_METHOD: &str = "(Ljava/lang/reflect/Method;Lorg/junit/runner/notification/RunNotifier;)V";
const RUN_OLD: &str = "(Ljunit/framework/TestResult;)V";
const BUILDER: &str = "org/junit/runners/model/RunnerBuilder";
const REQUEST: &str = "org/junit/internal/requests/ClassRequest";
const ADAPTER: &str = "org/junit/platform/launcher/core/ExecutionListenerAdapter";
const NODE: &str = "(Lorg/junit/platform/engine/TestDescriptor;";
const TASK: &str = "org/junit/platform/engine/support/hierarchical/NodeTestTask";
const OLD_EXECUTOR: &str = "org/junit/platform/engine/support/hierarchical/HierarchicalTestExecutor";
/// TestNG moved its invokers twice: 6.x, 7.0, 7.5.
const WORKERS: [&str; 2] =
    ["org/testng/internal/TestMethodWorker", "org/testng/internal/invokers/TestMethodWorker"];
const INVOKERS: [&str; 3] = [
    "org/testng/internal/Invoker",
    "org/testng/internal/TestInvoker",
    "org/testng/internal/invokers/TestInvoker",
];
const CONFIGURERS: [&str; 3] = [
    "org/testng/internal/Invoker",
    "org/testng/internal/ConfigInvoker",
    "org/testng/internal/invokers/ConfigInvoker",
];

const CONFIGURATION: &str = "(Lorg/springframework/test/context/MergedContextConfiguration;)";

const THIS: [Option<u8>; 2] = [Some(0), None];
const FIRST: [Option<u8>; 2] = [Some(1), None];

/// All hooks.
#[rustfmt::skip]
pub(crate) static HOOKS: [FrameworkHook; 57] = [
    needed(TEST_RESULT, "startTest", "(Ljunit/framework/Test;)V", HookPlace::Entry(FIRST), FrameworkSignal::Junit3Started),
    needed(TEST_RESULT, "endTest", "(Ljunit/framework/Test;)V", HookPlace::Entry(FIRST), FrameworkSignal::Junit3Finished),
    needed(TEST_RESULT, "addError", "(Ljunit/framework/Test;", HookPlace::Entry([Some(1), Some(2)]), FrameworkSignal::Junit3Failed),
    needed(TEST_RESULT, "addFailure", "(Ljunit/framework/Test;", HookPlace::Entry([Some(1), Some(2)]), FrameworkSignal::Junit3Failed),
    needed("junit/framework/TestSuite", "run", RUN_OLD, HookPlace::Gate(THIS), FrameworkSignal::Junit3Suite),
    needed("junit/framework/TestSuite", "run", RUN_OLD, HookPlace::Exits(THIS), FrameworkSignal::Junit3SuiteFinished),
    needed("junit/framework/TestCase", "run", RUN_OLD, HookPlace::Gate(THIS), FrameworkSignal::Junit3Test),

    needed(NOTIFIER, "fireTestStarted", DESCRIPTION, HookPlace::Entry(FIRST), FrameworkSignal::Junit4Started),
    needed(NOTIFIER, "fireTestFinished", DESCRIPTION, HookPlace::Entry(FIRST), FrameworkSignal::Junit4Finished),
    needed(NOTIFIER, "fireTestFailure", FAILURE, HookPlace::Entry(FIRST), FrameworkSignal::Junit4Failed),
    // Since 4.4.
    maybe(NOTIFIER, "fireTestAssumptionFailed", FAILURE, HookPlace::Entry(FIRST), FrameworkSignal::Junit4Aborted),
    needed(NOTIFIER, "fireTestIgnored", DESCRIPTION, HookPlace::Entry(FIRST), FrameworkSignal::Junit4Ignored),
    needed(BUILDER, "safeRunnerForClass", "(Ljava/lang/Class;)", HookPlace::Entry(FIRST), FrameworkSignal::RunnerBuilding),
    needed(BUILDER, "safeRunnerForClass", "(Ljava/lang/Class;)", HookPlace::Exits(FIRST), FrameworkSignal::RunnerBuilt),
    maybe(REQUEST, "getRunner", "()Lorg/junit/runner/Runner;", HookPlace::Entry(THIS), FrameworkSignal::ClassRequested),
    maybe(REQUEST, "getRunner", "()Lorg/junit/runner/Runner;", HookPlace::Exits(THIS), FrameworkSignal::RunnerBuilt),
    anywhere("run", RUN, HookPlace::Gate(THIS), FrameworkSignal::RunnerStarted),
    anywhere("run", RUN, HookPlace::Exits(THIS), FrameworkSignal::RunnerFinished),
    anywhere("runChild", RUN_CHILD, HookPlace::Gate([Some(0), Some(1)]), FrameworkSignal::ChildStarted),
    anywhere("runChild", RUN_CHILD, HookPlace::Exits(THIS), FrameworkSignal::ChildFinished),
    anywhere("invokeTestMethod", RUN_METHOD, HookPlace::Gate([Some(0), Some(1)]), FrameworkSignal::MethodStarted),
    anywhere("invokeTestMethod", RUN_METHOD, HookPlace::Exits(THIS), FrameworkSignal::ChildFinished),

    maybe("org/junit/runner/JUnitCore", "run", "(Lorg/junit/runner/Runner;)", HookPlace::Entry(THIS), FrameworkSignal::RunStarted),
    maybe("org/junit/runner/JUnitCore", "run", "(Lorg/junit/runner/Runner;)", HookPlace::Exits(THIS), FrameworkSignal::RunFinished),
    maybe("junit/textui/TestRunner", "doRun", "(Ljunit/framework/Test;Z)", HookPlace::Entry(THIS), FrameworkSignal::RunStarted),
    maybe("junit/textui/TestRunner", "doRun", "(Ljunit/framework/Test;Z)", HookPlace::Exits(THIS), FrameworkSignal::RunFinished),

    // Until 1.3, and since.
    maybe("org/junit/platform/launcher/TestPlan", "from", "(Ljava/util/Collection;)", HookPlace::Entry(THIS), FrameworkSignal::PlatformPlanned),
    needed("org/junit/platform/launcher/core/InternalTestPlan", "from", "(Lorg/junit/platform/launcher/core/", HookPlace::Entry(THIS), FrameworkSignal::PlatformPlanned),
    // Until 1.2, and since.
    maybe(OLD_EXECUTOR, "execute", NODE, HookPlace::Entry(FIRST), FrameworkSignal::PlatformStarted),
    maybe(TASK, "execute", "()V", HookPlace::Entry(THIS), FrameworkSignal::PlatformPrepared),
    needed(ADAPTER, "executionStarted", NODE, HookPlace::Entry(FIRST), FrameworkSignal::PlatformStarted),
    needed(ADAPTER, "executionFinished", NODE, HookPlace::Entry([Some(1), Some(2)]), FrameworkSignal::PlatformFinished),
    needed(ADAPTER, "executionSkipped", NODE, HookPlace::Entry(FIRST), FrameworkSignal::PlatformSkipped),

    needed("org/testng/SuiteRunner", "run", "()V", HookPlace::Entry(THIS), FrameworkSignal::TestngSuiteStarted),
    needed("org/testng/SuiteRunner", "run", "()V", HookPlace::Exits(THIS), FrameworkSignal::TestngSuiteFinished),
    needed("org/testng/internal/MethodGroupsHelper", "findGroupsMethods", "(Ljava/util/Collection;Z)", HookPlace::Entry(THIS), FrameworkSignal::TestngFound),
    needed(WORKERS[0], "invokeBeforeClassMethods", "(Lorg/testng/ITestClass;", HookPlace::Entry(FIRST), FrameworkSignal::TestngClassStarted),
    needed(WORKERS[1], "invokeBeforeClassMethods", "(Lorg/testng/ITestClass;", HookPlace::Entry(FIRST), FrameworkSignal::TestngClassStarted),
    needed(WORKERS[0], "invokeAfterClassMethods", "(Lorg/testng/ITestClass;", HookPlace::Exits(FIRST), FrameworkSignal::TestngClassFinished),
    needed(WORKERS[1], "invokeAfterClassMethods", "(Lorg/testng/ITestClass;", HookPlace::Exits(FIRST), FrameworkSignal::TestngClassFinished),
    maybe(CONFIGURERS[0], "runConfigurationListeners", "(Lorg/testng/ITestResult;", HookPlace::Entry(FIRST), FrameworkSignal::TestngConfigured),
    needed(CONFIGURERS[1], "runConfigurationListeners", "(Lorg/testng/ITestResult;", HookPlace::Entry(FIRST), FrameworkSignal::TestngConfigured),
    needed(CONFIGURERS[2], "runConfigurationListeners", "(Lorg/testng/ITestResult;", HookPlace::Entry(FIRST), FrameworkSignal::TestngConfigured),
    maybe(INVOKERS[0], "invokeTestMethods", "(Lorg/testng/ITestNGMethod;", HookPlace::Entry(FIRST), FrameworkSignal::TestngStarted),
    needed(INVOKERS[1], "invokeTestMethods", "(Lorg/testng/ITestNGMethod;", HookPlace::Entry(FIRST), FrameworkSignal::TestngStarted),
    needed(INVOKERS[2], "invokeTestMethods", "(Lorg/testng/ITestNGMethod;", HookPlace::Entry(FIRST), FrameworkSignal::TestngStarted),
    maybe(INVOKERS[0], "invokeTestMethods", "(Lorg/testng/ITestNGMethod;", HookPlace::Results(1), FrameworkSignal::TestngFinished),
    needed(INVOKERS[1], "invokeTestMethods", "(Lorg/testng/ITestNGMethod;", HookPlace::Results(1), FrameworkSignal::TestngFinished),
    needed(INVOKERS[2], "invokeTestMethods", "(Lorg/testng/ITestNGMethod;", HookPlace::Results(1), FrameworkSignal::TestngFinished),

    maybe(spring::TABLE_OF_PROPERTIES, "getProperty", "(Ljava/lang/String;)", HookPlace::Entry(FIRST), FrameworkSignal::PropertyAsked),
    maybe(spring::TABLE_OF_PROPERTIES, "containsProperty", "(Ljava/lang/String;)", HookPlace::Entry(FIRST), FrameworkSignal::PropertyAsked),
    maybe(spring::BUILD_INFO, "get", "(Ljava/lang/String;)", HookPlace::Entry(THIS), FrameworkSignal::BuildInfoAsked),
    maybe(spring::BUILD_INFO, "getInstant", "(Ljava/lang/String;)", HookPlace::Entry(THIS), FrameworkSignal::BuildInfoAsked),
    maybe(spring::BUILD_INFO, "iterator", "()", HookPlace::Entry(THIS), FrameworkSignal::BuildInfoAsked),
    maybe(spring::BUILD_INFO, "toPropertySource", "()", HookPlace::Entry(THIS), FrameworkSignal::BuildInfoAsked),
    maybe(spring::CONTEXT_LOADER, "loadContext", CONFIGURATION, HookPlace::Entry(FIRST), FrameworkSignal::ContextAsked),
    maybe(spring::CONTEXT_LOADER, "loadContext", CONFIGURATION, HookPlace::Results(1), FrameworkSignal::ContextGiven),
];

const fn needed(
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    place: HookPlace,
    signal: FrameworkSignal,
) -> FrameworkHook {
    FrameworkHook { class: Some(class), method, descriptor, place, signal, needed: true }
}

const fn maybe(
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    place: HookPlace,
    signal: FrameworkSignal,
) -> FrameworkHook {
    FrameworkHook { class: Some(class), method, descriptor, place, signal, needed: false }
}

const fn anywhere(
    method: &'static str,
    descriptor: &'static str,
    place: HookPlace,
    signal: FrameworkSignal,
) -> FrameworkHook {
    FrameworkHook { class: None, method, descriptor, place, signal, needed: false }
}

impl FrameworkHook {
    pub(crate) fn is_at(&self, method: &[u8], descriptor: &[u8]) -> bool {
        self.method.as_bytes() == method && descriptor.starts_with(self.descriptor.as_bytes())
    }
}

/// The hooks of a class with this name and these methods.
pub(crate) fn hooks(class: &str, methods: &[(String, String)]) -> Vec<&'static FrameworkHook> {
    let runner = methods.iter().any(|(_, descriptor)| descriptor.ends_with(RUN_END));
    if !tamis_catalog::has_hooks(class) && !runner && !spring::HOOKED.contains(&class) {
        return Vec::new();
    }
    let has = |hook: &FrameworkHook| {
        methods.iter().any(|(name, descriptor)| hook.is_at(name.as_bytes(), descriptor.as_bytes()))
    };
    let is_of = |hook: &&FrameworkHook| hook.class.map_or_else(|| has(hook), |name| name == class);
    HOOKS.iter().filter(is_of).collect()
}

/// The end of the descriptor of every method that runs tests.
const RUN_END: &str = "Lorg/junit/runner/notification/RunNotifier;)V";
