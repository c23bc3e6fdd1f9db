//! The interface to everything outside of a program's code.
//!
//! `select` itself opens no file and reads no clock. `session` answers from the disk, and unit tests answer
//! from a table.

use crate::facts::{Answer, CodeFacts, FactKind, Question, WalkAnswers};
use crate::rules::{SelectionRule, SelectionRules};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::SystemTime;
use tamis_program::snapshot::Snapshot;

/// The facts about a JVM that belong to all of its tests.
pub const JVM_FACTS: [&str; 5] = ["jdk", "flags", "settings", "defaults", "framework"];

/// Suffix of a library class's name in a question about the order of the members in its class file.
pub const IN_ORDER: &str = "#order";

/// Suffix of a resource's name in a question about whether it is there.
pub const PRESENCE: &str = "#there";

/// In place of a name: all environment variables, or all system properties.
pub const EVERYTHING: &str = "";

/// In place of a name: those that a library which takes all of them is taken to look at.
pub const TAKEN_BY_LIBRARY: &str = "*";

/// The same for a library that looks up names that are seen, or that are its own.
pub const LOOKED_UP: &str = "**";

/// A program and its surroundings, as one JVM sees them.
pub trait World {
    /// The module whose tests the JVM runs.
    fn module(&self) -> &str;

    /// The program's code.
    fn snapshot(&self) -> &Snapshot;

    /// The present answer to a question that is not about code.
    fn answer(&self, question: &Question) -> Answer;

    /// The present answers to questions about resources, read together.
    fn resources(&self, names: &BTreeSet<&str>) -> BTreeMap<String, Answer>;

    /// Whether a class is found in a library.
    fn is_library(&self, class: &str) -> bool;

    /// Whether a library class belongs to a test framework or a build's runner.
    fn is_framework(&self, class: &str) -> bool;

    /// Whether a class is in the archive of another agent, which is named by an option of the JVM.
    fn is_agent(&self, class: &str) -> bool;

    /// The number of the archive in which a library class is found.
    fn archive_of(&self, class: &str) -> Option<usize>;

    /// The class file of a class on the project's class path. The error is one line.
    fn class_file(&self, class: &str) -> Option<Result<Vec<u8>, String>>;

    /// The class file of a library class.
    fn library_class_file(&self, class: &str) -> Option<Vec<u8>>;

    /// The directory or archive in which a class of the project is found.
    fn class_root(&self, class: &str) -> Option<&Path>;

    /// The classes in the directories and archives that hold one of these classes.
    fn classes_beside(&self, classes: &BTreeSet<String>) -> Vec<&str>;

    /// The name of a file in a directory of the class path: `a/b.txt`.
    fn resource<'p>(&self, path: &'p str) -> Option<&'p str>;

    /// A path as facts name it: relative to the project if it is inside.
    fn name_of(&self, path: &str) -> String;

    /// Whether a path is inside of the project.
    fn is_in_project(&self, path: &str) -> bool;

    /// Whether a path is a directory now.
    fn is_directory(&self, path: &str) -> bool;

    /// Whether the build keeps notes or reports of its own at a path. Tests do not depend on these.
    fn is_build_file(&self, path: &str) -> bool;

    /// A system property of the JVM.
    fn property(&self, name: &str) -> Option<&str>;

    /// The environment variables or system properties of a set: [`EVERYTHING`] or one of the others.
    fn names(&self, kind: FactKind, set: &str) -> Vec<String>;

    /// Whether the build or a file of the test framework sets a setting of the framework.
    fn is_framework_setting(&self, name: &str) -> bool;

    /// The tests that the build requested of the JVM, if known.
    fn requested_tests(&self) -> Option<&str>;

    /// Whether an archive precedes all directories on the class path; archives of frameworks do not count.
    fn has_leading_archive(&self) -> bool;

    /// The user's rules.
    fn rules(&self) -> &SelectionRules {
        SelectionRules::NONE
    }

    /// The file of a question if it changed after `since`; then a test may have read another version.
    fn changed_since(&self, question: &Question, since: SystemTime) -> Option<String>;
}

/// The answers of a world, each found once: thousands of tests ask the same questions.
pub struct AnswerCache<'w> {
    world: &'w dyn World,
    /// The answers to questions about code.
    pub code: CodeFacts<'w>,
    known: FxHashMap<Question, Answer>,
    /// The rules by which facts count as held that do not hold.
    pub used_rules: BTreeSet<SelectionRule>,
    walks: WalkAnswers,
}

impl<'w> AnswerCache<'w> {
    /// The answers of this world.
    pub fn new(world: &'w dyn World) -> AnswerCache<'w> {
        AnswerCache {
            world,
            code: CodeFacts::new(world.snapshot()),
            known: FxHashMap::default(),
            used_rules: BTreeSet::new(),
            walks: WalkAnswers::default(),
        }
    }

    /// Whether a class is found in a library.
    pub fn is_library(&self, class: &str) -> bool {
        self.world.is_library(class)
    }

    /// The user's rules.
    pub fn rules(&self) -> &'w SelectionRules {
        self.world.rules()
    }

    /// Prepares the answers to these questions: resources in archives are read together.
    pub fn expect<'q>(&mut self, questions: impl Iterator<Item = &'q Question>) {
        let names: BTreeSet<&str> = questions
            .filter(|question| question.kind == FactKind::Resource && !self.known.contains_key(*question))
            .map(|question| &*question.subject)
            .collect();
        if names.is_empty() {
            return;
        }
        for (name, answer) in self.world.resources(&names) {
            self.known.insert(Question::new(FactKind::Resource, name), answer);
        }
    }

    /// The present answer.
    pub fn answer(&mut self, question: &Question) -> Answer {
        if let Some(known) = self.known.get(question) {
            return *known;
        }
        let answer = match question.kind {
            FactKind::Walk => self.walks.answer(self.world, &self.code, &question.subject),
            kind if kind.is_code() => self.code.answer(question),
            _ => self.world.answer(question),
        };
        self.known.insert(question.clone(), answer);
        answer
    }

    /// Forgets the answers about files, because files may have changed.
    pub fn forget_files(&mut self) {
        self.known.retain(|question, _| !question.kind.is_of_file());
    }
}
