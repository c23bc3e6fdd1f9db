//! Releases of libraries, fetched with Maven and cached in the target folder.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

/// The jar of `group:artifact:version`.
pub(crate) fn jar(library: &str) -> Result<PathBuf> {
    let [_, artifact, version] = library.split(':').collect::<Vec<_>>()[..] else {
        bail!("{library}: not a group:artifact:version");
    };
    let folder = folder()?;
    let jar = folder.join(format!("{artifact}-{version}.jar"));
    if !jar.exists() {
        let mut maven = Command::new("mvn");
        maven.args(["--batch-mode", "--quiet", COPY, &format!("-Dartifact={library}")]);
        maven.arg(format!("-DoutputDirectory={}", folder.display())).current_dir(std::env::temp_dir());
        let output = maven
            .output()
            .context("mvn: Maven fetches the libraries; install with: apt-get install maven")?;
        if !output.status.success() || !jar.exists() {
            bail!("mvn did not bring {library}: {}", String::from_utf8_lossy(&output.stdout).trim());
        }
    }
    Ok(jar)
}

/// Beside this program, which is in `target/dist`.
fn folder() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(2).context("this program lies in no target folder")?;
    Ok(target.join("library-jars"))
}
