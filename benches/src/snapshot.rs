//! Loads a snapshot of 10,000 classes: for the first time, unchanged, and fully recompiled; and one of
//! 100,000.

use crate::classes::{self, Class};
use crate::load::load;
use crate::measure::Runs;
use crate::rename::rename;
use crate::table;
use anyhow::{Context, Result, ensure};
use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tamis_test_support::jar;

const CLASSES: usize = 10_000;
const COPIES: usize = 10;

pub(crate) fn run(runs: usize, small: bool) -> Result<()> {
    let jdk = classes::newest_jdk()?;
    let mut originals = classes::of(&jdk, &["java.base", "java.desktop"])?;
    originals.truncate(CLASSES);
    ensure!(originals.len() == CLASSES, "JDK {} has fewer than {CLASSES} classes", jdk.feature);
    let classes = copy(&originals, 0)?;
    let there = tempfile::tempdir()?;
    let at = |name: &str| there.path().join(name);
    let (directory, archive, index) = (at("classes"), at("classes.jar"), at("index"));
    write(&classes, &directory)?;
    write_jar(&classes, &archive)?;
    // The index does not trust files that were written a moment ago.
    std::thread::sleep(Duration::from_secs(3));

    let bench = Bench { jdk: jdk.home.clone(), runs };
    let mut rows = Vec::new();
    let nothing = || Ok(());
    let remove = || Ok(fs::remove_file(&index).or_else(|e| if index.exists() { Err(e) } else { Ok(()) })?);
    let (row, small_time) = bench.row("directory, no index", "300", &directory, None, nothing)?;
    rows.push(row);
    rows.push(bench.row("directory, index to be written", "", &directory, Some(&index), remove)?.0);
    rows.push(bench.row("directory, unchanged", "50", &directory, Some(&index), nothing)?.0);
    let kept = at("index.kept");
    fs::copy(&index, &kept)?;
    let compiled = || touch(&directory).and_then(|()| Ok(fs::copy(&kept, &index).map(drop)?));
    rows.push(
        bench.row("directory, same classes compiled again", "300", &directory, Some(&index), compiled)?.0,
    );
    rows.push(bench.row("jar, no index", "", &archive, None, nothing)?.0);
    remove()?;
    load(&archive, &jdk.home, Some(&index))?;
    rows.push(bench.row("jar, unchanged", "50", &archive, Some(&index), nothing)?.0);
    if !small {
        for number in 1..COPIES {
            write(&copy(&originals, number)?, &directory)?;
        }
        let few = Bench { jdk: jdk.home.clone(), runs: runs.div_ceil(4) };
        let (row, large_time) = few.row("100,000 in a directory, no index", "", &directory, None, nothing)?;
        rows.push(row);
        let ratio = large_time.as_secs_f64() / small_time.as_secs_f64();
        rows.push(vec![
            "  times as long as 10,000".into(),
            format!("{ratio:.1}"),
            "".into(),
            "".into(),
            "".into(),
            "12".into(),
        ]);
    }
    table::print(
        &format!(
            "{CLASSES} classes of JDK {} ({}), {:.1} MB, {} runs each, warm page cache, {} processors",
            jdk.feature,
            jdk.version,
            classes::size(&classes) as f64 / 1e6,
            runs,
            std::thread::available_parallelism().map_or(1, usize::from)
        ),
        &["", "ms median", "best", "processor", "peak MB", "at most"],
        &rows,
    );
    println!("  promised peak: 150 MB\n");
    Ok(())
}

struct Bench {
    jdk: PathBuf,
    runs: usize,
}

impl Bench {
    /// Loads `root` repeatedly, each time after `before`.
    fn row(
        &self,
        what: &str,
        limit: &str,
        root: &Path,
        index: Option<&Path>,
        before: impl Fn() -> Result<()>,
    ) -> Result<(Vec<String>, Duration)> {
        let mut took = Vec::new();
        let mut peak = 0.0_f64;
        for _ in 0..self.runs.max(1) {
            before()?;
            let load = load(root, &self.jdk, index)?;
            ensure!(load.classes % CLASSES == 0, "{} classes were loaded", load.classes);
            peak = peak.max(load.peak);
            took.push(load.took);
        }
        let runs = Runs::collect(took.into_iter());
        let ms = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
        let row = [what.to_owned(), ms(runs.median()), ms(runs.best()), ms(runs.cpu()), format!("{peak:.0}")];
        Ok((row.into_iter().chain([limit.to_owned()]).collect(), runs.median()))
    }
}

/// The classes under other names, because no project has classes in `java`.
fn copy(originals: &[Class], number: usize) -> Result<Vec<Class>> {
    let names: HashSet<&[u8]> = originals.iter().map(|class| class.name.as_bytes()).collect();
    let prefix = format!("x{number}/");
    let copy = |class: &Class| {
        let bytes = rename(&class.bytes, &names, &prefix).with_context(|| class.name.clone())?;
        Ok(Class { name: format!("{prefix}{}", class.name), bytes })
    };
    originals.iter().map(copy).collect()
}

fn write(classes: &[Class], directory: &Path) -> Result<()> {
    for class in classes {
        let path = directory.join(format!("{}.class", class.name));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &class.bytes)?;
    }
    Ok(())
}

fn write_jar(classes: &[Class], path: &Path) -> Result<()> {
    let entries: Vec<_> =
        classes.iter().map(|class| (format!("{}.class", class.name), &class.bytes)).collect();
    Ok(fs::write(path, jar::deflated(&entries))?)
}

/// Sets the time of every file below a directory to now.
fn touch(directory: &Path) -> Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            touch(&entry.path())?;
        } else {
            File::options().append(true).open(entry.path())?.set_modified(SystemTime::now())?;
        }
    }
    Ok(())
}
