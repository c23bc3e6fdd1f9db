//! Every class of all installed JDKs and of the libraries is decoded to its last instruction and attribute
//! and written back byte for byte. An independent reader, the crate `cafebabe`, must read the same: flags,
//! names and offsets of members, constants with their references, instructions, frames, handlers.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // Tests may panic and print.

mod corpora;
mod walk;

use cafebabe::attributes::{AttributeData, AttributeInfo, CodeData, StackMapEntry};
use cafebabe::constant_pool::{ConstantPoolItem, LiteralConstant, MemberRef, NameAndType};
use corpora::Corpus;
use std::collections::BTreeMap;
use std::sync::Mutex;
use tamis_classfile::read::attribute::{AttributeKind, Attributes};
use tamis_classfile::read::code::Code;
use tamis_classfile::read::frame::frames;
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::{ClassFile, Constant, ConstantPool, mutf8};
use walk::Counts;

#[derive(Default)]
struct Tally {
    classes: usize,
    versions: BTreeMap<u16, usize>,
    counts: Counts,
    unknown: BTreeMap<String, usize>,
    failures: Vec<String>,
    /// Classes that the other reader refuses, by reason.
    refused: BTreeMap<String, usize>,
}

fn check(corpora: Vec<Corpus>) {
    let mut total = Tally::default();
    for corpus in corpora {
        let tally = Mutex::new(Tally::default());
        corpus.for_each(|place, bytes| check_class(place, bytes, &tally));
        let tally = tally.into_inner().unwrap();
        println!("{}: {} classes, versions {:?}", corpus.name, tally.classes, tally.versions);
        println!("    {:?}", tally.counts);
        println!("    unknown attributes {:?}", tally.unknown);
        println!("    refused by cafebabe {:?}", tally.refused);
        total.classes += tally.classes;
        total.failures.extend(tally.failures);
        tally.refused.into_iter().for_each(|(reason, n)| *total.refused.entry(reason).or_default() += n);
    }
    println!("{} classes in all, refused by cafebabe {:?}", total.classes, total.refused);
    let (count, first) = (total.failures.len(), total.failures.iter().take(20));
    assert!(count == 0, "{count} failures, among them\n{}", first.cloned().collect::<Vec<_>>().join("\n"));
    // cafebabe supports less of the format: it may fail on a few classes in ten thousand.
    let refused: usize = total.refused.values().sum();
    assert!(refused * 1000 < total.classes, "cafebabe refused {refused} of {}", total.classes);
}

fn check_class(place: &str, bytes: &[u8], tally: &Mutex<Tally>) {
    let fail = |what: String| tally.lock().unwrap().failures.push(format!("{place}: {what}"));
    let class = match ClassFile::parse(bytes) {
        Ok(class) => class,
        Err(error) => return fail(error.to_string()),
    };
    let counts = match walk::walk(&class) {
        Ok(counts) => counts,
        Err(error) => return fail(error.to_string()),
    };
    if ClassWriter::new(&class).finish().as_deref() != Ok(bytes) {
        fail("copied, it differs".to_owned());
    }
    match ClassWriter::new(&class).finish_encoding_all() {
        Ok(written) if written == bytes => {}
        Ok(_) => fail("encoded again, it differs".to_owned()),
        Err(error) => fail(error.to_string()),
    }
    let mut unknown = Vec::new();
    note_unknown(&class.pool, &class.attributes, &mut unknown);
    let theirs = match cafebabe::parse_class(bytes) {
        Ok(other) => Ok(their_summary(&other)),
        Err(error) => Err(error.to_string()),
    };
    if let Ok(theirs) = &theirs {
        let ours = our_summary(&class);
        if let Some((line, other)) = ours.iter().zip(theirs).find(|(a, b)| a != b) {
            fail(format!("we say {line}, cafebabe {other}"));
        } else if ours.len() != theirs.len() {
            fail(format!("we say {} things, cafebabe {}", ours.len(), theirs.len()));
        }
    }
    let mut tally = tally.lock().unwrap();
    tally.classes += 1;
    *tally.versions.entry(class.version.major).or_default() += 1;
    tally.counts += counts;
    unknown.into_iter().for_each(|name| *tally.unknown.entry(name).or_default() += 1);
    if let Err(error) = theirs {
        *tally.refused.entry(error.chars().take(80).collect()).or_default() += 1;
    }
}

