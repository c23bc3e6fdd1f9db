//! Together with other agents, collectors, debuggers and options, programs behave as without us, and are
//! observed as usual.

#![allow(clippy::unwrap_used)] // Tests may panic.

mod spoken;

use spoken::{Spoken, compile, compile_all, java, run_command, run_java, set};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use tamis_test_support::jdk::{Jdk, spread};
use tamis_test_support::{maven, run};
use tamis_wire::{AgentMessage, Input, Outcome};

/// Prints what reflection, serialisation and stack traces show of its classes, and runs two tests.
const PROGRAM: &str = "package p; import org.junit.runner.notification.RunNotifier; import java.util.*; class Main implements java.io.Serializable {
    static int x = Config.value(); private transient volatile int y; strictfp synchronized int f() throws Exception {
        throw new IllegalStateException(); }
    static void one() { System.out.println(\"one \" + x); }
    static void two() { System.out.println(\"two\"); }
    public static void main(String[] a) throws Throwable {
        List<String> members = new ArrayList<>();
        for (Class<?> c : new Class<?>[] { Main.class, Config.class, RunNotifier.class }) {
            for (Object o : c.getDeclaredMethods()) members.add(o.toString());
            for (Object o : c.getDeclaredFields()) members.add(o.toString());
            for (Object o : c.getDeclaredConstructors()) members.add(o.toString());
            for (Object o : c.getDeclaredClasses()) members.add(o.toString());
            members.add(c + \" \" + c.getModifiers()); }
        Collections.sort(members); for (String s : members) System.out.println(s);
        System.out.println(java.io.ObjectStreamClass.lookup(Main.class).getSerialVersionUID());
        try { new Main().f(); } catch (IllegalStateException e) { for (Object o : e.getStackTrace()) System.out.println(o); }
        RunNotifier n = new RunNotifier();
        n.trial(\"first\", () -> one());
        n.trial(\"second\", () -> { two(); Config.touch(); }); } }
    class Config { static final Map<String, Integer> m = new HashMap<>(); static { m.put(\"v\", 7); } static int value() { return m.get(\"v\"); }
        static void touch() { } }
    class T { }";

/// Runs a program with and without the agent, and checks that it prints the same and ends in the same way.
#[track_caller]
fn same(jdk: &Jdk, what: &str, options: &str, arguments: &[&str], watch: &[&Path]) -> Spoken {
    let command = || {
        let mut command = java(jdk);
        if !options.is_empty() {
            command.env("JAVA_TOOL_OPTIONS", options);
        }
        command.args(arguments);
        command
    };
    let plain = run::run(&mut command(), run::SHORT).unwrap();
    let what = format!("JDK {}, {what}", jdk.feature);
    assert!(plain.success(), "{what}: {}{}", plain.stdout, plain.stderr);
    let spoken = run_command(command(), watch);
    assert_eq!(spoken.stdout(), plain.stdout, "{what}: {}", spoken.stderr());
    spoken.succeeded(&what)
}

/// The methods that a test entered, without methods added by other agents and compilers.
fn own(spoken: &Spoken, test: &str) -> BTreeSet<String> {
    spoken
        .entered(test)
        .into_iter()
        .filter(|name| !name.contains("jacoco") && !name.contains("lambda$"))
        .collect()
}

#[track_caller]
fn observed_as_always(spoken: &Spoken, what: &str) {
    assert_eq!(own(spoken, "first"), set(&["p/Main.one()V"]), "{what}");
    assert_eq!(own(spoken, "second"), set(&["p/Config.touch()V", "p/Main.two()V"]), "{what}");
    let (ran, _) = spoken.init("p/Main").unwrap();
    assert!(ran.contains("p/Config.value()I"), "{what}: {ran:?}");
    assert_eq!(spoken.init("p/Main").unwrap().1, ["p/Config"], "{what}");
    // Classes that another agent loads before ours have no probes.
    let mut assumed = spoken.assumed();
    assumed.retain(|class| !class.starts_with("org/jacoco/"));
    assert!(spoken.gaps().is_empty() && assumed.is_empty(), "{what}: {:?} {assumed:?}", spoken.gaps());
}

#[test]
fn options_of_the_jvm_change_nothing() {
    let table: [(u32, &[&str]); 13] = [
        (8, &["-Xshare:off"]),
        (8, &["-Xshare:auto"]),
        (8, &["-Xint"]),
        (8, &["-Xcomp", "-XX:TieredStopAtLevel=1"]),
        (8, &["-Xcheck:jni", "-Xverify:all"]),
        (8, &["-XX:+UseSerialGC"]),
        (8, &["-XX:+UseParallelGC"]),
        (8, &["-XX:+UseG1GC"]),
        (11, &["-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xlog:disable"]),
        (11, &["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC"]),
        (17, &["-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC"]),
        (25, &["-XX:+UseCompactObjectHeaders"]),
        (8, &["-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0"]),
    ];
    for jdk in spread() {
        let classes = compile(&jdk, PROGRAM);
        let path = classes.path.to_str().unwrap();
        for (from, flags) in table {
            // Not every vendor builds every collector.
            if jdk.feature < from
                || !run::run(java(&jdk).args(flags).arg("-version"), run::SHORT).unwrap().success()
            {
                continue;
            }
            let arguments: Vec<&str> = flags.iter().copied().chain(["-cp", path, "p.Main"]).collect();
            let spoken = same(&jdk, &flags.join(" "), "", &arguments, &[&classes.path]);
            observed_as_always(&spoken, &format!("JDK {}, {flags:?}", jdk.feature));
        }
    }
}

#[test]
fn classes_from_a_shared_archive_are_seen() {
    for jdk in spread().iter().filter(|jdk| jdk.feature >= 17) {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("app.jar");
        let classes = compile(jdk, PROGRAM);
        let mut packing = jdk.tool("jar");
        packing.arg("cf").arg(&jar).arg("-C").arg(&classes.path).arg(".");
        assert!(run::run(&mut packing, run::SHORT).unwrap().success());
        let archive = folder.path().join("app.jsa");
        let dump = format!("-XX:ArchiveClassesAtExit={}", archive.display());
        let jar_path = jar.to_str().unwrap();
        run::run(java(jdk).args([&dump, "-cp", jar_path, "p.Main"]), run::SHORT).unwrap();
        assert!(archive.exists());
        let with = format!("-XX:SharedArchiveFile={}", archive.display());
        let spoken = same(jdk, "archive", "", &[&with, "-cp", jar_path, "p.Main"], &[&jar]);
        observed_as_always(&spoken, &format!("JDK {}", jdk.feature));
        if jdk.feature < 25 {
            continue;
        }
        let cache = folder.path().join("app.aot");
        let dump = format!("-XX:AOTCacheOutput={}", cache.display());
        run::run(java(jdk).args([&dump, "-cp", jar_path, "p.Main"]), run::SHORT).unwrap();
        assert!(cache.exists());
        let option = format!("-XX:AOTCache={}", cache.display());
        let file = folder.path().join("options");
        std::fs::write(&file, format!("\"{option}\"")).unwrap();
        for with in [option, format!("@{}", file.display())] {
            // The JVM prints on its standard output that it does not use the cache.
            let spoken = run_java(jdk, &[&jar], &[&with, "-cp", jar_path, "p.Main"]).succeeded(&with);
            observed_as_always(&spoken, &format!("JDK {}, {with}", jdk.feature));
        }
    }
}

#[test]
fn jacoco_works_before_and_after_our_agent() {
    let jars = maven::jars(&["org.jacoco:org.jacoco.agent:0.8.14:runtime"]).unwrap();
    for jdk in spread() {
        let classes = compile(&jdk, PROGRAM);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("jacoco.exec");
        let agent = format!("-javaagent:{}=destfile={}", jars[0].display(), file.display());
        let path = classes.path.to_str().unwrap();
        // Agents in the variable start first and in order; ours is appended.
        let before = same(&jdk, "JaCoCo before", &agent, &["-cp", path, "p.Main"], &[&classes.path]);
        observed_as_always(&before, &format!("JDK {}, JaCoCo before", jdk.feature));
        let after = same(&jdk, "JaCoCo after", "", &[&agent, "-cp", path, "p.Main"], &[&classes.path]);
        observed_as_always(&after, &format!("JDK {}, JaCoCo after", jdk.feature));
        assert!(file.metadata().unwrap().len() > 100, "JaCoCo recorded nothing");
    }
}

#[test]
fn probes_survive_mockitos_changes() {
    let jars = maven::jars(&["org.mockito:mockito-core:5.20.0"]).unwrap();
    let class_path: Vec<&str> = jars.iter().map(|jar| jar.to_str().unwrap()).collect();
    let program = "package p; import org.junit.runner.notification.RunNotifier; import org.mockito.Mockito; class Main {
        public static void main(String[] a) throws Throwable { RunNotifier n = new RunNotifier();
            n.trial(\"before\", () -> System.out.println(new Real().f()));
            n.trial(\"mocked\", () -> { Real r = Mockito.mock(Real.class); Mockito.when(r.f()).thenReturn(5); System.out.println(r.f()); });
            n.trial(\"still\", () -> System.out.println(new Real().f() + Real.g())); } }
        final class Real { int f() { return 1; } static int g() { return 2; } }";
    for jdk in spread().iter().filter(|jdk| jdk.feature >= 11) {
        let libraries = class_path.join(":");
        let classes = compile_all(jdk, &[("p/Main.java", program)], &["-cp", &libraries]);
        let path = format!("{}:{libraries}", classes.path.display());
        let agent = format!("-javaagent:{}", class_path[0]);
        let arguments = [agent.as_str(), "-Xshare:off", "-cp", &path, "p.Main"];
        let spoken = same(jdk, "Mockito", "", &arguments, &[&classes.path]);
        assert_eq!(own(&spoken, "before"), set(&["p/Real.<init>()V", "p/Real.f()I"]), "JDK {}", jdk.feature);
        assert_eq!(
            own(&spoken, "still"),
            set(&["p/Real.<init>()V", "p/Real.f()I", "p/Real.g()I"]),
            "JDK {}",
            jdk.feature
        );
        let redefined = Input::Redefined("p/Real".to_owned());
        assert!(
            spoken.noted("mocked").contains(&redefined),
            "JDK {}: {:?}",
            jdk.feature,
            spoken.noted("mocked")
        );
        assert!(!spoken.noted("before").contains(&redefined), "JDK {}", jdk.feature);
        assert!(
            spoken.ended().iter().all(|(_, outcome)| *outcome == Outcome::Passed),
            "JDK {}: {:?}",
            jdk.feature,
            spoken.ended()
        );
    }
}

#[test]
fn probes_survive_an_agent_that_a_test_attaches() {
    let jars = maven::jars(&["net.bytebuddy:byte-buddy-agent:1.17.7"]).unwrap();
    let library = jars[0].to_str().unwrap();
    let program = "package p; import org.junit.runner.notification.RunNotifier; import java.lang.instrument.*; class Main {
        static class Nothing implements ClassFileTransformer { public byte[] transform(ClassLoader l, String n, Class<?> c,
            java.security.ProtectionDomain d, byte[] b) { return c == Real.class ? b : null; } }
        public static void main(String[] a) throws Throwable { RunNotifier n = new RunNotifier();
            n.trial(\"before\", () -> System.out.println(new Real().f()));
            n.trial(\"attached\", () -> { Instrumentation i = net.bytebuddy.agent.ByteBuddyAgent.install();
                i.addTransformer(new Nothing(), true); i.retransformClasses(Real.class); });
            n.trial(\"still\", () -> System.out.println(new Real().f() + Late.g())); } }
        class Real { int f() { return 1; } } class Late { static int g() { return 2; } }";
    for jdk in spread() {
        let classes = compile_all(&jdk, &[("p/Main.java", program)], &["-cp", library]);
        let path = format!("{}:{library}", classes.path.display());
        let mut arguments = vec!["-Djdk.attach.allowAttachSelf=true", "-cp", &path, "p.Main"];
        if jdk.feature >= 21 {
            arguments.insert(0, "-XX:+EnableDynamicAgentLoading");
        }
        let what = format!("JDK {}", jdk.feature);
        let spoken = run_java(&jdk, &[&classes.path], &arguments).succeeded(&what);
        assert_eq!(spoken.stdout(), "1\n3\n", "{what}");
        let real = ["p/Real.<init>()V", "p/Real.f()I"];
        assert_eq!(own(&spoken, "before"), set(&real), "{what}");
        assert!(own(&spoken, "still").is_superset(&set(&[real[0], real[1], "p/Late.g()I"])), "{what}");
        let redefined = Input::Redefined("p/Real".to_owned());
        assert!(spoken.noted("attached").contains(&redefined), "{what}: {:?}", spoken.noted("attached"));
        assert!(spoken.ended().iter().all(|(_, outcome)| *outcome == Outcome::Passed), "{what}");
        assert!(spoken.gaps().is_empty(), "{what}: {:?}", spoken.gaps());
    }
}

#[test]
fn aspects_are_woven_at_load_time() {
    let jars = maven::jars(&["org.aspectj:aspectjweaver:1.9.25"]).unwrap();
    let weaver = jars[0].to_str().unwrap();
    let sources = [
        ("p/Main.java", PROGRAM),
        (
            "p/Watcher.java",
            "package p; import org.aspectj.lang.annotation.*; @Aspect public class Watcher {
                @Before(\"execution(void p.Main.two())\") public void before() { System.out.println(\"before two\"); } }",
        ),
        ("META-INF/aop.xml", "<aspectj><aspects><aspect name=\"p.Watcher\"/></aspects></aspectj>"),
    ];
    for jdk in spread().iter().filter(|jdk| jdk.feature >= 17) {
        let classes = compile_all(jdk, &sources, &["-cp", weaver]);
        let path = format!("{}:{weaver}", classes.path.display());
        let agent = format!("-javaagent:{weaver}");
        for (what, options, argument) in [("after", "", agent.as_str()), ("before", agent.as_str(), "-Dx=1")]
        {
            let spoken = same(
                jdk,
                &format!("AspectJ {what}"),
                options,
                &[argument, "-cp", &path, "p.Main"],
                &[&classes.path],
            );
            assert!(spoken.stdout().contains("before two"), "{}", spoken.stdout());
            let second = spoken.entered("second");
            assert!(
                second.contains("p/Watcher.before()V") && second.contains("p/Main.two()V"),
                "JDK {}: {second:?}",
                jdk.feature
            );
        }
    }
}

#[test]
fn a_class_redefined_by_an_agent_keeps_probes() {
    let sources = [
        (
            "p/Main.java",
            "package p; import org.junit.runner.notification.RunNotifier; import java.lang.instrument.*; import java.nio.file.*;
             public class Main { static Instrumentation i; public static void premain(String a, Instrumentation i) { Main.i = i; }
                public static void main(String[] a) throws Throwable { RunNotifier n = new RunNotifier();
                    n.trial(\"before\", () -> System.out.println(Real.f()));
                    n.trial(\"redefines\", () -> { byte[] b = Files.readAllBytes(Paths.get(a[0], \"p/Real.class\"));
                        // Another constant: 1 becomes 2.
                        for (int k = 0; k + 1 < b.length; k++) if (b[k] == 0x10 && b[k + 1] == 77) b[k + 1] = 78;
                        i.redefineClasses(new ClassDefinition(Real.class, b)); });
                    n.trial(\"after\", () -> System.out.println(Real.f() + Real.g())); } }
             class Real { static int f() { return 77; } static int g() { return 0; } }",
        ),
        ("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nPremain-Class: p.Main\nCan-Redefine-Classes: true\n"),
    ];
    for jdk in spread() {
        let classes = compile_all(&jdk, &sources, &[]);
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("agent.jar");
        let manifest = classes.path.join("META-INF/MANIFEST.MF");
        assert!(run::run(jdk.tool("jar").arg("cfm").arg(&jar).arg(manifest), run::SHORT).unwrap().success());
        let path = classes.path.to_str().unwrap();
        let agent = format!("-javaagent:{}", jar.display());
        let spoken = same(&jdk, "redefined", "", &[&agent, "-cp", path, "p.Main", path], &[&classes.path]);
        assert_eq!(spoken.stdout(), "77\n78\n");
        assert_eq!(own(&spoken, "after"), set(&["p/Real.f()I", "p/Real.g()I"]), "JDK {}", jdk.feature);
        assert!(
            spoken.noted("redefines").contains(&Input::Redefined("p/Real".to_owned())),
            "JDK {}",
            jdk.feature
        );
        assert_eq!(spoken.seen("p/Real"), 2, "JDK {}: other content, other probes", jdk.feature);
    }
}

#[test]
fn modules_and_their_patches_are_watched() {
    let module = ("module-info.java", "module app { }");
    let patch = "package p; class Main { public static void main(String[] a) throws Throwable {
        System.out.println(Main.class.getModule().getName()); new org.junit.runner.notification.RunNotifier().trial(\"t\", () -> Util.f()); } }
        class Util { static void f() { } }";
    for jdk in spread().iter().filter(|jdk| jdk.feature >= 11) {
        let classes = compile_all(jdk, &[module, ("p/Main.java", PROGRAM)], &[]);
        let path = classes.path.to_str().unwrap();
        let spoken = same(jdk, "module", "", &["-p", path, "-m", "app/p.Main"], &[&classes.path]);
        observed_as_always(&spoken, &format!("JDK {}, module", jdk.feature));
        let patching = compile(jdk, patch);
        let with = format!("app={}", patching.path.display());
        let spoken = same(
            jdk,
            "patch",
            "",
            &["-p", path, "--patch-module", &with, "-m", "app/p.Main"],
            &[&patching.path],
        );
        assert!(spoken.stdout().starts_with("app\n"));
        assert_eq!(own(&spoken, "t"), set(&["p/Util.f()V"]), "JDK {}, patched", jdk.feature);
    }
}

#[test]
fn classes_of_child_first_loaders_without_a_source_are_watched() {
    let program = "package p; import java.io.*; import java.net.*; import java.nio.file.*; import org.junit.runner.notification.RunNotifier; class Main {
        static class Own extends ClassLoader { final String dir; Own(String dir) { super(Main.class.getClassLoader()); this.dir = dir; }
            protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException { if (!n.startsWith(\"q.\")) return super.loadClass(n, r);
                Class<?> c = findLoadedClass(n); if (c != null) return c;
                try { byte[] b = Files.readAllBytes(Paths.get(dir, n.replace('.', '/') + \".class\")); return defineClass(n, b, 0, b.length); }
                catch (IOException e) { throw new ClassNotFoundException(n, e); } } }
        static void go(ClassLoader l) throws Exception { ((Runnable) l.loadClass(\"q.Plug\").getDeclaredConstructor().newInstance()).run(); }
        public static void main(String[] a) throws Throwable { RunNotifier n = new RunNotifier();
            n.trial(\"own\", () -> go(new Own(a[0])));
            n.trial(\"url\", () -> go(new URLClassLoader(new URL[] { Paths.get(a[0]).toUri().toURL() })));
            n.trial(\"below\", () -> go(new URLClassLoader(new URL[] { Paths.get(a[1], \"WEB-INF/classes/\").toUri().toURL() })));
            n.trial(\"many\", () -> { for (int i = 0; i < 50; i++) go(new Own(a[0])); }); } }";
    let plug =
        "package q; public class Plug implements Runnable { public void run() { f(); } static void f() { } }";
    for jdk in spread() {
        let classes = compile(&jdk, program);
        let plugs = compile_all(&jdk, &[("q/Plug.java", plug)], &[]);
        let web = tempfile::tempdir().unwrap();
        let below = web.path().join("WEB-INF/classes/q");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::copy(plugs.path.join("q/Plug.class"), below.join("Plug.class")).unwrap();
        let (path, first) = (classes.path.to_str().unwrap(), plugs.path.to_str().unwrap());
        let arguments = ["-cp", path, "p.Main", first, web.path().to_str().unwrap()];
        let spoken = same(&jdk, "loaders", "", &arguments, &[&classes.path, &plugs.path, web.path()]);
        for test in ["own", "url", "below", "many"] {
            let used = spoken.used(test);
            assert!(
                used.contains("q/Plug.f()V") && used.contains("q/Plug.<init>()V"),
                "JDK {}, {test}: {used:?}",
                jdk.feature
            );
        }
        assert_eq!(spoken.seen("q/Plug"), 1, "JDK {}: one content, one set of probes", jdk.feature);
        // In none of the watched roots: observed as a whole class.
        let spoken = same(&jdk, "loaders", "", &arguments, &[&classes.path]);
        assert!(spoken.used("own").contains("q/Plug"), "JDK {}: {:?}", jdk.feature, spoken.used("own"));
    }
}

#[test]
fn additions_to_the_boot_class_path_are_watched() {
    let plug = "package q; public class Plug { public static void f() { } }";
    let program = "package p; class Main { public static void main(String[] a) throws Throwable {
        new org.junit.runner.notification.RunNotifier().trial(\"t\", () -> Class.forName(\"q.Plug\").getMethod(\"f\").invoke(null)); } }";
    for jdk in spread() {
        let (classes, plugs) = (compile(&jdk, program), compile_all(&jdk, &[("q/Plug.java", plug)], &[]));
        let append = format!("-Xbootclasspath/a:{}", plugs.path.display());
        let arguments = [append.as_str(), "-cp", classes.path.to_str().unwrap(), "p.Main"];
        let spoken = same(&jdk, "boot", "", &arguments, &[&classes.path, &plugs.path]);
        assert!(spoken.used("t").contains("q/Plug.f()V"), "JDK {}: {:?}", jdk.feature, spoken.used("t"));
    }
}

/// Messages wait for 2 ms, longer on busy processors. JVMs that crash therefore do so a little later.
#[test]
fn everything_up_to_the_last_boundary_arrives_however_a_jvm_ends() {
    let program = "package p; import org.junit.runner.notification.RunNotifier; import java.lang.reflect.*; class Main {
        static void kept() { } public static void main(String[] a) throws Throwable { RunNotifier n = new RunNotifier();
            n.trial(\"kept\", () -> kept());
            n.trial(\"last\", () -> { switch (a[0]) {
                case \"exit\": System.exit(3); case \"halt\": Runtime.getRuntime().halt(3);
                case \"kill\": Thread.sleep(300); new ProcessBuilder(\"sh\", \"-c\", \"kill -9 $PPID\").start().waitFor(); Thread.sleep(10000);
                case \"crash\": Thread.sleep(300); Class<?> c = Class.forName(\"sun.misc.Unsafe\"); Field f = c.getDeclaredField(\"theUnsafe\"); f.setAccessible(true);
                    c.getMethod(\"putAddress\", long.class, long.class).invoke(f.get(null), 0L, 0L); } }); } }";
    for jdk in spread() {
        let classes = compile(&jdk, program);
        for way in ["exit", "halt", "kill", "crash"] {
            let folder = tempfile::tempdir().unwrap();
            let mut command = java(&jdk);
            command
                .arg(format!("-XX:ErrorFile={}/error", folder.path().display()))
                .current_dir(folder.path());
            command.args(["-cp", classes.path.to_str().unwrap(), "p.Main", way]);
            let mut limited = Command::new("sh");
            // No core files.
            limited
                .args(["-c", "ulimit -c 0; exec \"$@\"", "sh"])
                .arg(command.get_program())
                .args(command.get_args());
            limited.current_dir(folder.path());
            run::forget_java_settings(&mut limited);
            let spoken = run_command(limited, &[&classes.path]);
            let what = format!("JDK {}, {way}", jdk.feature);
            assert!(!spoken.output.status.success(), "{what}");
            assert_eq!(spoken.ended(), [("kept".to_owned(), Outcome::Passed)], "{what}");
            assert_eq!(own(&spoken, "kept"), set(&["p/Main.kept()V"]), "{what}");
            assert!(
                spoken
                    .said
                    .iter()
                    .any(|said| matches!(said, AgentMessage::Started(span) if span.name == "last(p.T)")),
                "{what}"
            );
            let good = matches!(spoken.said.last(), Some(AgentMessage::Bye));
            assert_eq!(good, way == "exit" || way == "halt", "{what}");
        }
    }
}

#[test]
fn folders_may_have_blanks_and_any_letters() {
    for jdk in spread() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("a b/ü 漢");
        let project = folder.join("project");
        compile(&jdk, PROGRAM).copy_to(&project).unwrap();
        for name in ["tmp", "cache"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command
            .args(["run", "--observe", "--color=never", "--"])
            .arg(jdk.home.join("bin/java"))
            .arg("-cp")
            .arg(&project)
            .arg("p.Main");
        run::forget_java_settings(&mut command);
        command.env("TMPDIR", folder.join("tmp")).env("XDG_CACHE_HOME", folder.join("cache"));
        command.env("JAVA_TOOL_OPTIONS", "-Dgiven=1").current_dir(&project);
        let output = command.output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let what = format!("JDK {}: {stdout}{}", jdk.feature, String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{what}");
        assert!(stdout.contains("p.T#first  passed") && stdout.contains("  p.Main.one()V"), "{what}");
    }
}
