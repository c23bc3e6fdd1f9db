//! Data about how JVMs were started. The gate compares launches, and facts about a whole JVM come from them.

use std::collections::BTreeMap;

/// The start of one JVM.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The module whose tests it ran.
    pub module: String,
    /// The directory it was started in.
    pub directory: String,
    /// Its options, without class path, main class and our own options.
    pub flags: Vec<String>,
    /// System properties, from the JVM and from the build.
    pub properties: BTreeMap<String, String>,
    /// Other settings that the build gave to its test runner.
    pub runner_settings: BTreeMap<String, String>,
    /// Environment variables that the build set for it, or removed.
    pub environment: BTreeMap<String, Option<String>>,
    /// Its class path, in order, manifests followed.
    pub class_path: Vec<String>,
    /// The class path entries with the project's own classes.
    pub watched: Vec<String>,
    /// The tests that it was asked to run, as far as its command line or the build's settings name them.
    pub requested_tests: Option<String>,
    /// Paths where the build keeps notes and reports of its own. No test depends on them.
    pub build_files: Vec<String>,
    /// The digest of the build's request at the gate, if it was received. An equal digest means an equal
    /// launch.
    pub gate_digest: Option<String>,
    /// The shapes of the classes beside the tests, if the run ended normally.
    pub test_shapes: Option<String>,
}

/// The launches of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchHistory {
    /// The launches in the order of their starts.
    pub launches: Vec<Launch>,
}

impl LaunchHistory {
    /// Adds a launch, and removes the one that it repeats.
    pub fn add(&mut self, launch: Launch) {
        self.launches.retain(|known| {
            (&known.module, &known.class_path, &known.gate_digest)
                != (&launch.module, &launch.class_path, &launch.gate_digest)
        });
        self.launches.push(launch);
    }
}
