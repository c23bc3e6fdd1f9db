//! Classes at the limits of the format, JVMs killed at any instant, and CLIs that lie, stall or disconnect.

#![allow(clippy::unwrap_used)] // Tests may panic.

mod spoken;

use spoken::{Spoken, compile, compile_all, java, run_against, run_java, set};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use tamis_classfile::ClassFile;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_test_support::jdk::{Jdk, required};
use tamis_test_support::run;
use tamis_wire::{
    AgentMessage, ChannelError, CliMessage, MessageReceiver, MessageSender, Outcome, Plan, VERSION,
};

/// Runs `p.Main` below `folder` with and without the agent, and checks that it prints the same.
#[track_caller]
fn same(jdk: &Jdk, folder: &Path) -> Spoken {
    let arguments = ["-Xverify:all", "-cp", folder.to_str().unwrap(), "p.Main"];
    let plain = run::run(java(jdk).args(arguments), run::SHORT).unwrap();
    assert!(plain.success(), "JDK {}: {}{}", jdk.feature, plain.stdout, plain.stderr);
    let spoken = run_java(jdk, &[folder], &arguments);
    assert_eq!(spoken.stdout(), plain.stdout, "JDK {}: {}", jdk.feature, spoken.stderr());
    spoken.succeeded(&format!("JDK {}", jdk.feature))
}

/// A program with one test for each expression.
fn program(classes: &str, tests: &[(&str, &str)]) -> String {
    let tests: String = tests
        .iter()
        .map(|(name, body)| format!("n.trial(\"{name}\", () -> System.out.println({body}));"))
        .collect();
    format!(
        "package p; import org.junit.runner.notification.RunNotifier; class Main {{
            public static void main(String[] a) {{ RunNotifier n = new RunNotifier(); {tests} }} }} {classes}"
    )
}

#[test]
fn methods_of_64_kib() {
    // Eight bytes for each increment and two for the return: no room at all, and room for the short probe
    // only.
    let increments = |count: usize| "x++; ".repeat(count);
    let classes = format!(
        "class Big {{ static int x; static int full() {{ {} return 1; }} static int near() {{ {} return 2; }} static int small() {{ return 3; }} }}
         class BigInit {{ static int x; static {{ {} }} static int f() {{ return Other.g(); }} }}
         class Other {{ static int g() {{ return 4; }} }}",
        increments(8191), increments(8190), increments(8191)
    );
    let tests = [
        ("before", "0"),
        ("small", "Big.small()"),
        ("near", "Big.near()"),
        ("full", "Big.full()"),
        ("init", "BigInit.f()"),
    ];
    for jdk in required() {
        let built = compile(&jdk, &program(&classes, &tests));
        let spoken = same(&jdk, &built.path);
        assert_eq!(spoken.assumed(), set(&["p/Big.full()I", "p/BigInit.<clinit>()V"]), "JDK {}", jdk.feature);
        let gaps = spoken.gaps();
        assert!(
            gaps.len() == 1 && gaps[0].starts_with("p/BigInit.<clinit>"),
            "JDK {}: {gaps:?}",
            jdk.feature
        );
        assert!(spoken.entered("near").contains("p/Big.near()I"), "JDK {}", jdk.feature);
        assert!(!spoken.entered("full").contains("p/Big.near()I"), "JDK {}", jdk.feature);
        assert!(
            spoken.entered("init").is_superset(&set(&["p/BigInit.f()I", "p/Other.g()I"])),
            "JDK {}",
            jdk.feature
        );
    }
}

/// Adds strings to a class's constant pool until it is full.
fn fill_pool(file: &Path) {
    let bytes = std::fs::read(file).unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let end = 10 + class.pool.raw().len();
    let mut full = bytes[..8].to_vec();
    full.extend(65_535u16.to_be_bytes());
    full.extend(&bytes[10..end]);
    for number in class.pool.count()..65_535 {
        let text = format!("{number:x}");
        full.push(1);
        full.extend((text.len() as u16).to_be_bytes());
        full.extend(text.bytes());
    }
    full.extend(&bytes[end..]);
    std::fs::write(file, full).unwrap();
}

