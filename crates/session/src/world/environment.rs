//! Answers about environment variables and system properties.

use super::ProjectWorld;
use std::collections::{BTreeMap, BTreeSet};
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_project::launch::{is_of_session, is_volatile};
use tamis_project::root::ProjectRoot;
use tamis_select::facts::Answer;
use tamis_select::world::CLASS_PATHS;

impl ProjectWorld {
    /// An environment variable by its name. The empty name means all variables. `*` means all variables that
    /// a library is assumed to read: those that do not differ between log-ins or jobs.
    pub(super) fn environment_answer(&self, name: &str) -> Answer {
        match name {
            "" => Some(all(self.variables().iter(), &self.root)),
            "*" => {
                let variables = self.variables();
                Some(all(variables.iter().filter(|(name, _)| !is_of_session(name)), &self.root))
            }
            _ => self.variable(name).map(|value| value_digest(&value, &self.root)),
        }
    }

    /// A system property by its name; the empty name means all properties.
    pub(super) fn property_answer(&self, name: &str) -> Answer {
        if name.is_empty() {
            let counts = |(name, _): &(&String, &String)| !CLASS_PATHS.contains(&name.as_str());
            return Some(all(self.launch.properties.iter().filter(counts), &self.root));
        }
        self.property_value(name).map(|value| value_digest(&value, &self.root))
    }

    /// The value of an environment variable in the JVM.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        match self.launch.environment.get(name) {
            Some(set) => set.clone(),
            None => std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()),
        }
    }

    fn variables(&self) -> BTreeMap<String, String> {
        let ours = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        let names: BTreeSet<String> = ours.chain(self.launch.environment.keys().cloned()).collect();
        names
            .into_iter()
            .filter(|name| !is_volatile(name))
            .filter_map(|name| self.variable(&name).map(|value| (name, value)))
            .collect()
    }

    pub(super) fn property_value(&self, name: &str) -> Option<String> {
        if CLASS_PATHS.contains(&name) {
            return Some(self.launch.class_path.join(":"));
        }
        self.launch.properties.get(name).cloned()
    }
}

fn value_digest(value: &str, root: &ProjectRoot) -> Digest {
    Digest::of(root.relative(value).as_bytes())
}

fn all<'a>(entries: impl Iterator<Item = (&'a String, &'a String)>, root: &ProjectRoot) -> Digest {
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    for (name, value) in entries {
        out.bytes(name.as_bytes());
        out.bytes(root.relative(value).as_bytes());
    }
    out.finish()
}
