//! Proves that each predicate answers as the list did that it replaced, for every class of the libraries that tests use and of
//! JDK 8, and for names at the edges of the lists.
//!
//! It is for the move into this crate only, and may go when a predicate is meant to answer differently.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

use std::collections::BTreeSet;
use std::path::PathBuf;
use tamis_catalog::builds::{self, maven, surefire};
use tamis_catalog::frameworks::{self, FixtureTime, SharedState};
use tamis_catalog::jdk::{packages, properties, threads, types};
use tamis_catalog::{compilers, environment, libraries};
use tamis_project::classpath::{ClassPath, ClassPathOptions};
use tamis_test_support::{jdk, maven as fetched};

const LIBRARIES: [&[&str]; 6] = [
    &["junit:junit:3.8.2"],
    &[
        "junit:junit:4.13.2",
        "org.testng:testng:7.11.0",
        "org.junit.jupiter:junit-jupiter:5.13.4",
        "org.junit.platform:junit-platform-launcher:1.13.4",
        "org.junit.platform:junit-platform-suite:1.13.4",
        "org.junit.vintage:junit-vintage-engine:5.13.4",
        "org.junit.support:testng-engine:1.1.0",
        "org.assertj:assertj-core:3.27.3",
        "org.mockito:mockito-core:5.20.0",
    ],
    &["org.testng:testng:6.14.3"],
    &["org.spockframework:spock-core:2.3-groovy-4.0"],
    &["io.cucumber:cucumber-junit-platform-engine:7.18.0", "io.cucumber:cucumber-junit:7.18.0"],
    &["org.apache.maven.surefire:surefire-junit-platform:3.5.4", "org.springframework:spring-test:5.3.39"],
];

/// Names at the edges: just inside and just outside of a list, in three notations.
const EDGES: &str = "
    L ; L; java java/ java/x javax/ javaz/X jdk/internal jdk/internal/ sun/reflect/ sun/reflects
    com/sun/proxy/$Proxy1 com/oracle/X oracle/X jrockit/X netscape/javascript/X org/ietf/jgss/X org/jcp/xml/X
    org/w3c/dom/X org/xml/sax/X org/xml/X junit junit/ junit/framework junit/framework/ junit/extensions/X
    junit/runner/X org/junit org/junit/ org/junitx/A org/junit/Before org/junit/AfterAll org/junit/x/Beforehand
    org/junit/Xfter org/testng/annotations/ org/testng/annotations/AfterX org/testng/annotation org/testng/AfterX
    org/apache/maven/surefire/X org/apache/maven/plugin/surefire/X org/apache/maven/plugins/X org/gradle/X
    worker/org/gradle/X org/spockframework/runtime/X org/spockframework/X spock/X spock/lang/Stepwise
    spock/lang/StepwiseX spock/lang/Shared io/cucumber/junit/X io/cucumber/core/X tamis/runner/Main org/hamcrest/X
    org/assertj/X org/junit/FixMethodOrder org/junit/jupiter/api/TestInstance
    org/junit/jupiter/api/TestInstance$Lifecycle kotlin/Metadata kotlin/Metadata2 scala/reflect/ScalaSignature
    scala/reflect/ScalaLongSignature kotlin/coroutines/jvm/internal/DebugMetadata
    kotlin/jvm/internal/SourceDebugExtension org/slf4j/Logger org/apache/commons/logging/Log a/Blog Log Logger
    java/time/Clock java/time/InstantSource java/time/ClockX java/util/concurrent/atomic/AtomicX java/lang/StringBu
    java/lang/XError java/lang/XException org/junit/platform/suite/api/X net/bytebuddy/agent/Attacher
    jdk/internal/reflect/MethodHandleAccessorFactory$1 java/lang/invoke/MethodHandles$Lookup$X
    java/lang/ClassLoaders jdk/internal/misc/UnsafeX
";

const METHODS: &str = "
    setUp tearDown setup setupSpec cleanup cleanupSpec setUpX <init> set lazySet get suite defineClass
    redefineClasses retransformClasses addTransformer addTransform undefine getSecurityManager getRoot getStore
    runWorker getTask processWorkerExit mainLoop await wait linkCallSite xlink