#[test]
fn a_constant_pool_without_room() {
    let classes =
        "class Full { static int x = Integer.parseInt(\"5\"); static int f() { return x; } native int g(); }
                   class Plain { static int f() { return 6; } native int g(); }";
    for jdk in required() {
        let built = compile(&jdk, &program(classes, &[("full", "Full.f()"), ("plain", "Plain.f()")]));
        let folder = tempfile::tempdir().unwrap();
        built.copy_to(folder.path()).unwrap();
        fill_pool(&folder.path().join("p/Full.class"));
        fill_pool(&folder.path().join("p/Plain.class"));
        let spoken = same(&jdk, folder.path());
        let expected =
            ["p/Full.<clinit>()V", "p/Full.<init>()V", "p/Full.f()I", "p/Plain.<init>()V", "p/Plain.f()I"];
        assert_eq!(spoken.assumed(), set(&expected), "JDK {}", jdk.feature);
        // Nothing is lost for a class without an initialiser.
        assert_eq!(spoken.gaps().len(), 1, "JDK {}: {:?}", jdk.feature, spoken.gaps());
    }
}

/// Replaces the code of methods by other code of the same length, and makes each handler cover itself.
fn patch_code(file: &Path, patch: impl Fn(&str, &mut [u8], usize)) {
    let mut bytes = std::fs::read(file).unwrap();
    let copy = bytes.clone();
    let class = ClassFile::parse(&copy).unwrap();
    for method in class.methods.iter() {
        if let Some(attribute) = method.attributes.find(&class.pool, AttributeKind::Code).unwrap() {
            let name = class.pool.text(method.name).unwrap();
            let length = u32::from_be_bytes(attribute.data[4..8].try_into().unwrap()) as usize;
            let end = attribute.offset + attribute.data.len();
            patch(&name, &mut bytes[attribute.offset + 8..end], length);
        }
    }
    std::fs::write(file, bytes).unwrap();
}

