//! Turns the inputs of a test into questions.

use super::JvmRecorder;
use super::file_attributes::AttributeReads;
use super::probe_table::ResolvedFootprint;
use crate::events::RunEvent;
use crate::facts::{FactKind, Marker};
use crate::reason::AlwaysReason;
use crate::rules::RuleSubject;
use crate::world::{EVERYTHING, IN_ORDER, LOOKED_UP, PRESENCE, TAKEN_BY_LIBRARY};
use std::collections::BTreeSet;
use std::path::Path;
use tamis_catalog::builds::build_info;
use tamis_catalog::builds::surefire::is_life_check;
use tamis_catalog::jdk;
use tamis_catalog::libraries::{self, HelperProgram, byte_buddy};
use tamis_program::names::{ClassName, dotted};
use tamis_program::snapshot::ClassId;
use tamis_wire::{Input, StackContext, StartedProcess};

impl JvmRecorder<'_> {
    /// Notes an input that appears for the first time in this JVM. The JDK's caches make some count for all
    /// later tests.
    pub(super) fn note_input(&mut self, what: &Input) {
        self.note_generated(what);
        if let Input::Reflected(class) | Input::Redefined(class) = what {
            let snapshot = self.world.snapshot();
            if let Some(id) = snapshot.find(class).filter(|id| snapshot.is_project(*id)) {
                self.history.reflected(id);
            }
        }
        if let Input::FieldSet(field) = what
            && self.static_field(field).is_some_and(|number| self.history.is_constant(number))
        {
            // The JVM reported its value, and the history relies on the report.
            let reason = AlwaysReason::ConstantSet(dotted(field));
            self.run.listener.event(&RunEvent::Unseen { module: self.module(), reason: reason.clone() });
            self.spans.gaps.push(reason);
        }
        if let Input::FieldLeft(field) = what
            && is_default(field)
        {
            self.libraries.defaults = Some(self.facts.questions.marker(Marker::JdkDefaults));
        }
        if let Input::FieldLeft(field) = what
            && let Some(number) = self.static_field(field)
        {
            self.history.field_left(number);
        }
    }

    /// Adds the questions of inputs. The inputs are in order: a file that was written before it was read is
    /// not an input.
    pub(super) fn resolve_inputs(&mut self, notes: &[u32], came: &mut ResolvedFootprint) {
        let mut set: Vec<Option<String>> = Vec::new();
        let mut numbers: Vec<u32> = Vec::new();
        let mut attributes = AttributeReads::default();
        for note in notes {
            let Some(what) = self.inputs.get(*note).cloned() else { continue };
            came.made.extend(self.made_by(&what));
            let before = numbers.len();
            match &what {
                Input::Read(path) => self.file(FactKind::File, path, came, &mut numbers),
                Input::Declared(path) => match self.class_at(path) {
                    Some(class) => {
                        came.read.push(path.clone());
                        numbers.push(self.facts.ask_class(FactKind::Shape, class));
                        numbers.push(self.facts.ask_class(FactKind::Supers, class));
                        let name = self.world.snapshot().class(class).name();
                        numbers.push(self.facts.ask(FactKind::Library, &format!("{name}{IN_ORDER}")));
                    }
                    None => self.file(FactKind::File, path, came, &mut numbers),
                },
                Input::Scanned(path) => match self.class_at(path) {
                    Some(class) => {
                        came.read.push(path.clone());
                        numbers.push(self.facts.ask_class(FactKind::Supers, class));
                        let name = self.world.snapshot().class(class).name();
                        // The project itself may ask Spring for all methods of a class that was scanned.
                        numbers.extend(if self.lists_methods() {
                            let order = self.facts.ask(FactKind::Library, &format!("{name}{IN_ORDER}"));
                            [self.facts.ask_class(FactKind::Shape, class), order]
                        } else {
                            [self.facts.ask(FactKind::Scan, name); 2]
                        });
                    }
                    None => self.file(FactKind::File, path, came, &mut numbers),
                },
                Input::Examined(path) => self.file(FactKind::Exists, path, came, &mut numbers),
                Input::Missing(path) => {
                    came.missing.push(path.clone());
                    self.file(FactKind::Exists, path, came, &mut numbers);
                }
                Input::Listed(path) => self.file(FactKind::Listing, path, came, &mut numbers),
                Input::Attribute(read) => self.attribute(read, &mut attributes, came, &mut numbers),
                Input::TimeCopied(copied) => self.time_copied(copied, &mut attributes, &mut numbers),
                Input::Library(path) => self.file(FactKind::File, path, came, &mut numbers),
                Input::Written(path) if self.world.is_build_file(path) => {}
                Input::Written(path) => {
                    // A directory that is there is not changed by making it again.
                    let is_harmless = self.is_temporary(path)
                        || (!came.missing.contains(path) && self.world.is_directory(path));
                    if self.is_temporary(path) && came.missing.contains(path) {
                        // A new name where everybody puts new things: that it was free is no more a fact than
                        // its name is.
                        let free = self.facts.ask(FactKind::Exists, &self.world.name_of(path));
                        numbers.retain(|number| *number != free);
                    }
                    if came.read.contains(path) && !is_harmless {
                        let name = self.world.name_of(path);
                        match self.world.rules().find(RuleSubject::Files, &name) {
                            Some(rule) => numbers.push(self.facts.ask(FactKind::Machine, &rule.question())),
                            None => came.always.push(AlwaysReason::ReadThenWritten(name)),
                        }
                    }
                    came.written.push(path.clone());
                }
                Input::Environment(name) => {
                    let name = name.as_deref().unwrap_or(EVERYTHING);
                    numbers.push(self.facts.ask(FactKind::Environment, name));
                    numbers.extend(self.all_of(FactKind::Environment, name, &[]));
                }
                Input::Property(name) => {
                    // A property that the test has set itself is not an input.
                    if !set.contains(name) {
                        let name = name.as_deref().unwrap_or(EVERYTHING);
                        numbers.push(self.facts.ask(FactKind::Property, name));
                        numbers.extend(self.all_of(FactKind::Property, name, &set));
                        // What a test has set is then asked for by its name.
                        if name != LOOKED_UP {
                            came.used.finds.insert(self.facts.questions.marker(Marker::AnyProperty));
                        }
                    }
                }
                Input::PropertySet(name) => {
                    set.push(name.clone());
                    // A later test that asks for it, or for all, may find this value.
                    let one = match name {
                        Some(name) => self.facts.ask(FactKind::Property, name),
                        None => self.facts.questions.marker(Marker::AnyProperty),
                    };
                    let all =
                        [EVERYTHING, TAKEN_BY_LIBRARY].map(|all| self.facts.ask(FactKind::Property, all));
                    came.used.leaves.insert(one);
                    came.used.leaves.extend(all);
                }
                Input::FieldSet(field) => came.used.sets.extend(self.static_field(field)),
                Input::FieldLeft(field) if is_default(field) => {
                    came.used.leaves.extend(self.libraries.defaults)
                }
                Input::FieldLeft(field) => came.used.left.extend(self.static_field(field)),
                Input::Bundle(name) => self.bundle(name.as_deref(), came, &mut numbers),
                Input::Machine(what) => numbers.push(self.facts.ask(FactKind::Machine, what)),
                Input::Reflected(class) => {
                    let snapshot = self.world.snapshot();
                    match snapshot.find(class).filter(|id| snapshot.is_project(*id)) {
                        Some(id) => {
                            numbers.push(self.facts.ask_class(FactKind::Shape, id));
                            numbers.push(self.facts.ask_class(FactKind::Supers, id));
                            came.used.touched.insert(id);
                            // A member that is looked up in a class may be one of a class above.
                            for above in
                                snapshot.above(id).iter().filter(|above| snapshot.is_project(**above))
                            {
                                numbers.push(self.facts.ask_class(FactKind::Shape, *above));
                            }
                        }
                        None => {
                            let library =
                                self.libraries.classes.number(self.world, &mut self.facts.questions, class);
                            // A package without annotations has no such class yet.
                            let is_package = library.is_none() && class.ends_with("/package-info");
                            numbers.extend(library);
                            numbers.extend(
                                is_package
                                    .then(|| self.facts.ask(FactKind::Resource, &format!("{class}.class"))),
                            );
                        }
                    }
                }
                Input::Redefined(class) => self.structure(class, &mut numbers),
                Input::Made(made) => {
                    self.structure(&made.host, &mut numbers);
                    made.supers.iter().for_each(|above| self.structure(above, &mut numbers));
                }
                Input::Process(process) if is_life_check(&process.program, &process.arguments) => {}
                Input::Process(process) if self.is_attacher(process) => {
                    numbers.extend(self.libraries.classes.number(
                        self.world,
                        &mut self.facts.questions,
                        byte_buddy::ATTACHER,
                    ));
                }
                Input::Process(process) if self.helper(process).is_some() => {
                    let files = self.helper(process).map_or(&[][..], |helper| helper.files);
                    files.iter().for_each(|path| self.file(FactKind::File, path, came, &mut numbers));
                }
                Input::Process(process) => match self.world.rules().process(&process.program) {
                    Some(rule) => numbers.push(self.facts.ask(FactKind::Machine, &rule.question())),
                    None => came.always.push(AlwaysReason::StartsProcess(process.program.clone())),
                },
                Input::LoggedStack if !self.reads_logs() => {}
                Input::Stack | Input::LoggedStack => {
                    let entered = came.used.methods.iter();
                    let classes: BTreeSet<_> = entered.map(|method| self.history.id(method).class).collect();
                    for class in classes {
                        numbers.push(self.facts.ask_class(FactKind::Debug, class));
                    }
                }
                // It is there, with what is above it; what it does when it is initialised counts too.
                Input::Named(class) => {
                    let snapshot = self.world.snapshot();
                    match snapshot.find(class).filter(|id| snapshot.is_project(*id)) {
                        Some(id) => {
                            numbers.push(self.facts.ask_class(FactKind::Supers, id));
                            came.used.touched.insert(id);
                        }
                        None => numbers.extend(self.libraries.classes.number(
                            self.world,
                            &mut self.facts.questions,
                            class,
                        )),
                    }
                }
                // A server that this JVM has started is part of it; one that somebody else has, here or
                // elsewhere, is not.
                Input::Network(host) if host.ends_with(", its own") || host.ends_with(", nobody") => {}
                Input::Network(host) => match self.world.rules().host(host) {
                    Some(rule) => numbers.push(self.facts.ask(FactKind::Machine, &rule.question())),
                    None => came.always.push(AlwaysReason::Connects(host.clone())),
                },
                Input::Context(number) => came.contexts.push(self.context_marker(*number)),
                Input::Thread(_) => {}
            }
            let new = numbers.get(before..).unwrap_or_default();
            if let Some(under) = self.inputs.stacks.get(note) {
                for number in new {
                    under.methods.iter().for_each(|method| self.history.asked_under(*method, *number));
                }
            }
            if self.inputs.stacks.get(note).is_some_and(|under| !under.libraries.is_empty()) {
                came.by_libraries.extend(new);
            }
            self.look_for(*note, new);
        }
        came.used.others.extend(numbers);
        came.used.finds.extend(came.contexts.iter().copied());
        // Locale, time zone and streams are asked for all over, and where is not seen.
        came.used.finds.extend(self.libraries.defaults);
    }

    /// Notes the code that was on the stack when an input was noted.
    pub(super) fn under(&mut self, under: &StackContext) {
        let running = self.inputs.stacks.entry(under.note).or_default();
        for probe in &under.probes.0 {
            running.methods.extend(self.probes.method(*probe));
            for number in self.probes.others(*probe) {
                running.libraries.extend(self.libraries.classes.is_one(*number).then_some(*number));
            }
        }
        if let Some(Input::Written(path)) = self.inputs.get(under.note).cloned() {
            let libraries = self.inputs.stacks.get(&under.note).map(|under| under.libraries.clone());
            self.written_by(&path, &libraries.unwrap_or_default());
        }
    }

    /// Whether a process is the helper by which ByteBuddy, and so Mockito, attaches an agent to this JVM.
    /// JVMs may not attach to themselves any more, so another JVM of the same JDK does it, which runs only a
    /// class of ByteBuddy.
    fn is_attacher(&self, process: &StartedProcess) -> bool {
        let home = self.world.property(jdk::properties::HOME).map(|home| home.trim_end_matches("/jre"));
        let is_java = Path::new(&process.program).file_name().is_some_and(|name| name == "java");
        is_java
            && home.is_some_and(|home| Path::new(&process.program).starts_with(home))
            && byte_buddy::is_attacher(&process.arguments)
            // ByteBuddy's own tests start their own.
            && self.world.is_library(byte_buddy::ATTACHER)
    }

    /// The program of a library whose output follows from files.
    fn helper(&self, process: &StartedProcess) -> Option<&'static HelperProgram> {
        let helper = libraries::helper(&process.program, &process.arguments)?;
        self.world.is_library(helper.class).then_some(helper)
    }

    /// The number of a static field of the project: `a/B.name`.
    fn static_field(&self, place: &str) -> Option<u32> {
        let (class, name) = place.rsplit_once('.')?;
        self.history.field(self.world.snapshot().find(class)?, name)
    }

    /// The questions about each variable or property, if all of them were taken. The report then names the one that changed.
    fn all_of(&mut self, kind: FactKind, set: &str, own: &[Option<String>]) -> Vec<u32> {
        if ![EVERYTHING, TAKEN_BY_LIBRARY, LOOKED_UP].contains(&set) {
            return Vec::new();
        }
        let names = self.world.names(kind, set);
        let is_own = |name: &String| own.iter().any(|own| own.as_ref() == Some(name));
        names.iter().filter(|name| !is_own(name)).map(|name| self.facts.ask(kind, name)).collect()
    }

    /// Adds the inputs of a resource bundle. The JDK caches bundles, so every file that any test probed for
    /// this one is an input.
    fn bundle(&mut self, name: Option<&str>, came: &mut ResolvedFootprint, numbers: &mut Vec<u32>) {
        let base = name.map(ClassName::from_dotted);
        let is_of = |entry: &str| match &base {
            Some(base) => entry.strip_prefix(&**base).is_some_and(|rest| rest.starts_with(['_', '.'])),
            None => entry.ends_with(".properties"),
        };
        let snapshot = self.world.snapshot();
        if let Some(base) = &base {
            let all = snapshot.project().filter(|id| {
                let rest = snapshot.class(*id).name().strip_prefix(&**base);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            });
            came.used.classes.extend(all);
        }
        let mut resources: BTreeSet<&str> = BTreeSet::new();
        for note in self.inputs.iter() {
            if let Input::Read(path) | Input::Missing(path) | Input::Examined(path) = note {
                resources.extend(self.world.resource(path).filter(|entry| is_of(entry)));
            }
        }
        let resources: Vec<String> = resources.into_iter().map(str::to_owned).collect();
        numbers.extend(resources.iter().map(|resource| self.facts.ask(FactKind::Resource, resource)));
    }

    fn file(&mut self, about: FactKind, path: &str, came: &mut ResolvedFootprint, numbers: &mut Vec<u32>) {
        if self.is_own_file(path, came) {
            return;
        }
        came.read.push(path.to_owned());
        if let Some(resource) = self.world.resource(path) {
            match resource.strip_suffix(".class") {
                // A library's class that is asked for in a directory first, and a class that is loaded: they
                // count as such.
                Some(class)
                    if self.world.is_library(class) || self.world.snapshot().find(class).is_some() =>
                {
                    if about == FactKind::File {
                        // Known as a library's, it is followed to the libraries that it names.
                        let library =
                            self.libraries.classes.number(self.world, &mut self.facts.questions, class);
                        numbers.push(library.unwrap_or_else(|| self.facts.ask(FactKind::Library, class)));
                    }
                }
                // Whether it is there decides what a library sets up; what is in it counts for those who ask for that.
                _ if about == FactKind::Exists && build_info::is_note(resource) => {
                    numbers.push(self.facts.ask(FactKind::Resource, &format!("{resource}{PRESENCE}")));
                }
                _ if about == FactKind::Listing => {
                    numbers.push(self.facts.ask(FactKind::Listing, &self.world.name_of(path)))
                }
                _ => numbers.push(self.facts.ask(FactKind::Resource, resource)),
            }
            return;
        }
        numbers.push(self.facts.ask(about, &self.world.name_of(path)));
    }

    /// Whether the test made a file, or a directory that holds it; or whether the build makes it for itself.
    pub(super) fn is_own_file(&self, path: &str, came: &ResolvedFootprint) -> bool {
        came.written.iter().any(|written| Path::new(path).starts_with(written))
            || self.world.is_build_file(path)
            || libraries::is_scratch(Path::new(path))
    }

    /// The class of the project in this file. A class hidden by another one is not in the snapshot.
    fn class_at(&self, path: &str) -> Option<ClassId> {
        let snapshot = self.world.snapshot();
        let class = snapshot.find(self.world.resource(path)?.strip_suffix(".class")?)?;
        let root = self.world.class_root(snapshot.class(class).name())?;
        (snapshot.is_project(class) && Path::new(path).starts_with(root)).then_some(class)
    }

    /// Whether a file is in the folder for temporary files, and not in the project.
    pub(super) fn is_temporary(&self, path: &str) -> bool {
        let temporary = self.world.property(jdk::properties::TEMPORARY);
        temporary.is_some_and(|folder| Path::new(path).starts_with(folder)) && !self.world.is_in_project(path)
    }
}

/// Whether a static field is one of the JDK.
pub(super) fn is_default(field: &str) -> bool {
    jdk::is_java(field)
}
