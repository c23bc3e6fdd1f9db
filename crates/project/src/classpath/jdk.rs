//! Looks up the JDK's own classes by name.
//!
//! They are in `lib/modules` since JDK 9, or in its `jmods`; before that, in `rt.jar` and the jars next to
//! it.

use super::error::{ClassPathError, ClassPathFault};
use super::expand::{files_of, jars_of};
use super::file::ArchiveFile;
use super::image::JdkImage;
use super::{ClassPath, ClassPathOptions};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use tamis_catalog::environment::JAVA_HOME;

/// The jars of JDK 8's boot class path, in its order. Not every build has all of them.
const BOOT_JARS: [&str; 7] =
    ["resources.jar", "rt.jar", "sunrsasign.jar", "jsse.jar", "jce.jar", "charsets.jar", "jfr.jar"];

/// The classes of one JDK. Opening does not list the classes of an image: of 30,000, only some thousand are
/// used.
#[derive(Debug)]
pub struct JdkClasses {
    held: JdkSource,
}

#[derive(Debug)]
enum JdkSource {
    Image(JdkImage),
    Archives(ClassPath),
}

impl JdkClasses {
    /// Opens the JDK, or the JRE, at `home`.
    pub fn open(home: &Path) -> Result<JdkClasses, ClassPathError> {
        if !home.exists() {
            return Err(ClassPathError::NotFound { path: home.to_owned() });
        }
        let archives = archives(home)?.ok_or_else(|| ClassPathError::NotClasses {
            path: home.to_owned(),
            what: "not a JDK (no lib/modules, jmods or lib/rt.jar)",
            instead: "set JAVA_HOME to the home of a JDK",
        })?;
        if let [image] = archives.as_slice()
            && is_image(image)
        {
            let opened = ArchiveFile::open(image).map_err(ClassPathFault::from).and_then(JdkImage::open);
            return Ok(JdkClasses { held: JdkSource::Image(opened.map_err(|fault| fault.in_file(image))?) });
        }
        let options = ClassPathOptions { release: None, follow_manifests: false, threads: 0 };
        Ok(JdkClasses { held: JdkSource::Archives(ClassPath::open(&archives, &options)?) })
    }

    /// The default JDK: `JAVA_HOME`, else the JDK of `java` on the `PATH`.
    ///
    /// Returns a `JAVA_HOME` without a JDK too, so that opening it reports the problem.
    pub fn find_home() -> Option<PathBuf> {
        home_from(env::var_os(JAVA_HOME), env::var_os("PATH"))
    }

    /// Replaces `into` by the class with this internal name; returns false if the JDK has no such class.
    ///
    /// `module-info` exists once per module and is not found by name.
    pub fn read(&self, name: &str, into: &mut Vec<u8>) -> Result<bool, ClassPathError> {
        into.clear();
        match &self.held {
            JdkSource::Image(image) => {
                let mut read = || match image.find(name)? {
                    Some(located) => image.read(&located, into).map(|()| true),
                    None => Ok(false),
                };
                let read = read();
                read.map_err(|fault: ClassPathFault| {
                    into.clear();
                    fault.at(format_args!("{}!/{name}", image.archive().path().display()))
                })
            }
            JdkSource::Archives(class_path) => {
                match class_path.find(name).filter(|_| name != "module-info") {
                    Some(entry) => class_path.read(entry, into).map(|()| true),
                    None => Ok(false),
                }
            }
        }
    }

    /// All classes as (module, name), sorted; the module is empty before JDK 9.
    pub fn names(&self) -> Result<Vec<(&str, String)>, ClassPathError> {
        let mut names = match &self.held {
            JdkSource::Image(image) => image
                .classes()
                .map(|class| class.map(|(name, located)| (image.module(&located), name)))
                .collect::<Result<Vec<_>, _>>()
                .map_err(|fault| fault.in_file(image.archive().path()))?,
            JdkSource::Archives(class_path) => {
                let all = class_path.classes().iter().chain(class_path.shadowed());
                all.map(|entry| (module_of(class_path, entry.root()), entry.name.to_string())).collect()
            }
        };
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }
}

/// The archives of the JDK at `home`, in the order of its boot class path; `None` if it is not a JDK.
pub(super) fn archives(home: &Path) -> Result<Option<Vec<PathBuf>>, ClassPathError> {
    let image = home.join("lib/modules");
    if is_image(&image) {
        return Ok(Some(vec![image]));
    }
    for lib in [home.join("jre/lib"), home.join("lib")] {
        if lib.join("rt.jar").is_file() {
            let mut jars: Vec<_> =
                BOOT_JARS.iter().map(|jar| lib.join(jar)).filter(|jar| jar.is_file()).collect();
            if lib.join("ext").is_dir() {
                jars.extend(jars_of(&lib.join("ext"))?);
            }
            return Ok(Some(jars));
        }
    }
    if home.join("jmods/java.base.jmod").is_file() {
        return files_of(&home.join("jmods"), |name| name.ends_with(".jmod")).map(Some);
    }
    Ok(None)
}

fn is_image(path: &Path) -> bool {
    let mut start = Vec::new();
    path.is_file()
        && ArchiveFile::open(path).is_ok_and(|archive| archive.read_at(0, 4, &mut start).is_ok())
        && JdkImage::starts_with(&start)
}

/// A jmod has the name of its module.
fn module_of(class_path: &ClassPath, root: usize) -> &str {
    let path = class_path.roots().get(root).map(|root| root.path.as_path());
    path.and_then(Path::file_name).and_then(OsStr::to_str).and_then(|n| n.strip_suffix(".jmod")).unwrap_or("")
}

fn home_from(java_home: Option<OsString>, path: Option<OsString>) -> Option<PathBuf> {
    if let Some(home) = java_home.filter(|home| !home.is_empty()) {
        return Some(home.into());
    }
    // `java` is usually a link to a link, so the JDK is found from its canonical path.
    env::split_paths(&path?)
        .filter_map(|directory| directory.join("java").canonicalize().ok())
        .filter(|java| java.is_file())
        .filter_map(|java| Some(java.parent()?.parent()?.to_owned()))
        .find(|home| matches!(archives(home), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn the_home_of_java_on_the_path_is_found_through_links() {
        let there = tempfile::tempdir().unwrap();
        let at = |name: &str| there.path().join(name);
        fs::create_dir_all(at("jdk/jre/bin")).unwrap();
        fs::create_dir_all(at("jdk/jre/lib")).unwrap();
        fs::create_dir_all(at("usr/bin")).unwrap();
        fs::create_dir_all(at("etc")).unwrap();
        fs::write(at("jdk/jre/bin/java"), "").unwrap();
        fs::write(at("jdk/jre/lib/rt.jar"), "").unwrap();
        symlink(at("jdk/jre/bin/java"), at("etc/java")).unwrap();
        symlink("../../etc/java", at("usr/bin/java")).unwrap();
        let path = env::join_paths([at("missing"), at("usr/bin")]).unwrap();
        let home = at("jdk/jre").canonicalize().unwrap();
        assert_eq!(home_from(None, Some(path.clone())), Some(home.clone()));
        assert_eq!(home_from(Some("".into()), Some(path.clone())), Some(home));
        assert_eq!(home_from(Some("/set".into()), Some(path)), Some("/set".into()));
        assert_eq!(home_from(None, Some("".into())), None);
    }
}
