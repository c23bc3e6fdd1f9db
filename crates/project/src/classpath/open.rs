//! Opens a class path: roots in the JVM's order, with those from manifests, then the listing of all of them.

use super::directory::walk;
use super::entry::ClassEntry;
use super::error::ClassPathError;
use super::expand::expand;
use super::manifest::resolve;
use super::parallel;
use super::problem::{ClassPathProblem, ProblemKind};
use super::root::{ClassPathRoot, ListedRoot, OpenedRoot, RootKind};
use super::{ClassPath, ClassPathOptions};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of archives kept open. Others are opened for each read: the usual limit is 1,024 files, on
/// macOS 256.
const KEPT_OPEN: usize = 100;

/// Opens a class path. Callers that need only roots and archives skip the walk of the directories.
pub(super) fn open(
    roots: &[PathBuf],
    options: &ClassPathOptions,
    walks_directories: bool,
) -> Result<ClassPath, ClassPathError> {
    let mut opening = RootOpening {
        release: options.release,
        threads: parallel::thread_count(options.threads),
        ahead: HashMap::new(),
        kept_open: AtomicUsize::new(0),
        roots: Vec::new(),
        entries: Vec::new(),
        problems: Vec::new(),
    };
    let mut waiting = VecDeque::new();
    for root in roots {
        waiting.extend(expand(root, &mut opening.problems)?.into_iter().map(WaitingRoot::given));
    }
    opening.open_ahead(waiting.iter().map(|next| next.path.clone()).collect());
    let mut seen = HashSet::new();
    while let Some(next) = waiting.pop_front() {
        // As in the JVM: a jar's own class path follows immediately after it, and of repeated places the
        // first counts.
        let identity = next.identity.clone();
        if seen.contains(&identity) {
            continue;
        }
        let Some(named) = opening.add(next, options.follow_manifests)? else { continue };
        seen.insert(identity);
        let new = named.iter().filter(|next| !seen.contains(&next.identity));
        opening.open_ahead(new.map(|next| next.path.clone()).collect());
        for next in named.into_iter().rev() {
            waiting.push_front(next);
        }
    }
    if walks_directories {
        opening.walk_directories();
    }
    Ok(opening.finish())
}

/// A root that is not processed yet.
struct WaitingRoot {
    path: PathBuf,
    /// Equal for equal places: the canonical path of a given root, the resolved path of one from a manifest.
    identity: PathBuf,
    /// The base of relative URLs in its manifest.
    base: PathBuf,
    named: Option<ManifestName>,
}

/// The origin of a root from a manifest.
struct ManifestName {
    by: usize,
    url: String,
    is_directory: bool,
}

impl WaitingRoot {
    fn given(path: PathBuf) -> WaitingRoot {
        let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
        // The JVM resolves against the canonical place of the jar. If that is the given directory, the given
        // spelling is kept, because the user knows it.
        let parent = path.parent().unwrap_or(Path::new(""));
        let real = if parent.as_os_str().is_empty() { Path::new(".") } else { parent }.canonicalize().ok();
        let base = if real.as_deref() == identity.parent() { Some(parent) } else { identity.parent() };
        WaitingRoot { base: base.unwrap_or(parent).to_owned(), path, identity, named: None }
    }

    fn named(path: PathBuf, named: ManifestName) -> WaitingRoot {
        let identity = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        let base = path.parent().unwrap_or(Path::new("")).to_owned();
        WaitingRoot { path, identity, base, named: Some(named) }
    }
}

struct RootOpening {
    release: Option<u32>,
    threads: usize,
    /// Roots opened in parallel, before their turn.
    ahead: HashMap<PathBuf, Result<ListedRoot, ClassPathError>>,
    kept_open: AtomicUsize,
    roots: Vec<ClassPathRoot>,
    entries: Vec<ClassEntry>,
    problems: Vec<ClassPathProblem>,
}

impl RootOpening {
    fn open_ahead(&mut self, mut paths: Vec<PathBuf>) {
        paths.retain(|path| !self.ahead.contains_key(path));
        let opened = parallel::map(&paths, self.threads, |path| self.open(path));
        self.ahead.extend(paths.into_iter().zip(opened));
    }

