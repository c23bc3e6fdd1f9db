//! Compiles many jobs in one JVM.
//!
//! Starting a JVM and warming up a compiler costs more than compiling a small class. All cache misses of a
//! call are therefore passed to one run of `java/CompileMany.java`. Each job has its own folder and does not
//! see the others.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::cache::{Cache, Key};
use super::{ClassDir, Job};
use crate::jdk::Jdk;
use crate::run;

const HELPER: &str = include_str!("../../java/CompileMany.java");

/// A hanging compiler must not block the tests, and a slow machine must not fail them.
const LIMIT: Duration = Duration::from_secs(600);

/// Puts the jobs' outputs into the cache; returns the errors of the jobs that failed.
pub(super) fn compile<'a>(
    jdk: &Jdk,
    cache: &Cache,
    jobs: &BTreeMap<&'a Key, &Job>,
) -> BTreeMap<&'a Key, String> {
    if jobs.is_empty() {
        return BTreeMap::new();
    }
    try_compile(jdk, cache, jobs).unwrap_or_else(|e| jobs.keys().map(|key| (*key, e.clone())).collect())
}

fn try_compile<'a>(
    jdk: &Jdk,
    cache: &Cache,
    jobs: &BTreeMap<&'a Key, &Job>,
) -> Result<BTreeMap<&'a Key, String>, String> {
    let helper = helper(jdk, cache)?;
    let disk = |e: io::Error| format!("the javac cache: {e}");
    let workshop = cache.workshop().map_err(disk)?;
    let no_classes = workshop.path().join("no-classes");
    fs::create_dir(&no_classes).map_err(disk)?;

    let folders: Vec<_> = (0..jobs.len()).map(|index| workshop.path().join(index.to_string())).collect();
    for (job, folder) in jobs.values().zip(&folders) {
        lay_out(job, folder, &no_classes).map_err(disk)?;
    }
    let list: String = folders.iter().map(|folder| format!("{}\n", folder.display())).collect();
    let list_file = workshop.path().join("jobs");
    fs::write(&list_file, list).map_err(disk)?;

    let threads = thread::available_parallelism().map_or(1, |n| n.get()).min(jobs.len());
    let mut java = jdk.java();
    // Compilations are short, so the C1 compiler and a single-threaded collector are fastest. Deeply nested
    // sources need more stack than the default of a thread.
    java.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss8m", "-cp"]).arg(&helper.path);
    java.arg("CompileMany").arg(&list_file).arg(threads.to_string()).current_dir(&no_classes);
    let out = run::run(&mut java, LIMIT)?;

    let mut failures = BTreeMap::new();
    for (key, folder) in jobs.keys().zip(&folders) {
        match fs::read_to_string(folder.join("status")).as_deref() {
            Ok("ok") => cache.put(key, folder).map_err(disk)?,
            Ok(_) => {
                let log = fs::read_to_string(folder.join("log")).map_err(disk)?;
                failures.insert(*key, log.replace(&format!("{}/", folder.join("src").display()), ""));
            }
            Err(_) => {
                let said = format!("{}{}", out.stdout, out.stderr);
                failures.insert(
                    *key,
                    format!("the compiler's JVM ended early, exit code {:?}\n{said}", out.code),
                );
            }
        }
    }
    Ok(failures)
}

/// Writes one job for the helper: sources in `src`, `options` and `files` with one item per line, output to
/// `classes`.
fn lay_out(job: &Job, folder: &Path, no_classes: &Path) -> io::Result<()> {
    let (src, classes) = (folder.join("src"), folder.join("classes"));
    fs::create_dir_all(&src)?;
    fs::create_dir_all(&classes)?;
    let mut files = String::new();
    for (path, text) in &job.sources {
        let is_source = path.ends_with(".java");
        let file = if is_source { src.join(path) } else { classes.join(path) };
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(&file, text)?;
        if is_source {
            files.push_str(&format!("{}\n", file.display()));
        }
    }
    let mut options = format!("-d\n{}\n-encoding\nUTF-8\n", classes.display());
    let sets_class_path =
        |arg: &String| arg == "-cp" || arg == "-classpath" || arg.starts_with("--class-path");
    if !job.args.iter().any(sets_class_path) {
        // Otherwise the helper's own class path would be the default.
        options.push_str(&format!("-cp\n{}\n", no_classes.display()));
    }
    for arg in &job.args {
        options.push_str(arg);
        options.push('\n');
    }
    fs::write(folder.join("options"), options)?;
    fs::write(folder.join("files"), files)
}

/// The helper, compiled by the JDK that runs it, and cached like any other job.
fn helper(jdk: &Jdk, cache: &Cache) -> Result<ClassDir, String> {
    let key = Key::of(jdk, &Job::new(&[("CompileMany.java", HELPER)], &[]))?;
    if let Some(done) = cache.get(&key) {
        return Ok(done);
    }
    let disk = |e: io::Error| format!("the javac cache: {e}");
    let workshop = cache.workshop().map_err(disk)?;
    let folder = workshop.path().join("helper");
    let classes = folder.join("classes");
    fs::create_dir_all(&classes).map_err(disk)?;
    let source = folder.join("CompileMany.java");
    fs::write(&source, HELPER).map_err(disk)?;
    let out = run::run(jdk.javac().arg("-d").arg(&classes).arg(&source), LIMIT)?;
    if !out.success() {
        return Err(format!("CompileMany.java does not compile:\n{}{}", out.stdout, out.stderr));
    }
    cache.put(&key, &folder).map_err(disk)?;
    cache.get(&key).ok_or_else(|| "the compiled CompileMany vanished from the cache".to_owned())
}
