//! A snapshot loaded through the index equals the one loaded without it, whatever happened to the files in
//! between.
//!
//! | change of a file | protection |
//! |---|---|
//! | other bytes, with the same size and the old mtime | the ctime differs, and programs cannot set it |
//! | another file in its place | the inode differs |
//! | within the granularity of the clock | stamps that young are not trusted |
//!
//! The tests wait until their files are old enough to be trusted.
#![allow(clippy::unwrap_used, clippy::type_complexity)] // Tests and their helpers may panic.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tamis_program::digest::{Digest, family_name};
use tamis_program::record::ClassRecord;
use tamis_project::classpath::ClassPath;
use tamis_session::{JdkChoice, LoadOptions, load};
use tamis_store::index::{DigestIndex, IndexUpdate, LoadStart, SeenFile, family_key};
use tamis_test_support::jdk::required;
use tamis_test_support::{jar, javac};

/// After this time every stamp is old enough to be trusted.
const OLD_ENOUGH: Duration = Duration::from_millis(2_300);

/// The same program with one word replaced. Its class files keep their sizes.
fn program(word: &str) -> Vec<(String, Vec<u8>)> {
    let a = format!(
        "package p; class A extends B {{ String w = \"{word}\"; Runnable r = () -> new Object() {{ }}; class In {{ }} }}"
    );
    let b = format!("package p; class B implements C {{ static String f() {{ return \"{word}\"; }} }}");
    let c = format!(
        "package p; interface C extends Comparable<C> {{ default int compareTo(C c) {{ return \"{word}\".length(); }} }}"
    );
    let jdk = required().pop().unwrap();
    let sources = [("p/A.java", a.as_str()), ("p/B.java", b.as_str()), ("p/C.java", c.as_str())];
    javac::compile(&jdk, &sources, &[]).unwrap().files()
}

/// The result of a load: the records and notes, or the error.
fn answer(roots: &[PathBuf], options: &LoadOptions) -> Result<(Vec<ClassRecord>, Vec<String>), String> {
    let loaded = load(roots, options).map_err(|error| error.to_string())?;
    let snapshot = &loaded.snapshot;
    let records = snapshot.project().map(|id| snapshot.class(id).clone()).collect();
    let index = options.index.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let of_the_index = |note: &String| !index.is_empty() && note.starts_with(&index);
    Ok((records, loaded.notes.into_iter().filter(|note| !of_the_index(note)).collect()))
}

#[track_caller]
fn same(roots: &[PathBuf], index: &Path, options: &LoadOptions, what: &str) {
    let without = answer(roots, options);
    let with = answer(roots, &LoadOptions { index: Some(index.to_owned()), ..options.clone() });
    assert!(with == without, "{what}:\nwith index {with:?}\nwithout {without:?}");
}

fn no_jdk() -> LoadOptions {
    LoadOptions { jdk: JdkChoice::None, ..LoadOptions::default() }
}

/// A tree of files under edit. The random numbers are a fixed sequence, so a failure is repeatable.
struct Tree {
    folder: tempfile::TempDir,
    files: Vec<(String, [Vec<u8>; 2])>,
    seed: u64,
    log: Vec<String>,
}

impl Tree {
    fn new(seed: u64, variants: &[Vec<(String, Vec<u8>)>; 2]) -> Tree {
        let folder = tempfile::tempdir().unwrap();
        let pair = |((name, one), (_, two)): (&(String, Vec<u8>), &(String, Vec<u8>))| {
            assert_eq!(one.len(), two.len(), "{name}");
            (name.clone(), [one.clone(), two.clone()])
        };
        let files: Vec<_> = variants[0].iter().zip(&variants[1]).map(pair).collect();
        let tree = Tree { folder, files, seed: seed * 2 + 1, log: Vec::new() };
        fs::create_dir_all(tree.at("p/A.class").parent().unwrap()).unwrap();
        for (name, [one, _]) in &tree.files {
            fs::write(tree.at(name), one).unwrap();
        }
        tree
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join("classes").join(name)
    }

