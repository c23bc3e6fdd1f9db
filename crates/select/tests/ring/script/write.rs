//! From the messages of a real agent to a script.
//!
//! Durations are left out, and so are classes of the JDK, of the test framework and of its runner: the recorder ignores them.
//! A message that no line can express is an error, so that no script holds less than its JVM sent.

use super::{ClassTable, inputs, method_name};
use std::collections::BTreeMap;
use tamis_wire::{
    AgentMessage, ClassLoaded, ContextWork, Input, Outcome, Span, SpanHits, SpanKind, StaticFieldGraph,
    StaticFieldInfo, StaticInit, TestId, content,
};

/// The superclass of the proxies that the JDK makes.
const PROXY: &str = "java/lang/reflect/Proxy";

/// The first line of a recorded script. A script that a person wrote does not have it.
pub(crate) const FIRST_LINE: &str =
    "# Recorded from a JVM. The words are listed in crates/select/tests/ring/main.rs.";

/// The messages of a JVM, and the classes in them.
pub(crate) struct RecordedJvm<'r> {
    pub(crate) messages: &'r [AgentMessage],
    pub(crate) classes: &'r ClassTable,
    /// The folder that the project lies in, in a folder `project`.
    pub(crate) folder: &'r str,
    /// Whether a class lies in an archive of the test framework.
    pub(crate) is_framework: &'r dyn Fn(&str) -> bool,
}

/// The script of a JVM.
pub(crate) fn write(recorded: &RecordedJvm<'_>) -> Result<String, String> {
    let mut writer = ScriptWriter {
        recorded,
        lines: vec![FIRST_LINE.to_owned()],
        probes: BTreeMap::new(),
        inputs: Vec::new(),
        spans: Vec::new(),
        open: Vec::new(),
    };
    for message in recorded.messages {
        writer.message(message)?;
    }
    if !matches!(recorded.messages.last(), Some(AgentMessage::Bye)) {
        writer.line("broken off".to_owned());
    }
    Ok(writer.lines.iter().map(|line| format!("{line}\n")).collect())
}

struct ScriptWriter<'r> {
    recorded: &'r RecordedJvm<'r>,
    lines: Vec<String>,
    /// By number, the probes that the recorder does not ignore.
    probes: BTreeMap<u32, ProbeName>,
    inputs: Vec<Input>,
    /// By number, from 1.
    spans: Vec<String>,
    open: Vec<u32>,
}

#[derive(Clone)]
enum ProbeName {
    Method(String),
    Class(String),
}

