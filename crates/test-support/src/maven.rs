//! Resolves libraries and their dependencies with Maven, and provides given versions of Maven itself.

use crate::run;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const BUILD_CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
const UNPACK: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack";

/// The program `mvn` of this version, fetched once by the installed Maven.
pub fn program(version: &str) -> Result<PathBuf, String> {
    let folder = target_dir()?.join("mavens");
    let program = folder.join(format!("apache-maven-{version}/bin/mvn"));
    if !program.exists() {
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let unpacked = tempfile::tempdir_in(&folder).map_err(|error| error.to_string())?;
        let mut maven = Command::new("mvn");
        maven.args(["--batch-mode", "--quiet", UNPACK]).current_dir(unpacked.path());
        maven.arg(format!("-Dartifact=org.apache.maven:apache-maven:{version}:zip:bin"));
        maven.arg(format!("-DoutputDirectory={}", unpacked.path().display()));
        fetch(&mut maven)?;
        let name = format!("apache-maven-{version}");
        let found = unpacked.path().join(&name);
        make_executable(&found.join("bin/mvn"))?;
        // Renamed, so that tests of other processes see all of it or nothing. If another process was faster,
        // its folder stays.
        if let Err(error) = fs::rename(&found, folder.join(&name))
            && !program.exists()
        {
            return Err(format!("{}: {error}", program.display()));
        }
    }
    Ok(program)
}

/// Unpacking loses the permission.
fn make_executable(program: &Path) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(program, fs::Permissions::from_mode(0o755))
            .map_err(|error| format!("{}: {error}", program.display()))?;
    }
    Ok(())
}

fn fetch(maven: &mut Command) -> Result<(), String> {
    let output = run::run(maven, Duration::from_secs(600))
        .map_err(|error| format!("{error}\nMaven fetches libraries; install with: apt-get install maven"))?;
    if output.success() { Ok(()) } else { Err(format!("mvn: {}{}", output.stdout, output.stderr)) }
}

/// The jars of these libraries, each `group:artifact:version` or `group:artifact:version:classifier`, and of
/// their dependencies; the given versions take precedence. Maven's result is cached.
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

/// The cached class path, if all its jars exist.
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
    fetch(&mut maven)?;
    fs::read_to_string(&written).map_err(|error| format!("{}: {error}", written.display()))
}

/// Tests and benchmarks are in `target/PROFILE/deps` or `target/PROFILE`.
fn target_dir() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let profile = program.ancestors().skip(1).find(|folder| !folder.ends_with("deps"));
    profile
        .and_then(Path::parent)
        .map(Path::to_owned)
        .ok_or_else(|| format!("{} lies in no target folder", program.display()))
}