#[test]
fn subroutines_of_old_compilers() {
    let main = "package p; import org.junit.runner.notification.RunNotifier; class Main {
        public static void main(String[] a) { RunNotifier n = new RunNotifier();
            n.trial(\"old\", () -> System.out.println(Old.f(41) + \" \" + Old.x)); } }";
    let old = "package p; class Old { static int x; static { int m = 0; m++; m++; m++; x = m; }
        static int f(int n) { int m = n; m++; m++; m++; return m; } }";
    for jdk in required() {
        let folder = tempfile::tempdir().unwrap();
        compile_all(&jdk, &[("p/Main.java", main), ("p/Old.java", old)], &[]).copy_to(folder.path()).unwrap();
        let file = folder.path().join("p/Old.class");
        // Version 49 is verified without frames, and may contain subroutines.
        let mut bytes = std::fs::read(&file).unwrap();
        bytes[6..8].copy_from_slice(&[0, 49]);
        std::fs::write(&file, bytes).unwrap();
        patch_code(&file, |name, code, length| match (name, length) {
            // jsr 7; iload_0; ireturn; nop; nop; 7: astore_1; iinc 0 1; ret 1
            ("f", 13) => {
                code[..13].copy_from_slice(&[0xa8, 0, 7, 0x1a, 0xac, 0, 0, 0x4c, 0x84, 0, 1, 0xa9, 1])
            }
            // jsr 4; return; 4: astore_0; bipush 5; putstatic x; ret 0; return…
            ("<clinit>", 16) => {
                let field = [code[13], code[14]];
                let new = [
                    0xa8, 0, 4, 0xb1, 0x4b, 0x10, 5, 0xb3, field[0], field[1], 0xa9, 0, 0xb1, 0xb1, 0xb1,
                    0xb1,
                ];
                code[..16].copy_from_slice(&new);
            }
            ("<init>", _) => {}
            other => panic!("{other:?}"),
        });
        let spoken = same(&jdk, folder.path());
        assert_eq!(spoken.stdout(), "42 5\n");
        assert!(
            spoken.entered("old").is_superset(&set(&["p/Old.<clinit>()V", "p/Old.f(I)I"])),
            "JDK {}",
            jdk.feature
        );
        assert!(
            spoken.init("p/Old").is_some() && spoken.gaps().is_empty(),
            "JDK {}: {:?}",
            jdk.feature,
            spoken.gaps()
        );
    }
}

#[test]
fn output_of_obfuscators_is_instrumented() {
    let classes =
        "class Odd { static int one() { try { return two(\"x\"); } catch (RuntimeException e) { return 1; } }
                   static int two(String s) { return Integer.parseInt(s); }
                   static { try { two(\"y\"); } catch (RuntimeException e) { x = 9; } } static int x; }";
    let main = program(classes, &[("odd", "Odd.x + Odd.one()")]);
    for jdk in required() {
        let built = compile(&jdk, &main);
        let folder = tempfile::tempdir().unwrap();
        built.copy_to(folder.path()).unwrap();
        for class in ["Odd", "Main"] {
            // Names that are illegal in every language, of the same length.
            let file = folder.path().join(format!("p/{class}.class"));
            let mut bytes = std::fs::read(&file).unwrap();
            for (from, to) in [(b"\x00\x03one", b"\x00\x03\x01 )"), (b"\x00\x03two", b"\x00\x03-=\x7f")] {
                for at in 0..bytes.len() - from.len() {
                    if bytes[at..].starts_with(from) {
                        bytes[at..at + to.len()].copy_from_slice(to);
                    }
                }
            }
            std::fs::write(&file, bytes).unwrap();
        }
        patch_code(&folder.path().join("p/Odd.class"), |_, code, length| {
            // The first handler's range reaches to the end of the code, over the handler itself.
            if u16::from_be_bytes([code[length], code[length + 1]]) > 0 {
                code[length + 4..length + 6].copy_from_slice(&(length as u16).to_be_bytes());
            }
        });
        let spoken = same(&jdk, folder.path());
        assert_eq!(spoken.stdout(), "10\n");
        let used = spoken.used("odd");
        for name in ["p/Odd.\u{1} )()I", "p/Odd.-=\u{7f}(Ljava/lang/String;)I", "p/Odd.<clinit>()V"] {
            assert!(used.contains(name), "JDK {}: {used:?}", jdk.feature);
        }
        assert!(spoken.init("p/Odd").is_some() && spoken.gaps().is_empty(), "JDK {}", jdk.feature);
    }
}

#[test]
fn an_empty_finalizer_stays_empty_and_is_assumed() {
    let classes =
        "class Thing { protected void finalize() { } static int f() { return new Thing().hashCode() * 0; } }";
    for jdk in required() {
        let built = compile(&jdk, &program(classes, &[("t", "Thing.f()")]));
        let spoken = same(&jdk, &built.path);
        assert_eq!(spoken.assumed(), set(&["p/Thing.finalize()V"]), "JDK {}", jdk.feature);
    }
}

const MANY: &str = "package p; import org.junit.runner.notification.RunNotifier; class Main { static void odd() { } static void even() { }
    public static void main(String[] a) { RunNotifier n = new RunNotifier(); int tests = Integer.parseInt(a[0]);
        for (int i = 0; i < tests; i++) { boolean odd = i % 2 == 1; n.trial(\"t\" + i, () -> { if (odd) odd(); else even(); }); }
        System.out.println(\"done\"); } }";

#[test]
fn a_jvm_killed_at_any_instant_has_sent_only_valid_messages() {
    let jdks = required();
    let mut ended = 0;
    for round in 0..20u64 {
        let jdk = &jdks[round as usize % jdks.len()];
        let classes = compile(jdk, MANY);
        let mut shell = Command::new("sh");
        // This process becomes the JVM, which the subshell kills after a while.
        let pause = format!("0.{:03}", 120 + (round * 97) % 500);
        shell.args(["-c", "(sleep $0; kill -9 $$) & exec \"$@\"", &pause]).arg(jdk.home.join("bin/java"));
        shell.args(["-cp", classes.path.to_str().unwrap(), "p.Main", "100000000"]);
        run::forget_java_settings(&mut shell);
        let watch = vec![classes.path.display().to_string()];
        let spoken = run_against(shell, move |stream| {
            let plan = Plan { version: VERSION, watch, ..Plan::default() };
            MessageSender::new(stream.try_clone().unwrap()).send(&CliMessage::Plan(plan)).unwrap();
            let mut bytes = Vec::new();
            drop((&stream).read_to_end(&mut bytes));
            let mut receiver = MessageReceiver::new(bytes.as_slice());
            let mut said = Vec::new();
            loop {
                match receiver.receive() {
                    Ok(Some(message)) => said.push(message),
                    // The last message may be cut off; none may be garbled.
                    Ok(None) | Err(ChannelError::Io(_)) => return said,
                    Err(error) => panic!("{error}"),
                }
            }
        });
        assert!(!spoken.output.status.success());
        for (number, (test, outcome)) in spoken.ended().into_iter().enumerate() {
            assert_eq!(
                (test.as_str(), outcome),
                (format!("t{number}").as_str(), Outcome::Passed),
                "JDK {}",
                jdk.feature
            );
            ended += 1;
        }
        // Every test that ended has its hits, because they are sent before its end.
        let mut hit = false;
        for said in &spoken.said {
            match said {
                AgentMessage::Started(_) => hit = false,
                AgentMessage::Hits(_) => hit = true,
                AgentMessage::Finished(_) => assert!(hit, "JDK {}: a test without hits", jdk.feature),
                _ => {}
            }
        }
    }
    assert!(ended > 100, "only {ended} tests ended in 20 JVMs");
}

/// A CLI that treats the agent in some way.
type Listener = fn(UnixStream) -> Vec<AgentMessage>;

fn read_hello(stream: &UnixStream) {
    let said: Option<AgentMessage> = MessageReceiver::new(stream.try_clone().unwrap()).receive().unwrap();
    assert!(matches!(said, Some(AgentMessage::Hello(_))));
}

fn plan(version: u32) -> CliMessage {
    CliMessage::Plan(Plan { version, ..Plan::default() })
}

#[test]
fn the_program_runs_whatever_the_cli_does() {
    let table: [(&str, Listener); 9] = [
        ("never answers", |stream| {
            thread::sleep(Duration::from_secs(18));
            drop(stream);
            Vec::new()
        }),
        ("closes at once", |stream| {
            drop(stream);
            Vec::new()
        }),
        ("closes after hello", |stream| {
            read_hello(&stream);
            Vec::new()
        }),
        ("sends garbage", |mut stream| {
            read_hello(&stream);
            stream.write_all(&[9, 0, 0, 0, 255, 254, 253, 252, 251, 250, 249, 248, 247]).unwrap();
            Vec::new()
        }),
        ("lies about a length", |mut stream| {
            read_hello(&stream);
            stream.write_all(&[255, 255, 255, 255, 1]).unwrap();
            Vec::new()
        }),
        ("sends half a message", |mut stream| {
            read_hello(&stream);
            stream.write_all(&[200, 0, 0, 0, 1, 1, 1]).unwrap();
            thread::sleep(Duration::from_secs(18));
            Vec::new()
        }),
        ("speaks another version", |stream| {
            read_hello(&stream);
            MessageSender::new(stream.try_clone().unwrap()).send(&plan(VERSION + 1)).unwrap();
            // The agent sends nothing more to a CLI that would not understand it.
            MessageReceiver::new(stream).receive().unwrap().into_iter().collect()
        }),
        ("closes after the plan", |stream| {
            read_hello(&stream);
            MessageSender::new(stream).send(&plan(VERSION)).unwrap();
            Vec::new()
        }),
        ("reads nothing after the plan", |stream| {
            read_hello(&stream);
            MessageSender::new(stream.try_clone().unwrap()).send(&plan(VERSION)).unwrap();
            thread::sleep(Duration::from_secs(8));
            drop(stream);
            Vec::new()
        }),
    ];
    // Most of the time is waiting, so all wait in parallel.
    thread::scope(|scope| {
        for jdk in required().into_iter().filter(|jdk| [8, 25].contains(&jdk.feature)) {
            let classes = compile(&jdk, MANY);
            for (what, listener) in table {
                let mut command = java(&jdk);
                command.args(["-Xshare:auto", "-cp", classes.path.to_str().unwrap(), "p.Main", "20000"]);
                let feature = jdk.feature;
                scope.spawn(move || {
                    let begun = Instant::now();
                    let spoken = run_against(command, listener);
                    let what = format!("JDK {feature}: a listener that {what}");
                    assert_eq!(spoken.output.status.code(), Some(0), "{what}: {}", spoken.stderr());
                    assert_eq!(
                        (spoken.stdout().as_str(), spoken.stderr().as_str()),
                        ("done\n", ""),
                        "{what}"
                    );
                    assert!(spoken.said.is_empty(), "{what}: {:?}", spoken.said);
                    assert!(begun.elapsed() < Duration::from_secs(40), "{what}");
                });
            }
        }
    });
}

#[test]
fn the_program_runs_without_a_cli() {
    for jdk in required() {
        let classes = compile(&jdk, MANY);
        let mut command = java(&jdk);
        command.args(["-cp", classes.path.to_str().unwrap(), "p.Main", "3"]);
        command.env("JAVA_TOOL_OPTIONS", format!("-agentpath:{}=/nowhere/socket", spoken::agent().display()));
        let output = run::run(&mut command, run::SHORT).unwrap();
        assert_eq!(
            (output.code, output.stdout.as_str()),
            (Some(0), "done\n"),
            "JDK {}: {}",
            jdk.feature,
            output.stderr
        );
        let mut command = java(&jdk);
        command.args(["-cp", classes.path.to_str().unwrap(), "p.Main", "3"]);
        // Without options there is nothing to connect to.
        command.env("JAVA_TOOL_OPTIONS", format!("-agentpath:{}", spoken::agent().display()));
        assert_eq!(run::run(&mut command, run::SHORT).unwrap().stdout, "done\n", "JDK {}", jdk.feature);
    }
}

/// A system class loader is loaded before any agent is called, and so is a security manager.
#[test]
fn classes_loaded_before_the_agent_are_reported_and_assumed_used() {
    let program = "package p; import org.junit.runner.notification.RunNotifier; class Main {
        public static void main(String[] a) { new RunNotifier().trial(\"a\", () -> { }); } }";
    let early = "package p; public class Early extends ClassLoader { static final int N = Integer.getInteger(\"n\", 3);
        public Early(ClassLoader parent) { super(parent); }
        public Class<?> loadClass(String n, boolean r) throws ClassNotFoundException { return super.loadClass(n, r); } }";
    let guard = "package p; public class Guard extends SecurityManager { public Guard() { }
        public void checkPermission(java.security.Permission p) { } }";
    for jdk in required() {
        let sources = [("p/Main.java", program), ("p/Early.java", early), ("p/Guard.java", guard)];
        let classes = compile_all(&jdk, if jdk.feature < 24 { &sources } else { &sources[..2] }, &[]);
        let path = classes.path.to_str().unwrap();
        let cases = [
            ("p/Early", "-Djava.system.class.loader=p.Early"),
            ("p/Guard", "-Djava.security.manager=p.Guard"),
        ];
        for (class, option) in cases.iter().take(if jdk.feature < 24 { 2 } else { 1 }) {
            let spoken = run_java(&jdk, &[&classes.path], &[option, "-cp", path, "p.Main"]);
            let spoken = spoken.succeeded(&format!("JDK {}", jdk.feature));
            assert!(spoken.assumed().contains(*class), "JDK {}: {:?}", jdk.feature, spoken.assumed());
            let gap = format!("{class} was loaded before the agent: what it ran is unknown");
            assert_eq!(spoken.gaps(), [gap], "JDK {}", jdk.feature);
        }
    }
}
