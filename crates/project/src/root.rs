//! The root of a project. Facts name files relative to it, so they hold wherever the project is.

use std::path::{Component, Path, PathBuf};

/// Files that mark the root of a build.
const BUILD_FILES: [&str; 12] = [
    "pom.xml",
    "settings.gradle",
    "settings.gradle.kts",
    "build.gradle",
    "build.gradle.kts",
    "build.xml",
    "build.sbt",
    "build.mill",
    "build.sc",
    "WORKSPACE",
    "MODULE.bazel",
    "mvnw",
];

/// The directory of the outermost build file.
#[derive(Clone, Debug)]
pub struct ProjectRoot {
    path: PathBuf,
    text: String,
}

impl ProjectRoot {
    /// The root in this directory. Links are resolved, because JVMs report resolved paths.
    pub fn new(directory: &Path) -> ProjectRoot {
        let path = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let text = path.to_string_lossy().into_owned();
        ProjectRoot { path, text }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of a file: relative in the project, and `.` for the project itself.
    pub fn name(&self, path: &str) -> String {
        let clean = plain(path);
        match clean.strip_prefix(&self.path) {
            Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
            Ok(inside) => inside.to_string_lossy().into_owned(),
            Err(_) => clean.to_string_lossy().into_owned(),
        }
    }

    /// The path of a name.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether a file is in the project.
    pub fn holds(&self, path: &str) -> bool {
        plain(path).starts_with(&self.path)
    }

    /// The path that [`ProjectRoot::relative`] wrote.
    pub fn absolute(&self, path: &str) -> PathBuf {
        PathBuf::from(path.replace("{project}", &self.text))
    }

    /// A text with `{project}` for the path of the root.
    pub fn relative(&self, text: &str) -> String {
        if self.text.len() > 1 { text.replace(&self.text, "{project}") } else { text.to_owned() }
    }
}

/// A path without `.` and empty steps. `..` stays, since a link may precede it.
fn plain(path: &str) -> PathBuf {
    Path::new(path).components().filter(|step| *step != Component::CurDir).collect()
}

/// The outermost directory above with a build file, within the repository; otherwise the directory itself.
pub fn find_root(directory: &Path) -> ProjectRoot {
    let mut found = directory;
    for above in directory.ancestors() {
        if BUILD_FILES.iter().any(|file| above.join(file).is_file()) {
            found = above;
        }
        if above.join(".git").exists() {
            break;
        }
    }
    ProjectRoot::new(found)
}

#[cfg(test)]
mod tests {
    use super::ProjectRoot;
    use std::path::Path;

    #[test]
    fn names_are_relative_within_the_project() {
        let root = ProjectRoot::new(Path::new("/no/such/project"));
        let cases = [
            ("/no/such/project", "."),
            ("/no/such/project/core/./src//a.txt", "core/src/a.txt"),
            ("/no/such/projects/a", "/no/such/projects/a"),
            ("/etc/hosts", "/etc/hosts"),
        ];
        for (path, name) in cases {
            assert_eq!(root.name(path), name);
            assert_eq!(root.name(root.file(name).to_str().unwrap()), name);
        }
        assert_eq!(root.relative("-Dx=/no/such/project/y"), "-Dx={project}/y");
    }
}
