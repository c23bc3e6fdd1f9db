//! The JVM's verifier accepts the writer's output: every method of every class of the libraries, and of the
//! JDKs' own modules, gets code inserted, and all classes are loaded and linked under `-Xverify:all`.
//!
//! There are four rounds of changes: plain code at the entry; a branch with a frame at the entry; `nop`s at
//! random instructions and branches at random frames, with jumps landing before and after them; plain code in
//! each basic block. The result
//! for each class must be that of the unchanged class: success, an error of the verifier, or a missing
//! optional dependency. Library classes are loaded from jars; the JDK's own replace those of the image by
//! `--patch-module`, so that the JVM also starts and runs with them.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // Tests may panic and print.

mod corpora;

use corpora::{Corpus, image};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tamis_classfile::flow::ControlFlow;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::frame::frames;
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{CodeInsertion, JumpsLand, entry_probe};
use tamis_classfile::{ClassFile, WriteError, opcode};
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::{jar, javac, run};

const LIMIT: Duration = Duration::from_secs(1200);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Round {
    Unchanged,
    PlainEntry,
    BranchingEntry,
    Random,
    Blocks,
}

const CHANGES: [Round; 4] = [Round::PlainEntry, Round::BranchingEntry, Round::Random, Round::Blocks];

/// Eight bytes without effect: `sipush 1; sipush 2; pop2; nop`.
fn plain() -> Vec<u8> {
    vec![opcode::SIPUSH, 0, 1, opcode::SIPUSH, 0, 2, opcode::POP2, opcode::NOP]
}

/// `if (false) nop`, with a frame at the jump's target.
fn branch(at: u32, jumps: JumpsLand) -> CodeInsertion {
    let code = vec![opcode::ICONST_0, opcode::IFEQ, 0, 4, opcode::NOP];
    CodeInsertion { at, code, jumps, frames: vec![5], stack: 1 }
}

/// Pseudo-random choices that depend only on the class.
struct Choices(u64);

impl Choices {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }

    fn jumps(&mut self) -> JumpsLand {
        if self.below(2) == 0 { JumpsLand::Before } else { JumpsLand::After }
    }
}

/// Statistics of the edits.
#[derive(Clone, Debug, Default)]
struct Edits {
    methods: usize,
    insertions: usize,
    /// Methods that could not be edited, by reason.
    refused: BTreeMap<String, usize>,
}

impl Edits {
    fn edit(&mut self, round: Round, bytes: &[u8]) -> Vec<u8> {
        if round == Round::Unchanged {
            return bytes.to_vec();
        }
        let class = ClassFile::parse(bytes).unwrap();
        let mut writer = ClassWriter::new(&class);
        let mut choices = Choices(bytes.len() as u64);
        for method in class.methods.iter() {
            let Some(code) = method.attributes.find(&class.pool, AttributeKind::Code).unwrap() else {
                continue;
            };
            let code = Code::read(&code).unwrap();
            // Objects are registered for finalisation unless their `finalize` consists of one `return`. With
            // code in that of java.lang.Object, HotSpot does not start.
            if class.pool.utf8(method.name) == Ok(b"finalize") && code.bytes == [opcode::RETURN] {
                continue;
            }
            let insertions = insertions(round, &class, &code, &mut choices);
            match writer.insert(&method, &insertions) {
                Ok(()) => {
                    self.methods += 1;
                    self.insertions += insertions.len();
                }
                Err(error) => {
                    assert!(
                        matches!(error, WriteError::CodeTooLarge | WriteError::BranchTooFar { .. }),
                        "{error} in {}",
                        String::from_utf8_lossy(class.name().unwrap())
                    );
                    let reason = error.to_string().split(" at ").next().unwrap().to_owned();
                    *self.refused.entry(reason).or_default() += 1;
                }
            }
        }
        writer.finish().unwrap()
    }
}

fn insertions(
    round: Round,
    class: &ClassFile<'_>,
    code: &Code<'_>,
    choices: &mut Choices,
) -> Vec<CodeInsertion> {
    match round {
        Round::Unchanged => Vec::new(),
        Round::PlainEntry => vec![entry_probe(plain(), 2)],
        Round::BranchingEntry => vec![branch(0, choices.jumps())],
        Round::Blocks => {
            let blocks = ControlFlow::of(code).map_or(Vec::new(), |flow| flow.blocks);
            let starts = blocks.iter().map(|block| block.start);
            let insert = |at| CodeInsertion {
                at,
                code: plain(),
                jumps: JumpsLand::Before,
                frames: Vec::new(),
                stack: 2,
            };
            starts.map(insert).collect()
        }
        Round::Random => {
            let mut insertions = Vec::new();
            for instruction in code.instructions() {
                if choices.below(4) == 0 {
                    let nops = vec![opcode::NOP; 1 + choices.below(5) as usize];
                    let at = instruction.as_ref().unwrap().pc;
                    let jumps = choices.jumps();
                    insertions.push(CodeInsertion { at, code: nops, jumps, frames: Vec::new(), stack: 0 });
                }
            }
            // Before version 50 no JVM reads frames.
            let table = code.attributes.find(&class.pool, AttributeKind::StackMapTable).unwrap();
            if let Some(table) = table.filter(|_| class.version.major >= 50) {
                for frame in frames(&table).unwrap() {
                    if choices.below(2) == 0 {
                        insertions.push(branch(frame.unwrap().pc, choices.jumps()));
                    }
                }
            }
            insertions
        }
    }
}

