//! The records of a family: one block; each record is a fixed head, its text and its tables.

use super::input::IndexInput;
use super::members::{self, OptionalDigests};

use tamis_program::record::{ClassKind, ClassLayers, ClassRecord, ClassVersion, TextSpan};

/// Appends the records of one family.
pub(crate) fn encode(records: &[ClassRecord], out: &mut Vec<u8>) {
    put_count(records.len(), out);
    for record in records {
        encode_one(record, out);
    }
}

/// Appends the records of one family; `None` if the block is malformed.
pub(crate) fn decode(block: &[u8], records: &mut Vec<ClassRecord>) -> Option<()> {
    let mut input = IndexInput::new(block);
    for _ in 0..input.count()? {
        records.push(decode_one(&mut input)?);
    }
    input.is_empty().then_some(())
}

fn encode_one(record: &ClassRecord, out: &mut Vec<u8>) {
    let ClassRecord { text, interfaces, layers, fields, methods, references, links, .. } = record;
    let (kind, reason) = match &record.kind {
        ClassKind::Written => (0, ""),
        ClassKind::Made => (1, ""),
        ClassKind::Opaque { reason, newer: false } => (2, reason.as_ref()),
        ClassKind::Opaque { reason, newer: true } => (3, reason.as_ref()),
    };
    let mut optional = OptionalDigests::default();
    let mut rows = Vec::with_capacity(fields.len() * members::FIELD + methods.len() * members::METHOD);
    fields.iter().for_each(|field| members::put_field(field, &mut optional, &mut rows));
    methods.iter().for_each(|method| members::put_method(method, &mut optional, &mut rows));

    for length in [text.len(), reason.len(), optional.len()] {
        put_count(length, out);
    }
    for length in [interfaces.len(), fields.len(), methods.len(), references.len(), links.len()] {
        put_count(length, out);
    }
    put_text(record.name, out);
    for text in [record.canonical, record.super_class, record.nest_host, record.enclosing_member] {
        put_optional_text(text, out);
    }
    for number in [record.access, record.version.major, record.version.minor] {
        out.extend(number.to_le_bytes());
    }
    let ClassLayers { head, supers, shape, annotations, metadata, init, serial, order, debug, class } =
        layers;
    let given = [annotations, metadata, init, order].map(Option::is_some).map(u8::from);
    out.extend([kind, given[0] | given[1] << 1 | given[2] << 2 | given[3] << 3]);
    for digest in [head, supers, shape, serial, debug, class] {
        out.extend(digest.as_bytes());
    }
    for digest in [annotations, metadata, init, order].into_iter().flatten() {
        out.extend(digest.as_bytes());
    }

    out.extend(text.as_bytes());
    out.extend(reason.as_bytes());
    interfaces.iter().for_each(|name| put_text(*name, out));
    optional.put(out);
    out.extend(rows);
    references.iter().for_each(|reference| members::put_reference(reference, out));
    links.iter().for_each(|link| out.extend(link.to_le_bytes()));
}

fn decode_one(input: &mut IndexInput<'_>) -> Option<ClassRecord> {
    let (text, reason, optional) = (input.count()?, input.count()?, input.count()?);
    let (interfaces, fields, methods) = (input.count()?, input.count()?, input.count()?);
    let (references, links) = (input.count()?, input.count()?);
    let name = input.text()?;
    let (canonical, super_class) = (optional_text(input)?, optional_text(input)?);
    let (nest_host, enclosing_member) = (optional_text(input)?, optional_text(input)?);
    let access = input.u16()?;
    let version = ClassVersion { major: input.u16()?, minor: input.u16()? };
    let (kind, given) = (input.u8()?, input.u8()?);
    let (head, supers, shape) = (input.digest()?, input.digest()?, input.digest()?);
    let (serial, debug, class) = (input.digest()?, input.digest()?, input.digest()?);
    let mut layer = |bit: u8| if given & bit == 0 { Some(None) } else { input.digest().map(Some) };
    let (annotations, metadata, init, order) = (layer(1)?, layer(2)?, layer(4)?, layer(8)?);

    let text = str::from_utf8(input.take(text)?).ok()?;
    let reason = str::from_utf8(input.take(reason)?).ok()?;
    let interfaces = members::table(input.rows::<8>(interfaces)?, |row| IndexInput::new(row).text())?;
    let mut optional = input.rows(optional)?.iter();
    let fields = members::table(input.rows(fields)?, |row| members::field(row, &mut optional))?;
    let methods = members::table(input.rows(methods)?, |row| members::method(row, &mut optional))?;
    let references = members::table(input.rows(references)?, members::reference)?;
    let links = members::table(input.rows(links)?, |row| Some(u32::from_le_bytes(*row)))?;
    Some(ClassRecord {
        text: text.into(),
        name,
        canonical,
        super_class,
        interfaces,
        nest_host,
        enclosing_member,
        access,
        version,
        kind: match kind {
            0 => ClassKind::Written,
            1 => ClassKind::Made,
            2 | 3 => ClassKind::Opaque { reason: reason.into(), newer: kind == 3 },
            _ => return None,
        },
        layers: ClassLayers { head, supers, shape, annotations, metadata, init, serial, order, debug, class },
        fields,
        methods,
        references,
        links,
    })
}

pub(super) fn put_count(count: usize, out: &mut Vec<u8>) {
    // The items of a record come from one class file, with 16-bit counts and 32-bit lengths.
    out.extend((count as u32).to_le_bytes());
}

#[inline]
pub(super) fn put_text(text: TextSpan, out: &mut Vec<u8>) {
    out.extend(text.start.to_le_bytes());
    out.extend(text.length.to_le_bytes());
}

/// Marks an absent text. No text is this long.
const NO_TEXT: u32 = u32::MAX;

#[inline]
pub(super) fn put_optional_text(text: Option<TextSpan>, out: &mut Vec<u8>) {
    put_text(text.unwrap_or(TextSpan { start: 0, length: NO_TEXT }), out);
}

#[inline]
pub(super) fn optional_text(input: &mut IndexInput<'_>) -> Option<Option<TextSpan>> {
    input.text().map(|text| Some(text).filter(|text| text.length != NO_TEXT))
}
