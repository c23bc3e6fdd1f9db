//! Turns attributes of files into questions.
//!
//! Libraries read the time of a resource to notice that it was replaced, and of a file to give it to a copy. The first differs
//! after every build and the second in every clone, and neither is shown, so neither counts.

use super::JvmRecorder;
use super::probe_table::ResolvedFootprint;
use crate::facts::FactKind;
use std::collections::BTreeSet;
use tamis_wire::{AttributeRead, CopiedTime, FileAttribute};

/// The attributes that a part has read so far.
#[derive(Default)]
pub(super) struct AttributeReads {
    /// Questions about attributes that code of the project read.
    by_project: BTreeSet<u32>,
    /// Files that were given the time of another one.
    copied: Vec<CopiedTime>,
}

impl JvmRecorder<'_> {
    /// Adds an attribute of a file. A file of the test's own may have the time of another one.
    pub(super) fn attribute(
        &mut self,
        read: &AttributeRead,
        reads: &mut AttributeReads,
        came: &mut ResolvedFootprint,
        numbers: &mut Vec<u32>,
    ) {
        let is_reload_check = read.by_library && read.attribute.is_of_copy();
        if is_reload_check && self.world.resource(&read.path).is_some() {
            return;
        }
        let mut paths = vec![&read.path];
        if read.attribute.is_of_copy() {
            let sources = reads.copied.iter().filter(|copied| copied.to == read.path);
            paths.extend(sources.map(|copied| &copied.from));
        }
        for path in paths {
            if self.is_own_file(path, came) {
                continue;
            }
            came.read.push(path.clone());
            let number = self.attribute_number(read.attribute, path);
            numbers.push(number);
            if !read.by_library || *path != read.path {
                reads.by_project.insert(number);
            }
        }
    }

    /// A file was given the time of another one. If only a library read that time, it read it for this.
    pub(super) fn time_copied(
        &mut self,
        copied: &CopiedTime,
        reads: &mut AttributeReads,
        numbers: &mut Vec<u32>,
    ) {
        let times = [FileAttribute::Modified, FileAttribute::Accessed, FileAttribute::Created];
        let times = times.map(|time| self.attribute_number(time, &copied.from));
        numbers.retain(|number| !times.contains(number) || reads.by_project.contains(number));
        reads.copied.push(copied.clone());
    }

    fn attribute_number(&mut self, attribute: FileAttribute, path: &str) -> u32 {
        let subject = format!("{} {}", attribute.word(), self.world.name_of(path));
        self.facts.ask(FactKind::Attribute, &subject)
    }
}
