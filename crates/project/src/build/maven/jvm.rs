//! Tunes Maven's own JVM for short runs.
//!
//! The JVM's second compiler pays off in programs that run for minutes. A build of a few hundred files ends
//! earlier, and on few processors it competes with that compiler; `docs/design/maven-jvm.md` has the figures.
//! So Maven's JVM runs without it, unless the user has set compiler options, tests run inside this JVM, or
//! the build is large. The test JVMs are not affected.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use tamis_catalog::builds::maven::{POM, is_for_tests_inside};
use tamis_catalog::compilers::is_source;

/// Options that are put in front of `MAVEN_OPTS`. Code of the first compiler needs more stack than code of
/// the second, and javac, which runs inside, recurses as deep as the source is nested: with the default stack
/// we could make a build fail.
const OURS: &str = "-XX:TieredStopAtLevel=1 -Xss8m";

/// Words in options about the JVM's compilers or stack size.
const KNOWN_BETTER: [&str; 8] =
    ["Tiered", "Compil", "JVMCI", "-Xint", "-Xcomp", "-Xmixed", "-Xss", "ThreadStackSize"];

/// A build with more source files is large: compiling them may take long enough for the second compiler to
/// pay off.
const SOURCES: usize = 2_000;

/// A project with more directories and files than this counts as large.
const ENTRIES: usize = 20_000;

/// Longer than any hand-written `pom.xml`.
const LONGEST: u64 = 8 << 20;

/// Whether an option concerns the JVM's compilers or stack size.
pub(super) fn knows_better(option: &OsStr) -> bool {
    let option = option.to_string_lossy();
    KNOWN_BETTER.iter().any(|known| option.contains(known))
}

/// The new value of `MAVEN_OPTS`.
pub(super) fn with_ours(theirs: Option<OsString>) -> OsString {
    let mut options = OsString::from(OURS);
    if let Some(theirs) = theirs.filter(|theirs| !theirs.is_empty()) {
        options.push(" ");
        options.push(theirs);
    }
    options
}

/// The value of `MAVEN_OPTS` without our part, if anything is left. Blanks are single, so the result is the
/// same whether or not our part was there. Maven's own script may have put options in front.
pub fn without_ours(options: &str) -> Option<String> {
    let ends = |next: Option<char>| next.is_none_or(char::is_whitespace);
    let (before, after) = options
        .split_once(OURS)
        .filter(|(before, after)| ends(before.chars().next_back()) && ends(after.chars().next()))
        .unwrap_or((options, ""));
    let theirs: Vec<&str> = before.split_whitespace().chain(after.split_whitespace()).collect();
    (!theirs.is_empty()).then(|| theirs.join(" "))
}

/// Whether a project has little to compile, and no `pom.xml` that makes tests run inside Maven's JVM.
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