";

/// Words of command lines, properties, variables, settings.
const WORDS: &str = "
    org.codehaus.plexus.classworlds.launcher.Launcher org.apache.tools.ant.launch.Launcher org.gradle.launcher.x
    org.gradle.wrapper.x org.gradle.x org.jetbrains.kotlin.daemon.x xsbt.boot.Boot worker.org.gradle.x
    surefirebooter1.jar org.apache.maven.surefire.booter.ForkedBooter atest.jar junit-4.jar specs2.jar spek-2.jar
    failsafe main java.class.path java.class.pathx surefire.real.class.path surefire.test.class.path surefire.x
    sun.java.command java.io.tmpdir java.io.tmpdirx user.dir user.dirx java java. jdk.x socksProxyHost org.w3c.x
    org.xml.x http.x https.x ftp.x os.x path.x awt.x stdin.x stdout.x native.x line.x networkaddress.x _ _x COLUMNS
    JAVA_MAIN_CLASS_ JAVA_MAIN_CLASS_1 JAVA_TOOL_OPTIONS JAVA_TOOL_OPTIONS_ TAMIS_ TAMIS_X TAMIS PWD SHLVL CI CI_
    CI_X TERM TERM_X TERMX BUILD_ID BUILD_IDX XDG_X HOME classPathUrl.1 tc.1 tc includes1 excludes groups
    excludedgroups failFastCount reportsDirectory shutdown provider test-classes
";

/// The lists as they stood in the crates that used them.
mod old {
    pub(super) fn is_framework(class: &str) -> bool {
        const PACKAGES: [&str; 13] = [
            "junit/framework/",
            "junit/runner/",
            "org/junit/",
            "org/testng/",
            "org/opentest4j/",
            "org/apiguardian/",
            "org/apache/maven/surefire/",
            "org/apache/maven/plugin/surefire/",
            "org/gradle/",
            "org/spockframework/runtime/",
            "io/cucumber/junit/",
            "worker/org/gradle/",
            "tamis/runner/", // Ours, of an audit.
        ];
        PACKAGES.iter().any(|package| class.starts_with(package))
    }

    pub(super) fn reads_stacks(class: &str) -> bool {
        const FRAMEWORKS: [&str; 8] = [
            "org/junit/",
            "junit/",
            "org/testng/",
            "org/apache/maven/surefire/",
            "org/gradle/",
            "org/hamcrest/",
            "org/opentest4j/",
            "org/assertj/",
        ];
        FRAMEWORKS.iter().any(|framework| class.starts_with(framework))
    }

    pub(super) fn has_hooks(class: &str) -> bool {
        ["org/junit/", "junit/", "org/testng/"].iter().any(|prefix| class.starts_with(prefix))
    }

    /// Whether it is before or after.
    pub(super) fn fixture(class: &[u8]) -> Option<bool> {
        const FRAMEWORKS: [&[u8]; 2] = [b"Lorg/junit/", b"Lorg/testng/annotations/"];
        if FRAMEWORKS.iter().any(|framework| class.starts_with(framework)) {
            let simple = class.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            if simple.starts_with(b"After") {
                return Some(false);
            } else if simple.starts_with(b"Before") {
                return Some(true);
            }
        }
        None
    }

    pub(super) fn owns_annotations(name: &[u8]) -> bool {
        const FRAMEWORKS: [&[u8]; 3] = [b"org/junit/", b"org/testng/", b"spock/"];
        FRAMEWORKS.iter().any(|begin| name.starts_with(begin))
    }

    pub(super) const NAMED: [(&str, &[&str], &[&str]); 2] = [
        ("junit/framework/", &["setUp"], &["tearDown"]),
        ("spock/lang/", &["setup", "setupSpec"], &["cleanup", "cleanupSpec"]),
    ];

