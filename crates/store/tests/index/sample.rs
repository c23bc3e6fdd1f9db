//! Sample records, stamps and indexes.

use std::path::Path;
use tamis_program::digest::Digest;
use tamis_program::record::{
    ClassKind, ClassLayers, ClassRecord, ClassVersion, FieldRecord, FixtureKind, MethodOrigin, MethodRecord,
    MethodTraits, ReferenceKind, StaticReference, TextSpan, UnfollowedSet,
};
use tamis_program::stamp::FileStamp;
use tamis_store::index::{DigestIndex, IndexUpdate, LoadStart, NewFamily, SeenFile, family_key};

/// Old enough for every clock.
pub(crate) const OLD: i128 = 1_500_000_000_000_000_000;

pub(crate) fn stamp(inode: u64) -> FileStamp {
    FileStamp { size: 7, mtime_ns: OLD, ctime_ns: OLD + 1, inode, device: 9 }
}

/// A class with one of everything.
pub(crate) fn record(name: &str) -> ClassRecord {
    let digest = |salt: &str| Digest::of(format!("{name} {salt}").as_bytes());
    let at = |start, length| TextSpan { start, length };
    let field = FieldRecord {
        name: at(0, 1),
        descriptor: at(1, 1),
        access: 2,
        shape: digest("field"),
        constant: Some(digest("constant")),
        annotations: None,
    };
    let method = MethodRecord {
        name: at(0, 1),
        descriptor: at(2, 1),
        canonical_descriptor: Some(at(0, 3)),
        access: 9,
        origin: MethodOrigin::Deserializer,
        conduct: MethodTraits {
            fixture: FixtureKind::After,
            is_plain: false,
            reads_variables: true,
            unfollowed: UnfollowedSet(5),
        },
        body: digest("body"),
        frame: Some(digest("frame")),
        place: Some(at(1, 2)),
        shape: digest("method"),
        annotations: Some(digest("method annotations")),
        links: (0, 2),
    };
    let reference = |kind| StaticReference { kind, owner: at(0, 1), name: at(1, 1), descriptor: at(2, 0) };
    ClassRecord {
        text: format!("{name} déjà").into(),
        name: at(0, name.len() as u32),
        canonical: None,
        super_class: Some(at(0, 2)),
        interfaces: vec![at(1, 2), at(0, 0)],
        nest_host: Some(TextSpan::default()),
        enclosing_member: None,
        access: 33,
        version: ClassVersion { major: 69, minor: 65535 },
        kind: ClassKind::Written,
        layers: ClassLayers {
            head: digest("head"),
            supers: digest("supers"),
            shape: digest("shape"),
            annotations: None,
            metadata: Some(digest("metadata")),
            init: None,
            order: Some(digest("order")),
            serial: digest("serial"),
            debug: digest("debug"),
            class: digest("class"),
        },
        fields: vec![field],
        methods: vec![method],
        references: vec![reference(ReferenceKind::New), reference(ReferenceKind::Made)],
        links: vec![1, 0],
    }
}

/// The digest of a class file whose content is its name.
pub(crate) fn content(name: &str) -> Digest {
    Digest::of(name.as_bytes())
}

/// The key of a family with one such file.
pub(crate) fn key(name: &str) -> Digest {
    family_key(std::iter::once((name, content(name))))
}

/// Loads these classes through the index, with one file and one family each: looks up, digests unknown ones,
/// writes. Returns the names of the files and of the families that were found in the index.
pub(crate) fn load(path: &Path, classes: &[(&str, FileStamp)]) -> (Vec<String>, Vec<String>) {
    let index = DigestIndex::open(path, LoadStart::now());
    let known = index.known();
    let mut files = known.files(b"root");
    let mut update = IndexUpdate::new(&known);
    let (mut seen, mut by_stamp, mut by_content) = (Vec::new(), Vec::new(), Vec::new());
    for (name, stamp) in classes {
        let answer = files.content(name, stamp);
        assert!(answer.is_none_or(|answer| answer == content(name)), "wrong content for {name}");
        let mut records = Vec::new();
        if known.family(&key(name), &mut Vec::new(), &mut records) {
            assert_eq!(records, [record(name)]);
            by_content.push(name.to_string());
            update.family(key(name));
        } else {
            assert_eq!(records, []);
            update.new_family(NewFamily::new(key(name), &[record(name)], &mut Vec::new()));
        }
        by_stamp.extend(answer.map(|_| name.to_string()));
        seen.push(SeenFile { name, stamp: *stamp, content: content(name), known: answer.is_some() });
    }
    update.root(b"root".to_vec(), false, seen);
    update.write(path).unwrap();
    (by_stamp, by_content)
}
