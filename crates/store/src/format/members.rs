//! The tables of a record: fields, methods and references, with rows of fixed length.
//!
//! Digests that most members lack (annotations, constants) are in a separate table, in the order of the
//! members. Each row states which of them its member has.

use super::input::IndexInput;
use super::record::{optional_text, put_optional_text, put_text};
use std::slice::Iter;
use tamis_program::digest::Digest;
use tamis_program::record::{
    FieldRecord, FixtureKind, MethodOrigin, MethodRecord, MethodTraits, ReferenceKind, StaticReference,
    UnfollowedSet,
};

pub(super) const FIELD: usize = 35;
pub(super) const METHOD: usize = 78;
const REFERENCE: usize = 25;

/// The optional digests of the members, to be written.
#[derive(Default)]
pub(super) struct OptionalDigests(Vec<Digest>);

impl OptionalDigests {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.0.iter().for_each(|digest| out.extend(digest.as_bytes()));
    }

    /// Adds a digest; returns 1 if there is one.
    fn add(&mut self, digest: Option<Digest>) -> u8 {
        self.0.extend(digest);
        u8::from(digest.is_some())
    }
}

/// The optional digests, to be read.
type DigestColumns<'r> = Iter<'r, [u8; 16]>;

fn next(digests: &mut DigestColumns<'_>, given: bool) -> Option<Option<Digest>> {
    if given { digests.next().map(|bytes| Some(Digest::from_bytes(*bytes))) } else { Some(None) }
}

/// One value per row, or `None` if any row is malformed.
#[inline]
pub(super) fn table<T, const N: usize>(
    rows: &[[u8; N]],
    mut read: impl FnMut(&[u8; N]) -> Option<T>,
) -> Option<Vec<T>> {
    let mut table = Vec::with_capacity(rows.len());
    for row in rows {
        table.push(read(row)?);
    }
    Some(table)
}

pub(super) fn put_field(field: &FieldRecord, optional: &mut OptionalDigests, out: &mut Vec<u8>) {
    put_text(field.name, out);
    put_text(field.descriptor, out);
    out.extend(field.access.to_le_bytes());
    out.extend(field.shape.as_bytes());
    out.push(optional.add(field.constant) | optional.add(field.annotations) << 1);
}

#[inline]
pub(super) fn field(row: &[u8; FIELD], digests: &mut DigestColumns<'_>) -> Option<FieldRecord> {
    let mut row = IndexInput::new(row);
    let (name, descriptor) = (row.text()?, row.text()?);
    let (access, shape, given) = (row.u16()?, row.digest()?, row.u8()?);
    let (constant, annotations) = (next(digests, given & 1 != 0)?, next(digests, given & 2 != 0)?);
    Some(FieldRecord { name, descriptor, access, shape, constant, annotations })
}

pub(super) fn put_method(method: &MethodRecord, optional: &mut OptionalDigests, out: &mut Vec<u8>) {
    put_text(method.name, out);
    put_text(method.descriptor, out);
    put_optional_text(method.canonical_descriptor, out);
    put_optional_text(method.place, out);
    out.extend(method.access.to_le_bytes());
    out.push(match method.origin {
        MethodOrigin::Written => 0,
        MethodOrigin::Made => 1,
        MethodOrigin::Deserializer => 2,
    });
    out.extend(method.body.as_bytes());
    out.extend(method.shape.as_bytes());
    let fixture = match method.conduct.fixture {
        FixtureKind::No => 0,
        FixtureKind::Before => 1,
        FixtureKind::After => 2,
    };
    let conduct =
        fixture | u8::from(method.conduct.is_plain) << 2 | u8::from(method.conduct.reads_variables) << 3;
    out.push(optional.add(method.annotations) | conduct << 1 | optional.add(method.frame) << 5);
    out.extend(method.conduct.unfollowed.0.to_le_bytes());
    out.extend(method.links.0.to_le_bytes());
    out.extend(method.links.1.to_le_bytes());
}

#[inline]
pub(super) fn method(row: &[u8; METHOD], digests: &mut DigestColumns<'_>) -> Option<MethodRecord> {
    let mut row = IndexInput::new(row);
    let (name, descriptor) = (row.text()?, row.text()?);
    let (canonical_descriptor, place) = (optional_text(&mut row)?, optional_text(&mut row)?);
    let access = row.u16()?;
    let origin = match row.u8()? {
        0 => MethodOrigin::Written,
        1 => MethodOrigin::Made,
        2 => MethodOrigin::Deserializer,
        _ => return None,
    };
    let (body, shape, given) = (row.digest()?, row.digest()?, row.u8()?);
    let fixture = match given >> 1 & 3 {
        0 => FixtureKind::No,
        1 => FixtureKind::Before,
        2 => FixtureKind::After,
        _ => return None,
    };
    let (is_plain, reads_variables) = (given & 8 != 0, given & 16 != 0);
    let unfollowed = UnfollowedSet(row.u16()?);
    let conduct = MethodTraits { fixture, is_plain, reads_variables, unfollowed };
    let (annotations, frame) = (next(digests, given & 1 != 0)?, next(digests, given & 32 != 0)?);
    let links = (row.u32()?, row.u32()?);
    Some(MethodRecord {
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
    })
}

pub(super) fn put_reference(reference: &StaticReference, out: &mut Vec<u8>) {
    out.push(match reference.kind {
        ReferenceKind::Class => 0,
        ReferenceKind::New => 1,
        ReferenceKind::Field => 2,
        ReferenceKind::Static => 3,
        ReferenceKind::Special => 4,
        ReferenceKind::Virtual => 5,
        ReferenceKind::Made => 6,
        ReferenceKind::Written => 7,
        ReferenceKind::Shown => 8,
        ReferenceKind::Altered => 9,
        ReferenceKind::Handed => 10,
        ReferenceKind::Annotated => 11,
    });
    put_text(reference.owner, out);
    put_text(reference.name, out);
    put_text(reference.descriptor, out);
}

#[inline]
pub(super) fn reference(row: &[u8; REFERENCE]) -> Option<StaticReference> {
    let mut row = IndexInput::new(row);
    Some(StaticReference {
        kind: match row.u8()? {
            0 => ReferenceKind::Class,
            1 => ReferenceKind::New,
            2 => ReferenceKind::Field,
            3 => ReferenceKind::Static,
            4 => ReferenceKind::Special,
            5 => ReferenceKind::Virtual,
            6 => ReferenceKind::Made,
            7 => ReferenceKind::Written,
            8 => ReferenceKind::Shown,
            9 => ReferenceKind::Altered,
            10 => ReferenceKind::Handed,
            11 => ReferenceKind::Annotated,
            _ => return None,
        },
        owner: row.text()?,
        name: row.text()?,
        descriptor: row.text()?,
    })
}