    pub(super) const TEST_TOOLS: [&str; 9] =
        ["test", "junit", "jupiter", "surefire", "failsafe", "spock", "cucumber", "spek", "specs2"];

    pub(super) const ANNOTATIONS: [&str; 7] = [
        "org/junit/Test",
        "org/junit/jupiter/api/Test",
        "org/junit/jupiter/api/RepeatedTest",
        "org/junit/jupiter/api/TestFactory",
        "org/junit/jupiter/api/TestTemplate",
        "org/junit/jupiter/params/ParameterizedTest",
        "org/testng/annotations/Test",
    ];
    pub(super) const SUPERCLASSES: [&str; 2] = ["junit/framework/TestCase", "spock/lang/Specification"];
    pub(super) const SUITES: [&str; 2] = ["org/junit/runner/RunWith", "org/testng/annotations/Factory"];
    pub(super) const SUITE_PACKAGE: &str = "org/junit/platform/suite/api/";

    pub(super) const SHARING: [(&str, &str); 6] = [
        ("Lorg/junit/FixMethodOrder;", "its tests have an order"),
        ("Lorg/junit/jupiter/api/TestMethodOrder;", "its tests have an order"),
        ("Lorg/junit/jupiter/api/TestInstance;", "its tests may share an object"),
        ("Lspock/lang/Stepwise;", "its tests have an order"),
        ("Lspock/lang/Shared;", "its tests share an object"),
        ("Lorg/testng/annotations/", "TestNG's tests share an object"),
    ];

    pub(super) const JDK: [&[u8]; 13] = [
        b"java/",
        b"javax/",
        b"jdk/",
        b"sun/",
        b"com/sun/",
        b"com/oracle/",
        b"oracle/",
        b"jrockit/",
        b"netscape/javascript/",
        b"org/ietf/jgss/",
        b"org/jcp/xml/",
        b"org/w3c/dom/",
        b"org/xml/sax/",
    ];
    pub(super) const GLUE: [&[u8]; 3] = [b"java/", b"jdk/internal/", b"sun/reflect/"];
    pub(super) const LISTED: [&str; 1] = ["Ljdk/internal/reflect/MethodHandleAccessorFactory"];
    pub(super) const BETWEEN: [&str; 12] = [
        "Ljava/lang/ClassLoader;",
        "Ljava/lang/System$",
        "Ljava/lang/invoke/DelegatingMethodHandle$Holder",
        "Ljava/lang/invoke/DirectMethodHandle$Holder",
        "Ljava/lang/invoke/Invokers$Holder",
        "Ljava/lang/invoke/LambdaForm$",
        "Ljava/lang/invoke/MethodHandles$Lookup",
        "Ljava/lang/reflect/",
        "Ljdk/internal/misc/Unsafe;",
        "Ljdk/internal/reflect/",
        "Lsun/misc/Unsafe;",
        "Lsun/reflect/",
    ];

    pub(super) fn is_plain(owner: &[u8], name: &[u8]) -> bool {
        const PLAIN: [&[u8]; 6] = [
            b"java/lang/Object",
            b"java/lang/SecurityManager",
            b"java/lang/ThreadLocal",
            b"java/security/BasicPermission",
            b"java/util/Locale",
            b"java/util/TimeZone",
        ];
        let is_thrown = owner.starts_with(b"java/lang/")
            && (owner.ends_with(b"Exception") || owner.ends_with(b"Error"))
            && name == b"<init>";
        PLAIN.contains(&owner) || is_thrown || (owner, name) == (b"java/lang/System", b"getSecurityManager")
    }

