//! Reads and digests class files on one thread.

use crate::classes::{self, Class};
use crate::measure::Runs;
use crate::table;
use anyhow::Result;
use std::hint::black_box;
use std::time::Duration;
use tamis_classfile::ClassFile;
use tamis_program::digest::{ClassSource, Digest, Digester, family_name};

// The walk of the reader's own tests, which decodes everything once.
#[allow(unreachable_pub)]
#[path = "../../crates/classfile/tests/walk/mod.rs"]
mod walk;

/// A name, its limit, and the work on the classes.
type Work = (&'static str, &'static str, fn(&[Class]));

pub(crate) fn run(runs: usize, only: Option<&str>) -> Result<()> {
    let jdk = classes::newest_jdk()?;
    let classes = classes::of(&jdk, &["java.base"])?;
    let size = classes::size(&classes);
    let speed = |time: Duration| format!("{:.0}", size as f64 / 1e6 / time.as_secs_f64());
    let works: [Work; 4] = [
        ("reader: parse", "1000 and more", parse),
        ("reader: parse and decode everything", "", decode),
        ("reader and all digests", "150 and more", digest),
        ("cafebabe: parse", "", cafebabe),
    ];
    let mut rows = Vec::new();
    for (what, limit, work) in works {
        if only.is_none_or(|only| what.contains(only)) {
            let took = Runs::of(runs, || work(&classes));
            let speeds = [took.median(), took.best(), took.cpu()].map(speed);
            rows.push([what.to_owned()].into_iter().chain(speeds).chain([limit.to_owned()]).collect());
        }
    }
    table::print(
        &format!(
            "java.base of JDK {} ({}): {} classes, {:.1} MB, one thread, {runs} runs",
            jdk.feature,
            jdk.version,
            classes.len(),
            size as f64 / 1e6
        ),
        &["", "MB/s median", "best", "of processor time", "promised"],
        &rows,
    );
    println!("  all records: {} (another one means another digest::VERSION)\n", fingerprint(&classes));
    Ok(())
}

/// The digest of all records in the order of their names.
fn fingerprint(classes: &[Class]) -> Digest {
    let mut digester = Digester::default();
    let mut all = Vec::new();
    for sources in families(classes) {
        let mut records = digester.family(&sources);
        records.sort_by(|a, b| a.name().cmp(b.name()));
        all.extend(format!("{records:?}").into_bytes());
    }
    Digest::of(&all)
}

/// The classes by family.
fn families(classes: &[Class]) -> impl Iterator<Item = Vec<ClassSource<'_>>> {
    let families = classes.chunk_by(|a, b| family_name(&a.name) == family_name(&b.name));
    families.map(|family| {
        family.iter().map(|class| ClassSource { name: &class.name, bytes: &class.bytes }).collect()
    })
}

fn parse(classes: &[Class]) {
    for class in classes {
        black_box(ClassFile::parse(&class.bytes).is_ok());
    }
}

fn decode(classes: &[Class]) {
    for class in classes {
        let Ok(file) = ClassFile::parse(&class.bytes) else { continue };
        black_box(walk::walk(&file).is_ok());
    }
}

fn digest(classes: &[Class]) {
    let mut digester = Digester::default();
    for sources in families(classes) {
        black_box(digester.family(&sources));
    }
}

fn cafebabe(classes: &[Class]) {
    for class in classes {
        black_box(cafebabe::parse_class(&class.bytes).is_ok());
    }
}
