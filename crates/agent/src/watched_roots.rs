//! Directories and jars of the plan, whose classes get a probe per method.
//!
//! A class is looked up by name first, then by the code source that its loader set. If it is found by neither, it gets one probe.
//! More probes than needed are never wrong, so the first match decides. A class of the JDK that another loader than the first one
//! defines (of charsets, locales, SQL) gets none.

use crate::sync::lock;
use crate::vm::{JavaEnv, JavaObject};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use tamis_catalog::jdk::packages;

/// Limit on code sources that are remembered: some loaders make one for every class.
const REMEMBERED: usize = 64;

/// The plan's directories and jars.
pub(crate) struct WatchedRoots {
    roots: Vec<PathBuf>,
    /// The roots without symbolic links, as code sources name them.
    real: OnceLock<Vec<PathBuf>>,
    /// The directory of the JDK; up to version 8 its other classes lie in archives there.
    java_home: PathBuf,
    /// By package, the roots that have it: most packages belong to libraries and are in none.
    packages: Mutex<HashMap<String, Vec<usize>>>,
    domains: Mutex<Vec<CodeDomain>>,
}

struct CodeDomain {
    /// A weak global reference to the protection domain.
    object: JavaObject,
    origin: DomainOrigin,
}

/// Where the classes of a protection domain come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DomainOrigin {
    /// A root of the plan.
    Watched,
    Jdk,
    Other,
}

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for CodeDomain {}

impl WatchedRoots {
    pub(crate) fn new(roots: Vec<String>, java_home: PathBuf) -> WatchedRoots {
        WatchedRoots {
            roots: roots.into_iter().map(PathBuf::from).collect(),
            real: OnceLock::new(),
            java_home,
            packages: Mutex::default(),
            domains: Mutex::default(),
        }
    }

    /// Whether a class belongs to the JDK and is not rewritten.
    pub(crate) fn is_jdk(&self, name: &[u8], text: &str, boot: bool) -> bool {
        let is_it = if boot { packages::OWN.has(name) } else { packages::GLUE.has(name) };
        // A directory of the plan may patch a module of the JDK.
        is_it && !self.holds(text)
    }

    /// Whether a class of another loader than the first one belongs to the JDK.
    pub(crate) fn is_jdk_in(&self, jni: JavaEnv, name: &[u8], text: &str, domain: JavaObject) -> bool {
        packages::OWN.has(name)
            && !domain.is_null()
            && !self.holds(text)
            && self.origin(jni, domain) == DomainOrigin::Jdk
    }

    /// Whether a class gets a probe per method.
    pub(crate) fn are_watched(&self, jni: JavaEnv, name: &str, domain: JavaObject) -> bool {
        self.holds(name) || (!domain.is_null() && self.origin(jni, domain) == DomainOrigin::Watched)
    }

    /// Whether one of the directories has a file of this class.
    fn holds(&self, name: &str) -> bool {
        self.file(name).is_some()
    }

    /// The file of a class in one of the directories.
    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        let having = {
            let mut packages = lock(&self.packages);
            match packages.get(package) {
                Some(having) if having.is_empty() => return None,
                Some(having) => having.clone(),
                None => {
                    let having: Vec<usize> = (0..self.roots.len())
                        .filter(|root| self.roots.get(*root).is_some_and(|root| root.join(package).is_dir()))
                        .collect();
                    packages.insert(package.to_owned(), having.clone());
                    having
                }
            }
        };
        let file = format!("{name}.class");
        having
            .into_iter()
            .filter_map(|root| Some(self.roots.get(root)?.join(&file)))
            .find(|file| file.is_file())
    }

    /// Where a protection domain's code source lies.
    fn origin(&self, jni: JavaEnv, domain: JavaObject) -> DomainOrigin {
        {
            let mut domains = lock(&self.domains);
            if let Some(at) = domains.iter().position(|known| jni.is_same(known.object, domain)) {
                // Classes of the same code source are loaded one after the other.
                domains.swap(0, at);
                return domains.first().map_or(DomainOrigin::Other, |known| known.origin);
            }
        }
        // Runs plain getters of final classes only, and no lock is held.
        let location = jni.with_locals(|| location(jni, domain)).flatten();
        let origin = match location {
            Some(CodeLocation::Image) => DomainOrigin::Jdk,
            Some(CodeLocation::File(file)) if self.contain(&file) => DomainOrigin::Watched,
            Some(CodeLocation::File(file)) if file.starts_with(&self.java_home) => DomainOrigin::Jdk,
            Some(CodeLocation::File(_)) | None => DomainOrigin::Other,
        };
        if let Some(object) = jni.weak(domain) {
            let mut domains = lock(&self.domains);
            if domains.len() >= REMEMBERED
                && let Some(oldest) = domains.pop()
            {
                jni.forget_weak(oldest.object);
            }
            domains.insert(0, CodeDomain { object, origin });
        }
        origin
    }

    fn contain(&self, location: &Path) -> bool {
        let real = self.real.get_or_init(|| self.roots.iter().flat_map(std::fs::canonicalize).collect());
        self.roots.iter().chain(real).any(|root| location.starts_with(root))
    }
}

