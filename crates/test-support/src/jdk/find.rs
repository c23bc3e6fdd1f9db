//! The places of JDKs on a machine, in order of precedence.
//!
//! Places named by the user come first, then JDKs installed by `cargo xtask test`, then all others. This
//! module only inspects folders; `version` determines their versions.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Jdk, version};

/// The places to search. A value, so that tests can use other ones than this machine's.
#[derive(Default)]
pub(super) struct Places {
    pub(super) named: Option<OsString>,
    pub(super) installed: Option<PathBuf>,
    pub(super) java_home: Option<PathBuf>,
    pub(super) path: Option<OsString>,
    pub(super) system: Option<PathBuf>,
}

impl Places {
    pub(super) fn of_this_machine() -> Places {
        let set = |key: &str| env::var_os(key).filter(|value| !value.is_empty());
        // The XDG rules require relative paths to be ignored.
        let cache = set("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .or_else(|| Some(PathBuf::from(set("HOME")?).join(".cache")));
        Places {
            named: set("TAMIS_JDKS"),
            installed: cache.map(|cache| cache.join("tamis").join("jdks")),
            java_home: set("JAVA_HOME").map(PathBuf::from),
            path: set("PATH"),
            system: Some(PathBuf::from("/usr/lib/jvm")),
        }
    }

    /// Folders that may be JDKs, in order of precedence.
    fn candidates(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        // The variable has two forms: a list of JDKs, or a folder that contains them.
        for path in self.named.iter().flat_map(env::split_paths) {
            if is_jdk(&path) { found.push(path) } else { found.extend(folders_of(&path)) }
        }
        found.extend(self.installed.iter().flat_map(|path| folders_of(path)));
        found.extend(self.java_home.clone());
        for bin in self.path.iter().flat_map(env::split_paths) {
            // `/usr/bin/java` is a link to a link; the JDK is around its final target.
            if let Ok(java) = fs::canonicalize(bin.join(format!("java{}", env::consts::EXE_SUFFIX))) {
                found.extend(java.ancestors().nth(2).map(Path::to_path_buf));
            }
        }
        found.extend(self.system.iter().flat_map(|path| folders_of(path)));
        found
    }
}

/// Used in the message about a missing JDK.
impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.named {
            Some(named) => write!(f, "TAMIS_JDKS={}, ", named.display())?,
            None => write!(f, "TAMIS_JDKS (not set), ")?,
        }
        if let Some(installed) = &self.installed {
            write!(f, "{}, ", installed.display())?;
        }
        write!(f, "JAVA_HOME, PATH")?;
        if let Some(system) = &self.system {
            write!(f, ", {}", system.display())?;
        }
        Ok(())
    }
}

/// The first JDK of each feature version, oldest version first.
pub(super) fn all(places: &Places) -> Vec<Jdk> {
    let mut seen = Vec::new();
    let mut found = BTreeMap::new();
    for folder in places.candidates() {
        let Some(home) = home_of(&folder) else { continue };
        if seen.contains(&home) {
            continue; // Debian lists one JDK under several names.
        }
        seen.push(home.clone());
        if let Some((feature, version)) = version::of(&home, &program(&home, "javac")) {
            found.entry(feature).or_insert(Jdk { feature, home, version });
        }
    }
    found.into_values().collect()
}

/// A program of the JDK in `home`.
pub(super) fn program(home: &Path, name: &str) -> PathBuf {
    home.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// The canonical home of a JDK in `folder`, or around it if it is a `jre`: in JDK 8 `java` is in `jre/bin`.
fn home_of(folder: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(folder).ok()?;
    let around = folder.parent().filter(|_| folder.ends_with("jre")).map(Path::to_path_buf);
    [Some(folder), around].into_iter().flatten().find(|home| is_jdk(home))
}

fn is_jdk(home: &Path) -> bool {
    program(home, "javac").is_file()
}

/// Sorted, because the order within a folder differs between machines and the first JDK found wins.
fn folders_of(path: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// Makes `name` under `root` look like a JDK of this version.
    fn fake(root: &TempDir, name: &str, version: &str) -> PathBuf {
        let home = root.path().join(name);
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(program(&home, "javac"), "").unwrap();
        fs::write(program(&home, "java"), "").unwrap();
        fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n")).unwrap();
        fs::canonicalize(home).unwrap()
    }

    fn homes(places: &Places) -> Vec<(u32, PathBuf)> {
        all(places).into_iter().map(|jdk| (jdk.feature, jdk.home)).collect()
    }

    #[test]
    fn named_places_take_precedence_over_others() {
        let root = TempDir::new().unwrap();
        let system = fake(&root, "system/java-17", "17.0.1");
        let named = fake(&root, "named/jdk-17", "17.0.9");
        let mut places = Places { system: Some(root.path().join("system")), ..Places::default() };
        assert_eq!(homes(&places), [(17, system)]);
        places.named = Some(root.path().join("named").into());
        assert_eq!(homes(&places), [(17, named)]);
    }

    #[test]
    fn the_named_places_may_be_single_jdks_and_folders_of_jdks() {
        let root = TempDir::new().unwrap();
        let single = fake(&root, "mine", "21");
        let eight = fake(&root, "many/jdk-8", "1.8.0_504");
        let eleven = fake(&root, "many/jdk-11", "11.0.24");
        let named = env::join_paths([single.clone(), root.path().join("many")]).unwrap();
        let places = Places { named: Some(named), ..Places::default() };
        assert_eq!(homes(&places), [(8, eight), (11, eleven), (21, single)]);
    }

    #[test]
    fn a_folder_without_a_compiler_is_not_a_jdk() {
        let root = TempDir::new().unwrap();
        let home = fake(&root, "jvm/java-17", "17.0.1");
        fs::remove_file(program(&home, "javac")).unwrap();
        assert_eq!(homes(&Places { system: Some(root.path().join("jvm")), ..Places::default() }), []);
    }

    #[cfg(unix)]
    #[test]
    fn a_jdk_with_several_names_is_found_once_by_its_canonical_path() {
        let root = TempDir::new().unwrap();
        let home = fake(&root, "jvm/java-17-openjdk", "17.0.1");
        std::os::unix::fs::symlink(&home, root.path().join("jvm/java-1.17.0")).unwrap();
        assert_eq!(
            homes(&Places { system: Some(root.path().join("jvm")), ..Places::default() }),
            [(17, home)]
        );
    }

    #[cfg(unix)]
    #[test]
    fn java_on_the_path_leads_to_the_jdk_around_it_even_from_a_jre() {
        let root = TempDir::new().unwrap();
        let home = fake(&root, "java-8", "1.8.0_504");
        fs::create_dir_all(home.join("jre/bin")).unwrap();
        fs::rename(program(&home, "java"), home.join("jre/bin/java")).unwrap();
        fs::create_dir(root.path().join("bin")).unwrap();
        std::os::unix::fs::symlink(home.join("jre/bin/java"), root.path().join("bin/java")).unwrap();
        let places = Places { path: Some(root.path().join("bin").into()), ..Places::default() };
        assert_eq!(homes(&places), [(8, home)]);
    }
}
