//! Answers about environment variables and system properties.

use super::ProjectWorld;
use std::collections::{BTreeMap, BTreeSet};
use tamis_catalog::builds::holds_class_path;
use tamis_catalog::environment::{SESSION, VOLATILE};
use tamis_catalog::jdk::properties::{OF_COMMIT, OF_PLACE};
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_project::root::ProjectRoot;
use tamis_select::facts::Answer;
use tamis_select::world::{EVERYTHING, LOOKED_UP, TAKEN_BY_LIBRARY};

impl ProjectWorld {
    /// An environment variable by its name; for a set of variables, their names.
    pub(super) fn environment_answer(&self, name: &str) -> Answer {
        match name {
            EVERYTHING | TAKEN_BY_LIBRARY | LOOKED_UP => Some(digest_of_names(&self.variable_names(name))),
            _ => self.variable(name).map(|value| value_digest(&value, &self.root)),
        }
    }

    /// A system property by its name; for a set of properties, their names.
    pub(super) fn property_answer(&self, name: &str) -> Answer {
        match name {
            EVERYTHING | TAKEN_BY_LIBRARY | LOOKED_UP => Some(digest_of_names(&self.property_names(name))),
            _ => self.property_value(name).map(|value| value_digest(&value, &self.root)),
        }
    }

    /// The variables that code sees which takes all of them. A library is not taken to look at those that differ between log-ins
    /// or jobs.
    pub(super) fn variable_names(&self, set: &str) -> Vec<String> {
        let all = self.variables().into_keys();
        all.filter(|name| set != TAKEN_BY_LIBRARY || !SESSION.has(name)).collect()
    }

    /// The properties that code sees which takes all of them. A library is not taken to look at those that differ between machines
    /// or commits.
    pub(super) fn property_names(&self, set: &str) -> Vec<String> {
        let is_seen = |name: &&String| match set {
            EVERYTHING => true,
            LOOKED_UP => !OF_COMMIT.has(name) && !OF_PLACE.has(name),
            _ => !OF_COMMIT.has(name),
        };
        let all = self.launch.properties.keys().filter(|name| !holds_class_path(name));
        all.filter(is_seen).cloned().collect()
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
            .filter(|name| !VOLATILE.has(name))
            .filter_map(|name| self.variable(&name).map(|value| (name, value)))
            .collect()
    }

    pub(super) fn property_value(&self, name: &str) -> Option<String> {
        if holds_class_path(name) {
            return Some(self.launch.class_path.join(":"));
        }
        self.launch.properties.get(name).cloned()
    }
}

fn value_digest(value: &str, root: &ProjectRoot) -> Digest {
    Digest::of(root.relative(value).as_bytes())
}

fn digest_of_names(names: &[String]) -> Digest {
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    names.iter().for_each(|name| out.bytes(name.as_bytes()));
    out.finish()
}
