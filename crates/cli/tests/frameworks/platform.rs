//! The JUnit Platform and its engines: Jupiter, Vintage, suites, Spock, Cucumber.

use crate::{Suite, newest};
use tamis_test_support::jdk::{Jdk, jdk};

const HEAD: &str = "package p; import org.junit.jupiter.api.*; import org.junit.jupiter.api.extension.*;
    import org.junit.jupiter.params.*; import org.junit.jupiter.params.provider.*; import java.util.*; ";

/// Runs classes with the launcher, as builds do: makes a plan, then runs the tests found.
const GO: &str = "package p; import org.junit.platform.launcher.*; import org.junit.platform.launcher.core.*;
    import org.junit.platform.launcher.listeners.*; import org.junit.platform.engine.discovery.DiscoverySelectors;
    public class Go { public static void main(String[] a) throws Exception {
        LauncherDiscoveryRequestBuilder b = LauncherDiscoveryRequestBuilder.request();
        for (String c : a) if (c.startsWith(\"-\")) b.configurationParameter(c.substring(1), \"true\");
            else b.selectors(DiscoverySelectors.selectClass(c));
        b.configurationParameter(\"junit.jupiter.execution.parallel.mode.default\", \"concurrent\");
        Launcher launcher = LauncherFactory.create();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        System.out.println(\"ran plan \" + launcher.discover(b.build()).containsTests());
        launcher.execute(b.build(), summary);
        TestExecutionSummaryView.print(summary); } }
    class TestExecutionSummaryView { static void print(SummaryGeneratingListener s) {
        System.out.println(\"ran found \" + s.getSummary().getTestsFoundCount() + \" skipped \" + s.getSummary().getTestsSkippedCount()
            + \" failed \" + s.getSummary().getTestsFailedCount()); } }";

/// Features of Jupiter 5.0. Disabled tests are intended: their report as ignored is tested.
const SOURCES: [(&str, &str); 12] = [
    ("ATest", "class ATest { @BeforeAll static void up() { System.out.println(\"ran ATest.up\"); }
        @Test void one() { } @Test void two() { Assertions.fail(\"\"); } /* to be told as ignored: */ @Disabled @Test void three() { }
        @Test void four() { Assumptions.assumeTrue(false); } }"),
    ("Base", "abstract class Base { @Test void inherited() { } }"),
    ("Face", "interface Face { @Test default void faced() { } }"),
    ("SubTest", "class SubTest extends Base implements Face { @Test void own() { } }"),
    ("ParamTest", "class ParamTest { static List<String> names() { System.out.println(\"ran names\"); return Arrays.asList(\"x\", \"y\"); }
        @ParameterizedTest @MethodSource(\"names\") void each(String s) { Assertions.assertEquals(\"x\", s); }
        @ParameterizedTest @ValueSource(strings = {\"u\", \"v\"}) void all(String s) { }
        @RepeatedTest(3) void again() { } }"),
    ("DynamicTest_", "class DynamicTest_ { @TestFactory List<DynamicNode> made() { return Arrays.asList(
            DynamicTest.dynamicTest(\"i\", () -> { }), DynamicContainer.dynamicContainer(\"c\", Arrays.asList(
            DynamicTest.dynamicTest(\"j\", () -> Assertions.fail(\"\"))))); }
        @TestFactory List<DynamicNode> good() { return Arrays.asList(DynamicTest.dynamicTest(\"k\", () -> { })); } }"),
    ("OuterTest", "class OuterTest { @BeforeEach void up() { System.out.println(\"ran OuterTest.up\"); } @Test void a() { }
        @Nested class Inner { @Test void b() { } @Nested class Deep { @Test void c() { } } }
        @Nested class Other { @Test void d() { } } }"),
    ("BadUpTest", "class BadUpTest { @BeforeAll static void up() { throw new IllegalStateException(); } @Test void never() { } }"),
    ("BadDownTest", "class BadDownTest { @AfterAll static void down() { throw new IllegalStateException(); } @Test void fine() { } }"),
    ("OffTest", "/* A whole class, to be told as ignored: */ @Disabled class OffTest { @Test void never() { } }"),
    ("PerClassTest", "@TestInstance(TestInstance.Lifecycle.PER_CLASS) @ExtendWith(PerClassTest.Ext.class) class PerClassTest {
        @BeforeAll void up() { System.out.println(\"ran PerClassTest.up\"); } @Test void a() { } @Test void b() { }
        static class Ext implements BeforeEachCallback { public Ext() { System.out.println(\"ran new Ext\"); }
            public void beforeEach(ExtensionContext c) { } } }"),
    ("TemplateTest", "class TemplateTest { @TestTemplate @ExtendWith(TemplateTest.Two.class) void t() { }
        static class Two implements TestTemplateInvocationContextProvider {
            public boolean supportsTestTemplate(ExtensionContext c) { return true; }
            public java.util.stream.Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext c) {
                return java.util.stream.Stream.of(new TestTemplateInvocationContext() { }, new TestTemplateInvocationContext() { }); } } }"),
];

const ALL: [&str; 10] = [
    "p.ATest",
    "p.SubTest",
    "p.ParamTest",
    "p.DynamicTest_",
    "p.OuterTest",
    "p.BadUpTest",
    "p.BadDownTest",
    "p.OffTest",
    "p.PerClassTest",
    "p.TemplateTest",
];

fn suite(jupiter: &str, platform: &str, jdk: &Jdk, more: &[(&str, &str)], arguments: &[&str]) -> Suite {
    let jars = [
        format!("org.junit.jupiter:junit-jupiter-engine:{jupiter}"),
        format!("org.junit.jupiter:junit-jupiter-params:{jupiter}"),
        format!("org.junit.platform:junit-platform-launcher:{platform}"),
    ];
    let named: Vec<(String, String)> = SOURCES
        .iter()
        .chain(more)
        .map(|(name, text)| (format!("p/{name}.java"), format!("{HEAD}{text}")))
        .chain([("p/Go.java".to_owned(), GO.to_owned())])
        .collect();
    let sources: Vec<(&str, &str)> =
        named.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut main = vec!["p.Go"];
    main.extend(arguments);
    Suite::new(jdk, &jars.each_ref().map(String::as_str), &sources, &main)
}

/// The observations of all classes, sorted by class; the framework's own count last.
const SEEN: &str = "
    class p.ATest  passed
    p.ATest#one  passed
    p.ATest#two  failed
    p.ATest#three  ignored
    p.ATest#four  aborted
    ran ATest.up
    class p.SubTest  passed
    p.SubTest#inherited  passed
    p.SubTest#faced  passed
    p.SubTest#own  passed
    class p.ParamTest  passed
    p.ParamTest#each  failed
    p.ParamTest#all  passed
    p.ParamTest#again  passed
    ran names
    class p.DynamicTest_  passed
    p.DynamicTest_#made  failed
    p.DynamicTest_#good  passed
    class p.OuterTest  passed
    p.OuterTest#a  passed
    class p.OuterTest$Inner  passed
    p.OuterTest$Inner#b  passed
    class p.OuterTest$Inner$Deep  passed
    p.OuterTest$Inner$Deep#c  passed
    class p.OuterTest$Other  passed
    p.OuterTest$Other#d  passed
    ran OuterTest.up
    ran OuterTest.up
    ran OuterTest.up
    ran OuterTest.up
    class p.BadUpTest  failed
    class p.BadDownTest  failed
    p.BadDownTest#fine  passed
    class p.OffTest  ignored
    class p.PerClassTest  passed
    p.PerClassTest#a  passed
    p.PerClassTest#b  passed
    ran PerClassTest.up
    ran new Ext
    class p.TemplateTest  passed
    p.TemplateTest#t  passed
    ran plan true
    ran found 28 skipped 2 failed 3";

/// Nested classes are classes of their own, and stay if the outer class is skipped.
const SKIP: [&str; 10] = [
    "p.ATest",
    "p.SubTest#inherited",
    "p.SubTest#faced",
    "p.Base#inherited",
    "p.ParamTest#each",
    "p.DynamicTest_#made",
    "p.OuterTest",
    "p.OuterTest$Inner$Deep",
    "p.BadUpTest#never",
    "p.OffTest",
];

const SKIP_SEEN: &str = "
    p.ATest  skipped
    class p.SubTest  passed
    p.SubTest#inherited  skipped
    p.SubTest#faced  skipped
    p.SubTest#own  passed
    class p.ParamTest  passed
    p.ParamTest#each  skipped
    p.ParamTest#all  passed
    p.ParamTest#again  passed
    class p.DynamicTest_  passed
    p.DynamicTest_#made  skipped
    p.DynamicTest_#good  passed
    class p.OuterTest  passed
    p.OuterTest  skipped
    class p.OuterTest$Inner  passed
    p.OuterTest$Inner#b  passed
    p.OuterTest$Inner$Deep  skipped
    class p.OuterTest$Other  passed
    p.OuterTest$Other#d  passed
    ran OuterTest.up
    ran OuterTest.up
    p.BadUpTest#never  skipped
    class p.BadDownTest  failed
    p.BadDownTest#fine  passed
    p.OffTest  skipped
    class p.PerClassTest  passed
    p.PerClassTest#a  passed
    p.PerClassTest#b  passed
    ran PerClassTest.up
    ran new Ext
    class p.TemplateTest  passed
    p.TemplateTest#t  passed
    ran plan true
    ran found 14 skipped 0 failed 0";

fn check(jupiter: &str, platform: &str, jdk: &Jdk) {
    let suite = suite(jupiter, platform, jdk, &[], &ALL);
    suite.check(&[], 0, SEEN);
    suite.check(&SKIP, 0, SKIP_SEEN);
}

#[test]
fn the_last_jupiter_5_on_every_jdk() {
    for jdk in newest(8) {
        check("5.13.4", "1.13.4", &jdk);
    }
}

#[test]
fn jupiter_6_on_every_jdk_that_it_runs_on() {
    for jdk in newest(17) {
        check("6.0.0", "6.0.0", &jdk);
    }
}

#[test]
fn older_versions_of_jupiter_are_supported() {
    for (jupiter, platform) in
        [("5.0.3", "1.0.3"), ("5.4.2", "1.4.2"), ("5.6.3", "1.6.3"), ("5.8.2", "1.8.2")]
    {
        check(jupiter, platform, &jdk(17));
    }
}

#[test]
fn tests_in_parallel_begin_and_end_once() {
    let arguments = [&ALL[..], &["-junit.jupiter.execution.parallel.enabled"]].concat();
    for (jupiter, platform) in [("5.8.2", "1.8.2"), ("5.13.4", "1.13.4")] {
        let suite = suite(jupiter, platform, &jdk(17), &[], &arguments);
        suite.check(&[], 0, SEEN);
        suite.check(&SKIP, 0, SKIP_SEEN);
    }
}

#[test]
fn a_class_without_remaining_tests_is_not_planned() {
    let suite = suite("5.13.4", "1.13.4", &jdk(17), &[], &["p.SubTest", "p.PerClassTest"]);
    let skip = ["p.SubTest#own", "p.SubTest#faced", "p.SubTest#inherited", "p.PerClassTest"];
    suite.check(
        &skip,
        0,
        "
        p.SubTest#own  skipped
        p.SubTest#faced  skipped
        p.SubTest#inherited  skipped
        p.PerClassTest  skipped
        ran plan false
        ran found 0 skipped 0 failed 0",
    );
}

#[test]
fn tests_run_inside_a_test_are_part_of_it() {
    let inner = [
        ("Fixture", "class Fixture { @Test void bad() { Assertions.fail(\"\"); } @Test void good() { } }"),
        (
            "NestingTest",
            "class NestingTest { @Test void inner() throws Exception { Go.main(new String[] {\"p.Fixture\"}); } @Test void plain() { } }",
        ),
        (
            "UpTest",
            "class UpTest { @BeforeAll static void up() throws Exception { Thread t = new Thread(() -> {
                try { Go.main(new String[] {\"p.Fixture\"}); } catch (Exception e) { } }); t.start(); t.join(); }
                @Test void plain() { } }",
        ),
    ];
    let suite = suite("5.13.4", "1.13.4", &jdk(17), &inner, &["p.NestingTest"]);
    let seen = "
        class p.NestingTest  passed
        p.NestingTest#inner  passed
        p.NestingTest#plain  passed
        ran plan true
        ran found 2 skipped 0 failed 1
        ran plan true
        ran found 2 skipped 0 failed 0";
    suite.check(&[], 0, seen);
    suite.check(&["p.Fixture"], 0, seen);
    let (_, seen) = self::suite("5.13.4", "1.13.4", &jdk(17), &inner, &["p.UpTest"]).observe(&["p.Fixture"]);
    assert!(seen.contains("ran found 2 skipped 0 failed 1") && !seen.contains("  skipped"), "{seen}");
}

#[test]
fn a_class_with_parameters_is_one_class() {
    let more = [(
        "ClassParamTest",
        "@ParameterizedClass @ValueSource(ints = {1, 2}) class ClassParamTest { @Parameter int n;
            @Test void a() { } @Test void b() { Assertions.assertEquals(1, n); } @Nested class In { @Test void c() { } } }",
    )];
    for (jupiter, platform) in [("5.13.4", "1.13.4"), ("6.0.0", "6.0.0")] {
        let suite = suite(jupiter, platform, &jdk(17), &more, &["p.ClassParamTest"]);
        suite.check(
            &[],
            0,
            "
            class p.ClassParamTest  passed
            p.ClassParamTest#a  passed
            p.ClassParamTest#a  passed
            p.ClassParamTest#b  passed
            p.ClassParamTest#b  failed
            class p.ClassParamTest$In  passed
            class p.ClassParamTest$In  passed
            p.ClassParamTest$In#c  passed
            p.ClassParamTest$In#c  passed
            ran plan true
            ran found 6 skipped 0 failed 1",
        );
        suite.check(
            &["p.ClassParamTest#b", "p.ClassParamTest$In"],
            0,
            "
            class p.ClassParamTest  passed
            p.ClassParamTest#a  passed
            p.ClassParamTest#a  passed
            p.ClassParamTest#b  skipped
            p.ClassParamTest$In  skipped
            ran plan true
            ran found 2 skipped 0 failed 0",
        );
    }
}

/// The Platform and JUnit 4 or 3 inside it both report a test, which is observed once.
const OLD: [(&str, &str); 6] = [
    ("FourTest", "public class FourTest { @org.junit.BeforeClass public static void up() { System.out.println(\"ran FourTest.up\"); }
        @org.junit.Test public void one() { } @org.junit.Test public void two() { org.junit.Assert.fail(); }
        @org.junit.Ignore @org.junit.Test public void three() { } }"),
    ("FourParamTest", "@org.junit.runner.RunWith(org.junit.runners.Parameterized.class) public class FourParamTest {
        final int n; public FourParamTest(int n) { this.n = n; }
        @org.junit.runners.Parameterized.Parameters public static Collection<Object[]> data() {
            return Arrays.asList(new Object[] {1}, new Object[] {2}); }
        @org.junit.Test public void a() { } @org.junit.Test public void b() { org.junit.Assert.assertEquals(1, n); } }"),
    ("FourSuiteTest", "@org.junit.runner.RunWith(org.junit.runners.Suite.class)
        @org.junit.runners.Suite.SuiteClasses({FourTest.class, ThreeTest.class}) public class FourSuiteTest { }"),
    ("ThreeTest", "public class ThreeTest extends junit.framework.TestCase { public void testA() { } public void testB() { fail(); } }"),
    ("BadFourTest", "public class BadFourTest { @org.junit.BeforeClass public static void up() { throw new IllegalStateException(); }
        @org.junit.Test public void never() { } }"),
    ("OwnTest", "@org.junit.runner.RunWith(OwnTest.Own.class) public class OwnTest {
        public static class Own extends org.junit.runner.Runner { final Class<?> c; public Own(Class<?> c) { this.c = c; }
            org.junit.runner.Description d(String n) { return org.junit.runner.Description.createTestDescription(c, n); }
            public org.junit.runner.Description getDescription() {
                org.junit.runner.Description all = org.junit.runner.Description.createSuiteDescription(c.getName());
                all.addChild(d(\"x\")); all.addChild(d(\"y\")); return all; }
            public void run(org.junit.runner.notification.RunNotifier r) { System.out.println(\"ran OwnRunner\");
                for (org.junit.runner.Description d : getDescription().getChildren()) { r.fireTestStarted(d); r.fireTestFinished(d); } } } }"),
];

fn old(vintage: &str, platform: &str, classes: &[&str]) -> Suite {
    let named: Vec<(String, String)> = OLD
        .iter()
        .map(|(name, text)| (format!("p/{name}.java"), format!("package p; import java.util.*; {text}")))
        .chain([("p/Go.java".to_owned(), GO.to_owned())])
        .collect();
    let sources: Vec<(&str, &str)> =
        named.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let jars = [
        format!("org.junit.vintage:junit-vintage-engine:{vintage}"),
        format!("org.junit.platform:junit-platform-launcher:{platform}"),
    ];
    let main = [&["p.Go"], classes].concat();
    Suite::new(&jdk(17), &jars.each_ref().map(String::as_str), &sources, &main)
}

/// Runners are made when tests are discovered, which happens twice here.
const OLD_SEEN: &str = "
    class p.FourTest  passed
    class p.FourTest  passed
    class p.FourTest  passed
    p.FourTest#one  passed
    p.FourTest#two  failed
    p.FourTest#three  ignored
    ran FourTest.up
    class p.FourParamTest  passed
    class p.FourParamTest  passed
    class p.FourParamTest  passed
    p.FourParamTest#a  passed
    p.FourParamTest#a  passed
    p.FourParamTest#b  passed
    p.FourParamTest#b  failed
    class p.ThreeTest  passed
    class p.ThreeTest  passed
    class p.ThreeTest  passed
    p.ThreeTest#testA  passed
    p.ThreeTest#testB  failed
    class p.BadFourTest  passed
    class p.BadFourTest  passed
    class p.BadFourTest  failed
    class p.OwnTest  passed
    class p.OwnTest  passed
    class p.OwnTest  passed
    p.OwnTest  passed
    p.OwnTest  passed
    ran OwnRunner
    ran plan true
    ran found 12 skipped 1 failed 3";

/// Tests of a custom runner are not methods. They are reported under the class.
const OLD_SKIP_SEEN: &str = "
    class p.FourTest  passed
    class p.FourTest  passed
    p.FourTest  skipped
    class p.FourParamTest  passed
    class p.FourParamTest  passed
    class p.FourParamTest  passed
    p.FourParamTest#a  skipped
    p.FourParamTest#b  passed
    p.FourParamTest#b  failed
    class p.ThreeTest  passed
    class p.ThreeTest  passed
    class p.ThreeTest  passed
    p.ThreeTest#testA  passed
    p.ThreeTest#testB  skipped
    class p.BadFourTest  passed
    class p.BadFourTest  passed
    p.BadFourTest  skipped
    class p.OwnTest  passed
    class p.OwnTest  passed
    class p.OwnTest  passed
    p.OwnTest  passed
    p.OwnTest  passed
    ran OwnRunner
    ran plan true
    ran found 5 skipped 0 failed 1";

#[test]
fn junit_3_and_4_inside_vintage_are_seen_once() {
    let classes = ["p.FourTest", "p.FourParamTest", "p.ThreeTest", "p.BadFourTest", "p.OwnTest"];
    let skip = ["p.FourTest", "p.FourParamTest#a", "p.ThreeTest#testB", "p.BadFourTest", "p.OwnTest#x"];
    for (vintage, platform) in [("5.13.4", "1.13.4"), ("5.4.2", "1.4.2")] {
        let suite = old(vintage, platform, &classes);
        suite.check(&[], 0, OLD_SEEN);
        suite.check(&skip, 0, OLD_SKIP_SEEN);
        // Both classes separately, and then their suite.
        old(vintage, platform, &["p.FourSuiteTest"]).check(
            &["p.FourTest", "p.ThreeTest#testB"],
            0,
            "
            class p.FourSuiteTest  passed
            class p.FourSuiteTest  passed
            class p.FourSuiteTest  passed
            class p.FourTest  passed
            class p.FourTest  passed
            p.FourTest  skipped
            class p.ThreeTest  passed
            class p.ThreeTest  passed
            class p.ThreeTest  passed
            p.ThreeTest#testA  passed
            p.ThreeTest#testB  skipped
            ran plan true
            ran found 1 skipped 0 failed 0",
        );
    }
}

#[test]
fn the_first_vintage_skips_whole_classes_only() {
    let suite = old("4.12.3", "1.0.3", &["p.FourTest", "p.ThreeTest"]);
    suite.check(
        &["p.FourTest", "p.ThreeTest#testB"],
        0,
        "
        class p.FourTest  passed
        class p.FourTest  passed
        p.FourTest  skipped
        class p.ThreeTest  passed
        class p.ThreeTest  passed
        class p.ThreeTest  passed
        p.ThreeTest#testA  passed
        p.ThreeTest#testB  failed
        ran plan true
        ran found 2 skipped 0 failed 1",
    );
}

const SUITE_JARS: [&str; 5] = [
    "org.junit.jupiter:junit-jupiter-engine:5.10.3",
    "org.junit.platform:junit-platform-launcher:1.10.3",
    "org.junit.platform:junit-platform-suite:1.10.3",
    "io.cucumber:cucumber-junit-platform-engine:7.18.0",
    "io.cucumber:cucumber-java:7.18.0",
];

const SUITE_SOURCES: [(&str, &str); 8] = [
    ("p/Go.java", GO),
    (
        "p/AllTest.java",
        "package p; import org.junit.platform.suite.api.*; @Suite @SelectClasses({OneTest.class, TwoTest.class}) class AllTest { }",
    ),
    (
        "p/OneTest.java",
        "package p; import org.junit.jupiter.api.*; class OneTest { @Test void a() { } @Test void b() { } }",
    ),
    ("p/TwoTest.java", "package p; import org.junit.jupiter.api.*; class TwoTest { @Test void c() { } }"),
    (
        "p/CucumberTest.java",
        "package p; import org.junit.platform.suite.api.*; @Suite @IncludeEngines(\"cucumber\")
         @SelectClasspathResource(\"features\") @ConfigurationParameter(key = \"cucumber.glue\", value = \"p\")
         @ConfigurationParameter(key = \"cucumber.publish.quiet\", value = \"true\") class CucumberTest { }",
    ),
    (
        "p/Steps.java",
        "package p; import io.cucumber.java.en.*; public class Steps {
         @Given(\"nothing\") public void nothing() { System.out.println(\"ran step\"); }
         @Given(\"trouble\") public void trouble() { throw new IllegalStateException(); } }",
    ),
    (
        "features/one.feature",
        "Feature: One\n  Scenario: good\n    Given nothing\n  Scenario: bad\n    Given trouble\n",
    ),
    ("features/two.feature", "Feature: Two\n  Scenario: fine\n    Given nothing\n"),
];

#[test]
fn a_suite_is_skipped_if_all_its_tests_are() {
    let suite = Suite::new(&jdk(17), &SUITE_JARS, &SUITE_SOURCES, &["p.Go", "p.AllTest"]);
    let all = "
        class p.AllTest  passed
        class p.OneTest  passed
        p.OneTest#a  passed
        p.OneTest#b  passed
        class p.TwoTest  passed
        p.TwoTest#c  passed
        ran plan true
        ran found 3 skipped 0 failed 0";
    suite.check(&[], 0, all);
    suite.check(&["p.AllTest"], 0, all);
    suite.check(
        &["p.OneTest#a", "p.TwoTest"],
        0,
        "
        class p.AllTest  passed
        class p.OneTest  passed
        p.OneTest#a  skipped
        p.OneTest#b  passed
        p.TwoTest  skipped
        ran plan true
        ran found 1 skipped 0 failed 0",
    );
    suite.check(
        &["p.OneTest", "p.TwoTest"],
        0,
        "
        p.OneTest  skipped
        p.TwoTest  skipped
        ran plan false
        ran found 0 skipped 0 failed 0",
    );
}

#[test]
fn scenarios_of_cucumber_are_tests_of_the_class_that_runs_them() {
    let suite = Suite::new(&jdk(17), &SUITE_JARS, &SUITE_SOURCES, &["p.Go", "p.CucumberTest"]);
    suite.check(
        &[],
        0,
        "
        class p.CucumberTest  passed
        p.CucumberTest  failed
        p.CucumberTest  passed
        p.CucumberTest  passed
        ran step
        ran step
        ran plan true
        ran found 3 skipped 0 failed 1",
    );
    suite.check(
        &["p.CucumberTest"],
        0,
        "p.CucumberTest  skipped\nran plan false\nran found 0 skipped 0 failed 0",
    );
}

const SPEC: &str = "package p
import spock.lang.*
abstract class BaseSpec extends Specification { def \"is inherited\"() { expect: true } }
class ASpec extends BaseSpec {
    def setupSpec() { println 'ran setupSpec' }
    def \"adds two numbers\"() { expect: 1 + 1 == 2 }
    def \"doubles #n\"() { expect: n < 3
        where: n << [1, 2, 3] }
    @Ignore def \"is off\"() { expect: false } }";

#[test]
fn features_of_spock_are_tests_with_all_their_iterations() {
    let jars =
        ["org.spockframework:spock-core:2.3-groovy-4.0", "org.junit.platform:junit-platform-launcher:1.9.0"];
    let suite = Suite::new(&jdk(17), &jars, &[("p/Go.java", GO)], &["p.Go", "p.ASpec"]).with_groovy(SPEC);
    suite.check(
        &[],
        0,
        "
        class p.ASpec  passed
        p.ASpec#is inherited  passed
        p.ASpec#adds two numbers  passed
        p.ASpec#doubles #n  failed
        p.ASpec#is off  ignored
        ran setupSpec
        ran plan true
        ran found 7 skipped 1 failed 1",
    );
    suite.check(
        &["p.ASpec#is inherited", "p.ASpec#doubles #n", "p.ASpec#is off"],
        0,
        "
        class p.ASpec  passed
        p.ASpec#is inherited  skipped
        p.ASpec#adds two numbers  passed
        p.ASpec#doubles #n  skipped
        p.ASpec#is off  skipped
        ran setupSpec
        ran plan true
        ran found 1 skipped 0 failed 0",
    );
    suite.check(&["p.ASpec"], 0, "p.ASpec  skipped\nran plan false\nran found 0 skipped 0 failed 0");
}

/// The engine finds its tests by a dry run. There a test that should throw does not, and is reported as
/// failed.
#[test]
fn a_dry_run_of_testng_is_ignored() {
    let jars = [
        "org.junit.platform:junit-platform-launcher:1.13.4",
        "org.testng:testng:7.10.2",
        "org.junit.support:testng-engine:1.1.0",
    ];
    let test = "package p; import org.testng.annotations.*; public class NgTest {
        @Test public void plain() { System.out.println(\"ran plain\"); }
        @Test(expectedExceptions = IllegalStateException.class) public void throwing() { throw new IllegalStateException(); }
        @DataProvider public Object[][] data() { return new Object[][] { { 1 }, { 2 } }; }
        @Test(dataProvider = \"data\") public void with(int n) { System.out.println(\"ran with \" + n); } }";
    let sources = [("p/Go.java", GO), ("p/NgTest.java", test)];
    let suite = Suite::new(&jdk(17), &jars, &sources, &["p.Go", "p.NgTest"]);
    suite.check(
        &[],
        0,
        "
        class p.NgTest  passed
        p.NgTest#plain  passed
        p.NgTest#throwing  passed
        p.NgTest#with  passed
        ran plain
        ran with 1
        ran with 2
        ran plan true
        ran found 4 skipped 0 failed 0",
    );
    suite.check(
        &["p.NgTest#plain", "p.NgTest#with"],
        0,
        "
        class p.NgTest  passed
        p.NgTest#plain  skipped
        p.NgTest#throwing  passed
        p.NgTest#with  skipped
        ran plan true
        ran found 1 skipped 0 failed 0",
    );
}

const KOTLIN: &str = "package p
import org.junit.jupiter.api.*
object Registry { fun add(name: String) { println(\"ran $name\") } }
data class Point(val x: Int, val y: Int) { companion object { fun origin() = Point(0, 0) } }
fun Point.describe(between: String = \",\") = \"$x$between$y\"
class KotlinTest {
    companion object { @BeforeAll @JvmStatic fun up() { Registry.add(\"up\") } }
    @Test fun `describes a point`() { Assertions.assertEquals(\"0,0\", Point.origin().describe()) }
    @Test fun lambda() { val f: (Point) -> Point = { it.copy(x = 1) }; listOf(Point.origin()).forEach { f(it) } }
    @Nested inner class Inner { @Test fun `is inside`() { Registry.add(\"inside\") } } }";

#[test]
fn tests_in_kotlin_are_observed() {
    let jars = [
        "org.jetbrains.kotlin:kotlin-stdlib:2.2.20",
        "org.junit.jupiter:junit-jupiter:5.13.4",
        "org.junit.platform:junit-platform-launcher:1.13.4",
    ];
    let suite = Suite::new(&jdk(17), &jars, &[("p/Go.java", GO)], &["p.Go", "p.KotlinTest"])
        .with_kotlin("2.2.20", KOTLIN);
    suite.check(
        &["p.KotlinTest#lambda"],
        0,
        "
        class p.KotlinTest  passed
        p.KotlinTest#describes a point  passed
        p.KotlinTest#lambda  skipped
        class p.KotlinTest$Inner  passed
        p.KotlinTest$Inner#is inside  passed
        ran up
        ran inside
        ran plan true
        ran found 2 skipped 0 failed 0",
    );
    let charged = suite.charged();
    let has = |name: &str, method: &str| charged.get(name).is_some_and(|methods| methods.contains(method));
    for (name, method) in [
        ("p.KotlinTest#describes a point", "p/Point$Companion.origin()Lp/Point;"),
        ("p.KotlinTest#describes a point", "p/AllKt.describe(Lp/Point;Ljava/lang/String;)Ljava/lang/String;"),
        ("p.KotlinTest#lambda", "p/Point.copy(II)Lp/Point;"),
        ("p.KotlinTest$Inner#is inside", "p/Registry.add(Ljava/lang/String;)V"),
        ("class p.KotlinTest", "p/KotlinTest$Companion.up()V"),
    ] {
        assert!(has(name, method), "{name} {method}: {charged:?}");
    }
    assert!(!has("p.KotlinTest#lambda", "p/Registry.add(Ljava/lang/String;)V"), "{charged:?}");
}

#[test]
fn set_up_counts_for_the_class_and_providers_for_the_test() {
    for (jupiter, platform) in [("5.0.3", "1.0.3"), ("5.13.4", "1.13.4")] {
        let charged =
            suite(jupiter, platform, &jdk(17), &[], &["p.ATest", "p.PerClassTest", "p.ParamTest"]).charged();
        let has =
            |name: &str, method: &str| charged.get(name).is_some_and(|methods| methods.contains(method));
        assert!(has("class p.ATest", "p/ATest.up()V"), "{jupiter}: {charged:?}");
        assert!(has("p.ATest#one", "p/ATest.<init>()V"), "{jupiter}: {charged:?}");
        assert!(!has("p.ATest#one", "p/ATest.up()V"), "{jupiter}: {charged:?}");
        assert!(has("class p.PerClassTest", "p/PerClassTest$Ext.<init>()V"), "{jupiter}: {charged:?}");
        assert!(has("p.ParamTest#each", "p/ParamTest.names()Ljava/util/List;"), "{jupiter}: {charged:?}");
    }
}
