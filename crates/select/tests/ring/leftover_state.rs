//! The rules of leftover state, one test each, on one small program: what a later test owes to an earlier one.

use crate::programs::world_of;
use crate::recorded::record;
use crate::script::read::read;
use std::collections::BTreeSet;

/// `ATest` runs first, `BTest` after it, `CTest` last.
const PROGRAM: &str = r#"
import org.junit.*;
class Maker { static String make() { return "made"; } static int count() { return 1; } }
class Cache {
    static String kept;
    static String get() { if (kept == null) kept = load(); return kept; }
    static String load() { return Maker.make(); }
    static int size() { return 2; }
}
class Front { static String get() { return Cache.kept == null ? Maker.make() : Cache.kept; } }
class Table {
    static final int ROWS = rows();
    static int rows() { return 3; }
    static int first() { return ROWS; }
}
class Zone {
    static String now = "utc";
    static String get() { return now; }
    static void set(String zone) { now = zone; }
}
class Service {
    private static final Service ONE = new Service();
    static Service one() { return ONE; }
    private String state;
    String state() { if (state == null) state = Maker.make(); return state; }
}
class Item {
    private final String text;
    Item(String text) { this.text = text; }
    String text() { return text; }
}
class Copy {
    private static String zone;
    static void take() { zone = Zone.get(); }
    static String get() { return zone; }
}
class ATest {
    private String old;
    @Before public void setUp() { old = Zone.get(); Zone.set("paris"); }
    @After public void tearDown() { Zone.set(old); }
    void cache() { Cache.get(); }
    void table() { Table.first(); }
    void zone() { Zone.set(Maker.make()); }
    void restored() { Maker.make(); }
    void service() { Service.one().state(); }
    void item() { System.getProperties().put("item", new Item(Maker.make())); }
    void front() { Front.get(); }
    void reflection() throws Exception { Zone.class.getDeclaredField("now").set(null, Maker.make()); }
    void property() { System.setProperty("zone", Maker.make()); }
}
class BTest {
    void cache() { Cache.get(); }
    void table() { Table.first(); }
    void zone() { Zone.get(); }
    void service() { Service.one().state(); }
    void item() { ((Item) System.getProperties().get("item")).text(); }
    void front() { Front.get(); }
    void copy() { Copy.take(); }
    void property() { System.getProperty("zone"); }
}
class CTest {
    void t() { Cache.size(); }
    void copy() { Copy.get(); }
}
"#;

const MAKE: &str = "body Maker.make()Ljava/lang/String;";

/// Records the messages of a script with a program. `facts` says for test classes on which facts they rely, and on which not.
#[track_caller]
fn check(program: &str, messages: &str, facts: &[(&str, &str, &str)]) {
    let world = world_of(program);
    let stored = record(&world, read(messages, world.classes()).unwrap_or_else(|e| panic!("{e}")));
    for (class, verb, fact) in facts {
        let tests = stored.tests.iter().filter(|test| test.key.class == *class);
        let known: BTreeSet<String> = tests
            .flat_map(|test| &test.traces)
            .flat_map(|trace| stored.facts_of(trace.set).unwrap())
            .map(|fact| format!("{} {}", fact.question.kind.word(), fact.question.displayed()))
            .collect();
        assert!(!known.is_empty(), "{class} has no trace");
        assert_eq!(known.contains(*fact), *verb == RELIES, "{class} {verb} {fact}; its facts: {known:#?}");
    }
}

const RELIES: &str = "relies on";
const DOES_NOT: &str = "does not rely on";

#[test]
fn a_value_that_the_first_caller_computed_counts_for_the_next() {
    check(
        PROGRAM,
        "test ATest#cache: enter Cache.get Cache.load Maker.make | read conf.txt
         test BTest#cache: enter Cache.get
         test CTest#t: enter Cache.size",
        &[
            ("BTest", RELIES, MAKE),
            ("BTest", RELIES, "file conf.txt"),
            ("CTest", DOES_NOT, MAKE),
            ("CTest", DOES_NOT, "file conf.txt"),
        ],
    );
}

#[test]
fn an_initialiser_counts_for_all_that_touch_its_class() {
    check(
        PROGRAM,
        "start test ATest#table
           enter ATest.<init> ATest.table Table.<clinit> Table.rows Table.first
           init Table: enter Table.<clinit> Table.rows | property rows
         end passed
         test BTest#table: enter Table.first
         test CTest#t: enter Cache.size",
        &[
            ("BTest", RELIES, "body Table.rows()I"),
            ("BTest", RELIES, "property rows"),
            ("CTest", DOES_NOT, "body Table.rows()I"),
            ("CTest", DOES_NOT, "property rows"),
        ],
    );
}

#[test]
fn a_test_that_set_a_field_counts_for_who_reads_it() {
    check(
        PROGRAM,
        "test ATest#zone: enter Zone.set Maker.make | read conf.txt
         test BTest#zone: enter Zone.get
         test CTest#t: enter Cache.size",
        &[("BTest", RELIES, MAKE), ("BTest", RELIES, "file conf.txt"), ("CTest", DOES_NOT, MAKE)],
    );
}

#[test]
fn the_set_up_around_a_test_that_set_a_field_counts_too() {
    check(
        PROGRAM,
        "start class ATest
           enter Maker.make
           test ATest#zone: enter Zone.set
         end passed
         test BTest#zone: enter Zone.get
         test CTest#t: enter Cache.size",
        &[("BTest", RELIES, MAKE), ("CTest", DOES_NOT, MAKE)],
    );
}

