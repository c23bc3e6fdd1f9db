//! A mutant: one edit of one file, and the files that it produces.

use super::class_lookup::ProgramClasses;
use super::worker_dir::WorkerDir;
use std::fs;
use std::path::{Path, PathBuf};
use tamis_mutate::{EditableClass, MutationSite, OPERATORS, RandomDraw, apply, resource};
use tamis_program::names::dotted;
use tamis_project::repack;

/// A possible edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    /// The name of the operator.
    pub(super) operator: &'static str,
    /// The entry of the user's class path with the edited file.
    pub(super) entry: PathBuf,
    /// The launch whose class path finds supertypes, by index.
    pub(super) launch: usize,
    /// The edited file.
    pub(super) target: MutantTarget,
}

/// The edited file, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MutantTarget {
    /// A class, at one of its sites for the operator.
    Class { name: String, site: usize },
    /// A class of a library, at one of its sites for any operator.
    Library { name: String, site: usize },
    /// A file other than a class: one letter changes.
    Edited { path: String, letter: usize },
    /// A file other than a class: it is deleted.
    Deleted { path: String },
}

/// An edit that was made, in memory.
pub(super) struct EditedProgram {
    pub(super) entity: String,
    pub(super) what: String,
    /// Files below the entry, or the entry itself if it is an archive.
    pub(super) files: Vec<EditedFile>,
}

/// A file before and after an edit.
pub(super) struct EditedFile {
    /// The path in the user's project or library.
    pub(super) original: PathBuf,
    /// The class in the file; in an archive, the edited class.
    pub(super) class: Option<String>,
    /// The class or file before the edit.
    pub(super) before: Option<Vec<u8>>,
    /// The class or file after the edit.
    pub(super) after: Option<Vec<u8>>,
    /// The edited archive, if the class is in one.
    archive: Option<Vec<u8>>,
}

impl Mutant {
    /// Unique for each edit of a state of the classes.
    pub(super) fn id(&self) -> String {
        let entry = self.entry.file_name().unwrap_or_default().to_string_lossy();
        match &self.target {
            MutantTarget::Class { name, site } => format!("{}:{entry}:{name}:{site}", self.operator),
            MutantTarget::Library { name, site } => format!("{}:{entry}:{name}:{site}", self.operator),
            MutantTarget::Edited { path, letter } => format!("{}:{entry}:{path}:{letter}", self.operator),
            MutantTarget::Deleted { path } => format!("{}:{entry}:{path}", self.operator),
        }
    }

    /// Makes the edit; `None` if it turns out to be impossible.
    pub(super) fn make(&self, program: &ProgramClasses) -> Option<EditedProgram> {
        match &self.target {
            MutantTarget::Class { name, site } => {
                let operator = tamis_mutate::find(self.operator)?;
                let file = self.entry.join(format!("{name}.class"));
                let bytes = fs::read(&file).ok()?;
                let class = EditableClass::read(&bytes)?;
                let site = operator.sites(&class, program).into_iter().nth(*site)?;
                let files = apply(&class, &site.edit)?
                    .into_iter()
                    .map(|made| {
                        let original = self.entry.join(format!("{}.class", made.class));
                        let before = fs::read(&original).ok();
                        EditedFile {
                            class: Some(made.class),
                            before,
                            after: Some(made.bytes),
                            archive: None,
                            original,
                        }
                    })
                    .collect();
                Some(EditedProgram { entity: displayed(&site.entity), what: site.what, files })
            }
            MutantTarget::Library { name, site } => {
                let archive = fs::read(&self.entry).ok()?;
                let bytes = tamis_mutate::ClassLookup::class(program, name)?;
                let class = EditableClass::read(&bytes)?;
                let site = library_sites(&class, program).into_iter().nth(*site)?;
                let made = apply(&class, &site.edit)?;
                // A new class would need a new entry in the archive.
                let [made] = made.as_slice() else { return None };
                let packed = repack::replace(&archive, &format!("{name}.class"), &made.bytes)?;
                let file = EditedFile {
                    original: self.entry.clone(),
                    class: Some(name.clone()),
                    before: Some(bytes.to_vec()),
                    after: Some(made.bytes.clone()),
                    archive: Some(packed),
                };
                let jar = self.entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Some(EditedProgram {
                    entity: displayed(&site.entity),
                    what: format!("{} in {jar}", site.what),
                    files: vec![file],
                })
            }
            MutantTarget::Edited { path, letter } => {
                let original = self.entry.join(path);
                let before = fs::read(&original).ok()?;
                let (at, after) = resource::edit(&before, &mut RandomDraw::new(*letter as u64))?;
                let what = tamis_report::words::character_changed(at);
                let file = EditedFile {
                    original,
                    class: None,
                    before: Some(before),
                    after: Some(after),
                    archive: None,
                };
                Some(EditedProgram { entity: path.clone(), what, files: vec![file] })
            }
            MutantTarget::Deleted { path } => {
                let original = self.entry.join(path);
                let before = fs::read(&original).ok()?;
                let file =
                    EditedFile { original, class: None, before: Some(before), after: None, archive: None };
                Some(EditedProgram { entity: path.clone(), what: "deleted".to_owned(), files: vec![file] })
            }
        }
    }
}

/// The sites of all operators in a library class, without those that add a class.
pub(super) fn library_sites(class: &EditableClass<'_>, program: &ProgramClasses) -> Vec<MutationSite> {
    let all = OPERATORS.iter().flat_map(|operator| operator.sites(class, program));
    all.filter(|site| !matches!(site.edit, tamis_mutate::ClassEdit::AddDefault { .. })).collect()
}

impl EditedProgram {
    /// Writes the edit into a worker's copy.
    pub(super) fn lay(&self, place: &WorkerDir) -> std::io::Result<()> {
        self.files.iter().try_for_each(|file| {
            let bytes = file.archive.as_deref().or(file.after.as_deref());
            place.write(&place.entry(&file.original), bytes)
        })
    }

    /// Reverts the edit in a worker's copy.
    pub(super) fn take_back(&self, place: &WorkerDir) -> std::io::Result<()> {
        self.files.iter().try_for_each(|file| {
            if file.archive.is_none() {
                return place.write(&place.entry(&file.original), file.before.as_deref());
            }
            let own = place.entry(&file.original);
            if own.starts_with(place.root.path()) {
                return place.write(&own, Some(&fs::read(&file.original)?));
            }
            place.restore_library(&file.original)
        })
    }
}

/// `a.B.m(La/C;)V` for `a/B.m(La/C;)V`.
fn displayed(entity: &str) -> String {
    let at = entity.find('(').unwrap_or(entity.len());
    let (name, descriptor) = entity.split_at(at);
    format!("{}{descriptor}", dotted(name))
}

/// Files below a folder that are not classes, by relative path, sorted.
pub(super) fn resources(folder: &Path) -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file()
                && path.extension().is_none_or(|ending| ending != "class")
                && let Some(name) = path.strip_prefix(folder).ok().and_then(Path::to_str)
            {
                found.push(name.to_owned());
            }
        }
    }
    found.sort();
    found
}
