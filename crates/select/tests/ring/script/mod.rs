//! Scripts: the messages of a test JVM as lines that people read and write. The ring's `main.rs` lists the words.
//!
//! The ring reads scripts. The slow ring `scripts_slow` writes them, from messages of JVMs. Nothing here knows what a fact is.

pub(crate) mod inputs;
pub(crate) mod read;
pub(crate) mod write;

use std::collections::BTreeMap;
use tamis_classfile::{ClassFile, mutf8};

/// The project's directory in every script. What lies beside it is written `../FILE`.
pub(crate) const PROJECT: &str = "/ring/project";

/// The classes that a script may name, by name, with their files.
#[derive(Default)]
pub(crate) struct ClassTable {
    pub(crate) project: BTreeMap<String, Vec<u8>>,
    pub(crate) libraries: BTreeMap<String, Vec<u8>>,
}

impl ClassTable {
    /// The names and descriptors of the methods of a project's class.
    fn methods(&self, class: &str) -> Vec<(String, String)> {
        let Some(file) = self.project.get(class).and_then(|bytes| ClassFile::parse(bytes).ok()) else {
            return Vec::new();
        };
        let text = |index| file.pool.text(index).map_or(String::new(), |text| text.into_owned());
        file.methods.iter().map(|method| (text(method.name), text(method.descriptor))).collect()
    }
}

/// How a script names a method: `a/B.f`, with its descriptor where the class has several methods of the name.
fn method_name(class: &str, method: &(String, String), all: &[(String, String)]) -> String {
    let (name, descriptor) = method;
    match all.iter().filter(|(other, _)| other == name).count() {
        1 => format!("{class}.{name}"),
        _ => format!("{class}.{name}{descriptor}"),
    }
}

/// The superclass and the interfaces of a class file.
pub(crate) fn supers_of(bytes: &[u8]) -> Vec<String> {
    let Ok(file) = ClassFile::parse(bytes) else { return Vec::new() };
    let supers = file.super_name().ok().flatten().into_iter();
    let supers = supers.chain(file.interface_names().filter_map(Result::ok));
    supers.map(|name| mutf8::decode(name).into_owned()).collect()
}
