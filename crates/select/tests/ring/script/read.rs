//! From a script to the messages that an agent would send.

use super::{ClassTable, inputs, supers_of};
use std::collections::BTreeMap;
use tamis_wire::{
    AgentMessage, ClassLoaded, ContextWork, Gap, Input, NumberedInput, Outcome, ProbeRuns, Span,
    SpanFinished, SpanHits, SpanKind, StackContext, StaticFieldGraph, StaticFieldInfo, StaticInit, TestId,
    content,
};

/// The messages of a script; an error names the line.
pub(crate) fn read(script: &str, classes: &ClassTable) -> Result<Vec<AgentMessage>, String> {
    let mut reader = ScriptReader::new(classes);
    // When a class is loaded makes no difference, if it lies in a file.
    for name in classes.project.keys() {
        reader.load_project_class(name);
    }
    for (number, line) in script.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            reader.line(line).map_err(|what| format!("line {}: `{line}`: {what}", number + 1))?;
        }
    }
    if !reader.is_broken {
        reader.messages.push(AgentMessage::Bye);
    }
    Ok(reader.messages)
}

struct ScriptReader<'c> {
    classes: &'c ClassTable,
    messages: Vec<AgentMessage>,
    next_probe: u32,
    /// By class: its first probe and the methods that have one; none if it is watched as a whole.
    probes: BTreeMap<String, (u32, Vec<(String, String)>)>,
    inputs: Vec<Input>,
    /// The spans in order, and the numbers of those that are open.
    spans: Vec<String>,
    open: Vec<u32>,
    is_broken: bool,
}

/// The content of a line: probes, inputs, nested initialisers.
#[derive(Default)]
struct LineItems {
    probes: Vec<u32>,
    notes: Vec<u32>,
    nested: Vec<String>,
}

type LineResult = Result<(), String>;

