//! Whether any code of the project uses something that changes how libraries are to be seen. Each is found out once.

use super::JvmRecorder;
use tamis_catalog::libraries::{self, loggers, spring};
use tamis_classfile::{ClassFile, Constant};
use tamis_program::record::{ClassRecord, StaticReference};

/// The answers so far.
#[derive(Default)]
pub(super) struct ProjectCode {
    lists_methods: Option<bool>,
    reads_logs: Option<bool>,
}

impl JvmRecorder<'_> {
    /// Whether code of the project asks Spring for all methods of a class that was scanned.
    pub(super) fn lists_methods(&mut self) -> bool {
        let (owner, name) = spring::METHOD_LISTING;
        let is_listing = |record: &ClassRecord, found: &StaticReference| {
            record.str(found.name) == name && record.str(found.owner).starts_with(owner)
        };
        let known = self.libraries.project.lists_methods;
        *self.libraries.project.lists_methods.insert(known.unwrap_or_else(|| self.has_reference(is_listing)))
    }

    /// Whether code of the project may read what was logged, or replaces a standard stream.
    pub(super) fn reads_logs(&mut self) -> bool {
        let is_reader =
            |record: &ClassRecord, found: &StaticReference| libraries::reads_logs(record.str(found.owner));
        let known = self.libraries.project.reads_logs;
        *self.libraries.project.reads_logs.insert(known.unwrap_or_else(|| {
            let snapshot = self.world.snapshot();
            let inherits = snapshot
                .project()
                .any(|class| snapshot.class(class).super_types().any(libraries::reads_logs));
            inherits || self.has_reference(is_reader) || self.replaces_streams()
        }))
    }

    /// Whether code of the project replaces a standard stream. References to the JDK are in class files only.
    fn replaces_streams(&self) -> bool {
        let snapshot = self.world.snapshot();
        snapshot.project().any(|class| match self.world.class_file(snapshot.class(class).name()) {
            Some(Ok(bytes)) => ClassFile::parse(&bytes).map_or(true, |file| names_stream_setter(&file)),
            Some(Err(_)) | None => true,
        })
    }

    fn has_reference(&self, is_it: impl Fn(&ClassRecord, &StaticReference) -> bool) -> bool {
        let snapshot = self.world.snapshot();
        snapshot.project().any(|class| {
            let record = snapshot.class(class);
            // Of a class that could not be read, nothing is known.
            record.is_opaque() || record.references.iter().any(|found| is_it(record, found))
        })
    }
}

fn names_stream_setter(file: &ClassFile<'_>) -> bool {
    let (system, setters) = loggers::STREAM_SETTERS;
    file.pool.iter().any(|(index, constant)| match constant {
        Constant::Member(_, _, _) => file.pool.member(index).is_ok_and(|member| {
            member.owner == system.as_bytes() && setters.iter().any(|setter| member.name == setter.as_bytes())
        }),
        _ => false,
    })
}
