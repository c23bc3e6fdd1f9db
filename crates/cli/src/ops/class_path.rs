//! The class path of a JVM as the JVM really has it: manifests followed, modules and their patches among it.

use std::path::{Path, PathBuf};
use tamis_project::classpath::{ClassPath, Options, RootKind};
use tamis_trace::Hello;

/// The directories, which are what is being worked on; and all of it, absolute.
pub(super) fn resolve(hello: &Hello) -> (Vec<String>, Vec<String>) {
    let entries = entries(hello);
    // Builds hide a long class path in the manifest of a jar that holds nothing else.
    let options = Options { release: None, follow_manifests: true, threads: 0 };
    let Ok(class_path) = ClassPath::open(&entries, &options) else {
        // Something in it cannot be read: then the JVM's own words must do.
        let directories = entries.iter().filter(|entry| entry.is_dir()).map(|entry| text(entry)).collect();
        return (directories, entries.iter().map(|entry| text(entry)).collect());
    };
    let roots = class_path.roots();
    let directories =
        roots.iter().filter(|root| root.kind() == RootKind::Directory).map(|root| text(&root.path));
    (directories.collect(), roots.iter().map(|root| text(&root.path)).collect())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// What the JVM's properties name, as far as it is there.
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
