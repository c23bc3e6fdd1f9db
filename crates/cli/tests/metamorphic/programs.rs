//! The programs, and the places where edits fit, which javac finds through `Places.java`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tamis_test_support::javac::{self, Job};
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::run;

/// A program of `programs/`. Its first line names the oldest JDK that compiles it: `// jdk 8-`.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) text: String,
    first_jdk: u32,
    /// Places where a member may be inserted.
    pub(crate) places: Vec<Place>,
    /// Methods and member classes.
    pub(crate) members: Vec<Member>,
    /// Literals and operators.
    pub(crate) sites: Vec<Site>,
}

/// A place for a member.
pub(crate) struct Place {
    pub(crate) offset: usize,
    /// The class of the place, in the notation of `tamis diff`.
    pub(crate) class: String,
    /// `CLASS`, `INTERFACE`, `ENUM` or `RECORD`.
    pub(crate) kind: String,
}

/// A member that can be exchanged with others of the same kind and class.
pub(crate) struct Member {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) class: String,
    pub(crate) nested: bool,
}

/// A literal or an operator.
pub(crate) struct Site {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// For a literal its kind, such as `INT_LITERAL`; for an operator itself.
    pub(crate) what: String,
    /// The members that contain it, `CIM a.B.f()I`; constructors without parameters. `None` if other changes
    /// may follow.
    pub(crate) members: Option<Vec<String>>,
}

impl Program {
    /// The program unchanged.
    pub(crate) fn job(&self) -> Job {
        self.with(self.text.clone())
    }

    /// The program with another text.
    pub(crate) fn with(&self, text: String) -> Job {
        self.job_with(&text, &[])
    }

    pub(crate) fn job_with(&self, text: &str, args: &[&str]) -> Job {
        Job::new(&[(self.name.as_str(), text)], args)
    }
}

/// The programs that this JDK can compile.
pub(crate) fn on(jdk: &Jdk) -> impl Iterator<Item = &'static Program> {
    static PROGRAMS: OnceLock<Vec<Program>> = OnceLock::new();
    let feature = jdk.feature;
    PROGRAMS.get_or_init(read).iter().filter(move |program| program.first_jdk <= feature)
}

fn read() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/metamorphic/programs");
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();

    // The newest compiler understands all programs.
    let newest = jdk::all().pop().expect("a JDK");
    let source = [("Places.java", include_str!("Places.java"))];
    let helper = javac::compile(&newest, &source, &[]).unwrap_or_else(|log| panic!("{log}"));
    let mut java = newest.java();
    java.args(["-XX:TieredStopAtLevel=1", "-cp"]).arg(&helper.path).arg("Places").args(&paths);
    let output = run::run(&mut java, run::SHORT).unwrap();
    assert!(output.success(), "{}", output.stderr);

    let mut lines = output.stdout.lines().peekable();
    let mut programs = Vec::new();
    for path in paths {
        assert_eq!(lines.next(), Some(format!("file\t{}", path.display()).as_str()));
        let mut program = program(&path);
        while let Some(line) = lines.next_if(|line| !line.starts_with("file\t")) {
            take(&mut program, line).unwrap_or_else(|| panic!("{line}"));
        }
        program.places.sort_by_key(|place| place.offset);
        program.places.dedup_by(|a, b| a.offset == b.offset);
        programs.push(program);
    }
    programs
}

fn program(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).unwrap();
    let first = text.lines().next().and_then(|line| line.strip_prefix("// jdk ")?.strip_suffix('-'));
    let first_jdk = first.and_then(|first| first.parse().ok());
    Program {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        first_jdk: first_jdk.unwrap_or_else(|| panic!("{}: no `// jdk 8-`", path.display())),
        text,
        places: Vec::new(),
        members: Vec::new(),
        sites: Vec::new(),
    }
}

fn take(program: &mut Program, line: &str) -> Option<()> {
    let fields: Vec<&str> = line.split('\t').collect();
    let owned = |text: &str| text.to_owned();
    match fields.as_slice() {
        ["insert", offset, class, kind] => program.places.push(Place {
            offset: offset.parse().ok()?,
            class: owned(class),
            kind: owned(kind),
        }),
        [kind @ ("method" | "nested"), start, end, class] => program.members.push(Member {
            start: start.parse().ok()?,
            end: end.parse().ok()?,
            class: owned(class),
            nested: *kind == "nested",
        }),
        ["literal" | "operator", start, end, what, members] => program.sites.push(Site {
            start: start.parse().ok()?,
            end: end.parse().ok()?,
            what: owned(what),
            members: (*members != "?").then(|| members.split('|').map(str::to_owned).collect()),
        }),
        _ => return None,
    }
    Some(())
}