    pub(super) fn can_change(descriptor: &str) -> bool {
        const UNCHANGING: [&str; 12] = [
            "Ljava/lang/String;",
            "Ljava/lang/Integer;",
            "Ljava/lang/Long;",
            "Ljava/lang/Double;",
            "Ljava/lang/Boolean;",
            "Ljava/lang/Class;",
            "Ljava/math/BigDecimal;",
            "Ljava/math/BigInteger;",
            "Ljava/nio/charset/Charset;",
            "Ljava/util/Locale;",
            "Ljava/util/UUID;",
            "Ljava/util/regex/Pattern;",
        ];
        const CLOCKS: [&str; 2] = ["java/time/Clock", "java/time/InstantSource"];
        let Some(class) = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) else {
            return descriptor.starts_with('[');
        };
        let is_time = class.starts_with("java/time/") && !CLOCKS.contains(&class);
        !UNCHANGING.contains(&descriptor) && !is_time
    }

    pub(super) const UNCHANGING_OBJECTS: [&str; 8] = [
        "java/lang/Object",
        "java/util/Collections$EmptyEnumeration",
        "java/util/Collections$EmptyIterator",
        "java/util/Collections$EmptyList",
        "java/util/Collections$EmptyMap",
        "java/util/Collections$EmptySet",
        "java/util/Collections$ReverseComparator",
        "java/util/Comparators$NaturalOrderComparator",
    ];
    pub(super) const KEEP_NOTHING: [&str; 4] =
        ["java/lang/Object", "java/lang/Enum", "java/lang/Record", "java/lang/Number"];
    pub(super) const ATOMIC: &str = "Ljava/util/concurrent/atomic/Atomic";

    pub(super) fn is_filled(descriptor: &str) -> bool {
        let filled = ["Ljava/util/", "Ljava/lang/StringBu", "Ljava/lang/ThreadLocal;", "Ljava/io/File;"];
        let fixed = [
            "Ljava/util/regex/Pattern;",
            "Ljava/util/Locale;",
            "Ljava/util/UUID;",
            "Ljava/util/logging/Logger;",
        ];
        filled.iter().any(|known| descriptor.starts_with(known)) && !fixed.contains(&descriptor)
    }

    pub(super) const PLAIN_OF_AGENT: [&str; 3] =
        ["Ljava/lang/String;", "Ljava/lang/Class;", "Ljava/lang/Integer;"];

    pub(super) const QUEUES: [(&str, &str); 5] = [
        ("Ljava/util/concurrent/ArrayBlockingQueue;", "count"),
        ("Ljava/util/concurrent/LinkedBlockingQueue;", "count"),
        ("Ljava/util/concurrent/PriorityBlockingQueue;", "size"),
        ("Ljava/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue;", "size"),
        ("Ljava/util/TaskQueue;", "size"),
    ];
    pub(super) const EXECUTORS: [&str; 2] =
        ["Ljava/util/concurrent/ThreadPoolExecutor;", "Ljava/util/concurrent/ScheduledThreadPoolExecutor;"];
    pub(super) const PLAIN_QUEUES: [&str; 5] = [
        "Ljava/util/concurrent/ArrayBlockingQueue;",
        "Ljava/util/concurrent/LinkedBlockingQueue;",
        "Ljava/util/concurrent/LinkedTransferQueue;",
        "Ljava/util/concurrent/SynchronousQueue;",
        "Ljava/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue;",
    ];

    pub(super) fn role_of(class: &str, name: &str, descriptor: &str) -> &'static str {
        match (class, name) {
            ("Ljava/util/concurrent/ThreadPoolExecutor;", "runWorker") => "Worker",
            ("Ljava/util/concurrent/ThreadPoolExecutor;", "getTask" | "processWorkerExit") => "Wait",
            ("Ljava/util/concurrent/ForkJoinPool;", "runWorker") => "ForkWorker",
            ("Ljava/util/concurrent/ForkJoinTask;", _) => "ForkTask",
            ("Ljava/util/TimerThread;", "mainLoop") => "Timer",
            ("Ljava/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue;", _) => "DelayQueue",
            ("Ljava/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject;", "await")
                if descriptor == "()V" =>
            {
                "Untimed"
            }
            ("Ljava/lang/Object;", "wait") if descriptor == "()V" => "Untimed",
            _ => "Other",
        }
    }

    pub(super) const METADATA: [&[u8]; 3] =
        [b"Lkotlin/Metadata;", b"Lscala/reflect/ScalaSignature;", b"Lscala/reflect/ScalaLongSignature;"];
    pub(super) const DEBUG: [&[u8]; 2] =
        [b"Lkotlin/coroutines/jvm/internal/DebugMetadata;", b"Lkotlin/jvm/internal/SourceDebugExtension;"];

    pub(super) const BUILD_TOOLS: [&str; 6] = [
        "org.codehaus.plexus.classworlds.launcher.Launcher",
        "org.apache.tools.ant.launch.Launcher",
        "org.gradle.launcher.",
        "org.gradle.wrapper.",
        "org.jetbrains.kotlin.daemon.",
        "xsbt.boot.Boot",
    ];
    pub(super) const OF_A_BUILD: [&str; 4] =
        ["surefire", "org.apache.maven.surefire.", "org.gradle.", "worker.org.gradle."];
    pub(super) const CLASS_PATHS: [&str; 4] =
        ["java.class.path", "surefire.real.class.path", "surefire.test.class.path", "sun.java.command"];
    #[rustfmt::skip]
    pub(super) const JDK_PROPERTIES: [&str; 15] = [
        "-Djava.", "-Djavax.", "-Djdk.", "-Dsun.", "-Dcom.sun.", "-Duser.", "-Dfile.", "-Dline.", "-Dhttp.", "-Dhttps.",
        "-Dftp.", "-Dsocks", "-Dnetworkaddress.", "-Dorg.w3c.", "-Dorg.xml.",
    ];
    pub(super) const GIVEN_PLACES: [&str; 2] = ["-Djava.class.path=", "-Duser.dir="];
    #[rustfmt::skip]
    pub(super) const OF_JVM: [&str; 16] = [
        "java.", "javax.", "jdk.", "sun.", "com.sun.", "user.", "file.", "line.", "os.", "path.", "awt.", "native.", "stdout.",
        "stderr.", "surefire.", "stdin.",
    ];
    #[rustfmt::skip]
    pub(super) const PLACES: [&str; 21] = [
        "classPathUrl.", "surefireClassPathUrl.", "tc.", "forkNodeConnectionString", "forkNumber", "mainCliOptions", "pluginPid",
        "reportsDirectory", "requestedTest", "runStatisticsFile", "testClassesDirectory", "testSuiteDefinitionTestSourceDirectory",
        "includes", "excludes", "specificTest", "testListResolver", "failIfNoTests", "failFastCount", "rerunFailingTestsCount",
        "shutdown", "systemExitTimeout",
    ];
    #[rustfmt::skip]
    pub(super) const CHOOSING: [&str; 8] = [
        "requestedTest", "includes", "excludes", "specificTest", "testListResolver", "failFastCount", "groups", "excludedgroups",
    ];
    #[rustfmt::skip]
    pub(super) const VOLATILE: [&str; 12] = [
        "_", "COLUMNS", "JAVA_MAIN_CLASS_", "JAVA_TOOL_OPTIONS", "LINES", "MAVEN_CMD_LINE_ARGS", "NLSPATH", "OLDPWD", "PWD", "SHLVL",
        "TAMIS_", "XFILESEARCHPATH",
    ];
    pub(super) fn is_volatile(variable: &str) -> bool {
        VOLATILE.iter().any(|known| {
            variable == *known || (known.ends_with('_') && known.len() > 1 && variable.starts_with(known))
        })
    }
    #[rustfmt::skip]
    pub(super) const OF_SESSION: [&str; 23] = [
        "BUILD_BUILDID", "BUILD_BUILDNUMBER", "BUILD_DISPLAY_NAME", "BUILD_ID", "BUILD_NUMBER", "BUILD_TAG", "BUILD_URL", "COLORTERM",
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "GPG_AGENT_INFO", "GPG_TTY", "INVOCATION_ID", "JOURNAL_STREAM", "MAIL", "MANAGERPID",
        "SESSION_MANAGER", "STY", "TERM", "TMUX", "TTY", "WINDOWID", "WINDOWPATH",
    ];
    #[rustfmt::skip]
    pub(super) const OF_SESSION_BEGIN: [&str; 19] = [
        "BITBUCKET_", "BUILDKITE_", "CIRCLE_", "CI_", "DRONE_", "GITHUB_", "GITLAB_", "ITERM_", "JENKINS_", "KONSOLE_", "RUNNER_",
        "SSH_", "SUDO_", "TEAMCITY_", "TERM_", "TMUX_", "TRAVIS_", "VSCODE_", "XDG_",
    ];
    #[rustfmt::skip]
    pub(super) const BUILD_FILES: [&str; 12] = [
        "pom.xml", "settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts", "build.xml", "build.sbt", "build.mill",
        "build.sc", "WORKSPACE", "MODULE.bazel", "mvnw",
    ];
    pub(super) const ASKING: [&str; 6] = [
        "test",
        "it.test",
        "surefire.rerunFailingTestsCount",
        "failsafe.rerunFailingTestsCount",
        "maven.surefire.debug",
        "maven.failsafe.debug",
    ];
}

