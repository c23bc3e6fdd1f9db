//! Any bytes are either a jar whose classes can be listed and read, or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::OnceCell;
use tamis_project::classpath::{ClassPath, ClassPathOptions};

thread_local! {
    static FOLDER: OnceCell<tempfile::TempDir> = const { OnceCell::new() };
}

fuzz_target!(|bytes: &[u8]| {
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().expect("a temporary directory"));
        let path = folder.path().join("a.jar");
        std::fs::write(&path, bytes).expect("it can be written");
        for follow in [false, true] {
            let options = ClassPathOptions { follow_manifests: follow, release: Some(17), ..ClassPathOptions::default() };
            let Ok(class_path) = ClassPath::open(std::slice::from_ref(&path), &options) else { continue };
            let mut content = Vec::new();
            for entry in class_path.classes().iter().take(100) {
                let _ = class_path.read(entry, &mut content);
            }
        }
    });
});
