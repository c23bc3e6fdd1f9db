//! Decisions without a JVM: about modules as their JVMs were started the last time.
//!
//! Holds the order of calls; `select` decides.

use super::Session;
use crate::class_backup::ClassBackup;
use crate::error::SessionError;
use crate::load::{JdkChoice, LoadOptions, load};
use crate::test_folders;
use crate::world::ProjectWorld;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tamis_catalog::builds;
use tamis_program::digest::Digest;
use tamis_program::names::ClassName;
use tamis_project::launch::Launch;
use tamis_report::words;
use tamis_select::decide::{ModuleDecision, complete_with_static, decide_module, mark_static, test_class};
use tamis_select::events::RunEvent;
use tamis_select::facts::Question;
use tamis_select::new_tests;
use tamis_select::static_graph::StaticTests;
use tamis_select::stored::{StoredTraces, TestKey};
use tamis_select::world::{AnswerCache, World};

impl Session<'_> {
    /// Decides about a module whose JVM would be started like this.
    pub fn decide(&self, launch: Launch) -> Result<(ProjectWorld, ModuleDecision), SessionError> {
        let start = Instant::now();
        let module = launch.module.clone();
        let opened = ProjectWorld::open(launch, &self.settings.root, self.index(&module));
        let world = opened?.with_rules(&self.settings.rules);
        let mut answers = AnswerCache::new(&world);
        let granularity = self.settings.granularity;
        let mut decided = |stored: &StoredTraces| {
            decide_module(stored, &mut answers, world.snapshot(), &module, granularity, self.ignored)
        };
        let mut tests = decided(&self.stored);
        if self.settings.technique.reach().is_some() {
            mark_static(&mut tests);
        } else if let Some(statics) = &self.statics {
            complete_with_static(&mut tests, decided(statics));
        }
        let rules = std::mem::take(&mut answers.used_rules).into_iter().collect();
        drop(answers);
        Ok((world, ModuleDecision { module, tests, seconds: start.elapsed().as_secs_f64(), rules }))
    }

    /// Decides about all modules as their JVMs were started the last time, and reports the decisions as
    /// events.
    pub fn decide_all(&self) -> Result<(), SessionError> {
        let mut modules: BTreeMap<String, ModuleDecision> = BTreeMap::new();
        for launch in self.launches.launches.clone() {
            let module = launch.module.clone();
            let (world, mut choice) = match self.decide(launch) {
                Ok(decided) => decided,
                Err(error) => {
                    let what = words::module_unknown(&module, &error);
                    self.watch.event(&RunEvent::Gap { module, what });
                    continue;
                }
            };
            new_tests::add(&world, &choice.module, &mut choice.tests);
            if choice.tests.iter().any(|test| !test.is_skip())
                && let Ok(changes) = ClassBackup::of(&self.settings.store, &choice.module).changes(&world)
                && !changes.is_empty()
            {
                self.watch.event(&RunEvent::Changed { module: choice.module.clone(), changes });
            }
            match modules.get_mut(&choice.module) {
                // Integration tests run in another JVM than unit tests. A test counts as skipped if it can be
                // skipped in one of them.
                Some(known) => {
                    known.seconds += choice.seconds;
                    for (known, other) in known.tests.iter_mut().zip(choice.tests) {
                        if other.key == known.key && other.is_skip() {
                            *known = other;
                        }
                    }
                }
                None => drop(modules.insert(choice.module.clone(), choice)),
            }
        }
        if modules.is_empty() {
            self.find_unheard(&mut modules)?;
        }
        modules.into_values().for_each(|choice| self.watch.event(&RunEvent::Chosen(choice)));
        Ok(())
    }

    /// With a static technique: the methods over which a test may reach the subject of a question.
    pub fn static_path(&self, test: &TestKey, question: &Question) -> Vec<String> {
        let Some(kind) = self.settings.technique.reach() else { return Vec::new() };
        let launch = self.launches.launches.iter().rfind(|launch| launch.module == test.module);
        let world = launch.and_then(|launch| {
            ProjectWorld::open(launch.clone(), &self.settings.root, self.index(&test.module)).ok()
        });
        let Some(world) = world else { return Vec::new() };
        let mut tests = StaticTests::new(&world, self.settings.technique, kind, self.settings.threads);
        match test_class(world.snapshot(), &ClassName::from_dotted(&test.class)) {
            Some(class) => tests.path(class, test.method.as_deref(), question),
            None => Vec::new(),
        }
    }

    /// Lists the tests of a project without recorded runs: all would run.
    fn find_unheard(&self, modules: &mut BTreeMap<String, ModuleDecision>) -> Result<(), SessionError> {
        let what = words::NOTHING_RECORDED.to_owned();
        self.watch.event(&RunEvent::Gap { module: String::new(), what });
        let root = &self.settings.root;
        let is_built = |folder: &Path| builds::BUILD_FILES.iter().any(|file| folder.join(file).is_file());
        for directory in test_folders::test_class_directories(root.path()) {
            let start = Instant::now();
            let folder = directory.ancestors().find(|above| is_built(above) || *above == root.path());
            let module = root.name(&folder.unwrap_or(root.path()).to_string_lossy());
            let options = LoadOptions { jdk: JdkChoice::None, lenient: true, ..LoadOptions::default() };
            let loaded = load(&[directory], &options)?;
            let tests = new_tests::in_directory(&module, &loaded.snapshot);
            let choice = modules.entry(module.clone()).or_default();
            choice.module = module;
            choice.tests.extend(tests);
            choice.seconds += start.elapsed().as_secs_f64();
        }
        Ok(())
    }

    /// The index file of a module.
    fn index(&self, module: &str) -> PathBuf {
        let name = Digest::of(module.as_bytes());
        let folder = self.settings.store.join("index");
        // If the folder cannot be made, there is no index.
        let _ = fs::create_dir_all(&folder);
        folder.join(format!("{name}"))
    }
}
