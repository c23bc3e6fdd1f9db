//! How Maven's own JVM is started: for a short life.
//!
//! The JVM's second compiler pays in programs that run for minutes. A build of some hundred files is over before, and on few
//! processors has to share them with it: `docs/design/maven-jvm.md` has the numbers. So Maven's JVM is told to do without,
//! unless somebody has said how it should compile, tests run inside of it, or the build is large. The JVMs that tests run in
//! are none of our business.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use tamis_catalog::builds::maven::{POM, is_for_tests_inside};
use tamis_catalog::compilers::is_source;

/// What is added to `MAVEN_OPTS`, in front. What the first compiler makes needs more stack than what the second does, and Java's
/// own compiler, which runs inside, goes as deep as the source it reads: with the usual stack a build could fail by us.
const OURS: &str = "-XX:TieredStopAtLevel=1 -Xss8m";

/// Words in an option that say how a JVM compiles, or how large its stacks are.
const KNOWN_BETTER: [&str; 8] =
    ["Tiered", "Compil", "JVMCI", "-Xint", "-Xcomp", "-Xmixed", "-Xss", "ThreadStackSize"];

/// A build with more source files is large: compiling them may take long enough for the second compiler to pay.
const SOURCES: usize = 2_000;

/// Directories and files that are looked at before a project is taken for large.
const ENTRIES: usize = 20_000;

/// No `pom.xml` that a person has written is longer.
const LONGEST: u64 = 8 << 20;

/// Whether an option says how a JVM compiles, or how large its stacks are.
pub(super) fn knows_better(option: &OsStr) -> bool {
    let option = option.to_string_lossy();
    KNOWN_BETTER.iter().any(|known| option.contains(known))
}

/// What `MAVEN_OPTS` should say instead of what it says.
pub(super) fn with_ours(theirs: Option<OsString>) -> OsString {
    let mut options = OsString::from(OURS);
    if let Some(theirs) = theirs.filter(|theirs| !theirs.is_empty()) {
        options.push(" ");
        options.push(theirs);
    }
    options
}

/// What `MAVEN_OPTS` say without our part, if that leaves anything; with single spaces, so that it is the same whether or not our
/// part was there. Maven's own script may have put something in front of it.
pub fn without_ours(options: &str) -> Option<String> {
    let ends = |next: Option<char>| next.is_none_or(char::is_whitespace);
    let (before, after) = options
        .split_once(OURS)
        .filter(|(before, after)| ends(before.chars().next_back()) && ends(after.chars().next()))
        .unwrap_or((options, ""));
    let theirs: Vec<&str> = before.split_whitespace().chain(after.split_whitespace()).collect();
    (!theirs.is_empty()).then(|| theirs.join(" "))
}

/// Whether the build of a directory has little to compile, and no `pom.xml` that has tests run inside Maven's JVM.
pub(super) fn is_short(root: &Path) -> bool {
    let (mut sources, mut entries) = (0, 0);
    let mut open: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        let Ok(listing) = fs::read_dir(&directory) else { continue };
        for entry in listing.flatten() {
            entries += 1;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // A link is neither, and may lead in a circle.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if !name.starts_with('.') && !matches!(&*name, "target" | "node_modules") {
                    open.push(entry.path());
                }
            } else if kind.is_file() {
                let ending = name.rsplit_once('.').map(|(_, ending)| ending);
                sources += usize::from(ending.is_some_and(is_source));
                if name == POM && has_tests_inside(&entry.path()) {
                    return false;
                }
            }
            if sources > SOURCES || entries > ENTRIES {
                return false;
            }
        }
    }
    true
}

fn has_tests_inside(pom: &Path) -> bool {
    let mut bytes = Vec::new();
    if File::open(pom).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes)).is_err() {
        return false;
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut elements = text.split('<').filter_map(|element| element.split_once('>'));
    elements.any(|(name, value)| is_for_tests_inside(name, value))
}