    fn open(&self, path: &Path) -> Result<ListedRoot, ClassPathError> {
        let mut listed = ListedRoot::open(path, self.release)?;
        if let OpenedRoot::Jar(archive) | OpenedRoot::Jmod(archive) = &mut listed.opened
            && self.kept_open.fetch_add(1, Ordering::Relaxed) >= KEPT_OPEN
        {
            archive.release();
        }
        Ok(listed)
    }

    /// Adds a root and returns the roots from its manifest; `None` if the JVM would ignore it.
    fn add(&mut self, next: WaitingRoot, follow: bool) -> Result<Option<Vec<WaitingRoot>>, ClassPathError> {
        let listed = match self.ahead.remove(&next.path) {
            Some(listed) => listed,
            None => self.open(&next.path),
        };
        let listed = match (listed, &next.named) {
            (Ok(listed), None) => listed,
            (Err(error), None) => return Err(error),
            (listed, Some(named)) => match usable(listed, named) {
                Ok(listed) => listed,
                Err(kind) => {
                    self.problem(named.by, kind);
                    return Ok(None);
                }
            },
        };
        let number = self.roots.len();
        let named_by = next.named.map(|named| named.by);
        self.roots.push(ClassPathRoot { path: next.path, named_by, opened: listed.opened });
        self.problems.extend(listed.problems);
        self.entries
            .extend(listed.entries.into_iter().map(|entry| ClassEntry { root: number as u32, ..entry }));
        let mut named = Vec::new();
        for url in listed.class_path.into_iter().filter(|_| follow) {
            match resolve(&url, &next.base) {
                Ok(target) => {
                    let is_directory = target.is_directory;
                    named.push(WaitingRoot::named(
                        target.path,
                        ManifestName { by: number, url, is_directory },
                    ));
                }
                Err(why) => self.problem(number, ProblemKind::ManifestIgnored { url, why }),
            }
        }
        Ok(Some(named))
    }

    fn problem(&mut self, root: usize, kind: ProblemKind) {
        let place = self.roots.get(root).map(|root| root.path.display().to_string()).unwrap_or_default();
        self.problems.push(ClassPathProblem { place, kind });
    }

    fn walk_directories(&mut self) {
        let directories = self.roots.iter().zip(0..).filter(|(root, _)| root.kind() == RootKind::Directory);
        let walked = walk(directories.map(|(root, number)| (number, root.path.as_path())), self.threads);
        self.entries.extend(walked.entries);
        self.problems.extend(walked.problems);
    }

    fn finish(mut self) -> ClassPath {
        self.problems.sort_by_cached_key(|problem| (problem.place.clone(), problem.to_string()));
        // A stable sort: within a root, entries of one name and version are already in the order in which
        // they win.
        let rank = |entry: &ClassEntry| (entry.root, Reverse(entry.version()));
        self.entries.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| rank(a).cmp(&rank(b))));
        let (mut classes, mut shadowed) = (Vec::<ClassEntry>::with_capacity(self.entries.len()), Vec::new());
        for entry in self.entries {
            match classes.last() {
                Some(winner) if winner.name == entry.name => shadowed.push(entry),
                _ => classes.push(entry),
            }
        }
        ClassPath { roots: self.roots, classes, shadowed, problems: self.problems }
    }
}

/// The root of a manifest's element, if the JVM loads classes from it.
fn usable(
    listed: Result<ListedRoot, ClassPathError>,
    named: &ManifestName,
) -> Result<ListedRoot, ProblemKind> {
    let url = named.url.clone();
    let listed = match listed {
        Ok(listed) => listed,
        Err(ClassPathError::NotFound { .. }) => return Err(ProblemKind::ManifestMissing { url }),
        Err(error) => return Err(ProblemKind::ManifestUnusable { url, error }),
    };
    let why = match (&listed.opened, named.is_directory) {
        (OpenedRoot::Directory, true) | (OpenedRoot::Jar(_), false) => return Ok(listed),
        (OpenedRoot::Directory, false) => "a directory must end in `/`",
        (OpenedRoot::Jar(_), true) => "it ends in `/` and is not a directory",
        (OpenedRoot::ClassFile | OpenedRoot::Jmod(_) | OpenedRoot::Image(_), _) => {
            "it is neither a directory nor a jar"
        }
    };
    Err(ProblemKind::ManifestIgnored { url, why })
}
