//! Answers questions about walks from the class files of now: records have no blocks.

use super::walk::{parts, walk};
use super::{Answer, CodeFacts};
use crate::world::World;
use rustc_hash::FxHashMap;
use tamis_classfile::{ClassFile, access};
use tamis_program::blocks::MethodBlocks;
use tamis_program::digest::{CanonicalOutput, DigestEncoder, EncodingTag};
use tamis_program::snapshot::{ClassId, MethodId};

/// The flags of a method that change how it runs.
const RUN_FLAGS: u16 =
    access::STATIC | access::SYNCHRONIZED | access::NATIVE | access::ABSTRACT | access::STRICT;

/// The blocks of methods that were asked for, each read once.
#[derive(Default)]
pub(crate) struct WalkAnswers {
    files: FxHashMap<ClassId, Option<Vec<u8>>>,
    methods: FxHashMap<MethodId, Option<MethodBlocks>>,
}

impl WalkAnswers {
    /// The present answer. `None` if there is no such method, or no such walk in it.
    pub(crate) fn answer(&mut self, world: &dyn World, code: &CodeFacts<'_>, subject: &str) -> Answer {
        let (name, shape) = parts(subject)?;
        let method = code.method_named(name)?;
        let snapshot = world.snapshot();
        let files = &mut self.files;
        let blocks = self.methods.entry(method).or_insert_with(|| {
            let read = || world.class_file(snapshot.class(method.class).name())?.ok();
            let bytes = files.entry(method.class).or_insert_with(read).as_deref()?;
            let class = ClassFile::parse(bytes).ok()?;
            let record = snapshot.class(method.class);
            let found = snapshot.method(method);
            let (name, descriptor) = (record.str(found.name), record.str(found.descriptor));
            let is_it = |member: &tamis_classfile::Member<'_>| {
                let text = |index| class.pool.text(index).ok();
                text(member.name).is_some_and(|own| own == name)
                    && text(member.descriptor).is_some_and(|own| own == descriptor)
            };
            let member = class.methods.iter().find(is_it)?;
            MethodBlocks::of(snapshot, method.class, &class, &member)
        });
        let met = walk(blocks.as_ref()?, shape)?;
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Walk).digest(&met);
        out.num(i64::from(snapshot.method(method).access & RUN_FLAGS));
        Some(code.reached(method, out.finish()))
    }
}