impl ScriptWriter<'_> {
    fn message(&mut self, message: &AgentMessage) -> Result<(), String> {
        match message {
            AgentMessage::Class(class) => self.class(class)?,
            AgentMessage::Started(span) => self.started(span)?,
            AgentMessage::Finished(finished) => {
                let outcome = match finished.outcome {
                    Outcome::Passed => "passed",
                    Outcome::Failed => "failed",
                    Outcome::Aborted => "aborted",
                    Outcome::Ignored => "ignored",
                    Outcome::Unknown => "unknown",
                };
                let is_last = self.open.last() == Some(&finished.number);
                let label =
                    if is_last { String::new() } else { format!(" {}", self.label(finished.number)?) };
                self.open.retain(|open| *open != finished.number);
                self.line(format!("end{label} {outcome}"));
            }
            AgentMessage::Hits(hits) => self.hits(hits)?,
            AgentMessage::Init(init) => self.init(init),
            AgentMessage::ContextAsked => self.line("ask context".to_owned()),
            AgentMessage::Context(work) => self.context(work),
            AgentMessage::Gap(gap) if gap.spans == self.open => self.line(format!("gap {}", gap.what)),
            AgentMessage::Gap(gap) => {
                return Err(format!("a gap in other spans than those that are open: {}", gap.what));
            }
            AgentMessage::Note(note) => self.inputs.push(note.what.clone()),
            AgentMessage::Skipped(test) => self.line(format!("skip {test}")),
            AgentMessage::Assumed(probes) => {
                let names = self.names(&probes.0);
                if !names.is_empty() {
                    self.line(format!("assume {}", names.join(" ")));
                }
            }
            AgentMessage::Field(field) => self.field(field),
            AgentMessage::Graph(graph) => self.graph(graph),
            AgentMessage::Under(under) => {
                let names = self.names(&under.probes.0);
                if let Some(input) = self.input(under.note)
                    && !names.is_empty()
                {
                    self.line(format!("under {}: {input}", names.join(" ")));
                }
            }
            AgentMessage::Hello(_)
            | AgentMessage::NewLeftovers(_)
            | AgentMessage::Failure(_)
            | AgentMessage::Bye => {}
        }
        Ok(())
    }

    fn line(&mut self, line: String) {
        let indentation = "  ".repeat(self.open.len());
        let line = format!("{indentation}{line}");
        // The agent repeats itself where it is asked often, and the recorder keeps the first.
        if self.lines.last() != Some(&line) {
            self.lines.push(line);
        }
    }

    fn is_known(&self, class: &str) -> bool {
        let classes = self.recorded.classes;
        classes.project.contains_key(class) || classes.libraries.contains_key(class)
    }

    fn class(&mut self, class: &ClassLoaded) -> Result<(), String> {
        let name = &class.name;
        if let Some(bytes) = self.recorded.classes.project.get(name) {
            let methods = self.recorded.classes.methods(name);
            if content(bytes) != class.content || methods != class.methods {
                return Err(format!("{name} is not loaded as it is in its file"));
            }
            for (at, method) in methods.iter().enumerate() {
                let name = ProbeName::Method(method_name(name, method, &methods));
                self.probes.insert(class.first_probe + at as u32, name);
            }
            if methods.is_empty() {
                self.probes.insert(class.first_probe, ProbeName::Class(name.clone()));
            }
            return Ok(());
        }
        if !self.is_known(name) {
            let is_jdks = class.supers.iter().any(|above| above == PROXY)
                && !class.supers.iter().any(|above| self.is_known(above));
            if is_jdks || (self.recorded.is_framework)(name) {
                return Ok(());
            }
            self.line(format!("class {name} of {}", class.supers.join(" ")));
        }
        if !class.methods.is_empty() {
            return Err(format!("{name} is watched method by method, and is not a class of the project"));
        }
        self.probes.insert(class.first_probe, ProbeName::Class(name.clone()));
        Ok(())
    }

    fn started(&mut self, span: &Span) -> Result<(), String> {
        let (kind, label) = match span.kind {
            SpanKind::Test => ("test", span.test.to_string()),
            SpanKind::Class => ("class", span.test.to_string()),
            SpanKind::Container if span.test == TestId::default() => ("container", span.name.clone()),
            SpanKind::Container => return Err(format!("a container of {}", span.test)),
        };
        let place = match span.parent {
            parent if parent == self.open.last().copied() => String::new(),
            Some(parent) => format!(" below {}", self.label(parent)?),
            None => " below nothing".to_owned(),
        };
        self.line(format!("start {kind} {label}{place}"));
        self.spans.push(label);
        if self.spans.len() != span.number as usize {
            return Err(format!("span {} is out of turn", span.number));
        }
        self.open.push(span.number);
        Ok(())
    }

    /// The label by which a line names a span. It must be the last span with this label.
    fn label(&self, span: u32) -> Result<&String, String> {
        let label = self.spans.get(span as usize - 1).ok_or("a span that did not start")?;
        let last = self.spans.iter().rposition(|other| other == label);
        if last == Some(span as usize - 1) { Ok(label) } else { Err(format!("two spans are {label}")) }
    }

    fn hits(&mut self, hits: &SpanHits) -> Result<(), String> {
        let mut items = self.items(&hits.probes.0, &hits.notes);
        if hits.spans != self.open && !items.is_empty() {
            let labels = hits.spans.iter().map(|span| self.label(*span).map(String::as_str));
            let labels = labels.collect::<Result<Vec<_>, _>>()?.join(", ");
            let labels = if labels.is_empty() { "nothing" } else { &labels };
            items = vec![format!("in {labels}: {}", items.join(" | "))];
        }
        items.into_iter().for_each(|item| self.line(item));
        Ok(())
    }

    fn init(&mut self, init: &StaticInit) {
        if !self.is_known(&init.class) {
            return;
        }
        let items = self.work(&init.probes.0, &init.notes, &init.nested);
        let colon = if items.is_empty() { "" } else { ": " };
        self.line(format!("init {}{colon}{}", init.class, items.join(" | ")));
    }

    fn context(&mut self, work: &ContextWork) {
        let items = self.work(&work.probes.0, &work.notes, &work.nested);
        let colon = if items.is_empty() { "" } else { ": " };
        self.line(format!("load {}{colon}{}", work.number, items.join(" | ")));
    }

    fn work(&mut self, probes: &[u32], notes: &[u32], nested: &[String]) -> Vec<String> {
        let mut items = self.items(probes, notes);
        let nested: Vec<&str> =
            nested.iter().filter(|nested| self.is_known(nested)).map(String::as_str).collect();
        if !nested.is_empty() {
            items.push(format!("nested {}", nested.join(" ")));
        }
        items
    }

    fn field(&mut self, field: &StaticFieldInfo) {
        let compared = if field.is_compared { " compared" } else { "" };
        let holds = match field.holds.as_deref() {
            Some("") => " holds nothing".to_owned(),
            Some(class) => format!(" holds {class}"),
            None => String::new(),
        };
        self.line(format!("field {}.{}{compared}{holds}", field.class, field.name));
    }

    fn graph(&mut self, graph: &StaticFieldGraph) {
        let state = match (graph.is_compared, graph.has_changed) {
            (true, false) => " compared",
            (true, true) if graph.each_test => " changed at once",
            (true, true) => " changed",
            (false, _) => "",
        };
        let known: Vec<&str> =
            graph.reaches.iter().filter(|class| self.is_known(class)).map(String::as_str).collect();
        let reaches = if known.is_empty() { String::new() } else { format!(" reaches {}", known.join(" ")) };
        self.line(format!("graph {}.{}{state}{reaches}", graph.class, graph.name));
    }

    /// `enter A.f B.g`, `use l/Library`, and a word for each input.
    fn items(&self, probes: &[u32], notes: &[u32]) -> Vec<String> {
        let (mut methods, mut classes) = (Vec::new(), Vec::new());
        for probe in probes {
            match self.probes.get(probe) {
                Some(ProbeName::Method(name)) => methods.push(name.as_str()),
                Some(ProbeName::Class(name)) => classes.push(name.as_str()),
                None => {}
            }
        }
        let line =
            |word: &str, names: Vec<&str>| (!names.is_empty()).then(|| format!("{word} {}", names.join(" ")));
        let inputs = notes.iter().filter_map(|note| self.input(*note));
        line("enter", methods).into_iter().chain(line("use", classes)).chain(inputs).collect()
    }

    fn names(&self, probes: &[u32]) -> Vec<&str> {
        let known = probes.iter().filter_map(|probe| self.probes.get(probe));
        known.map(|(ProbeName::Method(name) | ProbeName::Class(name))| name.as_str()).collect()
    }

    /// The words of an input; none if it is about a class that the recorder ignores.
    fn input(&self, note: u32) -> Option<String> {
        let input = self.inputs.get(note as usize)?;
        let counts = inputs::class_of(input).is_none_or(|class| self.is_known(class));
        let path = |path: &str| {
            let inside = path.strip_prefix(self.recorded.folder).and_then(|rest| rest.strip_prefix('/'));
            match inside.map(|inside| (inside, inside.strip_prefix("project"))) {
                Some((_, Some(""))) => ".".to_owned(),
                Some((_, Some(rest))) if rest.starts_with('/') => rest[1..].to_owned(),
                Some((beside, _)) => format!("../{beside}"),
                None => path.to_owned(),
            }
        };
        counts.then(|| inputs::to_text(input, &path))
    }
}
