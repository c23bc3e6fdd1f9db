//! Real classes of real sizes, taken from a JDK.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use tamis_program::digest::family_name;
use tamis_project::classpath::JdkClasses;
use tamis_test_support::jdk::{self, Jdk};

/// One class file.
pub(crate) struct Class {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// JDK 25, or the newest one installed.
pub(crate) fn newest_jdk() -> Result<Jdk> {
    let newest = || jdk::all().pop();
    jdk::find(25).or_else(newest).with_context(|| jdk::missing(&[25]))
}

/// The classes of these modules in the order of their families, or of all modules if none is named. All
/// classes of a JDK without modules are included.
pub(crate) fn of(jdk: &Jdk, modules: &[&str]) -> Result<Vec<Class>> {
    let held = JdkClasses::open(&jdk.home)?;
    let mut classes = Vec::new();
    for (module, name) in held.names()? {
        let wanted = module.is_empty() || modules.is_empty() || modules.contains(&module);
        let mut bytes = Vec::new();
        if wanted && name != "module-info" && held.read(&name, &mut bytes)? {
            classes.push(Class { name, bytes });
        }
    }
    classes.sort_by(|a, b| (family_name(&a.name), &a.name).cmp(&(family_name(&b.name), &b.name)));
    Ok(classes)
}

/// The size of all classes in bytes.
pub(crate) fn size(classes: &[Class]) -> usize {
    classes.iter().map(|class| class.bytes.len()).sum()
}

/// Adds the class files below a folder.
pub(crate) fn files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "class") {
            found.push(path);
        }
    }
    Ok(())
}
