//! `cargo xtask dump`: prints our view of class files.
//!
//! Finds the family of each file and prints the result of `program`, which defines the digests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tamis_program::digest::{ClassSource, Digester, family_name, list_methods};
use tamis_program::record::{ClassKind, ClassRecord};

/// Prints the files. The family's other files beside them resolve the compiler's numbering.
pub(crate) fn dump(files: &[PathBuf]) -> Result<()> {
    for file in files {
        let bytes = fs::read(file).with_context(|| file.display().to_string())?;
        let family = family_of(file)?;
        let mut sources: Vec<ClassSource<'_>> =
            family.iter().map(|(name, bytes)| ClassSource { name, bytes }).collect();
        let stem = stem(file)?;
        if !sources.iter().any(|source| source.name == stem) {
            sources.push(ClassSource { name: stem, bytes: &bytes });
        }
        let records = Digester::default().family(&sources);

        let Some(record) = records.iter().find(|record| is(record, stem)) else {
            bail!("{}: no class in it", file.display());
        };
        println!("{}", file.display());
        class(record);
        for (method, lines) in list_methods(&sources, record.name()) {
            println!("\n  {method}");
            for line in lines {
                println!("    {}", line.text);
            }
        }
    }
    Ok(())
}

fn class(record: &ClassRecord) {
    println!("  class        {}", record.name());
    if record.canonical.is_some() {
        println!("  counts as    {}", record.canonical_name());
    }
    if let ClassKind::Opaque { reason, .. } = &record.kind {
        println!("  unreadable   {reason}");
    }
    println!("  version      {}.{}", record.version.major, record.version.minor);
    println!("  extends      {}", record.super_types().collect::<Vec<_>>().join(", "));
    let layers = &record.layers;
    for (layer, digest) in [
        ("class", Some(layers.class)),
        ("head", Some(layers.head)),
        ("shape", Some(layers.shape)),
        ("supers", Some(layers.supers)),
        ("annotations", layers.annotations),
        ("metadata", layers.metadata),
        ("init", layers.init),
        ("serial", Some(layers.serial)),
        ("debug", Some(layers.debug)),
    ] {
        println!("  {layer:<12} {}", digest.map_or("none".to_owned(), |digest| digest.to_string()));
    }
    for field in &record.fields {
        println!(
            "  field        {} {} shape {}",
            record.str(field.name),
            record.str(field.descriptor),
            field.shape
        );
    }
    for method in &record.methods {
        let name = format!("{}{}", record.str(method.name), record.str(method.descriptor));
        println!(
            "  method       {name} {:?}\n               body {} shape {}",
            method.origin, method.body, method.shape
        );
    }
}

/// The class files beside `file` that form a family with it.
fn family_of(file: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let family = family_name(stem(file)?).to_owned();
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "class")
            && let Ok(name) = stem(&path)
            && family_name(name) == family
        {
            found.push((name.to_owned(), fs::read(&path).with_context(|| path.display().to_string())?));
        }
    }
    found.sort();
    Ok(found)
}

fn stem(file: &Path) -> Result<&str> {
    file.file_stem()
        .and_then(|stem| stem.to_str())
        .with_context(|| format!("{}: not a file name", file.display()))
}

fn is(record: &ClassRecord, stem: &str) -> bool {
    record.name().rsplit('/').next() == Some(stem)
}
