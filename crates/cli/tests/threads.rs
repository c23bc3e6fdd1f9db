//! Attribution of threads' work to tests, on every required JDK.

#![allow(clippy::unwrap_used)] // Tests may panic.

mod spoken;

use spoken::{Spoken, compile, run_java};
use tamis_test_support::jdk::required;
use tamis_wire::Input;

/// Runs the tests `a`, `b` and `c` with these bodies, and checks for which of them each named method counts.
#[track_caller]
fn check(from: u32, members: &str, bodies: [&str; 3], charged: &[(&str, &str)], outlived: &str) {
    let [a, b, c] = bodies;
    let program = format!(
        "package p; import org.junit.runner.notification.RunNotifier; import java.util.*; import java.util.concurrent.*;
         import java.util.function.*; class Main {{
            static void sleep(int ms) {{ try {{ Thread.sleep(ms); }} catch (InterruptedException e) {{ }} }}
            static void work() {{ }} static void more() {{ }} static final CountDownLatch begun = new CountDownLatch(1);
            static void late() {{ begun.countDown(); sleep(400); more(); }}
            {members}
            public static void main(String[] args) throws Throwable {{ RunNotifier n = new RunNotifier();
                n.trial(\"a\", () -> {{ {a} }}); n.trial(\"b\", () -> {{ {b} }}); n.trial(\"c\", () -> {{ {c} }});
                Runtime.getRuntime().halt(0); }} }}"
    );
    for jdk in required().iter().filter(|jdk| jdk.feature >= from) {
        let classes = compile(jdk, &program);
        let arguments = ["-Xcheck:jni", "-cp", classes.path.to_str().unwrap(), "p.Main"];
        let spoken = run_java(jdk, &[&classes.path], &arguments).succeeded(&format!("JDK {}", jdk.feature));
        for (method, tests) in charged {
            let descriptor = if method.contains('(') { "" } else { "()V" };
            let named = format!("p/Main.{method}{descriptor}");
            let seen: String = ["a", "b", "c"]
                .iter()
                .filter(|test| spoken.entered(test).contains(&named))
                .copied()
                .collect();
            assert_eq!(seen, *tests, "JDK {}: {method}", jdk.feature);
        }
        let seen: String =
            ["a", "b", "c"].iter().filter(|test| is_outlived(&spoken, test)).copied().collect();
        assert_eq!(seen, outlived, "JDK {}: outlived", jdk.feature);
        assert!(
            spoken.ended().iter().all(|(_, outcome)| format!("{outcome:?}") == "Passed"),
            "{:?}",
            spoken.ended()
        );
    }
}

fn is_outlived(spoken: &Spoken, test: &str) -> bool {
    spoken.noted(test).iter().any(|note| matches!(note, Input::Thread(_)))
}

#[test]
fn a_thread_that_outlives_its_test_counts_for_it_to_its_end() {
    check(
        8,
        "static Thread t;",
        ["t = new Thread(() -> { sleep(300); work(); }); t.start();", "t.join();", "sleep(1);"],
        &[("work", "ab")],
        "a",
    );
}

#[test]
fn a_thread_that_ended_with_its_test_counts_for_no_other() {
    check(
        8,
        "static Thread t;",
        ["t = new Thread(() -> { work(); }); t.start(); t.join();", "more();", "more();"],
        &[("work", "a"), ("more", "bc")],
        "",
    );
}

#[test]
fn an_idle_thread_counts_for_no_test() {
    check(
        8,
        "static CountDownLatch l = new CountDownLatch(1); static Thread t;",
        [
            "t = new Thread(() -> { try { l.await(); } catch (InterruptedException e) { } work(); }); t.start(); sleep(300);",
            "sleep(1); more();",
            "l.countDown(); t.join();",
        ],
        // When b begins, the thread may still be on its way to the place where it waits.
        &[("work", "ac"), ("more", "b")],
        "a",
    );
}

/// Pools whose threads can be seen waiting for work, and one whose threads run code of the program.
const POOLS: [&str; 3] = [
    "Executors.newFixedThreadPool(2)",
    "Executors.newCachedThreadPool()",
    "Executors.newFixedThreadPool(2, r -> new Thread(() -> r.run()))",
];

#[test]
fn work_in_a_pool_counts_for_the_test_that_submits_it() {
    for pool in POOLS {
        check(
            8,
            "static ExecutorService e; static void submit(Runnable r) throws Exception { e.submit(r).get(); sleep(300); }",
            [&format!("e = {pool}; submit(() -> work());"), "submit(() -> more());", "sleep(1);"],
            &[("work", "a"), ("more", "b")],
            "",
        );
    }
}

#[test]
fn a_task_that_outlives_its_test_counts_for_the_test_that_submitted_it() {
    for pool in POOLS {
        check(
            8,
            "static ExecutorService e; static Future<?> f;",
            [
                &format!(
                    "e = {pool}; e.submit(() -> work()).get(); e.submit(() -> work()).get(); sleep(300);"
                ),
                "f = e.submit(() -> { late(); }); begun.await();",
                "f.get();",
            ],
            &[("work", "a"), ("more", "bc")],
            "b",
        );
    }
}

#[test]
fn a_pool_is_idle_again_after_its_task_was_cancelled() {
    check(
        8,
        "static ScheduledThreadPoolExecutor e = new ScheduledThreadPoolExecutor(1);",
        [
            "e.setRemoveOnCancelPolicy(true); work(); Future<?> f = e.schedule(() -> work(), 1, TimeUnit.SECONDS); sleep(100); f.cancel(false);",
            "sleep(1500);",
            "e.submit(() -> more()).get(); sleep(300);",
        ],
        &[("work", "a"), ("more", "c")],
        "a",
    );
}

#[test]
fn a_queued_task_counts_for_the_test_that_submitted_it() {
    let members =
        "static CountDownLatch gate = new CountDownLatch(1), done = new CountDownLatch(1); static Executor e;
        static void block() { try { gate.await(); } catch (InterruptedException x) { } }
        static void last() { more(); done.countDown(); }";
    for pool in [
        "Executors.newFixedThreadPool(1)",
        "new ThreadPoolExecutor(1, 1, 1, TimeUnit.DAYS, new ArrayBlockingQueue<Runnable>(9))",
        "Executors.newScheduledThreadPool(1)",
        "new ForkJoinPool(1)",
    ] {
        let first = format!("e = {pool}; e.execute(() -> block()); sleep(50);");
        check(
            8,
            members,
            [&first, "e.execute(() -> last());", "gate.countDown(); done.await();"],
            &[("more", "abc")],
            "ab",
        );
    }
}

#[test]
fn a_delayed_task_counts_for_the_test_that_submitted_it() {
    check(
        8,
        "static ScheduledExecutorService e; static Future<?> f;",
        [
            "e = Executors.newScheduledThreadPool(2); e.submit(() -> work()).get(); e.submit(() -> work()).get(); sleep(300);",
            "f = e.schedule(() -> more(), 500, TimeUnit.MILLISECONDS); sleep(50);",
            "f.get();",
        ],
        &[("work", "a"), ("more", "bc")],
        "b",
    );
}

#[test]
fn a_timer_behaves_like_a_pool_with_one_thread() {
    check(
        8,
        "static java.util.Timer t; static CountDownLatch l = new CountDownLatch(1);
         static TimerTask task(Runnable r) { return new TimerTask() { public void run() { r.run(); } }; }",
        [
            "t = new java.util.Timer(); t.schedule(task(() -> work()), 1); sleep(300);",
            "t.schedule(task(() -> { more(); l.countDown(); }), 500); sleep(50);",
            "l.await();",
        ],
        &[("work", "a"), ("more", "bc")],
        "b",
    );
}

#[test]
fn work_in_the_common_pool_counts_for_the_test_that_submits_it() {
    check(
        8,
        "static CompletableFuture<Void> f;",
        [
            "CompletableFuture.runAsync(() -> work()).get(); sleep(300);",
            "f = CompletableFuture.runAsync(() -> { late(); }); begun.await();",
            "f.get();",
        ],
        &[("work", "a"), ("more", "bc")],
        "b",
    );
}

#[test]
fn a_virtual_thread_behaves_like_a_thread() {
    check(
        21,
        "static Thread t; static Thread start(Runnable r) throws Exception {
            return (Thread) Thread.class.getMethod(\"startVirtualThread\", Runnable.class).invoke(null, r); }",
        [
            "start(() -> work()).join(); sleep(300);",
            "t = start(() -> { late(); }); begun.await();",
            "t.join(); sleep(300);",
        ],
        &[("work", "a"), ("more", "bc")],
        "b",
    );
}

/// Answers requests as long as the JVM lives. While it does, only `answer` is entered. It waits in a native
/// method, and a client continues when it waits again: a thread found in Java code may be in a loop that
/// hides probes.
const SERVER: &str = "static final Object LOCK = new Object(); static volatile int asked, answered; static volatile Thread it;
    static void answer() { answered = asked; }
    static void serve() {
        it = Thread.currentThread();
        for (;;) {
            synchronized (LOCK) { while (asked == answered) try { LOCK.wait(); } catch (InterruptedException e) { } }
            answer();
        }
    }
    static void rest() { while (it == null || it.getState() != Thread.State.WAITING) sleep(1); }
    static void ask(int n) {
        synchronized (LOCK) { asked = n; LOCK.notify(); }
        while (answered != n) sleep(1);
        rest();
    }
    static void server() { Thread t = new Thread(() -> serve()); t.setDaemon(true); t.start(); }";

#[test]
fn a_method_that_is_still_running_counts_for_later_tests() {
    check(
        8,
        SERVER,
        ["server(); ask(1);", "ask(2);", "ask(3);"],
        &[("serve", "abc"), ("answer", "abc"), ("server", "a")],
        "a",
    );
}

#[test]
fn a_method_that_runs_since_before_all_tests_counts_for_tests_during_which_it_goes_on() {
    let members = format!("{SERVER} static {{ server(); }}");
    check(8, &members, ["ask(1);", "ask(2);", "work();"], &[("serve", "ab"), ("answer", "ab")], "");
}

#[test]
fn a_compiled_loop_counts_for_all_tests_with_its_inlined_methods() {
    check(
        8,
        "static long step(long x) { return x * 31 + 7; } static long sum;
         static void turn(long n) { long x = 0; for (long i = 0; i < n; i++) x += step(i); sum = x; }
         static void once() { turn(100_000_000_000L); }",
        [
            "Thread t = new Thread(() -> { for (int i = 0; i < 30_000; i++) turn(10); once(); }); t.setDaemon(true); t.start();
             sleep(700); work();",
            "sleep(50);",
            "sleep(50);",
        ],
        &[("step(J)J", "abc"), ("turn(J)V", "abc"), ("once", "abc")],
        "a",
    );
}

#[test]
fn a_method_running_in_a_virtual_thread_counts_for_all_tests() {
    let members = format!(
        "{SERVER} static Thread start(Runnable r) throws Exception {{
            return (Thread) Thread.class.getMethod(\"startVirtualThread\", Runnable.class).invoke(null, r); }}"
    );
    check(
        21,
        &members,
        ["start(() -> serve()); ask(1);", "ask(2);", "ask(3);"],
        &[("serve", "abc"), ("answer", "abc")],
        // Virtual threads cannot be distinguished: every open test has an outliving one while any of them
        // works.
        "abc",
    );
}

/// A class of tests has a span. Its set-up counts for the class, and for each test as far as it runs during
/// the test.
#[test]
fn set_up_of_a_class_counts_for_the_class_and_for_tests_during_which_it_runs() {
    let program = format!(
        "package p; import org.junit.runner.Description; import org.junit.runner.notification.RunNotifier; class Main {{
            static void sleep(int ms) {{ try {{ Thread.sleep(ms); }} catch (InterruptedException e) {{ }} }} {SERVER}
            public Description getDescription() {{
                return new Description(\"p.T\", null) {{ public String getDisplayName() {{ return \"p.T\"; }} }}; }}
            public void run(RunNotifier n) {{ server(); rest(); n.trial(\"a\", () -> ask(1)); n.trial(\"b\", () -> ask(2)); }}
            public static void main(String[] args) {{ new Main().run(new RunNotifier()); Runtime.getRuntime().halt(0); }} }}"
    );
    for jdk in required() {
        let classes = compile(&jdk, &program);
        let spoken = run_java(&jdk, &[&classes.path], &["-cp", classes.path.to_str().unwrap(), "p.Main"])
            .succeeded(&format!("JDK {}", jdk.feature));
        let methods =
            ["run(Lorg/junit/runner/notification/RunNotifier;)V", "server()V", "serve()V", "answer()V"];
        for (test, entered) in
            [("", [true; 4]), ("a", [false, false, true, true]), ("b", [false, false, true, true])]
        {
            let all = spoken.entered(test);
            let seen = methods.map(|method| all.contains(&format!("p/Main.{method}")));
            assert_eq!(seen, entered, "JDK {}: {test:?} {methods:?}", jdk.feature);
        }
    }
}

#[test]
fn threads_of_the_jdk_count_for_no_test() {
    check(
        9,
        "static Object o = new Object();",
        [
            "Class<?> c = Class.forName(\"java.lang.ref.Cleaner\"); Object cleaner = c.getMethod(\"create\").invoke(null);
             new ProcessBuilder(\"true\").start().waitFor(); work();",
            "more();",
            "sleep(1);",
        ],
        &[("work", "a"), ("more", "b")],
        "",
    );
}

#[test]
fn each_of_200_parallel_tests_has_its_own_methods() {
    let tests = 200;
    let members: String = (0..tests)
        .map(|i| format!("static void m{i}() {{ if (n{i}++ < 3) m{i}(); }} static int n{i};"))
        .collect();
    let cases: String = (0..tests).map(|i| format!("case {i}: m{i}(); break;")).collect();
    let program = format!(
        "package p; import org.junit.runner.notification.RunNotifier; import java.util.concurrent.*; class Main {{ {members}
            static void one(int i) {{ switch (i) {{ {cases} }} }}
            public static void main(String[] args) throws Throwable {{ RunNotifier n = new RunNotifier();
                CountDownLatch go = new CountDownLatch(1); Thread[] all = new Thread[{tests}];
                for (int i = 0; i < {tests}; i++) {{ int at = i; all[i] = new Thread(() -> {{
                    try {{ go.await(); }} catch (InterruptedException e) {{ }}
                    n.trial(\"t\" + at, () -> {{ one(at); Thread.yield(); }}); }}); all[i].start(); }}
                go.countDown(); for (Thread t : all) t.join(); }} }}"
    );
    for jdk in required() {
        let classes = compile(&jdk, &program);
        let spoken = run_java(
            &jdk,
            &[&classes.path],
            &["-Xcheck:jni", "-cp", classes.path.to_str().unwrap(), "p.Main"],
        );
        let spoken = spoken.succeeded(&format!("JDK {}", jdk.feature));
        assert_eq!(spoken.ended().len(), tests, "JDK {}", jdk.feature);
        for test in 0..tests {
            let own = format!("p/Main.m{test}()V");
            assert!(spoken.entered(&format!("t{test}")).contains(&own), "JDK {}: {own}", jdk.feature);
        }
        assert!(
            !spoken.stdout().contains("JNI") && spoken.stderr().is_empty(),
            "JDK {}: {}",
            jdk.feature,
            spoken.stderr()
        );
    }
}
