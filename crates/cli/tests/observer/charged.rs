//! Static initialisers and child JVMs that a test depends on.
//!
//! A static initialiser runs once in a JVM, for whichever test comes first; later tests that touch the class
//! depend on it just as much. Touching cannot be seen at run time (reading a static field enters no method),
//! so it is derived from the code of the methods entered.

use super::heard::{Jvm, Observed, Used};
use std::collections::BTreeSet;
use std::path::PathBuf;
use tamis_program::snapshot::{MethodId, Snapshot};
use tamis_select::history::History;
use tamis_session::{JdkChoice, LoadOptions, load};
use tamis_wire::Input;

/// The code that a JVM ran from directories.
pub(crate) struct Code(Option<Snapshot>);

impl Code {
    /// Reads the code. A class that cannot be read touches only itself.
    pub(crate) fn read(jvm: &Jvm) -> Code {
        let directories: Vec<PathBuf> = jvm.watched.iter().map(PathBuf::from).collect();
        let options = LoadOptions { jdk: JdkChoice::None, lenient: true, ..LoadOptions::default() };
        Code(
            if directories.is_empty() { None } else { load(&directories, &options).ok() }
                .map(|loaded| loaded.snapshot),
        )
    }

    /// The classes whose initialisers a test depends on, whenever they ran.
    pub(crate) fn initialised(&self, jvm: &Jvm, span: &Observed) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = BTreeSet::new();
        let mut history = self.0.as_ref().map(History::new);
        let mut todo: Vec<String> = span.initialised.iter().cloned().collect();
        todo.extend(self.touched(jvm, &span.used, &mut history));
        while let Some(class) = todo.pop() {
            if let Some(init) = jvm.inits.get(&class)
                && !found.contains(&class)
            {
                todo.extend(init.nested.iter().cloned());
                todo.extend(self.touched(jvm, &init.used, &mut history));
                found.insert(class);
            }
        }
        found
    }

    /// The classes that code touches: the classes of entered methods, and the classes that these methods
    /// touch.
    fn touched(&self, jvm: &Jvm, used: &Used, history: &mut Option<History<'_>>) -> BTreeSet<String> {
        let mut touched = BTreeSet::new();
        for probe in &used.probes {
            let Some((class, method)) = jvm.probe(*probe) else { continue };
            touched.insert(class.to_owned());
            if let (Some(snapshot), Some(history), Some((name, descriptor))) =
                (&self.0, &mut *history, method)
                && let Some(id) = snapshot.find(class)
                && let Some(MethodId { class, method }) = snapshot.declared(id, name, descriptor)
            {
                let classes = history.touched(MethodId { class, method }).iter();
                touched.extend(classes.map(|class| snapshot.class(*class).name().to_owned()));
            }
        }
        touched
    }
}

/// The JVMs that a test started, directly or through other processes.
pub(crate) fn children<'j>(jvms: &'j [Jvm], jvm: &Jvm, span: &Observed) -> Vec<&'j Jvm> {
    let started: BTreeSet<u32> = span
        .used
        .notes
        .iter()
        .filter_map(|note| match jvm.notes.get(*note as usize)? {
            Input::Process(process) if process.pid != 0 => Some(process.pid),
            _ => None,
        })
        .collect();
    let is_child = |other: &&Jvm| {
        other.hello.pid != jvm.hello.pid
            && (started.contains(&other.hello.pid)
                || other.hello.ancestors.iter().any(|pid| started.contains(pid)))
    };
    jvms.iter().filter(is_child).collect()
}

/// The programs that a test started in which no agent ran, so their inputs and code were not seen.
pub(crate) fn unseen(jvm: &Jvm, span: &Observed, children: &[&Jvm]) -> Vec<String> {
    let seen = |pid: u32| {
        children.iter().any(|child| child.hello.pid == pid || child.hello.ancestors.contains(&pid))
    };
    let started = span.used.notes.iter().filter_map(|note| match jvm.notes.get(*note as usize)? {
        Input::Process(process) if process.pid != 0 && !seen(process.pid) => Some(process.program.clone()),
        _ => None,
    });
    let mut unseen: Vec<String> = started.collect();
    unseen.sort_unstable();
    unseen.dedup();
    unseen
}