/// These words, and none.
fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split_whitespace().chain([""])
}

/// The classes of all libraries and of the JDK.
fn classes(runtime: PathBuf) -> BTreeSet<String> {
    let jars = LIBRARIES.iter().map(|libraries| fetched::jars(libraries).unwrap());
    let options = ClassPathOptions { release: None, follow_manifests: false, threads: 0 };
    let mut found: BTreeSet<String> = words(EDGES).map(str::to_owned).collect();
    for jars in jars.chain([vec![runtime]]) {
        let jars: Vec<PathBuf> = jars;
        let path = ClassPath::open(&jars, &options).unwrap();
        found.extend(path.classes().iter().map(|entry| entry.name.to_string()));
    }
    found
}

#[test]
fn classes_are_what_they_were_on_jdk_8() {
    let classes = classes(jdk::jdk(8).home.join("jre/lib/rt.jar"));
    assert!(classes.len() > 30_000, "{}", classes.len());
    for class in &classes {
        let descriptor = format!("L{class};");
        of_class(class, &descriptor);
        of_type(class, &descriptor);
        of_word(&class.replace('/', "."));
        of_word(&class.to_lowercase());
    }
}

fn of_class(class: &str, descriptor: &str) {
    assert_eq!(tamis_catalog::has_no_probes(class), old::is_framework(class), "{class}");
    assert_eq!(tamis_catalog::reads_stacks(class.as_bytes()), old::reads_stacks(class), "{class}");
    assert_eq!(tamis_catalog::has_hooks(class), old::has_hooks(class), "{class}");
    assert_eq!(tamis_catalog::owns_annotations(class), old::owns_annotations(class.as_bytes()), "{class}");
    let fixture = frameworks::fixture_by_annotation(descriptor.as_bytes());
    assert_eq!(
        fixture.map(|time| time == FixtureTime::Before),
        old::fixture(descriptor.as_bytes()),
        "{class}"
    );
    for method in words(METHODS) {
        let named =
            old::NAMED.iter().find(|(_, before, after)| before.contains(&method) || after.contains(&method));
        let named = named.filter(|(package, ..)| class.starts_with(package));
        let now = frameworks::fixtures_named(method).filter(|(package, _)| class.starts_with(package));
        assert_eq!(
            now.map(|(_, time)| time == FixtureTime::Before),
            named.map(|(_, before, _)| before.contains(&method)),
            "{class} {method}"
        );
    }
    assert_eq!(frameworks::is_test_annotation(class), old::ANNOTATIONS.contains(&class), "{class}");
    assert_eq!(frameworks::is_test_superclass(class), old::SUPERCLASSES.contains(&class), "{class}");
    assert_eq!(frameworks::named_tests(class).is_some(), class == old::SUPERCLASSES[0], "{class}");
    assert_eq!(frameworks::has_empty_fixtures(class), class == "junit/framework/TestCase", "{class}");
    let is_suite = old::SUITES.contains(&class) || class.starts_with(old::SUITE_PACKAGE);
    assert_eq!(frameworks::is_suite_annotation(class), is_suite, "{class}");
    for text in [descriptor, class, &format!("L{class}"), &format!("{descriptor}Lx;")] {
        let shared = old::SHARING.iter().find(|(known, _)| text.starts_with(known)).map(|(_, why)| *why);
        let now = frameworks::shared_state(text.as_bytes()).map(|shared| match shared {
            SharedState::Order => "its tests have an order".to_owned(),
            SharedState::PerhapsObject => "its tests may share an object".to_owned(),
            SharedState::Object => "its tests share an object".to_owned(),
            SharedState::ObjectAlways(framework) => format!("{framework}'s tests share an object"),
        });
        assert_eq!(now.as_deref(), shared, "{text}");
    }
    for method in words(METHODS) {
        let is_root = class == "org/junit/jupiter/api/extension/ExtensionContext"
            && (method == "getRoot" || method == "getStore");
        assert_eq!(
            frameworks::is_root_store(class, method, "(La$StoreScope;)V"),
            is_root,
            "{class}.{method}"
        );
    }
    let declares = class.starts_with("org/springframework/core/type/classreading/");
    assert_eq!(libraries::reads_declarations(class), declares, "{class}");
    let is_metadata = old::METADATA.contains(&descriptor.as_bytes());
    assert_eq!(compilers::is_metadata(descriptor.as_bytes()), is_metadata, "{class}");
    assert_eq!(
        compilers::is_debug(descriptor.as_bytes()),
        old::DEBUG.contains(&descriptor.as_bytes()),
        "{class}"
    );
    let is_logger = descriptor.ends_with("Logger;") || descriptor.ends_with("/Log;");
    assert_eq!(libraries::is_logger(descriptor), is_logger, "{class}");
}

