//! Compiles Java and caches the output under the target folder, keyed by all inputs.
//!
//! This module does not know the purpose of the classes. All tests with the same inputs share a cached
//! output, so it must not be changed; [`ClassDir::copy_to`] makes a private copy.

mod batch;
mod cache;
mod class_dir;

use std::collections::BTreeMap;

use crate::jdk::Jdk;
use cache::{Cache, Key};

pub(crate) use cache::stays_below;
pub use class_dir::ClassDir;

/// One compilation, equivalent to one `javac` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// Paths such as `a/B.java`, and their text, in the order for javac. A file that does not end in `.java`
    /// is a resource: it is copied beside the classes, as builds do.
    pub sources: Vec<(String, String)>,
    /// Options for javac. The content of files and folders named here is part of the cache key. Without an
    /// option for the class path, the class path is empty.
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

/// Compiles these sources with these options. The error is the output of javac, with the given paths.
///
/// A cache miss starts a JVM, which takes about half a second: use one [`compile_many`] for many
/// compilations.
pub fn compile(jdk: &Jdk, sources: &[(&str, &str)], args: &[&str]) -> Result<ClassDir, String> {
    compile_many(jdk, vec![Job::new(sources, args)])
        .pop()
        .unwrap_or_else(|| Err("the compilation left no result".to_owned()))
}

/// Compiles every job separately; the cache misses share one JVM. Results are in the order of the jobs.
pub fn compile_many(jdk: &Jdk, jobs: Vec<Job>) -> Vec<Result<ClassDir, String>> {
    let cache = Cache::of_this_workspace();
    let keys: Vec<Result<Key, String>> = jobs.iter().map(|job| Key::of(jdk, job)).collect();

    // Many cases begin with the same program; each distinct one is compiled once.
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
