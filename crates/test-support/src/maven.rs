//! Libraries by their coordinates, with all they need, as Maven resolves and keeps them.

use crate::run;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const BUILD_CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

/// The jars of these libraries, each `group:artifact:version` or `group:artifact:version:classifier`, and of what they
/// depend on; the versions asked for win. What Maven answered is remembered.
pub fn jars(libraries: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut hasher = DefaultHasher::new();
    libraries.hash(&mut hasher);
    let folder = target_dir()?.join("library-paths");
    let remembered = folder.join(format!("{:016x}", hasher.finish()));
    if let Some(jars) = read(&remembered) {
        return Ok(jars);
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let text = resolve(libraries)?;
    // Renamed, so that tests of other processes read all of it or nothing.
    let temporary = folder.join(format!("{:016x}.{}", hasher.finish(), std::process::id()));
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, &remembered))
        .map_err(|error| format!("{}: {error}", remembered.display()))?;
    read(&remembered).ok_or_else(|| format!("Maven named jars that are not there for {libraries:?}"))
}

/// The class path that was written, if all of it is there.
fn read(remembered: &Path) -> Option<Vec<PathBuf>> {
    let text = fs::read_to_string(remembered).ok()?;
    let jars: Vec<PathBuf> =
        text.trim().split(':').filter(|jar| !jar.is_empty()).map(PathBuf::from).collect();
    (!jars.is_empty() && jars.iter().all(|jar| jar.exists())).then_some(jars)
}

fn resolve(libraries: &[&str]) -> Result<String, String> {
    let mut dependencies = String::new();
    for library in libraries {
        let mut parts = library.split(':');
        let (Some(group), Some(artifact), Some(version)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(format!("{library}: not a group:artifact:version"));
        };
        let classifier =
            parts.next().map(|name| format!("<classifier>{name}</classifier>")).unwrap_or_default();
        dependencies.push_str(&format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
             <version>{version}</version>{classifier}</dependency>"
        ));
    }
    let project = tempfile::tempdir().map_err(|error| error.to_string())?;
    let pom = format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
         <groupId>none</groupId><artifactId>libraries</artifactId><version>1</version><packaging>pom</packaging>\
         <dependencies>{dependencies}</dependencies></project>"
    );
    let written = project.path().join("class-path");
    fs::write(project.path().join("pom.xml"), pom).map_err(|error| error.to_string())?;
    let mut maven = Command::new("mvn");
    maven.args(["--batch-mode", "--quiet", BUILD_CLASS_PATH]);
    maven.arg(format!("-Dmdep.outputFile={}", written.display())).current_dir(project.path());
    let output = run::run(&mut maven, Duration::from_secs(600))
        .map_err(|error| format!("{error}\nMaven fetches libraries; install with: apt-get install maven"))?;
    if !output.success() {
        return Err(format!("mvn: {}{}", output.stdout, output.stderr));
    }
    fs::read_to_string(&written).map_err(|error| format!("{}: {error}", written.display()))
}

/// Tests and benchmarks lie in `target/PROFILE/deps` or `target/PROFILE`.
fn target_dir() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let profile = program.ancestors().skip(1).find(|folder| !folder.ends_with("deps"));
    profile
        .and_then(Path::parent)
        .map(Path::to_owned)
        .ok_or_else(|| format!("{} lies in no target folder", program.display()))
}
