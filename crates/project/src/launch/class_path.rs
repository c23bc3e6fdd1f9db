//! The effective class path of a JVM, with the jars that manifests name, modules and patches of modules.

use crate::classpath::{ClassPath, ClassPathOptions, RootKind};
use crate::root::ProjectRoot;
use std::path::{Path, PathBuf};
use tamis_catalog::frameworks::platform;
use tamis_catalog::jdk::properties;
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

/// The class path in the arguments of JUnit's console launcher: `execute -cp a:b`, `--class-path=a:b`.
fn console_class_path(command: &[String]) -> Option<String> {
    let main = command.iter().position(|word| platform::is_console(word))?;
    let mut paths: Vec<&str> = Vec::new();
    let mut words = command.iter().skip(main + 1);
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.as_str(), None),
        };
        if platform::CLASS_PATH_OPTIONS.contains(&option) {
            paths.extend(value.or_else(|| words.next().map(String::as_str)));
        }
    }
    (!paths.is_empty()).then(|| paths.join(":"))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The existing paths that the JVM's properties name, and those that the arguments of a runner name.
fn entries(hello: &Hello) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let own = console_class_path(&hello.command).map(|paths| (properties::CLASS_PATH.to_owned(), paths));
    for (name, value) in hello.properties.iter().chain(&own) {
        let paths = match name.as_str() {
            properties::CLASS_PATH | properties::MODULE_PATH => value.as_str(),
            // `module=path:path`
            name if name.starts_with(properties::MODULE_PATCH) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_launcher_has_a_class_path_of_its_own() {
        let of = |line: &str| console_class_path(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let jar = "java -jar lib/junit-platform-console-standalone-1.10.2.jar execute";
        assert_eq!(of(&format!("{jar} -cp a:b --scan-classpath")).as_deref(), Some("a:b"));
        assert_eq!(of(&format!("{jar} --class-path=a -cp b")).as_deref(), Some("a:b"));
        assert_eq!(of(&format!("{jar} -c a.ATest -cp")), None);
        let main = "java -cp x org.junit.platform.console.ConsoleLauncher";
        assert_eq!(of(&format!("{main} --classpath y")).as_deref(), Some("y"));
        assert_eq!(of("java -cp x org.junit.runner.JUnitCore -cp y"), None);
    }
}
