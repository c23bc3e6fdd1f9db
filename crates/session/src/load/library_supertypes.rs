//! Finds the supertypes of the project's classes in libraries and the JDK, and their supertypes.

use crate::error::SessionError;
use crate::load::digest_classes::IndexUpdates;
use crate::load::{JdkChoice, LoadOptions};
use rustc_hash::FxHashSet;
use tamis_program::digest::{ClassSource, Digest, Digester};
use tamis_program::record::ClassRecord;
use tamis_project::classpath::{ClassPath, JdkClasses};
use tamis_report::words;
use tamis_store::index::{KnownFamilies, NewFamily, family_key};

/// Finds the supertypes that `project` does not contain, and opens the libraries. Each class is digested
/// alone, because only its inheritance counts.
pub(crate) fn externals(
    project: &[ClassRecord],
    options: &LoadOptions,
    index: Option<(&KnownFamilies<'_>, &mut IndexUpdates)>,
    notes: &mut Vec<String>,
) -> Result<(Vec<ClassRecord>, ClassPath), SessionError> {
    let mut outside = LibrarySupertypes {
        libraries: libraries(options)?,
        jdk: jdk(options, notes)?,
        index,
        digester: Digester::default(),
        buffer: Vec::new(),
        block: Vec::new(),
    };
    let known: FxHashSet<&str> = project.iter().map(ClassRecord::name).collect();
    let named: FxHashSet<&str> =
        project.iter().flat_map(ClassRecord::super_types).filter(|name| !known.contains(name)).collect();
    let mut wanted: Vec<String> = named.into_iter().map(str::to_owned).collect();
    wanted.sort_unstable();
    let mut asked: FxHashSet<String> = wanted.iter().cloned().collect();
    let mut external = Vec::new();
    while let Some(name) = wanted.pop() {
        let records = outside.find(&name)?;
        for name in records.iter().flat_map(ClassRecord::super_types) {
            if !known.contains(name) && asked.insert(name.to_owned()) {
                wanted.push(name.to_owned());
            }
        }
        external.extend(records);
    }
    Ok((external, outside.libraries))
}

struct LibrarySupertypes<'a> {
    libraries: ClassPath,
    jdk: Option<JdkClasses>,
    index: Option<(&'a KnownFamilies<'a>, &'a mut IndexUpdates)>,
    digester: Digester,
    buffer: Vec<u8>,
    block: Vec<u8>,
}

impl LibrarySupertypes<'_> {
    /// The class of this name, if it exists.
    fn find(&mut self, name: &str) -> Result<Vec<ClassRecord>, SessionError> {
        let found = match self.libraries.find(name) {
            Some(entry) => self.libraries.read(entry, &mut self.buffer).map(|()| true)?,
            None => match &self.jdk {
                Some(jdk) => jdk.read(name, &mut self.buffer)?,
                None => false,
            },
        };
        if !found {
            return Ok(Vec::new());
        }
        let source = [ClassSource { name, bytes: &self.buffer }];
        let Some((known, learned)) = &mut self.index else { return Ok(self.digester.family(&source)) };
        let key = family_key(std::iter::once((name, Digest::of(&self.buffer))));
        let mut records = Vec::new();
        if known.family(&key, &mut self.block, &mut records) {
            learned.families.push(key);
            return Ok(records);
        }
        let records = self.digester.family(&source);
        learned.new.push(NewFamily::new(key, &records, &mut self.block));
        Ok(records)
    }
}

fn libraries(options: &LoadOptions) -> Result<ClassPath, SessionError> {
    let open = tamis_project::classpath::ClassPathOptions {
        release: options.release,
        follow_manifests: true,
        threads: 0,
    };
    Ok(ClassPath::open(&options.class_path, &open)?)
}

fn jdk(options: &LoadOptions, notes: &mut Vec<String>) -> Result<Option<JdkClasses>, SessionError> {
    match &options.jdk {
        JdkChoice::None => Ok(None),
        JdkChoice::At(home) => Ok(Some(JdkClasses::open(home)?)),
        JdkChoice::Auto => Ok(JdkClasses::find_home().and_then(|home| match JdkClasses::open(&home) {
            Ok(jdk) => Some(jdk),
            Err(error) => {
                notes.push(words::no_jdk(&error));
                None
            }
        })),
    }
}
