//! Decides whether a module's test JVM needs to start at all.
//!
//! No JVM starts only if three conditions hold: the build would start it exactly as in an earlier run that
//! ended well; no class beside the tests was added or changed its shape since, so there is no unknown test;
//! and every recorded test of the module can be skipped.

use super::Session;
use super::task_tokens::AskedTask;
use crate::jvm::agent_option::AgentOption;
use crate::sync::lock;
use crate::world::ProjectWorld;
use std::collections::BTreeSet;
use std::fs;
use tamis_catalog::environment::JVM_OPTIONS;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_program::names::ClassName;
use tamis_project::build::gate::{GateAnswer, GateRequest, TestJvmOrder};
use tamis_project::launch::environment;
use tamis_select::decide::TestDecision;
use tamis_select::events::RunEvent;
use tamis_select::facts::{CodeFacts, FactKind};
use tamis_select::world::World;

impl Session<'_> {
    /// The answer to a request: whether its module has anything to run.
    pub(super) fn answer(&self, asked: GateRequest, agent: &AgentOption) -> GateAnswer {
        let module = asked.module_in(&self.settings.root.name(&asked.directory.to_string_lossy()));
        let digest = digest(self, &asked);
        self.remember_asked(&module, &digest);
        if self.has_nothing(&module, &digest) {
            return GateAnswer::Nothing;
        }
        self.await_module(&module, &asked.directory);
        if !asked.is_gradles() {
            return GateAnswer::Untouched;
        }
        let is_partial = !self.settings.all && !self.is_new(&module);
        let task = AskedTask { module, digest, class_path: asked.class_path };
        let token = lock(&self.tokens).add(task);
        GateAnswer::Run(TestJvmOrder { argument: agent.with_token(&token), is_partial })
    }

    fn has_nothing(&self, module: &str, asked: &str) -> bool {
        if self.settings.all {
            return false;
        }
        let launches = self.launches();
        let mut same = launches.launches.into_iter().filter(|launch| {
            launch.module == module
                && launch.gate_digest.as_deref() == Some(asked)
                && launch.test_shapes.is_some()
        });
        let Some(launch) = same.next_back() else { return false };
        let wanted = launch.test_shapes.clone();
        let Ok((world, choice)) = self.decide(launch) else { return false };
        let nothing = !choice.tests.is_empty()
            && choice.tests.iter().all(TestDecision::is_skip)
            && wanted == Some(shapes(&world, choice.tests.iter().map(|test| test.key.class.as_str())));
        if nothing {
            for test in &choice.tests {
                self.watch.event(&RunEvent::Skipped { module: module.to_owned(), test: test.id() });
            }
            self.watch.event(&RunEvent::Chosen(choice));
        }
        nothing
    }
}

/// Digest of a request, equal in every copy of the project.
fn digest(session: &Session<'_>, asked: &GateRequest) -> String {
    let root = &session.settings.root;
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Key);
    for text in [&asked.goal, &asked.execution, &asked.plugin, &asked.configuration_in(root.path())] {
        out.bytes(text.as_bytes());
    }
    // Variables that every JVM reads, and argument files that options name.
    for name in JVM_OPTIONS.exact {
        let value = std::env::var_os(name).unwrap_or_default();
        out.bytes(root.relative(&value.to_string_lossy()).as_bytes());
    }
    let words = asked.configuration.split(|letter: char| letter.is_whitespace() || "<>\"'".contains(letter));
    for file in words.filter_map(|word| word.strip_prefix('@')) {
        if let Ok(content) = fs::read(asked.directory.join(file)) {
            out.bytes(&content);
        }
    }
    if asked.is_gradles() {
        // A task has an environment of its own, which no parameter shows.
        let theirs = asked.environment.iter().cloned().collect();
        for (name, value) in environment::differences(&theirs) {
            let value = value.map(|value| root.relative(&value));
            out.bytes(format!("{name} {value:?}").as_bytes());
        }
    }
    for path in &asked.class_path {
        out.bytes(root.relative(&path.to_string_lossy()).as_bytes());
    }
    out.finish().to_string()
}

/// The shapes of all classes beside the tests. A class that is not a test yet may become one.
pub(super) fn shapes<'t>(world: &ProjectWorld, tests: impl Iterator<Item = &'t str>) -> String {
    let path = &world.loaded.class_path;
    let roots: BTreeSet<usize> = tests
        .filter_map(|class| path.find(&ClassName::from_dotted(class)))
        .map(|entry| entry.root())
        .collect();
    let snapshot = world.snapshot();
    let mut code = CodeFacts::new(snapshot);
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    for entry in path.classes().iter().filter(|entry| roots.contains(&entry.root())) {
        let Some(id) = snapshot.find(&entry.name) else { continue };
        out.bytes(entry.name.as_bytes());
        let question = code.of_class(FactKind::Shape, id);
        let shape: Digest = code.answer(&question).unwrap_or_else(|| Digest::of(b""));
        out.digest(&shape);
    }
    out.finish().to_string()
}