    fn number(&mut self, below: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % below
    }

    fn check(&self) {
        let roots = [self.folder.path().join("classes")];
        same(&roots, &self.folder.path().join("index"), &no_jdk(), &self.log.join(", then "));
    }

    /// One edit of one file.
    fn edit(&mut self) {
        let file = self.number(self.files.len());
        let (name, variants) = self.files[file].clone();
        let bytes = &variants[self.number(2)];
        let path = self.at(&name);
        let there = path.exists();
        let times = |path: &Path| path.metadata().unwrap().modified().unwrap();
        let set =
            |path: &Path, time| File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        let aside = self.folder.path().join("aside");
        let what = match self.number(10) {
            0 if there => {
                set(&path, SystemTime::now());
                "touched"
            }
            1 if there => {
                set(&path, SystemTime::UNIX_EPOCH);
                "given an old time"
            }
            2 => {
                fs::write(&path, bytes).unwrap();
                "written"
            }
            3 if there && fs::read(&path).unwrap().len() == bytes.len() => {
                let time = times(&path);
                File::options().write(true).open(&path).unwrap().write_all_at(bytes, 0).unwrap();
                set(&path, time);
                "changed in place, size and mtime as they were"
            }
            4 if there => {
                fs::write(&aside, bytes).unwrap();
                set(&aside, times(&path));
                fs::rename(&aside, &path).unwrap();
                "replaced by another of the same mtime"
            }
            5 if there => {
                fs::remove_file(&path).unwrap();
                "deleted"
            }
            6 => {
                let other = self.number(self.files.len());
                let other = self.at(&self.files[other].0.clone());
                if there && other.exists() && other != path {
                    set(&path, times(&other));
                    fs::rename(&path, &aside).unwrap();
                    fs::rename(&other, &path).unwrap();
                    fs::rename(&aside, &other).unwrap();
                }
                "swapped with another"
            }
            7 if there => {
                File::options().append(true).open(&path).unwrap().write_all(b"x").unwrap();
                "made unreadable"
            }
            8 => {
                fs::write(&path, bytes).unwrap();
                let index = self.folder.path().join("index");
                let length = self.number(4_000) as u64;
                if let Ok(index) = File::options().write(true).open(index) {
                    index.write_all_at(b"?", length).unwrap();
                }
                "written, and the index damaged"
            }
            _ => {
                for (name, variants) in self.files.clone() {
                    fs::write(self.at(&name), &variants[0]).unwrap();
                }
                "written with all others"
            }
        };
        self.log.push(format!("{name} {what}"));
    }
}

#[test]
fn the_index_never_changes_a_result() {
    let variants = [program("one"), program("two")];
    let mut trees: Vec<Tree> = (0..6).map(|seed| Tree::new(seed, &variants)).collect();
    for _ in 0..3 {
        std::thread::sleep(OLD_ENOUGH);
        for tree in &mut trees {
            tree.log.push("all grew old".to_owned());
            tree.check();
            for _ in 0..12 {
                tree.edit();
                tree.check();
            }
        }
    }
}

