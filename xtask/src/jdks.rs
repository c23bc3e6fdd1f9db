//! `cargo xtask jdks`: installs the missing JDKs that tests need.
//!
//! Decides which JDKs, and where; `jdks.sh` installs them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use tamis_test_support::jdk;

use crate::cargo;

/// Installs these versions, or the known ones that are missing, into `dir` or the folder that tests search.
pub(crate) fn install(versions: &[u32], dir: Option<PathBuf>) -> Result<()> {
    let mut versions = versions.to_vec();
    if versions.is_empty() {
        let here = jdk::all();
        for jdk in here.iter().filter(|jdk| jdk::KNOWN.contains(&jdk.feature)) {
            println!("JDK {:<2} is here: {}  {}", jdk.feature, jdk.version, jdk.home.display());
        }
        versions.extend(jdk::KNOWN.iter().filter(|feature| !here.iter().any(|jdk| jdk.feature == **feature)));
        if versions.is_empty() {
            return Ok(());
        }
    }
    let dir = dir.or_else(jdk::install_dir).context("neither XDG_CACHE_HOME nor HOME is set; give --dir")?;
    let mut script = Command::new("bash");
    script.arg(cargo::workspace().join("xtask").join("jdks.sh")).arg(&dir);
    script.args(versions.iter().map(u32::to_string));
    cargo::run(&mut script)
        .map_err(|e| anyhow!("{e:#}; a JDK that lies elsewhere is found if TAMIS_JDKS names its folder"))
}
