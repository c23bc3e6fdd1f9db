//! Compiles Java, once: an output is kept under the target folder and found again by what went into it.
//!
//! Does not know what the classes are for. A cached output is shared by every test that asks for it, so it is
//! to be read, not changed; [`ClassDir::copy_to`] gives a copy of one's own.

mod batch;
mod cache;
mod class_dir;

use std::collections::BTreeMap;

use crate::jdk::Jdk;
use cache::{Cache, Key};

pub(crate) use cache::stays_below;
pub use class_dir::ClassDir;

/// One compilation: what would be one `javac` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// Paths such as `a/B.java`, and their text. Their order is javac's. A file that does not end in `.java`
    /// is a resource: it is copied beside the classes, as builds do.
    pub sources: Vec<(String, String)>,
    /// Options for javac. Files and folders named here are part of what the output is found by. Without one
    /// that sets the class path, it is empty.
    pub args: Vec<String>,
}

impl Job {
    /// A job from literals.
    pub fn new(sources: &[(&str, &str)], args: &[&str]) -> Job {
        let owned = |s: &&str| (*s).to_owned();
        Job {
            sources: sources.iter().map(|(path, text)| (owned(path), owned(text))).collect(),
            args: args.iter().map(owned).collect(),
        }
    }
}

/// Compiles these sources with these options; the error is what javac printed, paths as given here.
///
/// A miss starts a JVM, about half a second: many compilations belong into one [`compile_many`].
pub fn compile(jdk: &Jdk, sources: &[(&str, &str)], args: &[&str]) -> Result<ClassDir, String> {
    compile_many(jdk, vec![Job::new(sources, args)])
        .pop()
        .unwrap_or_else(|| Err("the compilation left no result".to_owned()))
}

/// Compiles every job by itself; the misses share one JVM. Results are in the order of the jobs.
pub fn compile_many(jdk: &Jdk, jobs: Vec<Job>) -> Vec<Result<ClassDir, String>> {
    let cache = Cache::of_this_workspace();
    let keys: Vec<Result<Key, String>> = jobs.iter().map(|job| Key::of(jdk, job)).collect();

    // Many cases begin with the same program: each distinct one is compiled once.
    let mut misses: BTreeMap<&Key, &Job> = BTreeMap::new();
    for (key, job) in keys.iter().zip(&jobs) {
        if let Ok(key) = key
            && cache.get(key).is_none()
        {
            misses.insert(key, job);
        }
    }
    let failures = batch::compile(jdk, &cache, &misses);

    keys.iter()
        .map(|key| {
            let key = key.as_ref().map_err(Clone::clone)?;
            if let Some(failure) = failures.get(key) {
                return Err(failure.clone());
            }
            cache.get(key).ok_or_else(|| format!("{} vanished from the cache", cache.entry(key).display()))
        })
        .collect()
}

#[cfg(test)]
mod tests;
