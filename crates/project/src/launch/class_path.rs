//! The effective class path of a JVM, with the jars that manifests name, modules and patches of modules.

use crate::classpath::{ClassPath, ClassPathOptions, RootKind};
use crate::root::ProjectRoot;
use std::path::{Path, PathBuf};
use tamis_wire::Hello;

/// A class path, absolute and in order.
#[derive(Default)]
pub struct ResolvedClassPath {
    /// The complete class path.
    pub all: Vec<String>,
    /// The entries with classes and resources. A jar that only names other jars is not among them.
    pub searched: Vec<String>,
    /// The entries with the project's own classes: directories, and jars in the project.
    pub watched: Vec<String>,
}

/// Determines the class path of a JVM.
pub fn resolve(hello: &Hello, root: &ProjectRoot) -> ResolvedClassPath {
    let entries = entries(hello);
    // Builds hide a long class path in the manifest of a jar that contains nothing else.
    let options = ClassPathOptions { release: None, follow_manifests: true, threads: 0 };
    // The JVM is waiting, and directories are searched and watched whatever they contain, so they are not
    // listed.
    let Ok(class_path) = ClassPath::open_archives(&entries, &options) else {
        // An entry cannot be read: use the JVM's own properties instead.
        let all: Vec<String> = entries.iter().map(|entry| text(entry)).collect();
        let watched = entries.iter().filter(|entry| entry.is_dir()).map(|entry| text(entry)).collect();
        return ResolvedClassPath { searched: all.clone(), all, watched };
    };
    let roots = class_path.roots();
    let mut has_classes: Vec<bool> = roots.iter().map(|root| root.kind() == RootKind::Directory).collect();
    for entry in class_path.classes().iter().chain(class_path.shadowed()) {
        if let Some(has) = has_classes.get_mut(entry.root()) {
            *has = true;
        }
    }
    let mut resolved = ResolvedClassPath::default();
    for (index, (at, has_classes)) in roots.iter().zip(has_classes).enumerate() {
        let path = text(&at.path);
        let is_own = match at.kind() {
            RootKind::Directory => true,
            RootKind::Jar => has_classes && root.holds(&path),
            RootKind::ClassFile | RootKind::Jmod | RootKind::Image => false,
        };
        if has_classes || !roots.iter().any(|other| other.named_by == Some(index)) {
            resolved.searched.push(path.clone());
        }
        resolved.watched.extend(is_own.then(|| path.clone()));
        resolved.all.push(path);
    }
    resolved
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The existing paths that the JVM's properties name.
fn entries(hello: &Hello) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (name, value) in &hello.properties {
        let paths = match name.as_str() {
            "java.class.path" | "jdk.module.path" => value.as_str(),
            // `module=path:path`
            name if name.starts_with("jdk.module.patch.") => {
                value.split_once('=').map_or("", |(_, paths)| paths)
            }
            _ => continue,
        };
        for entry in paths.split(':').filter(|entry| !entry.is_empty()) {
            let path = Path::new(&hello.directory).join(entry);
            if path.exists() && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}
