//! Classes of test frameworks and of the JDK, read from the disk.

use std::path::PathBuf;
use tamis_project::classpath::{ClassPath, ClassPathOptions, JdkClasses};
use tamis_test_support::jdk::Jdk;

/// The classes of a JDK and of the archives of a test framework.
pub(crate) struct OutsideClasses {
    jdk: JdkClasses,
    framework: ClassPath,
}

impl OutsideClasses {
    pub(crate) fn open(jdk: &Jdk, framework: &[PathBuf]) -> OutsideClasses {
        let options = ClassPathOptions { release: None, follow_manifests: false, threads: 1 };
        OutsideClasses {
            jdk: JdkClasses::open(&jdk.home).unwrap(),
            framework: ClassPath::open(framework, &options).unwrap(),
        }
    }

    /// Whether a class is the framework's.
    pub(crate) fn is_framework(&self, class: &str) -> bool {
        self.framework.find(class).is_some()
    }

    /// The file of a class.
    pub(crate) fn read(&self, class: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        match self.framework.find(class) {
            Some(entry) => self.framework.read(entry, &mut bytes).unwrap(),
            None => return self.jdk.read(class, &mut bytes).unwrap().then_some(bytes),
        }
        Some(bytes)
    }
}