fn of_type(class: &str, descriptor: &str) {
    let begins = |prefixes: &[&[u8]]| prefixes.iter().any(|prefix| class.as_bytes().starts_with(prefix));
    let is_in = |prefixes: &[&str]| prefixes.iter().any(|prefix| descriptor.starts_with(prefix));
    assert_eq!(packages::OWN.has(class), begins(&old::JDK), "{class}");
    assert_eq!(packages::GLUE.has(class), begins(&old::GLUE), "{class}");
    assert_eq!(packages::LINKING.has_type(descriptor), is_in(&old::LISTED), "{class}");
    assert_eq!(packages::BETWEEN.has_type(descriptor), is_in(&old::BETWEEN), "{class}");
    assert_eq!(
        packages::ACCESSORS.has(class),
        begins(&[b"jdk/internal/reflect/", b"sun/reflect/"]),
        "{class}"
    );
    for method in words(METHODS) {
        let (owner, name) = (class.as_bytes(), method.as_bytes());
        assert_eq!(types::is_plain_call(owner, name), old::is_plain(owner, name), "{class}.{method}");
        for descriptor_of in ["()V", "(J)V"] {
            let frame = format!("{:?}", threads::frame(descriptor, method, descriptor_of));
            assert_eq!(frame, old::role_of(descriptor, method, descriptor_of), "{class}.{method}");
        }
    }
    assert_eq!(types::is_unchanging(class), !old::can_change(descriptor), "{class}");
    assert_eq!(types::UNCHANGING_OBJECTS.has(class), old::UNCHANGING_OBJECTS.contains(&class), "{class}");
    assert_eq!(types::KEEPING_NOTHING.has(class), old::KEEP_NOTHING.contains(&class), "{class}");
    assert_eq!(types::is_atomic(descriptor), descriptor.starts_with(old::ATOMIC), "{class}");
    assert_eq!(types::ATOMIC.has(class), format!("L{class}").starts_with(old::ATOMIC), "{class}");
    for descriptor in [descriptor, &format!("[{descriptor}")] {
        assert_eq!(types::can_be_filled(descriptor), old::is_filled(descriptor), "{descriptor}");
        assert_eq!(
            types::SIMPLE.has_type(descriptor),
            old::PLAIN_OF_AGENT.contains(&descriptor),
            "{descriptor}"
        );
    }
    let queue = threads::queue(descriptor);
    let length = queue.and_then(|queue| queue.length).map(|length| match length {
        threads::LengthField::Number(name) => (name, false),
        threads::LengthField::Counter(name) => (name, true),
    });
    let before = old::QUEUES.iter().find(|(class, _)| *class == descriptor);
    assert_eq!(length, before.map(|(class, name)| (*name, class.contains("Linked"))), "{class}");
    let is_plain = queue.is_some_and(|queue| queue.is_plain);
    assert_eq!(is_plain, old::PLAIN_QUEUES.contains(&descriptor), "{class}");
    assert_eq!(threads::EXECUTORS.has_type(descriptor), old::EXECUTORS.contains(&descriptor), "{class}");
    let is_collection = class.starts_with("java/util/")
        && ["List", "Set", "Queue", "Deque"].iter().any(|kind| class.ends_with(kind));
    assert_eq!(types::is_collection(class.as_bytes()), is_collection, "{class}");
}

