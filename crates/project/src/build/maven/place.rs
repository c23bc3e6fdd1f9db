//! Finds the build of a directory: its `pom.xml`, and the outermost one that builds it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tamis_catalog::builds::maven::{POM, SETTINGS_FOLDER};

use super::pom;
use crate::build::BuildError;

/// Limit on the build files read for one project, which may list any number of modules.
const MOST_POMS: usize = 2_000;

/// The build file of this directory or of the nearest one above, for example from `src/main/java`.
pub(super) fn nearest(directory: &Path) -> Result<PathBuf, BuildError> {
    let found = directory.ancestors().map(|above| above.join(POM)).find(|pom| pom.is_file());
    found.ok_or_else(|| BuildError::NoBuild { directory: directory.to_owned() })
}

/// The build file that `-f` names: a file, or a directory with a `pom.xml`.
pub(super) fn named(directory: &Path, file: &str) -> Result<PathBuf, BuildError> {
    let path = directory.join(file);
    let pom = if path.is_dir() { path.join(POM) } else { path };
    fs::canonicalize(&pom).map_err(|_| BuildError::NoFile { file: pom })
}

/// The directory of the outermost build of a build file. That is the highest directory above whose `pom.xml`
/// lists it, directly or through others, or the top directory that Maven's `.mvn` marks.
pub(super) fn outermost(build: &Path) -> PathBuf {
    let mut inner = build.to_owned();
    for above in build.ancestors().skip(2) {
        let pom = above.join(POM);
        if pom.is_file() && lists(&pom, &inner) {
            inner = pom;
        }
    }
    let marked = build
        .ancestors()
        .skip(1)
        .find(|above| above.join(SETTINGS_FOLDER).is_dir())
        .filter(|above| above.join(POM).is_file());
    let top = inner.parent().unwrap_or(Path::new("/"));
    marked.filter(|marked| top.starts_with(marked)).unwrap_or(top).to_owned()
}

/// Whether a build file lists another one, directly or through others.
fn lists(pom: &Path, wanted: &Path) -> bool {
    let mut seen = BTreeSet::from([pom.to_owned()]);
    let mut open = vec![pom.to_owned()];
    while let Some(pom) = open.pop() {
        if pom == wanted {
            return true;
        }
        for module in pom::modules(&pom).unwrap_or_default() {
            let path = pom.parent().unwrap_or(Path::new("/")).join(module.replace('\\', "/"));
            let path = if path.is_file() { path } else { path.join(POM) };
            if seen.len() < MOST_POMS
                && let Ok(path) = fs::canonicalize(path)
                && seen.insert(path.clone())
            {
                open.push(path);
            }
        }
    }
    false
}