/// A prepared index shows what is trusted: the files hold one variant, and their stamps in the index stand
/// for the other.
#[test]
fn a_file_with_a_known_stamp_is_not_read() {
    let variants = [program("one"), program("two")];
    let (one, two) = (Tree::new(1, &variants), Tree::new(2, &[variants[1].clone(), variants[0].clone()]));
    let path = one.folder.path().join("index");
    let roots = [one, two].map(|tree| (tree.folder.path().join("classes"), tree));
    std::thread::sleep(OLD_ENOUGH);
    let options = LoadOptions { index: Some(path.clone()), ..no_jdk() };
    let expected = answer(&[roots[1].0.clone()], &options).unwrap();

    let index = DigestIndex::open(&path, LoadStart::now());
    let known = index.known();
    let mut update = IndexUpdate::new(&known);
    let class_path = ClassPath::open(&[roots[0].0.clone()], &Default::default()).unwrap();
    let other: BTreeMap<&str, Digest> = variants[1]
        .iter()
        .map(|(name, bytes)| (name.strip_suffix(".class").unwrap(), Digest::of(bytes)))
        .collect();
    let mut files = Vec::new();
    for ((name, content), entry) in other.iter().zip(class_path.classes()) {
        assert_eq!(*name, entry.name.as_ref());
        let stamp = entry.stamp;
        files.push(SeenFile { name, stamp, content: *content, known: false });
    }
    update.root(roots[0].0.as_os_str().as_encoded_bytes().to_vec(), false, files);
    let named: Vec<(&str, Digest)> = other.into_iter().collect();
    for family in named.chunk_by(|(a, _), (b, _)| family_name(a) == family_name(b)) {
        update.family(family_key(family.iter().copied()));
    }
    update.write(&path).unwrap();
    assert!(answer(&[roots[0].0.clone()], &options).unwrap() == expected);
    assert!(answer(&[roots[0].0.clone()], &no_jdk()).unwrap() != expected);
}

#[test]
fn a_jar_is_known_by_its_stamp_and_release() {
    let (one, two) = (program("one"), program("two"));
    let folder = tempfile::tempdir().unwrap();
    let (path, index) = (folder.path().join("x.jar"), folder.path().join("index"));
    let manifest =
        ("META-INF/MANIFEST.MF".to_owned(), b"Manifest-Version: 1.0\nMulti-Release: true\n".to_vec());
    let versioned =
        |(name, bytes): &(String, Vec<u8>)| (format!("META-INF/versions/17/{name}"), bytes.clone());
    let mut entries = vec![manifest];
    entries.extend(one.clone());
    entries.extend(two.iter().map(versioned));
    let write = |entries: &[(String, Vec<u8>)]| fs::write(&path, jar::deflated(entries)).unwrap();
    write(&entries);
    std::thread::sleep(OLD_ENOUGH);
    let roots = [path.clone()];
    let release = |release| LoadOptions { release, ..no_jdk() };
    for round in 0..2 {
        for wanted in [None, Some(8), Some(17), Some(25)] {
            same(&roots, &index, &release(wanted), &format!("release {wanted:?}, round {round}"));
        }
    }
    entries.truncate(3);
    write(&entries);
    same(&roots, &index, &release(Some(17)), "another jar of that name");
}

#[test]
fn supertypes_in_the_jdk_are_the_same_with_the_index() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in program("one") {
        let path = folder.path().join("classes").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let options =
        LoadOptions { jdk: JdkChoice::At(required().pop().unwrap().home), ..LoadOptions::default() };
    let roots = [folder.path().join("classes")];
    let with = LoadOptions { index: Some(folder.path().join("index")), ..options.clone() };
    let external = |options: &LoadOptions| {
        let loaded = load(&roots, options).unwrap();
        let find = |name| loaded.snapshot.find(name).map(|id| loaded.snapshot.class(id).clone());
        ["java/lang/Object", "java/lang/Comparable", "java/lang/String"].map(find)
    };
    let expected = external(&options);
    assert!(expected[1].is_some() && expected[2].is_none());
    for _ in 0..2 {
        assert_eq!(external(&with), expected);
    }
}

#[test]
fn an_index_that_cannot_be_written_gives_a_note() {
    let tree = Tree::new(1, &[program("one"), program("two")]);
    let roots = [tree.folder.path().join("classes")];
    let index = tree.at("p/A.class").join("index"); // Below a file.
    let loaded = load(&roots, &LoadOptions { index: Some(index), ..no_jdk() }).unwrap();
    let [note] = &loaded.notes[..] else { panic!("{:?}", loaded.notes) };
    assert!(note.contains("p/A.class/index") && note.contains("reads all classes again"), "{note}");
}