fn note_unknown(pool: &ConstantPool<'_>, attributes: &Attributes<'_>, names: &mut Vec<String>) {
    for attribute in attributes.iter().filter(|a| a.kind(pool).unwrap() == AttributeKind::Unknown) {
        names.push(pool.text(attribute.name).unwrap().into_owned());
    }
}

/// The contents of a class as lines, from our reader.
fn our_summary(class: &ClassFile<'_>) -> Vec<String> {
    let pool = &class.pool;
    let text = |bytes: &[u8]| mutf8::decode(bytes).into_owned();
    let member = |index: u16| {
        let member = pool.member(index).unwrap();
        format!("{} {} {}", text(member.owner), text(member.name), text(member.descriptor))
    };
    let name_and_type = |index: u16| {
        let (name, descriptor) = pool.name_and_type(index).unwrap();
        format!("{} {}", text(name), text(descriptor))
    };
    let mut lines = vec![format!("version {}.{}", class.version.major, class.version.minor)];
    for (_, constant) in pool.iter() {
        lines.push(match constant {
            Constant::Utf8(_) => continue,
            Constant::Integer(value) => format!("int {value}"),
            Constant::Float(bits) => format!("float {bits}"),
            Constant::Long(value) => format!("long {value}"),
            Constant::Double(bits) => format!("double {bits}"),
            Constant::Class(i) => format!("class {}", text(pool.utf8(i).unwrap())),
            Constant::String(i) => format!("string {:?}", printable(&text(pool.utf8(i).unwrap()))),
            Constant::Member(kind, owner, name) => {
                format!("{kind:?} {} {}", text(pool.class(owner).unwrap()), name_and_type(name))
            }
            Constant::NameAndType(a, b) => {
                format!("name {} {}", text(pool.utf8(a).unwrap()), text(pool.utf8(b).unwrap()))
            }
            Constant::MethodHandle(kind, index) => format!("handle {kind} {}", member(index)),
            Constant::MethodType(i) => format!("type {}", text(pool.utf8(i).unwrap())),
            Constant::Dynamic(bootstrap, i) => format!("dynamic {bootstrap} {}", name_and_type(i)),
            Constant::InvokeDynamic(bootstrap, i) => format!("indy {bootstrap} {}", name_and_type(i)),
            Constant::Module(i) => format!("module {}", text(pool.utf8(i).unwrap())),
            Constant::Package(i) => format!("package {}", text(pool.utf8(i).unwrap())),
        });
    }
    for (what, members) in [("field", class.fields), ("method", class.methods)] {
        for member in members.iter() {
            let name = pool.text(member.name).unwrap();
            lines.push(format!("{what} {:x} {name} {}", member.access, member.attributes.len()));
            if let Some(code) = member.attributes.find(pool, AttributeKind::Code).unwrap() {
                our_code(pool, &Code::read(&code).unwrap(), &mut lines);
            }
        }
    }
    lines.push(format!("{} attributes", class.attributes.len()));
    lines
}

fn our_code(pool: &ConstantPool<'_>, code: &Code<'_>, lines: &mut Vec<String>) {
    lines.push(format!("stack {} locals {}", code.max_stack, code.max_locals));
    let pcs: Vec<u32> = code.instructions().map(|instruction| instruction.unwrap().pc).collect();
    lines.push(format!("instructions {pcs:?}"));
    let handlers: Vec<_> =
        code.exceptions.iter().map(|[start, end, handler, _]| (start, end, handler)).collect();
    lines.push(format!("handlers {handlers:?}"));
    for table in code.attributes.iter() {
        if table.kind(pool).unwrap() == AttributeKind::StackMapTable {
            let frames: Vec<_> = frames(&table).unwrap().map(Result::unwrap).collect();
            let sizes: Vec<_> = frames.iter().map(|f| (f.pc, f.locals.len(), f.stack.len())).collect();
            lines.push(format!("frames {sizes:?}"));
        }
    }
    lines.push(format!("{} attributes", code.attributes.len()));
}