#[test]
fn words_and_methods_are_what_they_were() {
    words(WORDS).for_each(of_word);
    let all = old::VOLATILE.iter().chain(&old::OF_SESSION).chain(&old::OF_SESSION_BEGIN).chain(&old::PLACES);
    let all = all.chain(&old::CHOOSING).chain(&old::OF_JVM).chain(&old::CLASS_PATHS).chain(&old::ASKING);
    for word in all {
        of_word(word);
        of_word(&format!("{word}X"));
        of_word(word.get(..word.len() - 1).unwrap());
    }
    for method in words(METHODS) {
        let makes = ["define", "redefine", "retransform", "addTransformer"]
            .iter()
            .any(|begin| method.starts_with(begin));
        assert_eq!(types::CLASS_MAKERS.has(method), makes, "{method}");
        assert_eq!(
            types::only_sets(method.as_bytes()),
            ["<init>", "set", "lazySet"].contains(&method),
            "{method}"
        );
        assert_eq!(frameworks::is_suite_method(method), method == "suite", "{method}");
    }
    let sorted = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    assert_eq!(sorted(builds::BUILD_FILES), sorted(&old::BUILD_FILES));
    // Gradle's have come since.
    assert_eq!(builds::REPORTS, ["target/surefire-reports", "target/failsafe-reports", "build/test-results"]);
    assert_eq!(maven::REQUESTING.exact, old::ASKING);
}

