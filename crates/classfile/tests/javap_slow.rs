//! `javap -v` of JDK 25 reads the same constants, members and instructions as this crate, in every class of
//! that JDK's java.base and of the libraries.
//!
//! The test compares the index and kind of each constant, flags and descriptor of each field and method,
//! offset and mnemonic of each instruction, and jump targets.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // Tests may panic and print.

mod corpora;

use corpora::Corpus;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::{ClassFile, Constant, opcode};
use tamis_test_support::jdk::{self, Jdk};

/// Classes per run of javap.
const BATCH: usize = 500;

/// Writes the classes into a folder in batches and compares each batch; returns the number of classes.
fn check(corpus: &Corpus, wanted: impl Fn(&str) -> bool + Sync) -> usize {
    let jdk = jdk::jdk(25);
    let compared = AtomicUsize::new(0);
    let lines = AtomicUsize::new(0);
    let waiting: Mutex<Vec<(String, Vec<u8>)>> = Mutex::new(Vec::new());
    let compare = |batch: Vec<(String, Vec<u8>)>| {
        compared.fetch_add(batch.len(), Ordering::Relaxed);
        lines.fetch_add(check_batch(&jdk, &batch), Ordering::Relaxed);
    };
    corpus.for_each(|place, bytes| {
        if !wanted(place) {
            return;
        }
        let mut batch = waiting.lock().unwrap();
        batch.push((place.to_owned(), bytes.to_vec()));
        if batch.len() == BATCH {
            let full = std::mem::take(&mut *batch);
            drop(batch);
            compare(full);
        }
    });
    compare(waiting.into_inner().unwrap());
    let (compared, lines) = (compared.into_inner(), lines.into_inner());
    println!("{}: {compared} classes, {lines} lines agree", corpus.name);
    compared
}

