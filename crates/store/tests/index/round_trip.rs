//! Every record survives writing and reading.

use proptest::collection::vec;
use proptest::prelude::*;
use tamis_program::digest::Digest;
use tamis_program::record::{
    ClassKind, ClassLayers, ClassRecord, ClassVersion, FieldRecord, FixtureKind, MethodOrigin, MethodRecord,
    MethodTraits, ReferenceKind, StaticReference, TextSpan, UnfollowedSet,
};
use tamis_store::index::{DigestIndex, IndexUpdate, LoadStart, NewFamily};

fn digest() -> impl Strategy<Value = Digest> {
    any::<[u8; 16]>().prop_map(Digest::from_bytes)
}

fn maybe() -> impl Strategy<Value = Option<Digest>> {
    prop::option::of(digest())
}

fn text() -> impl Strategy<Value = TextSpan> {
    (any::<u32>(), 0..u32::MAX).prop_map(|(start, length)| TextSpan { start, length })
}

fn kind() -> impl Strategy<Value = ClassKind> {
    prop_oneof![
        Just(ClassKind::Written),
        Just(ClassKind::Made),
        (".{0,20}", any::<bool>())
            .prop_map(|(reason, newer)| ClassKind::Opaque { reason: reason.into(), newer }),
    ]
}

fn layers() -> impl Strategy<Value = ClassLayers> {
    let always = (digest(), digest(), digest(), digest(), digest(), digest());
    (always, maybe(), maybe(), maybe(), maybe()).prop_map(|(always, annotations, metadata, init, order)| {
        let (head, supers, shape, serial, debug, class) = always;
        ClassLayers { head, supers, shape, annotations, metadata, init, serial, order, debug, class }
    })
}

fn field() -> impl Strategy<Value = FieldRecord> {
    (text(), text(), any::<u16>(), digest(), maybe(), maybe()).prop_map(
        |(name, descriptor, access, shape, constant, annotations)| FieldRecord {
            name,
            descriptor,
            access,
            shape,
            constant,
            annotations,
        },
    )
}

fn method() -> impl Strategy<Value = MethodRecord> {
    let origin =
        prop::sample::select(vec![MethodOrigin::Written, MethodOrigin::Made, MethodOrigin::Deserializer]);
    let fixture = prop::sample::select(vec![FixtureKind::No, FixtureKind::Before, FixtureKind::After]);
    let names = (text(), text(), prop::option::of(text()), prop::option::of(text()));
    let conduct = (fixture, any::<bool>(), any::<bool>(), any::<u16>()).prop_map(
        |(fixture, is_plain, reads_variables, bits)| MethodTraits {
            fixture,
            is_plain,
            reads_variables,
            unfollowed: UnfollowedSet(bits),
        },
    );
    let roles = (any::<u16>(), origin, conduct);
    (names, roles, (digest(), maybe()), digest(), maybe(), any::<(u32, u32)>()).prop_map(
        |(names, (access, origin, conduct), (body, frame), shape, annotations, links)| {
            let (name, descriptor, canonical_descriptor, place) = names;
            MethodRecord {
                name,
                descriptor,
                canonical_descriptor,
                access,
                origin,
                conduct,
                body,
                frame,
                place,
                shape,
                annotations,
                links,
            }
        },
    )
}

fn reference() -> impl Strategy<Value = StaticReference> {
    let kind = prop::sample::select(vec![
        ReferenceKind::Class,
        ReferenceKind::New,
        ReferenceKind::Field,
        ReferenceKind::Static,
        ReferenceKind::Special,
        ReferenceKind::Virtual,
        ReferenceKind::Made,
        ReferenceKind::Written,
        ReferenceKind::Altered,
        ReferenceKind::Shown,
        ReferenceKind::Handed,
        ReferenceKind::Annotated,
    ]);
    (kind, text(), text(), text()).prop_map(|(kind, owner, name, descriptor)| StaticReference {
        kind,
        owner,
        name,
        descriptor,
    })
}

fn record() -> impl Strategy<Value = ClassRecord> {
    let optional = || prop::option::of(text());
    let names = (".{0,40}", text(), optional(), optional(), vec(text(), 0..3), optional(), optional());
    let tables = (vec(field(), 0..4), vec(method(), 0..4), vec(reference(), 0..4), vec(any::<u32>(), 0..5));
    (names, any::<(u16, u16, u16)>(), kind(), layers(), tables).prop_map(
        |(names, (access, major, minor), kind, layers, (fields, methods, references, links))| {
            let (text, name, canonical, super_class, interfaces, nest_host, enclosing_member) = names;
            ClassRecord {
                text: text.into(),
                name,
                canonical,
                super_class,
                interfaces,
                nest_host,
                enclosing_member,
                access,
                version: ClassVersion { major, minor },
                kind,
                layers,
                fields,
                methods,
                references,
                links,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn families_survive_writing_and_reading(families in vec(vec(record(), 0..4), 0..6)) {
        let there = tempfile::tempdir().unwrap();
        let path = there.path().join("index");
        let key = |number: usize| Digest::of(&number.to_le_bytes());
        let empty = DigestIndex::open(&path, LoadStart::now());
        let known = empty.known();
        let mut update = IndexUpdate::new(&known);
        for (number, records) in families.iter().enumerate() {
            update.new_family(NewFamily::new(key(number), records, &mut Vec::new()));
        }
        update.write(&path).unwrap();

        let index = DigestIndex::open(&path, LoadStart::now());
        prop_assert_eq!(&index.problem, &None);
        let (known, mut buffer) = (index.known(), Vec::new());
        for (number, records) in families.iter().enumerate() {
            let mut found = Vec::new();
            prop_assert!(known.family(&key(number), &mut buffer, &mut found));
            prop_assert_eq!(&found, records);
        }
        let mut found = Vec::new();
        prop_assert!(!known.family(&key(families.len()), &mut buffer, &mut found));
    }
}