fn of_word(word: &str) {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| word.starts_with(prefix));
    let is_tool = old::TEST_TOOLS.iter().any(|tool| word.contains(tool));
    assert_eq!(frameworks::names_test_tool(word), is_tool, "{word}");
    assert_eq!(builds::build_tool(word).is_some(), begins(&old::BUILD_TOOLS), "{word}");
    assert_eq!(builds::runs_tests(word), begins(&old::OF_A_BUILD), "{word}");
    assert_eq!(builds::holds_class_path(word), old::CLASS_PATHS.contains(&word), "{word}");
    let flag = format!("-D{word}");
    let of_jdk = old::JDK_PROPERTIES.iter().any(|known| flag.starts_with(known));
    assert_eq!(properties::OWN.has(word), of_jdk, "{word}");
    let given = format!("-D{word}=x=y");
    let is_place = old::GIVEN_PLACES.iter().any(|place| given.starts_with(place));
    assert_eq!(properties::PLACES.has(word), is_place, "{word}");
    assert_eq!(properties::OF_JVM.has(word) || builds::is_own_property(word), begins(&old::OF_JVM), "{word}");
    assert_eq!(surefire::UNIMPORTANT.has(word), begins(&old::PLACES), "{word}");
    assert_eq!(surefire::CHOOSING.has(word), begins(&old::CHOOSING), "{word}");
    assert_eq!(environment::VOLATILE.has(word), old::is_volatile(word), "{word}");
    let of_session = old::OF_SESSION.contains(&word) || begins(&old::OF_SESSION_BEGIN);
    assert_eq!(environment::SESSION.has(word), of_session, "{word}");
}
