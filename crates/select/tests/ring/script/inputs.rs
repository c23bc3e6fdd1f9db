//! Inputs as words of a script, read and written.

use super::PROJECT;
use tamis_wire::{AttributeRead, CopiedTime, FileAttribute, HiddenClass, Input, StartedProcess};

/// `read conf.txt`; `path` writes a path.
pub(crate) fn to_text(input: &Input, path: &dyn Fn(&str) -> String) -> String {
    let named = |word: &str, name: &str| format!("{word} {name}");
    let maybe = |word: &str, name: &Option<String>| match name {
        Some(name) => format!("{word} {name}"),
        None => word.to_owned(),
    };
    match input {
        Input::Read(file) => named("read", &path(file)),
        Input::Examined(file) => named("examine", &path(file)),
        Input::Missing(file) => named("miss", &path(file)),
        Input::Listed(file) => named("list", &path(file)),
        Input::Written(file) => named("write", &path(file)),
        Input::Declared(file) => named("declarations", &path(file)),
        Input::Scanned(file) => named("scan", &path(file)),
        Input::Library(file) => named("native", &path(file)),
        Input::Environment(name) => maybe("env", name),
        Input::Property(name) => maybe("property", name),
        Input::PropertySet(name) => maybe("set-property", name),
        Input::Bundle(name) => maybe("bundle", name),
        Input::Machine(what) => named("machine", what),
        Input::Reflected(class) => named("reflect", class),
        Input::Named(class) => named("name", class),
        Input::Redefined(class) => named("redefine", class),
        Input::FieldSet(field) => named("set-field", field),
        Input::FieldLeft(field) => named("leave", field),
        Input::Thread(name) => named("thread", name),
        Input::Context(number) => named("context", &number.to_string()),
        Input::Network(host) => named("connect", host),
        Input::Stack => "stack".to_owned(),
        Input::LoggedStack => "logged-stack".to_owned(),
        Input::Attribute(read) => {
            let by = if read.by_library { "library-attribute" } else { "attribute" };
            format!("{by} {} {}", read.attribute.word(), path(&read.path))
        }
        Input::TimeCopied(copied) => format!("copy-time {} to {}", path(&copied.from), path(&copied.to)),
        Input::Process(process) => {
            let words: Vec<&str> = process.arguments.iter().map(String::as_str).collect();
            format!("process {} {}", process.program, words.join(" ")).trim_end().to_owned()
        }
        Input::Made(made) => format!("hidden {} of {} {}", made.name, made.host, made.supers.join(" ")),
    }
}

/// The input of such words.
pub(crate) fn from_text(text: &str) -> Option<Input> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let name = || (!rest.is_empty()).then(|| rest.to_owned());
    let file_of = |rest: &str| match rest.strip_prefix("../") {
        _ if rest.starts_with('/') => rest.to_owned(),
        Some(beside) => format!("{}/{beside}", PROJECT.rsplit_once('/').map_or("", |(above, _)| above)),
        None if rest == "." => PROJECT.to_owned(),
        None => format!("{PROJECT}/{rest}"),
    };
    let file = || file_of(rest);
    Some(match word {
        "env" => Input::Environment(name()),
        "property" => Input::Property(name()),
        "set-property" => Input::PropertySet(name()),
        "bundle" => Input::Bundle(name()),
        "stack" => Input::Stack,
        "logged-stack" => Input::LoggedStack,
        _ if rest.is_empty() => return None,
        "attribute" | "library-attribute" => {
            let (attribute, path) = rest.split_once(' ')?;
            Input::Attribute(AttributeRead {
                path: file_of(path),
                attribute: FileAttribute::from_word(attribute)?,
                by_library: word != "attribute",
            })
        }
        "copy-time" => {
            let (from, to) = rest.split_once(" to ")?;
            Input::TimeCopied(CopiedTime { from: file_of(from), to: file_of(to) })
        }
        "read" => Input::Read(file()),
        "examine" => Input::Examined(file()),
        "miss" => Input::Missing(file()),
        "list" => Input::Listed(file()),
        "write" => Input::Written(file()),
        "declarations" => Input::Declared(file()),
        "scan" => Input::Scanned(file()),
        "native" => Input::Library(file()),
        "context" => Input::Context(rest.parse().ok()?),
        "machine" => Input::Machine(name()?),
        "reflect" => Input::Reflected(name()?),
        "name" => Input::Named(name()?),
        "redefine" => Input::Redefined(name()?),
        "set-field" => Input::FieldSet(name()?),
        "leave" => Input::FieldLeft(name()?),
        "thread" => Input::Thread(name()?),
        "connect" => Input::Network(name()?),
        "process" => {
            let mut words = rest.split(' ').map(str::to_owned);
            let program = words.next()?;
            Input::Process(StartedProcess { pid: 0, program, arguments: words.collect() })
        }
        "hidden" => {
            let (name, rest) = rest.split_once(" of ")?;
            let mut words = rest.split(' ').map(str::to_owned);
            let host = words.next()?;
            Input::Made(HiddenClass { name: name.to_owned(), host, supers: words.collect() })
        }
        _ => return None,
    })
}

/// The class that an input is about, if it is about a class.
pub(crate) fn class_of(input: &Input) -> Option<&str> {
    match input {
        Input::Reflected(class) | Input::Named(class) | Input::Redefined(class) => Some(class),
        _ => None,
    }
}