#[test]
fn a_test_that_read_what_another_one_set_hands_it_on() {
    check(
        PROGRAM,
        "test ATest#zone: enter Zone.set Maker.make
         test BTest#copy: enter Copy.take Zone.get
         test CTest#copy: enter Copy.get",
        &[("CTest", RELIES, "body Zone.set(Ljava/lang/String;)V"), ("CTest", RELIES, MAKE)],
    );
}

#[test]
fn a_call_beside_a_field_of_another_class_counts_for_the_next_caller() {
    check(
        PROGRAM,
        "test ATest#front: enter Front.get Maker.make
         test BTest#front: enter Front.get
         test CTest#t: enter Cache.size",
        &[("BTest", RELIES, MAKE), ("CTest", DOES_NOT, MAKE)],
    );
}

/// The JVM must have compared the field: `leave` says that it held something else in the end.
#[test]
fn a_field_that_a_tear_down_restores_does_not_count() {
    let test = "enter ATest.setUp ATest.tearDown Zone.get Zone.set Maker.make";
    let rest = "test BTest#zone: enter Zone.get";
    let restored = format!("field Zone.now compared\n test ATest#restored: {test}\n {rest}");
    check(PROGRAM, &restored, &[("BTest", DOES_NOT, MAKE), ("BTest", RELIES, "body ATest.tearDown()V")]);
    let left = format!("field Zone.now compared\n test ATest#restored: {test} | leave Zone.now\n {rest}");
    check(PROGRAM, &left, &[("BTest", RELIES, MAKE)]);
    let unseen = format!("field Zone.now\n test ATest#restored: {test}\n {rest}");
    check(PROGRAM, &unseen, &[("BTest", RELIES, MAKE)]);
}

#[test]
fn an_object_that_a_constant_keeps_carries_what_an_earlier_test_put_into_it() {
    check(
        PROGRAM,
        "start test ATest#service
           enter ATest.<init> ATest.service Service.<clinit> Service.<init> Service.one Service.state Maker.make
           field Service.ONE holds Service
           init Service: enter Service.<clinit> Service.<init>
         end passed
         test BTest#service: enter Service.one Service.state
         test CTest#t: enter Cache.size",
        &[("BTest", RELIES, MAKE), ("CTest", DOES_NOT, MAKE)],
    );
}

#[test]
fn who_made_an_object_counts_for_who_calls_it() {
    check(
        PROGRAM,
        "test ATest#item: enter Item.<init> Maker.make
         test BTest#item: enter Item.text
         test CTest#t: enter Cache.size",
        &[
            ("BTest", RELIES, "body Item.<init>(Ljava/lang/String;)V"),
            ("BTest", RELIES, MAKE),
            ("CTest", DOES_NOT, "body Item.<init>(Ljava/lang/String;)V"),
        ],
    );
}

#[test]
fn a_field_that_reflection_set_counts_for_who_reads_it() {
    check(
        PROGRAM,
        "test ATest#reflection: enter Maker.make | set-field Zone.now
         test BTest#zone: enter Zone.get
         test CTest#t: enter Cache.size",
        &[("BTest", RELIES, MAKE), ("CTest", DOES_NOT, MAKE)],
    );
}

#[test]
fn a_property_that_an_earlier_test_set_counts_for_who_reads_it() {
    check(
        PROGRAM,
        "test ATest#property: enter Maker.make | set-property zone
         test BTest#property: property zone
         test CTest#t: enter Cache.size | property other",
        &[("BTest", RELIES, MAKE), ("CTest", DOES_NOT, MAKE)],
    );
}

/// A library that was called there may have kept the answer.
#[test]
fn an_input_that_code_asked_for_counts_for_all_that_come_to_that_code() {
    let tests = "test ATest#cache: enter Cache.get | read conf.txt
        test BTest#cache: enter Cache.get
        test CTest#t: enter Cache.size";
    let seen = format!("under ATest.cache Cache.get: read conf.txt\n{tests}");
    check(PROGRAM, &seen, &[("BTest", RELIES, "file conf.txt"), ("CTest", DOES_NOT, "file conf.txt")]);
    check(PROGRAM, tests, &[("ATest", RELIES, "file conf.txt"), ("BTest", DOES_NOT, "file conf.txt")]);
}

#[test]
fn a_time_counts_if_code_reads_it_for_more_than_a_copy_or_a_reload_check() {
    check(
        PROGRAM,
        "test ATest#cache: enter Cache.get | attribute modified a.txt | library-attribute modified b.txt | library-attribute modified target/classes/r.txt
         test BTest#cache: enter Cache.get | library-attribute modified a.txt | write c.txt | copy-time a.txt to c.txt
         test BTest#zone: enter Zone.get | library-attribute modified b.txt | write d.txt | copy-time b.txt to d.txt | attribute modified d.txt
         test CTest#t: enter Cache.size | attribute modified a.txt | write c.txt | copy-time a.txt to c.txt",
        &[
            ("ATest", RELIES, "attribute modified a.txt"),
            ("ATest", RELIES, "attribute modified b.txt"),
            ("ATest", DOES_NOT, "attribute modified target/classes/r.txt"),
            ("BTest", DOES_NOT, "attribute modified a.txt"),
            ("BTest", RELIES, "attribute modified b.txt"),
            ("BTest", DOES_NOT, "attribute modified d.txt"),
            ("CTest", RELIES, "attribute modified a.txt"),
        ],
    );
}
