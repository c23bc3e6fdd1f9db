//! Selection without a JVM: scripts of the messages of test JVMs are recorded and decided about in less than a second.
//!
//! A script in `tests/scripts` has the path of a case in the workspace's `tests/decisions`. The case has the program, the edit
//! and the decisions. The messages are recorded with the program before the edit. After the edit, exactly the tests that the
//! case declares must run; without an edit, none. `TAMIS_CASE=caches/` takes some of the scripts.
//!
//! Scripts are recorded from JVMs by the slow ring `scripts_slow` of the CLI, which also compares them with JVMs again. A new
//! script may be written by hand first. Each line is a message; indentation means nothing.
//!
//! | line | message |
//! |---|---|
//! | `start test ATest#m`, `start class ATest`, `start container NAME` | a span begins, inside the last open one; or, with `below LABEL` or `below nothing` at the end, inside another one or none |
//! | `end passed`, `end ATest#m failed` | the last open span ends, or the named one: `passed`, `failed`, `aborted`, `ignored`, `unknown` |
//! | `enter A.f A.<init>(I)V` | methods of the project are entered in the open spans; an overloaded name needs its descriptor |
//! | `use l/Library $Proxy4` | code of these classes is used; the agent does not tell their methods apart |
//! | an input, see below | the input is used in the open spans |
//! | `in ATest, ATest#m: enter A.f` | the same in exactly these spans; `in nothing:` stands for none |
//! | `test ATest#m: enter A.f \| read a.txt` | a whole test that passes, in one line; its constructor and its method are entered |
//! | `init A: enter A.<clinit> \| read a.txt \| nested B` | a static initialiser ran, which ran the one of `B` |
//! | `field A.f compared`, `field A.F holds a/B` | a static field has its first value: whether the agent compares it later, and the class of the object of a constant, or `nothing` if that object cannot change |
//! | `graph A.f compared reaches a/B`, `graph A.f changed`, `graph A.f changed at once`, `graph A.f` | what a static field reaches: it is compared, it has changed, it was compared at the end of each test and has changed, or it is not compared (any more) |
//! | `under A.f l/Library: read a.txt` | the code on the stack when an input was used |
//! | `class $Proxy4 of java/lang/reflect/Proxy Shared` | a class without a file is loaded, with its supertypes; all other classes are loaded automatically |
//! | `gap TEXT` | something could not be seen in the open spans, or in the whole JVM if none is open |
//! | `skip ATest#m` | a test was skipped |
//! | `assume A.f` | a method without a probe: everything from here on counts as entering it |
//! | `broken off` | the JVM did not end in good order |
//! | `# …` | a comment |
//!
//! | input | |
//! |---|---|
//! | `read`, `examine`, `miss`, `list`, `write`, `native`, `declarations` FILE | a file is opened; its existence is asked for; it is not found; a directory is listed; a file is written; it is loaded as a native library; a class file is searched for declarations. Paths are relative to the project: `conf.txt`, `target/classes/a.txt`, `../outside/a.txt` |
//! | `attribute`, `library-attribute` WORD FILE | code of the project, or of a library, reads an attribute: `modified`, `owner` |
//! | `copy-time` FILE `to` FILE | the second file is given the time of the first |
//! | `env`, `property`, `set-property`, `bundle` NAME | an environment variable or system property is read, a property is set, a resource bundle is asked for; without a name, all of them |
//! | `name`, `reflect`, `redefine` CLASS | a class is asked for by its name; reflection looks at its structure; another agent changes it |
//! | `leave A.f`, `set-field A.f` | a compared static field holds another value than before; a static field is set by reflection |
//! | `machine processors`, `stack`, `thread NAME`, `connect HOST` | the machine is asked; a stack trace is read; a thread outlives its test; a host is connected to |
//! | `process PROGRAM ARGUMENTS`, `hidden NAME of HOST SUPERS` | a process is started; a hidden class is made |
//!
//! Supertypes from the JDK and from test frameworks are read from the disk.
#![allow(clippy::unwrap_used)] // A test may stop at the first surprise, in its helpers too.

#[path = "../../../cli/tests/decisions/case.rs"]
#[allow(dead_code)] // The ring with JVMs uses all of it.
mod case;
mod leftover_state;
mod outside;
mod programs;
mod recorded;
mod script;
mod scripted_case;
mod world;

use scripted_case::ScriptedCase;

#[test]
fn every_script_gives_the_decisions_of_its_case() {
    all_of(ScriptedCase::wrong_decisions);
}

#[test]
fn nothing_runs_where_nothing_is_edited() {
    all_of(ScriptedCase::run_again);
}

#[test]
fn a_recorded_script_is_read_as_it_was_written() {
    all_of(ScriptedCase::wrong_words);
}

fn all_of(wrong: fn(&ScriptedCase) -> Vec<String>) {
    let wrong: Vec<String> = scripted_case::all()
        .iter()
        .flat_map(|case| wrong(case).into_iter().map(move |what| format!("{case}\n    {what}")))
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