/// The same lines from the other reader.
fn their_summary<'a>(class: &'a cafebabe::ClassFile<'a>) -> Vec<String> {
    use ConstantPoolItem as Item;
    let name_and_type = |n: &NameAndType<'_>| format!("{} {}", n.name, n.descriptor);
    let member = |m: &MemberRef<'_>| format!("{} {}", m.class_name, name_and_type(&m.name_and_type));
    let mut lines = vec![format!("version {}.{}", class.major_version, class.minor_version)];
    for item in class.constantpool_iter() {
        lines.push(match &item {
            Item::LiteralConstant(LiteralConstant::Integer(value)) => format!("int {value}"),
            Item::LiteralConstant(LiteralConstant::Float(value)) => format!("float {}", value.to_bits()),
            Item::LiteralConstant(LiteralConstant::Long(value)) => format!("long {value}"),
            Item::LiteralConstant(LiteralConstant::Double(value)) => format!("double {}", value.to_bits()),
            Item::LiteralConstant(LiteralConstant::String(text)) => format!("string {:?}", printable(text)),
            Item::LiteralConstant(LiteralConstant::StringBytes(text)) => {
                format!("string {:?}", printable(&mutf8::decode(text)))
            }
            Item::ClassInfo(name) => format!("class {name}"),
            Item::FieldRef(m) => format!("Field {}", member(m)),
            Item::MethodRef(m) => format!("Method {}", member(m)),
            Item::InterfaceMethodRef(m) => format!("InterfaceMethod {}", member(m)),
            Item::NameAndType(n) => format!("name {}", name_and_type(n)),
            Item::MethodHandle(h) => {
                let kind = h.kind as u8 + 1; // Its enum starts at 0, the class file at 1.
                format!("handle {kind} {} {}", h.class_name, name_and_type(&h.member_ref))
            }
            Item::MethodType(descriptor) => format!("type {descriptor}"),
            Item::Dynamic(d) => format!("dynamic {} {}", d.attr_index, name_and_type(&d.name_and_type)),
            Item::InvokeDynamic(d) => format!("indy {} {}", d.attr_index, name_and_type(&d.name_and_type)),
            Item::ModuleInfo(name) => format!("module {name}"),
            Item::PackageInfo(name) => format!("package {name}"),
        });
    }
    for field in &class.fields {
        let flags = field.access_flags.bits();
        lines.push(format!("field {flags:x} {} {}", field.name, field.attributes.len()));
    }
    for method in &class.methods {
        let flags = method.access_flags.bits();
        lines.push(format!("method {flags:x} {} {}", method.name, method.attributes.len()));
        for attribute in &method.attributes {
            if let AttributeData::Code(code) = &attribute.data {
                their_code(code, &mut lines);
            }
        }
    }
    lines.push(format!("{} attributes", class.attributes.len()));
    lines
}

fn their_code(code: &CodeData<'_>, lines: &mut Vec<String>) {
    lines.push(format!("stack {} locals {}", code.max_stack, code.max_locals));
    let pcs: Vec<usize> = code.bytecode.iter().flat_map(|b| b.opcodes.iter().map(|(pc, _)| *pc)).collect();
    lines.push(format!("instructions {pcs:?}"));
    let handlers: Vec<_> =
        code.exception_table.iter().map(|e| (e.start_pc, e.end_pc, e.handler_pc)).collect();
    lines.push(format!("handlers {handlers:?}"));
    for AttributeInfo { data, .. } in &code.attributes {
        if let AttributeData::StackMapTable(table) = data {
            lines.push(format!("frames {:?}", their_frames(table)));
        }
    }
    lines.push(format!("{} attributes", code.attributes.len()));
}

fn their_frames(table: &[StackMapEntry<'_>]) -> Vec<(u32, usize, usize)> {
    let mut next = 0;
    let mut frames = Vec::new();
    for entry in table {
        let (delta, locals, stack) = match entry {
            StackMapEntry::Same { offset_delta } | StackMapEntry::Chop { offset_delta, .. } => {
                (offset_delta, 0, 0)
            }
            StackMapEntry::SameLocals1StackItem { offset_delta, .. } => (offset_delta, 0, 1),
            StackMapEntry::Append { offset_delta, locals } => (offset_delta, locals.len(), 0),
            StackMapEntry::FullFrame { offset_delta, locals, stack } => {
                (offset_delta, locals.len(), stack.len())
            }
        };
        let pc = next + u32::from(*delta);
        frames.push((pc, locals, stack));
        next = pc + 1;
    }
    frames
}

/// Text without halves of surrogate pairs, which the two readers show differently.
fn printable(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_graphic()).collect()
}

#[test]
fn jdk_images_are_read_and_written_back() {
    check(corpora::jdks());
}

#[test]
fn libraries_are_read_and_written_back() {
    check(corpora::library_corpora());
}
