//! What builds write about themselves: the commit, the branch, the time.

use crate::name::NameSet;

/// Resources with such notes, by the names of their files.
pub const FILES: NameSet = NameSet {
    name: "notes of a build about itself",
    exact: &["build-info.properties", "git.properties"],
    why: "They differ from commit to commit. Spring Boot reads them whenever it starts, and shows what is in them to those who \
          ask for it.",
    cases: &["notes_of_the_build.md"],
    ..NameSet::EMPTY
};

/// How the names of properties begin that git-commit-id sets in JVMs that run tests.
pub const PROPERTIES: &str = "git.";

/// The class of Spring Boot that reads such a file whenever an application starts.
pub const READER: &str = "org/springframework/boot/autoconfigure/info/ProjectInfoAutoConfiguration";

/// The classes of Spring Boot that hold what it has read, as the JVM names them, and the files.
pub const HOLDERS: [(&str, &str); 2] = [
    ("org.springframework.boot.info.BuildProperties", "build-info.properties"),
    ("org.springframework.boot.info.GitProperties", "git.properties"),
];

/// Whether an object of this class may hold what was read from this file.
pub fn may_hold(class: &str, path: &str) -> bool {
    let known = HOLDERS.iter().find(|(holder, _)| *holder == class);
    known.is_none_or(|(_, file)| path.rsplit('/').next() == Some(file))
}

/// Whether a path or the name of a resource is that of such notes.
#[inline]
pub fn is_note(path: &str) -> bool {
    path.ends_with(".properties") && FILES.has(path.rsplit('/').next().unwrap_or_default())
}