/// Place that a code source names.
#[derive(Debug, PartialEq, Eq)]
enum CodeLocation {
    /// The image of the running JDK.
    Image,
    /// A file or directory.
    File(PathBuf),
}

/// What a protection domain's code source names.
fn location(jni: JavaEnv, domain: JavaObject) -> Option<CodeLocation> {
    let source = jni.call(domain, "getCodeSource", "()Ljava/security/CodeSource;")?;
    let location = jni.call(source, "getLocation", "()Ljava/net/URL;")?;
    let text = |name| jni.string(jni.call(location, name, "()Ljava/lang/String;")?);
    location_of(&text("getProtocol")?, &text("getPath")?)
}

/// `file` and `/a%20b/`, `jar` and `file:/a.jar!/`, or `jrt` and `/java.sql`.
fn location_of(protocol: &str, path: &str) -> Option<CodeLocation> {
    let path = match protocol {
        "jrt" => return Some(CodeLocation::Image),
        "file" => path,
        "jar" => path.strip_prefix("file:")?.split("!/").next()?,
        _ => return None,
    };
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(rest.get(..at)?.as_bytes());
        bytes.push(u8::from_str_radix(rest.get(at + 1..at + 3)?, 16).ok()?);
        rest = rest.get(at + 3..)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).ok().map(|path| CodeLocation::File(path.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_source_is_a_file_a_jar_or_unknown() {
        let cases = [
            ("file", "/a/b/", Some("/a/b")),
            ("file", "/a%20b/%c3%bc.jar", Some("/a b/\u{fc}.jar")),
            ("jar", "file:/a/b.jar!/x/", Some("/a/b.jar")),
            ("jar", "http://h/b.jar!/", None),
            ("file", "/a%2", None),
        ];
        for (protocol, path, expected) in cases {
            let expected = expected.map(|path| CodeLocation::File(path.into()));
            assert_eq!(location_of(protocol, path), expected, "{protocol}:{path}");
        }
        assert_eq!(location_of("jrt", "/java.sql"), Some(CodeLocation::Image));
    }

    #[test]
    fn a_class_is_found_by_its_name_and_by_a_location_below_a_root() {
        let folder = std::env::temp_dir().join(format!("tamis-places-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("p/q")).unwrap();
        std::fs::write(folder.join("p/q/A.class"), "").unwrap();
        let places =
            WatchedRoots::new(vec![folder.display().to_string(), "/x/y.jar".to_owned()], PathBuf::new());
        assert!(
            places.holds("p/q/A") && !places.holds("p/q/B") && !places.holds("r/A") && !places.holds("A")
        );
        assert!(places.contain(&folder.join("WEB-INF/classes/")) && places.contain(Path::new("/x/y.jar")));
        assert!(!places.contain(Path::new("/x/y.jar2")));
        assert!(
            places.is_jdk(b"java/util/A", "java/util/A", true) && !places.is_jdk(b"p/q/A", "p/q/A", true)
        );
        assert!(!places.is_jdk(b"com/sun/proxy/$Proxy1", "com/sun/proxy/$Proxy1", false));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