/// Compares one batch; returns the number of lines.
fn check_batch(jdk: &Jdk, batch: &[(String, Vec<u8>)]) -> usize {
    if batch.is_empty() {
        return 0;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut javap = jdk.javap();
    javap.args(["-J-XX:TieredStopAtLevel=1", "-v", "-p"]).current_dir(folder.path());
    for (number, (_, bytes)) in batch.iter().enumerate() {
        let name = format!("{number}.class");
        fs::write(folder.path().join(&name), bytes).unwrap();
        javap.arg(name);
    }
    let mut child = javap.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut output = Output { lines: BufReader::new(child.stdout.take().unwrap()).lines(), next: None };
    let mut total = 0;
    for (number, (place, bytes)) in batch.iter().enumerate() {
        let theirs = output.class(number, place);
        let ours = our_lines(bytes);
        total += ours.len();
        if let Some((our, their)) = ours.iter().zip(&theirs).find(|(a, b)| a != b) {
            panic!("{place}: we say {our:?}, javap {their:?}");
        }
        assert_eq!(ours.len(), theirs.len(), "{place}");
    }
    child.wait().unwrap();
    total
}

/// Our view of a class, as lines.
fn our_lines(bytes: &[u8]) -> Vec<String> {
    let class = ClassFile::parse(bytes).unwrap();
    let mut lines: Vec<String> =
        class.pool.iter().map(|(index, constant)| format!("#{index} {}", kind(constant))).collect();
    for member in class.fields.iter().chain(class.methods.iter()) {
        lines.push(format!("descriptor {}", ascii(&class.pool.text(member.descriptor).unwrap())));
        lines.push(format!("flags {:04x}", member.access));
        if let Some(code) = member.attributes.find(&class.pool, AttributeKind::Code).unwrap() {
            let code = Code::read(&code).unwrap();
            lines.push(format!("stack={}, locals={}", code.max_stack, code.max_locals));
            for instruction in code.instructions().map(Result::unwrap) {
                let wide = if instruction.wide { "_w" } else { "" };
                let mut line = format!("{} {}{wide}", instruction.pc, opcode::name(instruction.opcode));
                // JDK 25's javap does not print the target of a `jsr`.
                if let Operand::Branch(target) = instruction.operand
                    && !matches!(instruction.opcode, opcode::JSR | opcode::JSR_W)
                {
                    line.push_str(&format!(" {target}"));
                }
                lines.push(line);
                if let Operand::Switch(switch) = instruction.operand {
                    lines.extend(switch.cases().map(|case| {
                        let (key, target) = case.unwrap();
                        format!("{key}: {target}")
                    }));
                    lines.push(format!("default: {}", switch.default));
                }
            }
        }
    }
    lines
}

/// javap's name for a kind of constant.
fn kind(constant: Constant<'_>) -> &'static str {
    match constant {
        Constant::Utf8(_) => "Utf8",
        Constant::Integer(_) => "Integer",
        Constant::Float(_) => "Float",
        Constant::Long(_) => "Long",
        Constant::Double(_) => "Double",
        Constant::Class(_) => "Class",
        Constant::String(_) => "String",
        Constant::Member(MemberKind::Field, ..) => "Fieldref",
        Constant::Member(MemberKind::Method, ..) => "Methodref",
        Constant::Member(MemberKind::InterfaceMethod, ..) => "InterfaceMethodref",
        Constant::NameAndType(..) => "NameAndType",
        Constant::MethodHandle(..) => "MethodHandle",
        Constant::MethodType(_) => "MethodType",
        Constant::Dynamic(..) => "Dynamic",
        Constant::InvokeDynamic(..) => "InvokeDynamic",
        // JDK 25's javap has no name for these two; older versions have.
        Constant::Module(_) | Constant::Package(_) => "Unknown",
    }
}

/// javap's output encoding cannot be chosen, so other characters are left out on both sides.
fn ascii(text: &str) -> String {
    text.chars().filter(char::is_ascii_graphic).collect()
}

/// The output of javap, class by class.
struct Output<L> {
    lines: L,
    /// The first line of the next class, once seen.
    next: Option<String>,
}

impl<L: Iterator<Item = std::io::Result<String>>> Output<L> {
    /// The lines about the class in this file, in our form.
    fn class(&mut self, number: usize, place: &str) -> Vec<String> {
        let first = self.next.take().or_else(|| self.line());
        let first = first.unwrap_or_else(|| panic!("javap ended before {place}"));
        assert!(first.starts_with("Classfile ") && first.ends_with(&format!("/{number}.class")), "{first}");
        let mut lines = Vec::new();
        let mut section = Section::Head;
        while let Some(line) = self.line() {
            if line.starts_with("Classfile ") {
                self.next = Some(line);
                break;
            }
            section = section.after(&line);
            lines.extend(their_line(section, &line));
        }
        lines
    }

    fn line(&mut self) -> Option<String> {
        self.lines.next().map(|line| line.unwrap())
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Section {
    Head,
    Constants,
    Members,
    Code,
    Tail,
}

impl Section {
    /// The section after this line.
    fn after(self, line: &str) -> Section {
        match self {
            Section::Head if line == "Constant pool:" => Section::Constants,
            Section::Constants if line == "{" => Section::Members,
            Section::Members | Section::Code if line == "}" => Section::Tail,
            Section::Members if line == "    Code:" => Section::Code,
            // Code ends at its first table, at the next attribute, or at the end of the method.
            Section::Code if is_heading(line) => Section::Members,
            other => other,
        }
    }
}

/// Whether a line is a heading: indented by six spaces or fewer, and not an instruction. Offsets of four
/// digits or more start as far left.
fn is_heading(line: &str) -> bool {
    let trimmed = line.trim_start();
    let inside = trimmed.starts_with("stack=") || trimmed.starts_with(|c: char| c.is_ascii_digit());
    line.len() - trimmed.len() <= 6 && !inside
}

fn their_line(section: Section, line: &str) -> Option<String> {
    let trimmed = line.trim_start();
    match section {
        Section::Constants => {
            let (index, rest) = trimmed.strip_prefix('#')?.split_once(" = ")?;
            Some(format!("#{index} {}", rest.split(' ').next()?))
        }
        Section::Members => {
            if let Some(descriptor) = line.strip_prefix("    descriptor: ") {
                return Some(format!("descriptor {}", ascii(descriptor)));
            }
            let flags = line.strip_prefix("    flags: (0x")?;
            Some(format!("flags {}", flags.split(')').next()?))
        }
        Section::Code => {
            if let Some(sizes) = line.strip_prefix("      stack=") {
                return Some(format!("stack={}", sizes.rsplit_once(", args_size")?.0));
            }
            let (pc, rest) = trimmed.split_once(": ")?;
            let mut words = rest.split_whitespace();
            let mnemonic = words.next()?;
            if mnemonic.bytes().all(|byte| byte.is_ascii_digit()) {
                return Some(format!("{pc}: {mnemonic}")); // A case of a switch.
            }
            let jump = mnemonic.starts_with("if") || mnemonic.starts_with("goto");
            let target = if jump { format!(" {}", words.next()?) } else { String::new() };
            Some(format!("{pc} {mnemonic}{target}"))
        }
        Section::Head | Section::Tail => None,
    }
}

#[test]
fn javap_agrees_on_java_base() {
    let count = check(&corpora::image(&jdk::jdk(25)), |place| place.contains("!/java.base/"));
    assert!(count > 7000, "{count}");
}

#[test]
fn javap_agrees_on_the_libraries() {
    let count: usize = corpora::library_corpora().iter().map(|corpus| check(corpus, |_| true)).sum();
    assert!(count > 40_000, "{count}");
}
