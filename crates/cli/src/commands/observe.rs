//! `tamis run --observe [--skip TEST] -- COMMAND`

use super::say;
use crate::args::GlobalArgs;
use crate::error::CommandError;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};
use tamis_report::observations::{self, ObservedTest};
use tamis_session::{Code, Jvm, Observed, children, unseen};
use tamis_wire::{Input, Outcome, SpanKind, TestId};

pub(super) fn observe(
    skip: &[String],
    command: &[OsString],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    if skip.iter().any(|test| test.is_empty() || test.starts_with('#')) {
        return Err(CommandError::SkipWithoutClass);
    }
    let skip: Vec<TestId> = skip.iter().map(|test| test_id(test)).collect();
    let ran = tamis_session::observe(command, &skip)?;
    // From here on the exit code is the command's, even if printing fails.
    let shown = show(&ran.jvms, global);
    for test in skip.iter().filter(|test| !is_met(test, &ran.jvms)) {
        let advice = "is the name right? docs/frameworks.md says what cannot be left out";
        say(&format!("tamis: --skip {}: left out nowhere; {advice}", test));
    }
    if let Err(error) = shown
        && !matches!(error, CommandError::OutputClosed)
    {
        say(&format!("tamis: {error}"));
    }
    Ok(exit_code(ran.status))
}

/// Whether a test, or any test of a class, was skipped.
fn is_met(wanted: &TestId, jvms: &[Jvm]) -> bool {
    let mut skipped = jvms.iter().flat_map(|jvm| &jvm.skipped);
    skipped
        .any(|test| test.class == wanted.class && (wanted.method.is_none() || test.method == wanted.method))
}

fn show(jvms: &[Jvm], global: &GlobalArgs) -> Result<(), CommandError> {
    if global.quiet {
        return Ok(());
    }
    if jvms.is_empty() {
        say(
            "tamis: no JVM of the command spoke to us: nothing was observed; does it start one, and pass JAVA_TOOL_OPTIONS on?",
        );
    }
    let mut out = BufWriter::new(anstream::stdout());
    for jvm in jvms {
        let is_shown = |span: &&Observed| match span.kind {
            SpanKind::Test => true,
            SpanKind::Class => global.verbose,
            SpanKind::Container => false,
        };
        let code = Code::read(jvm);
        let tests: Vec<ObservedTest> =
            jvm.spans.iter().filter(is_shown).map(|span| test(jvms, jvm, &code, span)).collect();
        let count = jvm.spans.iter().filter(|span| span.kind == SpanKind::Test).count();
        observations::write(&mut out, &tests, global.verbose)?;
        for test in &jvm.skipped {
            writeln!(out, "{}  skipped", test)?;
        }
        out.flush()?;
        for gap in &jvm.gaps {
            say(&format!("tamis: not seen: {gap}"));
        }
        if !jvm.complete {
            say(&format!("tamis: JVM {} broke off: what it told up to then is shown", jvm.hello.pid));
        }
        if count > 0 || global.verbose {
            say(&format!("tamis: {count} tests observed in JVM {}", jvm.hello.pid));
        }
    }
    Ok(())
}

/// A span with the set-up of its class, and what ran before the first test.
fn test(jvms: &[Jvm], jvm: &Jvm, code: &Code, span: &Observed) -> ObservedTest {
    let name = match span.kind {
        SpanKind::Class => format!("class {}", span.test),
        SpanKind::Test | SpanKind::Container => span.test.to_string(),
    };
    let entered: BTreeSet<String> = span.used.probes.iter().filter_map(|probe| jvm.entered(*probe)).collect();
    let initialised = code.initialised(jvm, span);
    let children = children(jvms, jvm, span);
    let mut notes = lines(jvm, &span.used.notes);
    for child in &children {
        notes.push(format!("in JVM {}, which it started:", child.hello.pid));
        let entered: BTreeSet<String> =
            child.all_probes().into_iter().filter_map(|probe| child.entered(probe)).collect();
        notes.extend(entered.into_iter().filter(|name| name.contains('(')).map(|name| format!("  {name}")));
        notes.extend(child.notes.iter().map(|note| format!("  {}", noted(note))));
    }
    for program in unseen(jvm, span, &children) {
        notes.push(format!("not seen: what {program} did"));
    }
    ObservedTest {
        name,
        outcome: match span.outcome {
            Some(Outcome::Passed) => "passed",
            Some(Outcome::Failed) => "failed",
            Some(Outcome::Aborted) => "aborted",
            Some(Outcome::Ignored) => "ignored",
            Some(Outcome::Unknown) => "unknown",
            None => "not finished",
        }
        .to_owned(),
        microseconds: span.microseconds,
        entered: entered.into_iter().collect(),
        initialised: initialised
            .into_iter()
            .map(|class| {
                let notes = jvm.inits.get(&class).map_or(Vec::new(), |init| lines(jvm, &init.used.notes));
                (class, notes)
            })
            .collect(),
        notes,
    }
}

fn lines(jvm: &Jvm, notes: &[u32]) -> Vec<String> {
    notes.iter().filter_map(|note| jvm.notes.get(*note as usize)).map(noted).collect()
}

/// Names of classes contain no `#`, names of methods may. A test without a class has its unique id in
/// brackets.
fn test_id(name: &str) -> TestId {
    match name.split_once('#').filter(|_| !name.starts_with('[')) {
        Some((class, method)) => TestId { class: class.to_owned(), method: Some(method.to_owned()) },
        None => TestId { class: name.to_owned(), method: None },
    }
}

/// An input as a line.
fn noted(what: &Input) -> String {
    let or_all = |name: &Option<String>| name.clone().unwrap_or_else(|| "(all)".to_owned());
    match what {
        Input::Read(path) => format!("reads {path}"),
        Input::Examined(path) => format!("examines {path}"),
        Input::Missing(path) => format!("misses {path}"),
        Input::Listed(path) => format!("lists {path}"),
        Input::Written(path) => format!("writes {path}"),
        Input::Environment(name) => format!("environment {}", or_all(name)),
        Input::Property(name) => format!("property {}", or_all(name)),
        Input::PropertySet(name) => format!("sets property {}", or_all(name)),
        Input::Machine(what) => format!("machine {what}"),
        Input::Reflected(class) => format!("reflects on {class}"),
        Input::Redefined(class) => format!("redefines {class}"),
        Input::Process(process) => {
            let mut line = format!("starts {}", process.program);
            for argument in &process.arguments {
                line.push(' ');
                line.push_str(argument);
            }
            line
        }
        Input::Library(path) => format!("loads library {path}"),
        Input::Stack => "reads a stack trace".to_owned(),
        Input::Made(made) => format!("makes {} from {}", made.name, made.host),
        Input::Thread(name) => format!("outlived by thread {name}"),
        Input::Named(class) => format!("names {class}"),
        Input::FieldSet(field) => format!("sets {field} by reflection"),
        Input::FieldLeft(field) => format!("leaves something else in {field}"),
        Input::Declared(path) => format!("reads what {path} declares"),
        Input::Bundle(name) => format!("asks for texts {}", or_all(name)),
        Input::Network(host) => format!("connects to {host}"),
    }
}

/// The command's exit code. After a signal it is 128 and the signal, as in a shell.
pub(super) fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1))
}
