//! Finds the classes of a program, its libraries and its JDK, so that operators know what a class inherits.

use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tamis_mutate::ClassLookup;
use tamis_project::classpath::{ClassPath, ClassPathOptions, JdkClasses};
use tamis_project::launch::Launch;

/// All classes that a JVM would find, by name.
pub(super) struct ProgramClasses {
    pub(super) class_path: ClassPath,
    jdk: Option<JdkClasses>,
    known: Mutex<FxHashMap<String, Option<Arc<[u8]>>>>,
}

impl ProgramClasses {
    /// The classes of a JVM that is started like this.
    pub(super) fn open(launch: &Launch) -> Result<ProgramClasses, tamis_project::classpath::ClassPathError> {
        let entries: Vec<PathBuf> =
            launch.class_path.iter().map(PathBuf::from).filter(|entry| entry.exists()).collect();
        let options = ClassPathOptions { release: None, follow_manifests: false, threads: 0 };
        let jdk = launch.properties.get("java.home").and_then(|home| JdkClasses::open(home.as_ref()).ok());
        Ok(ProgramClasses { class_path: ClassPath::open(&entries, &options)?, jdk, known: Mutex::default() })
    }

    fn read(&self, name: &str) -> Option<Arc<[u8]>> {
        let mut bytes = Vec::new();
        match self.class_path.find(name) {
            Some(entry) => self.class_path.read(entry, &mut bytes).ok()?,
            None if self.jdk.as_ref()?.read(name, &mut bytes).ok()? => {}
            None => return None,
        }
        Some(Arc::from(bytes))
    }
}

impl ClassLookup for ProgramClasses {
    fn class(&self, name: &str) -> Option<Arc<[u8]>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(name) {
            return known.clone();
        }
        let found = self.read(name);
        known.insert(name.to_owned(), found.clone());
        found
    }
}
