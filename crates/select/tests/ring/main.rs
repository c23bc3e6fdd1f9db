//! Selection without a JVM: scripts of what test JVMs send, recorded and decided about in less than a second.
//!
//! A script in `tests/scripts` bears the path of a case in `tests/decisions`, which has the program, the edit and the decisions.
//! The messages of the script are recorded with the program before the edit; then exactly those tests must run after it
//! that the case declares, and none if nothing is edited. `TAMIS_CASE=caches/` takes some of the scripts.
//!
//! Scripts are text. Most were recorded from JVMs, and the slow ring `scripts_slow` compares them with JVMs again; a new one
//! may be written by hand, and recorded later. A line is a message. Indentation is for the eye.
//!
//! | line | message |
//! |---|---|
//! | `start test ATest#m`, `start class ATest`, `start container NAME` | a span begins, in the last one that is open; `below LABEL` or `below nothing` at the end says otherwise |
//! | `end passed`, `end ATest#m failed` | the last open span ends, or the named one: `passed`, `failed`, `aborted`, `ignored`, `unknown` |
//! | `enter A.f A.<init>(I)V` | methods of the project are entered in the open spans; a descriptor is needed where a name is not enough |
//! | `use l/Library $Proxy4` | code of classes is used that are watched as a whole |
//! | an input, see below | it is used in the open spans |
//! | `in ATest, ATest#m: enter A.f` | the same, in these spans and no others; `in nothing:` is between the tests |
//! | `test ATest#m: enter A.f \| read a.txt` | a whole test that passes, in one line; its constructor and its method are entered |
//! | `init A: enter A.<clinit> \| read a.txt \| nested B` | a static initialiser ran, which ran the one of `B` |
//! | `field A.f compared`, `field A.F holds a/B` | a static field has its first value: whether it is compared later, and the class of a constant's object, or `nothing` |
//! | `under A.f l/Library: read a.txt` | the code that ran when an input was used for the first time |
//! | `class $Proxy4 of java/lang/reflect/Proxy Shared` | a class is loaded that lies in no file; all others are loaded by themselves |
//! | `gap TEXT` | something could not be seen in the open spans, or in the whole JVM if none is open |
//! | `skip ATest#m` | the test was left out |
//! | `assume A.f` | a method without a probe: all that comes is taken to enter it |
//! | `broken off` | the JVM did not end in good order |
//! | `# …` | a comment |
//!
//! | input | |
//! |---|---|
//! | `read`, `examine`, `miss`, `list`, `write`, `native`, `declarations` FILE | opened; asked for its existence; not found; a directory's names; written; loaded as a library; looked through for declarations. Relative to the project: `conf.txt`, `target/classes/a.txt`, `../outside/a.txt` |
//! | `env`, `property`, `set-property`, `bundle` NAME | an environment variable or system property is read or set, texts are asked for; without a name, any or all |
//! | `name`, `reflect`, `redefine` CLASS | asked for by its name; its structure looked at; changed by another agent |
//! | `leave A.f`, `set-field A.f` | a compared static field holds something else than before; set by reflection |
//! | `machine processors`, `stack`, `thread NAME`, `connect HOST` | of the machine; a stack trace; a thread outlives its test; a connection |
//! | `process PROGRAM ARGUMENTS`, `hidden NAME of HOST SUPERS` | a process is started; a hidden class is made |
//!
//! Classes of the JDK and of test frameworks are read from the disk, for the supertypes of a program alone.
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
