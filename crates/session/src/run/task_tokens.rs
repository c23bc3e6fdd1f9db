//! Connects test JVMs with the requests of the build for which they were started.

use rustc_hash::FxHashMap;
use std::path::PathBuf;
use tamis_wire::Hello;

/// The request for which a JVM was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedTask {
    pub(super) module: String,
    /// The digest of the request.
    pub(super) digest: String,
    pub(super) class_path: Vec<PathBuf>,
}

/// The requests of a run by token. A token is no secret: only the user's programs reach the socket.
#[derive(Debug, Default)]
pub(super) struct TaskTokens(FxHashMap<String, AskedTask>);

impl TaskTokens {
    /// The token of a request.
    pub(super) fn add(&mut self, task: AskedTask) -> String {
        let token = format!("t{}", self.0.len());
        self.0.insert(token.clone(), task);
        token
    }

    pub(super) fn task_of(&self, hello: &Hello) -> Option<AskedTask> {
        self.0.get(&hello.token).cloned()
    }
}

impl AskedTask {
    /// Completes the class path of a JVM that learns it only after its start, as Gradle's workers of Java 8 do.
    pub(super) fn complete(&self, hello: &mut Hello, class_path: &str) {
        let known = |hello: &Hello| {
            let paths = hello.properties.iter().filter(|(name, _)| name == class_path);
            paths.flat_map(|(_, value)| value.split(':').map(PathBuf::from)).collect::<Vec<PathBuf>>()
        };
        let known = known(hello);
        let existing = self.class_path.iter().filter(|entry| entry.exists());
        let missing: Vec<&PathBuf> = existing.filter(|entry| !known.contains(entry)).collect();
        if !missing.is_empty() {
            let all: Vec<String> = self.class_path.iter().map(|entry| entry.display().to_string()).collect();
            hello.properties.push((class_path.to_owned(), all.join(":")));
        }
    }
}
