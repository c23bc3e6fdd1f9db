//! How JVMs were started: what `gate` compares and facts about a whole JVM are taken from.

use std::collections::BTreeMap;

/// How one JVM was started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The module whose tests it ran.
    pub module: String,
    /// The directory it was started in.
    pub directory: String,
    /// Its options, without class path, main class and what is ours.
    pub flags: Vec<String>,
    /// System properties that it had or was given by the build.
    pub properties: BTreeMap<String, String>,
    /// What else the build told it about how to run tests.
    pub runner_settings: BTreeMap<String, String>,
    /// Environment variables that the build set, or removed, for it.
    pub environment: BTreeMap<String, Option<String>>,
    /// Its class path, in order, manifests followed.
    pub class_path: Vec<String>,
    /// Those of its class path that hold the project's own classes.
    pub watched: Vec<String>,
    /// Which tests it was asked to run, as far as it was told by its command line or the build's settings.
    pub requested_tests: Option<String>,
    /// Where the build keeps its own notes and reports: no test relies on them.
    pub build_files: Vec<String>,
    /// What the build was asked to do, as far as it was heard: if it is the same, so is the launch.
    pub gate_digest: Option<String>,
    /// What the classes that lie where its tests do looked like, if the run came to its end.
    pub test_shapes: Option<String>,
}

/// The launches of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchHistory {
    /// In the order in which JVMs were started.
    pub launches: Vec<Launch>,
}

impl LaunchHistory {
    /// Adds a launch in place of the one that it repeats.
    pub fn add(&mut self, launch: Launch) {
        self.launches.retain(|known| {
            (&known.module, &known.class_path, &known.gate_digest)
                != (&launch.module, &launch.class_path, &launch.gate_digest)
        });
        self.launches.push(launch);
    }
}
