//! A Gradle for tests, put together from libraries of Maven Central, where distributions are not published.

use crate::jdk;
use crate::run;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Its version.
pub const VERSION: &str = "8.8";

const PROGRAM: &str = "gradle-8.8/bin/gradle";

/// The program `gradle`, in the user's cache folder. Installed there if it is missing.
pub fn program() -> Result<PathBuf, String> {
    let folder = folder().ok_or("neither XDG_CACHE_HOME nor HOME is set")?;
    match find() {
        Some(program) => Ok(program),
        None => install(&folder).map(|()| folder.join(PROGRAM)),
    }
}

/// The program, if it is installed.
pub fn find() -> Option<PathBuf> {
    folder().map(|folder| folder.join(PROGRAM)).filter(|program| program.exists())
}

fn folder() -> Option<PathBuf> {
    Some(jdk::install_dir()?.with_file_name("gradle"))
}

fn install(folder: &Path) -> Result<(), String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/gradle.sh");
    let mut command = Command::new("bash");
    command.arg(script).arg(folder);
    // The script compiles two classes, with any JDK.
    let home = jdk::jdk(17).home;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([home.join("bin")].into_iter().chain(std::env::split_paths(&path)))
        .map_err(|error| error.to_string())?;
    command.env("PATH", path).env("JAVA_HOME", home);
    let output = run::run(&mut command, Duration::from_secs(900)).map_err(|error| error.to_string())?;
    if output.success() { Ok(()) } else { Err(format!("{}{}", output.stdout, output.stderr)) }
}

/// A home of Gradle for tests, shared by all of them: libraries are fetched once, and one daemon serves one build after the
/// other. The user's own settings have no part in it.
pub fn home() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = program.ancestors().skip(1).find(|folder| !folder.ends_with("deps")).and_then(Path::parent);
    let home =
        target.ok_or_else(|| format!("{} lies in no target folder", program.display()))?.join("gradle-home");
    let settings = home.join("gradle.properties");
    let text = "org.gradle.jvmargs=-Xmx384m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC\norg.gradle.daemon.idletimeout=30000\n";
    if fs::read_to_string(&settings).ok().as_deref() != Some(text) {
        fs::create_dir_all(&home)
            .and_then(|()| fs::write(&settings, text))
            .map_err(|error| format!("{}: {error}", settings.display()))?;
    }
    Ok(home)
}
