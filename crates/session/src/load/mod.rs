//! Loads a class path into a snapshot: list it, read and digest new classes, find the supertypes outside.

pub(crate) mod changed_since;
pub(crate) mod digest_classes;
pub(crate) mod framework_archives;
mod index_lookup;
mod library_supertypes;
mod misplaced_classes;

use crate::error::SessionError;
use crate::load::digest_classes::records;
use crate::load::index_lookup::IndexLookup;
use crate::load::library_supertypes::externals;
use crate::load::misplaced_classes::MisplacedClass;
use std::path::{Path, PathBuf};
use tamis_program::names::dotted;
use tamis_program::record::{ClassKind, ClassRecord};
use tamis_program::snapshot::Snapshot;
use tamis_project::classpath::{ClassPath, ProblemKind};
use tamis_report::words;
use tamis_store::index::{DigestIndex, LoadStart};

/// Options of a load.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The Java version that chooses among the classes of multi-release jars.
    pub release: Option<u32>,
    /// Libraries for supertypes.
    pub class_path: Vec<PathBuf>,
    /// The JDK for supertypes.
    pub jdk: JdkChoice,
    /// Whether a class that cannot be read is compared by its bytes instead of being an error.
    pub lenient: bool,
    /// The file of the index, so that unchanged classes are not read again. The result is the same with and
    /// without it.
    pub index: Option<PathBuf>,
}

/// The choice of a JDK.
#[derive(Clone, Debug, Default)]
pub enum JdkChoice {
    /// The default JDK of this machine, if there is one.
    #[default]
    Auto,
    /// No JDK: classes outside are unknown, except `java/lang/Object`.
    None,
    /// The JDK in this directory.
    At(PathBuf),
}

/// A snapshot with its sources, and remarks for the user.
pub struct LoadedProgram {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// The class path of the snapshot.
    pub class_path: ClassPath,
    /// The libraries.
    pub libraries: ClassPath,
    /// Remarks, one line each.
    pub notes: Vec<String>,
}

/// Loads the classes of `roots`.
pub fn load(roots: &[PathBuf], options: &LoadOptions) -> Result<LoadedProgram, SessionError> {
    let (class_path, index) = open(roots, options)?;
    let mut notes = Vec::new();
    if class_path.classes().is_empty() {
        let roots: Vec<_> = roots.iter().map(|root| root.display().to_string()).collect();
        notes.push(words::no_classes(&roots.join(", ")));
    }
    for problem in class_path.problems() {
        match problem.kind {
            // If existing classes cannot be seen, the answer may miss changes.
            ProblemKind::Unreadable(_) | ProblemKind::Entry(_) => {
                return Err(SessionError::Problem(problem.to_string()));
            }
            _ => notes.push(problem.to_string()),
        }
    }
    let known = index.as_ref().map(DigestIndex::known);
    let remembered = known.as_ref().map(|known| IndexLookup::ask(known, &class_path, options.release));
    let (records, mut learned) = records(&class_path, remembered.as_ref())?;
    check_readable(&class_path, &records, options.lenient, &mut notes)?;
    note_misplaced(&learned.misplaced, &mut notes);
    let asked = known.as_ref().map(|known| (known, &mut learned));
    let (external, libraries) = externals(&records, options, asked, &mut notes)?;
    if let (Some(path), Some(index), Some(remembered)) = (&options.index, &index, &remembered) {
        notes.extend(index.problem.clone());
        // A failure to write the index only makes the next load slower.
        if let Err(error) = remembered.update(learned).write(path) {
            notes.push(words::index_not_written(path, &error));
        }
    }
    drop(remembered);
    Ok(LoadedProgram { snapshot: Snapshot::new(records, external), class_path, libraries, notes })
}

/// Lists the class path and opens the index in parallel.
fn open(roots: &[PathBuf], options: &LoadOptions) -> Result<(ClassPath, Option<DigestIndex>), SessionError> {
    let list = tamis_project::classpath::ClassPathOptions {
        release: options.release,
        follow_manifests: false,
        threads: 0,
    };
    let began = LoadStart::now();
    std::thread::scope(|scope| {
        let open = |path: &Path| DigestIndex::open(path, began);
        let index = options.index.as_deref().map(|path| scope.spawn(move || open(path)));
        let class_path = ClassPath::open(roots, &list)?;
        let index = index.map(|index| index.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        Ok((class_path, index))
    })
}

/// A class that cannot be read is an error, unless its Java version is newer than we know.
fn check_readable(
    class_path: &ClassPath,
    records: &[ClassRecord],
    lenient: bool,
    notes: &mut Vec<String>,
) -> Result<(), SessionError> {
    for record in records {
        let ClassKind::Opaque { reason, newer } = &record.kind else { continue };
        let place = match class_path.find(record.name()) {
            Some(entry) => entry.location(class_path).to_string(),
            None => record.name().to_owned(),
        };
        if !newer && !lenient {
            return Err(SessionError::Unreadable(place, reason.to_string()));
        }
        notes.push(words::compared_by_bytes(&place, reason));
    }
    Ok(())
}

/// Notes classes whose location does not fit their names. Most likely a parent directory was given.
fn note_misplaced(misplaced: &[MisplacedClass], notes: &mut Vec<String>) {
    if let Some(first) = misplaced.first() {
        notes.push(words::misplaced(&first.place, misplaced.len() - 1, &dotted(&first.name)));
    }
}