/// Runs the linking program and reads the result for each class.
fn link(
    jdk: &Jdk,
    folder: &Path,
    names: &BTreeSet<String>,
    options: &[String],
    jars: &[PathBuf],
) -> BTreeMap<String, String> {
    let source = include_str!("samples/LinkAll.java");
    let program = javac::compile(&jdk::jdk(17), &[("LinkAll.java", source)], &["--release", "8"]).unwrap();
    let list = folder.join("names");
    fs::write(&list, names.iter().map(|name| format!("{name}\n")).collect::<String>()).unwrap();
    let mut java = jdk.java();
    java.current_dir(folder); // A crashing JVM writes its report there.
    java.args(["-Xverify:all", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx2g"]);
    java.args(options).arg("-cp").arg(&program.path).arg("LinkAll").arg(&list).args(jars);
    let output = run::run(&mut java, LIMIT).unwrap();
    let results: BTreeMap<String, String> = output
        .stdout
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, result)| (name.to_owned(), result.to_owned()))
        .collect();
    let start = output.stdout.lines().take(5).collect::<Vec<_>>().join("\n");
    assert!(output.success(), "exit code {:?}\n{start}\n{}", output.code, output.stderr);
    assert_eq!(results.len(), names.len());
    results
}

/// The kind of result. Messages of the verifier contain offsets, which change.
fn outcome(result: &str) -> &str {
    result.split(' ').next().unwrap_or_default()
}

fn compare(what: &str, before: &BTreeMap<String, String>, after: &BTreeMap<String, String>, edits: &Edits) {
    let mut outcomes = BTreeMap::<&str, usize>::new();
    let mut failures = Vec::new();
    for (name, result) in after {
        *outcomes.entry(outcome(result)).or_default() += 1;
        if outcome(result) != outcome(&before[name]) {
            failures.push(format!("{name}: {result}\n    unchanged: {}", before[name]));
        }
    }
    println!("{what}: {outcomes:?}, {edits:?}");
    let (count, first) = (failures.len(), failures.iter().take(20));
    assert!(
        count == 0,
        "{what}: {count} differ, among them\n{}",
        first.cloned().collect::<Vec<_>>().join("\n")
    );
    let linked = outcomes.get("ok").copied().unwrap_or_default();
    assert!(linked * 10 > after.len() * 8, "{what}: only {linked} of {} were linked", after.len());
}

/// Name and bytes of the classes that a loader would find: without other versions and module declarations.
fn loadable(corpus: &Corpus, release: u32) -> Vec<(String, Vec<u8>)> {
    let mut classes = Vec::new();
    for entry in corpus.class_path.classes() {
        let mut bytes = Vec::new();
        corpus.class_path.read(entry, &mut bytes).unwrap();
        let newest = u16::try_from(release + 44).unwrap();
        let version = ClassFile::parse(&bytes).unwrap().version.major;
        if entry.name.as_ref() != "module-info" && version <= newest {
            classes.push((entry.name.to_string(), bytes));
        }
    }
    classes
}

#[test]
fn libraries_with_inserted_code_are_verified() {
    for jdk in jdk::required() {
        let corpora = corpora::library_corpora();
        let libraries: Vec<_> = corpora.iter().map(|corpus| loadable(corpus, jdk.feature)).collect();
        let names: BTreeSet<String> =
            libraries.iter().flatten().map(|(name, _)| name.replace('/', ".")).collect();
        let mut unchanged = None;
        for round in [Round::Unchanged].into_iter().chain(CHANGES) {
            let folder = tempfile::tempdir().unwrap();
            let mut edits = Edits::default();
            let mut jars = Vec::new();
            for (number, classes) in libraries.iter().enumerate() {
                let entries: Vec<(String, Vec<u8>)> = classes
                    .iter()
                    .map(|(name, bytes)| (format!("{name}.class"), edits.edit(round, bytes)))
                    .collect();
                let file = folder.path().join(format!("{number}.jar"));
                fs::write(&file, jar::stored(&entries)).unwrap();
                jars.push(file);
            }
            let results = link(&jdk, folder.path(), &names, &[], &jars);
            let before = unchanged.get_or_insert_with(|| results.clone());
            compare(&format!("libraries on JDK {}, {round:?}", jdk.feature), before, &results, &edits);
        }
    }
}

#[test]
fn a_jdk_with_code_inserted_into_its_own_classes_starts_and_is_verified() {
    for jdk in jdk::required().into_iter().filter(|jdk| jdk.feature >= 9) {
        let corpus = image(&jdk);
        let mut names = BTreeSet::new();
        let mut unchanged = None;
        for round in [Round::Unchanged].into_iter().chain(CHANGES) {
            let folder = tempfile::tempdir().unwrap();
            let mut edits = Edits::default();
            let mut modules = BTreeMap::<String, Vec<(String, Vec<u8>)>>::new();
            for entry in
                corpus.class_path.classes().iter().filter(|entry| entry.name.as_ref() != "module-info")
            {
                let mut bytes = Vec::new();
                corpus.class_path.read(entry, &mut bytes).unwrap();
                let place = entry.location(&corpus.class_path).to_string();
                let module = place.split("!/").nth(1).and_then(|rest| rest.split('/').next()).unwrap();
                names.insert(entry.name.replace('/', "."));
                let edited = (format!("{}.class", entry.name), edits.edit(round, &bytes));
                modules.entry(module.to_owned()).or_default().push(edited);
            }
            let mut options = vec!["--add-modules=ALL-SYSTEM".to_owned()];
            if round != Round::Unchanged {
                for (module, classes) in &modules {
                    let file = folder.path().join(format!("{module}.jar"));
                    fs::write(&file, jar::stored(classes)).unwrap();
                    options.push(format!("--patch-module={module}={}", file.display()));
                }
            }
            let results = link(&jdk, folder.path(), &names, &options, &[]);
            let before = unchanged.get_or_insert_with(|| results.clone());
            compare(&format!("JDK {}, {round:?}", jdk.feature), before, &results, &edits);
        }
    }
}