impl<'c> ScriptReader<'c> {
    fn new(classes: &'c ClassTable) -> ScriptReader<'c> {
        ScriptReader {
            classes,
            messages: Vec::new(),
            next_probe: 0,
            probes: BTreeMap::new(),
            inputs: Vec::new(),
            spans: Vec::new(),
            open: Vec::new(),
            is_broken: false,
        }
    }

    fn line(&mut self, line: &str) -> LineResult {
        if self.is_broken {
            return Err("nothing comes after the JVM broke off".to_owned());
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "start" => self.start(rest),
            "test" => self.test(rest),
            "end" => self.end(rest),
            "class" => self.class(rest),
            "field" => self.field(rest),
            "graph" => self.graph(rest),
            "init" => self.init(rest),
            "ask" => {
                self.messages.push(AgentMessage::ContextAsked);
                Ok(())
            }
            "load" => self.context(rest),
            "under" => self.under(rest),
            "in" => self.hits_in(rest),
            "gap" => self.gap(rest),
            "skip" => self.skip(rest),
            "assume" => self.assume(rest),
            "broken" => self.broken(rest),
            _ => {
                let spans = self.open.clone();
                self.hits(spans, line)
            }
        }
    }

    /// `start test ATest#m`, `start class ATest`, `start container NAME`; then `below LABEL` or `below nothing`, unless the
    /// parent is the last open span.
    fn start(&mut self, rest: &str) -> LineResult {
        let (rest, parent) = match rest.split_once(" below ") {
            Some((rest, "nothing")) => (rest, None),
            Some((rest, label)) => (rest, Some(self.span(label)?)),
            None => (rest, self.open.last().copied()),
        };
        let (kind, label) = rest.split_once(' ').ok_or("which?")?;
        let (kind, test) = match kind {
            "test" => (SpanKind::Test, test_id(label)),
            "class" => (SpanKind::Class, test_id(label)),
            "container" => (SpanKind::Container, TestId::default()),
            _ => return Err("a test, class or container can start".to_owned()),
        };
        self.spans.push(label.to_owned());
        let number = self.spans.len() as u32;
        self.open.push(number);
        self.messages.push(AgentMessage::Started(Span {
            number,
            kind,
            test,
            name: label.to_owned(),
            parent,
        }));
        Ok(())
    }

    /// `test ATest#m: enter A.f`: one that passes, with its constructor and its method.
    fn test(&mut self, rest: &str) -> LineResult {
        let (label, text) = rest.split_once(": ").unwrap_or((rest, ""));
        let (class, method) = label.split_once('#').ok_or("a test is written ATest#m")?;
        self.start(&format!("test {label}"))?;
        let own = format!("enter {class}.<init> {class}.{method}");
        self.hits(self.open.clone(), &own)?;
        self.hits(self.open.clone(), text)?;
        self.end("passed")
    }

    /// `end passed` of the last one that is open, or `end LABEL passed`.
    fn end(&mut self, rest: &str) -> LineResult {
        let (label, outcome) = match rest.rsplit_once(' ') {
            Some((label, outcome)) => (Some(label), outcome),
            None => (None, rest),
        };
        let outcome = match outcome {
            "passed" => Outcome::Passed,
            "failed" => Outcome::Failed,
            "aborted" => Outcome::Aborted,
            "ignored" => Outcome::Ignored,
            "unknown" => Outcome::Unknown,
            _ => return Err("how?".to_owned()),
        };
        let number = match label {
            Some(label) => self.span(label)?,
            None => *self.open.last().ok_or("nothing is open")?,
        };
        self.open.retain(|open| *open != number);
        self.messages.push(AgentMessage::Finished(SpanFinished { number, outcome, microseconds: 1000 }));
        Ok(())
    }

    /// The last span of this label.
    fn span(&self, label: &str) -> Result<u32, String> {
        let at = self.spans.iter().rposition(|known| known == label);
        at.map(|at| at as u32 + 1).ok_or_else(|| format!("nothing has started as {label}"))
    }

    /// `class $Proxy4 of java/lang/reflect/Proxy Shared`: one that lies in no file.
    fn class(&mut self, rest: &str) -> LineResult {
        let (name, supers) = rest.split_once(" of ").ok_or("made of what?")?;
        let supers = supers.split(' ').map(str::to_owned).collect();
        self.load(name, Vec::new(), supers, 0);
        Ok(())
    }

    /// `field A.f compared`, `field A.f holds a/B`, `field A.f compared holds nothing`.
    fn field(&mut self, rest: &str) -> LineResult {
        let (rest, holds) = match rest.split_once(" holds ") {
            Some((rest, "nothing")) => (rest, Some(String::new())),
            Some((rest, class)) => (rest, Some(class.to_owned())),
            None => (rest, None),
        };
        let (field, is_compared) = match rest.strip_suffix(" compared") {
            Some(field) => (field, true),
            None => (rest, false),
        };
        let (class, name) = self.static_field(field)?;
        self.messages.push(AgentMessage::Field(StaticFieldInfo { class, name, is_compared, holds }));
        Ok(())
    }

    /// `graph A.f compared reaches a/B a/C`, `graph A.f changed`, `graph A.f changed at once`, `graph A.f`.
    fn graph(&mut self, rest: &str) -> LineResult {
        let (rest, reaches) = rest.split_once(" reaches ").unwrap_or((rest, ""));
        let (field, state) = rest.split_once(' ').unwrap_or((rest, ""));
        let (is_compared, has_changed, each_test) = match state {
            "compared" => (true, false, false),
            "changed" => (true, true, false),
            "changed at once" => (true, true, true),
            "" => (false, false, false),
            _ => return Err("compared, changed, changed at once, or nothing?".to_owned()),
        };
        let (class, name) = self.static_field(field)?;
        let reaches = reaches.split(' ').filter(|class| !class.is_empty()).map(str::to_owned).collect();
        let graph = StaticFieldGraph { class, name, is_compared, each_test, has_changed, reaches };
        self.messages.push(AgentMessage::Graph(graph));
        Ok(())
    }

    /// Class and name of `A.f`.
    fn static_field(&self, field: &str) -> Result<(String, String), String> {
        let (class, name) = field.split_once('.').ok_or("a field is written A.f")?;
        if !self.classes.project.contains_key(class) {
            return Err(format!("{class} is not a class of the project"));
        }
        Ok((class.to_owned(), name.to_owned()))
    }

    /// `init A: enter A.<clinit> B.f | read conf.txt | nested B`.
    fn init(&mut self, rest: &str) -> LineResult {
        let (class, text) = rest.split_once(": ").unwrap_or((rest, ""));
        let LineItems { probes, notes, nested } = self.items(text)?;
        self.messages.push(AgentMessage::Init(StaticInit {
            class: class.to_owned(),
            probes: ProbeRuns(probes),
            nested,
            notes,
            spans: self.open.clone(),
        }));
        Ok(())
    }

    /// `load 1: enter A.<init> | read conf.txt | nested B`: work on a context.
    fn context(&mut self, rest: &str) -> LineResult {
        let (number, text) = rest.split_once(": ").unwrap_or((rest, ""));
        let LineItems { probes, notes, nested } = self.items(text)?;
        let number = number.parse().map_err(|_| "a context has a number")?;
        self.messages.push(AgentMessage::Context(ContextWork {
            number,
            probes: ProbeRuns(probes),
            nested,
            notes,
        }));
        Ok(())
    }

    /// `under A.f l/Library: read conf.txt`: what ran when an input was used.
    fn under(&mut self, rest: &str) -> LineResult {
        let (names, input) = rest.split_once(": ").ok_or("which input?")?;
        let mut probes = Vec::new();
        for name in names.split(' ') {
            probes.push(self.probe(name)?);
        }
        let note = self.input(input)?;
        self.messages.push(AgentMessage::Under(StackContext { note, probes: ProbeRuns(probes) }));
        Ok(())
    }

    /// `in LABEL, LABEL: enter A.f`: in other spans than the open ones.
    fn hits_in(&mut self, rest: &str) -> LineResult {
        let (labels, text) = rest.split_once(": ").ok_or("what?")?;
        let labels = labels.split(", ").filter(|label| *label != "nothing");
        let spans = labels.map(|label| self.span(label)).collect::<Result<_, _>>()?;
        self.hits(spans, text)
    }

    fn hits(&mut self, spans: Vec<u32>, text: &str) -> LineResult {
        let LineItems { probes, notes, nested } = self.items(text)?;
        if !nested.is_empty() {
            return Err("only initialisers are nested".to_owned());
        }
        self.messages.push(AgentMessage::Hits(SpanHits { spans, probes: ProbeRuns(probes), notes }));
        Ok(())
    }

    fn gap(&mut self, what: &str) -> LineResult {
        self.messages.push(AgentMessage::Gap(Gap { spans: self.open.clone(), what: what.to_owned() }));
        Ok(())
    }

    fn skip(&mut self, test: &str) -> LineResult {
        self.messages.push(AgentMessage::Skipped(test_id(test)));
        Ok(())
    }

    fn assume(&mut self, names: &str) -> LineResult {
        let probes = names.split(' ').map(|name| self.probe(name)).collect::<Result<_, _>>()?;
        self.messages.push(AgentMessage::Assumed(ProbeRuns(probes)));
        Ok(())
    }

    fn broken(&mut self, rest: &str) -> LineResult {
        self.is_broken = true;
        if rest == "off" { Ok(()) } else { Err("broken off?".to_owned()) }
    }

    /// `enter A.f A.g | use l/Library | read conf.txt`.
    fn items(&mut self, text: &str) -> Result<LineItems, String> {
        let mut items = LineItems::default();
        for item in text.split(" | ").filter(|item| !item.is_empty()) {
            let (word, rest) = item.split_once(' ').unwrap_or((item, ""));
            match word {
                "enter" | "use" => {
                    for name in rest.split(' ') {
                        if name.contains('.') != (word == "enter") {
                            return Err(format!("`{name}`: methods are entered, and classes used"));
                        }
                        items.probes.push(self.probe(name)?);
                    }
                }
                "nested" => items.nested.extend(rest.split(' ').map(str::to_owned)),
                _ => items.notes.push(self.input(item)?),
            }
        }
        Ok(items)
    }

    /// The number of an input, which is sent before its first use.
    fn input(&mut self, text: &str) -> Result<u32, String> {
        let what =
            inputs::from_text(text).ok_or_else(|| format!("`{text}` begins with none of the words"))?;
        if let Some(known) = self.inputs.iter().position(|known| *known == what) {
            return Ok(known as u32);
        }
        let number = self.inputs.len() as u32;
        self.messages.push(AgentMessage::Note(NumberedInput { number, what: what.clone() }));
        self.inputs.push(what);
        Ok(number)
    }

    /// The probe of a method, `a/B.f`, or of a class that is watched as a whole, `a/B`.
    fn probe(&mut self, name: &str) -> Result<u32, String> {
        let (class, method) =
            name.split_once('.').map_or((name, None), |(class, method)| (class, Some(method)));
        if !self.probes.contains_key(class) {
            let bytes = self.classes.libraries.get(class);
            let bytes = bytes.ok_or_else(|| format!("{class} is in no file, and no line made it"))?;
            self.load(class, Vec::new(), supers_of(bytes), content(bytes));
        }
        let (first, methods) = self.probes.get(class).ok_or("not loaded")?;
        let Some(method) = method else {
            return if methods.is_empty() { Ok(*first) } else { Err(format!("{class}: which method?")) };
        };
        let is_it = |(name, descriptor): &(String, String)| {
            method.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest == descriptor)
        };
        let mut found = methods.iter().enumerate().filter(|(_, known)| is_it(known));
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Ok(first + at as u32),
            (None, _) => Err(format!("{class} has no method {method}")),
            (Some(_), Some(_)) => Err(format!("{class} has several methods {method}; add the descriptor")),
        }
    }

    fn load_project_class(&mut self, name: &str) {
        let Some(bytes) = self.classes.project.get(name) else { return };
        self.load(name, self.classes.methods(name), supers_of(bytes), content(bytes));
    }

    fn load(&mut self, name: &str, methods: Vec<(String, String)>, supers: Vec<String>, content: u64) {
        let first_probe = self.next_probe;
        self.next_probe += methods.len().max(1) as u32;
        self.probes.insert(name.to_owned(), (first_probe, methods.clone()));
        let name = name.to_owned();
        self.messages.push(AgentMessage::Class(ClassLoaded {
            name,
            first_probe,
            methods,
            supers,
            content,
            blocks: Vec::new(),
        }));
    }
}

fn test_id(label: &str) -> TestId {
    match label.split_once('#') {
        Some((class, method)) => TestId { class: class.to_owned(), method: Some(method.to_owned()) },
        None => TestId { class: label.to_owned(), method: None },
    }
}
