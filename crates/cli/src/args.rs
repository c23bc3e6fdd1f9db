//! The command line: one table for arguments, help, completions and the man page.

use crate::terminal::columns;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use tamis_report::{Format, Layout};
use tamis_select::recording::Granularity;
use tamis_select::technique::{HYBRID, TECHNIQUES, Technique, technique};

/// Runs only the JVM tests that a change can affect, and proves why the others may be skipped.
#[derive(Debug, Parser)]
#[command(name = "tamis", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
}

/// Options that mean the same everywhere.
#[derive(Args, Debug)]
pub(crate) struct GlobalArgs {
    /// When to colour the output
    #[arg(long, value_parser = one_of(COLORS, color_word), value_name = "WHEN", default_value = "auto",
        env = "TAMIS_COLOR", global = true)]
    pub(crate) color: anstream::ColorChoice,
    /// Print more detail: timings, files read, files ignored
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Print only the result
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

impl GlobalArgs {
    /// How much to print, and how wide.
    pub(crate) fn layout(&self) -> Layout {
        Layout { quiet: self.quiet, verbose: self.verbose, columns: columns(std::io::stdout()) }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Diff(DiffArgs),
    /// Run the tests of this project, without those that no change can affect
    ///
    /// With Maven: `mvn test` and the arguments after `--`, or the phase or goal that they name. If there is a `./mvnw`, it is
    /// used. With Gradle: `gradle test` or `./gradlew test`, or the tasks that the arguments name. The exit code is that of the build; 2 is bad usage, 3 an error before the build was started.
    #[command(after_help = "\
Examples:
  tamis test                        run the tests that a change since their last passing run can affect
  tamis test -- -pl core -am        arguments of the build
  tamis test -- verify              another phase
  tamis test -- --tests 'org.x.*'   these tests, with Gradle
  tamis test --all                  run everything, and record it again
  tamis test --format json          the tests that ran, those that did not, and the reasons, as one document

On a terminal the output of the build goes to .tamis/last/build.log; with -v, or elsewhere, it is shown unchanged.")]
    Test {
        #[command(flatten)]
        choosing: SelectionArgs,
        /// Arguments for the build
        #[arg(last = true, value_name = "BUILD ARGS")]
        arguments: Vec<OsString>,
    },
    /// Do the same with any command that starts test JVMs
    #[command(after_help = "\
Examples:
  tamis run -- mvn verify
  tamis run -- java -cp classes:junit.jar:hamcrest.jar org.junit.runner.JUnitCore org.x.ParserTest
  tamis run --observe -- mvn test   show what each test used, and keep nothing

Classes in directories of the class path, and in jars inside the project, are tracked method by method, others class by class.
The exit code is that of the command.")]
    Run {
        #[command(flatten)]
        choosing: SelectionArgs,
        /// Only show what each test uses: no selection, no recording
        #[arg(long)]
        observe: bool,
        /// Skip a test or a whole class, as a selection would
        #[arg(long, value_name = "CLASS[#METHOD]", requires = "observe")]
        skip: Vec<String>,
        /// The command and its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
        command: Vec<OsString>,
    },
    /// Show the tests that would run now, without running them
    ///
    /// The decision is about the classes that are built now, for test JVMs that start as in the last run. New test classes are
    /// found by their content.
    #[command(after_help = "\
Examples:
  tamis select
  tamis select --format names       the tests to run, one per line
  names=$(tamis select --format names | paste -sd,)
  test -z \"$names\" || mvn test -Dtest=\"$names\"

Without a name after -Dtest= Maven would run every test, so the second line asks whether there is one.")]
    Select {
        #[command(flatten)]
        choosing: SelectionArgs,
    },
    /// Show why a test would run or be skipped: the facts, the change, the trace it was compared with
    #[command(after_help = "\
Examples:
  tamis explain org.x.ParserTest
  tamis explain ParserTest#flatten
  tamis explain --run               all tests that would run; if there is none, those of the last run
  tamis explain -q --run            the same without code
  tamis explain --facts ParserTest  with all facts that allow a skip")]
    Explain {
        #[command(flatten)]
        choosing: SelectionArgs,
        /// Explain the tests that run
        #[arg(long)]
        run: bool,
        /// List every fact of the traces that hold
        #[arg(long)]
        facts: bool,
        /// Tests: a class, with or without its package, and #METHOD for one of its tests
        #[arg(value_name = "TEST", required_unless_present = "run")]
        tests: Vec<String>,
    },
    /// Show the tests that depend on a class, a method or a file
    #[command(after_help = "\
Examples:
  tamis affected org.x.Parser
  tamis affected 'Parser#flatten'
  tamis affected core/src/main/resources/conf.properties
  tamis affected src/main/java/org/x/Parser.java    the tests of the classes in it")]
    Affected {
        #[command(flatten)]
        choosing: SelectionArgs,
        /// A class, a method of it, or a file
        #[arg(required = true, value_name = "CLASS[#METHOD]|FILE")]
        what: Vec<String>,
    },
    Audit(AuditArgs),
    /// Record what `--record later` put off
    ///
    /// Starts the last `tamis test` or `tamis run` with `--record later` again, in this directory. Tests without a trace that
    /// holds run and are recorded; the others are skipped.
    #[command(after_help = "\
Example:
  tamis test --record later && tamis record")]
    Record {
        #[command(flatten)]
        choosing: SelectionArgs,
    },
    /// Take over the verdicts of a build that ran without tamis, for tests that have no recorded run
    ///
    /// Reads the reports that Surefire writes (`TEST-*.xml`). A test that passed gets a static trace: what it may reach in a
    /// graph of calls. It is skipped until that changes, or until a run of it is recorded. No class may be younger than the
    /// reports.
    #[command(after_help = "\
Examples:
  mvn test && tamis import target/surefire-reports
  tamis import .                    all reports below this directory
  tamis import --static rta .       a smaller graph: only objects that a test may make receive calls")]
    Import {
        #[command(flatten)]
        choosing: SelectionArgs,
        /// Folders with reports, or reports
        #[arg(required = true, value_name = "DIR")]
        reports: Vec<PathBuf>,
    },
    /// Show or remove recorded traces
    #[command(after_help = "Example:\n  tamis cache gc --older-than 30")]
    Cache {
        #[command(flatten)]
        choosing: SelectionArgs,
        #[command(subcommand)]
        action: Option<CacheCommand>,
    },
    /// Show what tamis finds here (build tool, JDK, agent, store), problems and how to fix them
    #[command(after_help = "Example:\n  tamis doctor")]
    Doctor {
        #[command(flatten)]
        choosing: SelectionArgs,
    },
    /// Write one self-contained HTML page about the last run: what ran, why, and why the rest could be skipped
    #[command(after_help = "\
Examples:
  tamis report                       report.html, about the last run
  tamis report --history -o tamis.html
  tamis report --run artifact/run.json

The page needs no network and no server: it can be an artifact of a build, or be sent by mail.")]
    Report {
        #[command(flatten)]
        choosing: SelectionArgs,
        #[command(flatten)]
        report: ReportArgs,
    },
    /// Write a tamis.toml with commented examples: options, and rules about inputs and tests
    #[command(after_help = "Example:\n  tamis init")]
    Init,
    /// Show everything on a small project: a run, five edits, an explained selection after each
    #[command(after_help = "Example:\n  tamis demo")]
    Demo {
        /// Where to put the project [default: a temporary directory that is removed afterwards]
        #[arg(long, value_name = "DIR")]
        directory: Option<PathBuf>,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  tamis completions bash > ~/.local/share/bash-completion/completions/tamis"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page
    #[command(after_help = "Example:\n  tamis man | man -l -")]
    Man,
}

/// Show the atomic changes between two class directories or jars
///
/// Moved lines, comments, reordered members, renumbered lambdas and anonymous classes are not changes. Each change is
/// reported through the member that a person wrote.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamis diff old/target/classes new/target/classes
  tamis diff lib-1.0.jar lib-1.1.jar --stat
  tamis diff before after --code             why two bodies differ, side by side
  tamis diff before after --format json --exit-code

Kinds: AF DF class added, deleted; CH class head; CF field, or a class that cannot be read;
  ASI DSI CSI static initialiser; AI DI CI constructor; ASM DSM CSM static method;
  AIM DIM CIM instance method (added, deleted, changed); LC look-up changed.

Exit code: 0; with --exit-code 1 when there are changes; 2 bad usage; 3 something could not be read.")]
pub(crate) struct DiffArgs {
    /// The old classes: a directory, a jar, a jmod, or a class path of them
    pub(crate) old: PathBuf,
    /// The new classes
    pub(crate) new: PathBuf,
    /// How to print the changes
    #[arg(long, value_parser = formats(), default_value = "human", env = "TAMIS_FORMAT")]
    pub(crate) format: Format,
    /// Only count the changes, by kind
    #[arg(long, conflicts_with = "code")]
    pub(crate) stat: bool,
    /// Show the canonical code of changed methods side by side
    #[arg(long)]
    pub(crate) code: bool,
    /// Exit with 1 when there are changes
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Libraries from which the classes inherit, as `java -cp` takes them
    #[arg(long, visible_alias = "cp", value_name = "PATH")]
    pub(crate) class_path: Option<String>,
    /// The JDK from which they inherit: a directory, `auto` (JAVA_HOME, or java on the PATH) or `none`
    #[arg(long, default_value = "auto", value_name = "JDK", env = "TAMIS_JDK")]
    pub(crate) jdk: String,
    /// The Java version that chooses among the classes of multi-release jars [default: the newest]
    #[arg(long, value_name = "N")]
    pub(crate) release: Option<u32>,
    /// Compare unreadable classes by their bytes, instead of stopping
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// Check selection: run the tests that would be skipped, here or on mutants of the project, and report every miss
///
/// `--rerun` decides as usual and then runs every test. `--mutants N` makes N small edits in the built classes of a copy of the
/// project, one at a time, and runs all tests on each. A test that fails and would have been skipped is a miss. Your own files
/// are not changed. Test JVMs start as in the last `tamis test` or `tamis run`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamis audit --rerun                       after an edit: would a failing test have been skipped?
  tamis audit --rerun -- ant test           the same with any command
  tamis audit --mutants 200 --jobs 4        200 edits, four JVMs at a time; run the same command again to resume
  tamis audit --mutants 50 --seed 7 --operator override-added,resource-edited
  tamis audit --mutants 60 --operator throws
                                            60 methods throw: how many tests depend, how many run?

Exit code: 0 no miss; 1 a miss; 2 bad usage; 3 an error of tamis, or a build that ran no tests.")]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) choosing: SelectionArgs,
    /// Run every test, and compare those that would have been skipped with their record
    #[arg(long, conflicts_with = "mutants", required_unless_present = "mutants")]
    pub(crate) rerun: bool,
    /// Number of mutants to try (all tests run on each)
    #[arg(long, value_name = "N")]
    pub(crate) mutants: Option<usize>,
    /// Seed of the mutants: the same seed makes the same ones
    #[arg(long, value_name = "S", default_value = "1", requires = "mutants")]
    pub(crate) seed: u64,
    /// Number of test JVMs at a time [default: half of the processors]
    #[arg(long, value_name = "J", requires = "mutants")]
    pub(crate) jobs: Option<usize>,
    /// Only mutants of this module
    #[arg(long, value_name = "M", requires = "mutants")]
    pub(crate) module: Option<String>,
    /// Only mutants of these kinds
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "mutants")]
    pub(crate) operator: Vec<String>,
    /// Run only test classes of which a test would be skipped
    #[arg(long, requires = "mutants")]
    pub(crate) quick: bool,
    /// Arguments for the build; or a command, if no build is found
    #[arg(last = true, value_name = "BUILD ARGS", conflicts_with = "mutants")]
    pub(crate) arguments: Vec<OsString>,
}

/// The page of `tamis report`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReportArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub(crate) output: PathBuf,
    /// The run.json of another run [default: that of the last run]
    #[arg(long = "run", value_name = "FILE", id = "run_file")]
    pub(crate) run: Option<PathBuf>,
    /// Add earlier runs, and the last verdicts of tests that did not always pass
    #[arg(long)]
    pub(crate) history: bool,
}

/// The actions of `tamis cache`.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// Show how much is recorded [default]
    Stats,
    /// Remove traces that have not held for a while, and tests that no longer exist
    Gc {
        /// Remove traces that did not hold within this number of days
        #[arg(long, value_name = "DAYS", default_value = "90")]
        older_than: u32,
    },
    /// Remove everything
    Clear,
}

/// How to select, and where the traces are.
#[derive(Args, Clone, Debug)]
pub(crate) struct SelectionArgs {
    /// Selection technique: `hybrid` (methods where they are understood, classes elsewhere), `block` (basic blocks of methods),
    /// `method` and `method-f` (methods and heads of classes), `class` (whole classes and files), `static-member` and `static-class` (the members and classes
    /// that a static graph reaches), or `all` (the same as --all)
    #[arg(long, value_parser = techniques(), value_name = "NAME", default_value = HYBRID.name(), env = "TAMIS_TECHNIQUE")]
    pub(crate) technique: TechniqueChoice,
    /// Select single tests or whole classes
    #[arg(long, value_parser = one_of(GRANULARITIES, Granularity::word), value_name = "UNIT", default_value = "auto",
        env = "TAMIS_GRANULARITY")]
    pub(crate) granularity: Granularity,
    /// The receivers that `static-member` assumes of virtual calls
    #[arg(id = "static", long, value_parser = one_of(RECEIVERS, ReceiverChoice::word), value_name = "RECEIVERS",
        default_value = "cha", env = "TAMIS_STATIC")]
    pub(crate) receivers: ReceiverChoice,
    /// The number of threads of static techniques; 0 is one for each processor
    #[arg(long, value_name = "N", default_value = "0", env = "TAMIS_THREADS")]
    pub(crate) threads: usize,
    /// Run everything, and still record
    #[arg(long, value_parser = switch, env = "TAMIS_ALL")]
    pub(crate) all: bool,
    /// What to record: `yes`, `no` (observe only where tests begin and end), `later` (the same; `tamis record` records what
    /// ran), or `every=N` (every N-th run)
    #[arg(long, value_name = "WHEN", default_value = "yes", value_parser = record_choice, env = "TAMIS_RECORD")]
    pub(crate) record: RecordChoice,
    /// The same as `--record no`
    #[arg(long, value_parser = switch, env = "TAMIS_NO_RECORD")]
    pub(crate) no_record: bool,
    /// Exit with 3 if the build succeeds and no test was seen
    #[arg(long, value_parser = switch, env = "TAMIS_REQUIRE_TESTS")]
    pub(crate) require_tests: bool,
    /// How to print the result
    #[arg(long, value_parser = formats(), default_value = "human", env = "TAMIS_FORMAT")]
    pub(crate) format: Format,
    /// Where traces are stored [default: .tamis beside the outermost build file]
    #[arg(long, value_name = "DIR", env = "TAMIS_STORE")]
    pub(crate) store: Option<PathBuf>,
}

/// The value of `--technique`; nothing if no trace counts, as with `--all`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TechniqueChoice(pub(crate) Option<&'static dyn Technique>);

fn techniques() -> impl TypedValueParser<Value = TechniqueChoice> {
    PossibleValuesParser::new(TECHNIQUES.iter().map(|technique| technique.name()).chain(["all"]))
        .map(|name| TechniqueChoice(technique(&name)))
}

/// Values of an option, with the help for each.
type Choices<T, const N: usize> = [(T, &'static str); N];

const GRANULARITIES: Choices<Granularity, 3> = [
    (Granularity::Auto, "Single tests if those of a class share no state, else the class"),
    (Granularity::Class, "Whole classes"),
    (Granularity::Method, "Single tests, even if they share state"),
];

/// The value of `--record`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordChoice {
    Yes,
    No,
    Later,
    /// In every n-th run.
    Every(u32),
}

fn record_choice(text: &str) -> Result<RecordChoice, &'static str> {
    match (text, text.strip_prefix("every=").map(str::parse)) {
        ("yes", _) => Ok(RecordChoice::Yes),
        ("no", _) => Ok(RecordChoice::No),
        ("later", _) => Ok(RecordChoice::Later),
        (_, Some(Ok(number))) if number > 0 => Ok(RecordChoice::Every(number)),
        _ => Err("use yes, no, later or every=N"),
    }
}

/// The value of `--static`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiverChoice {
    Hierarchy,
    Instantiated,
}

impl ReceiverChoice {
    fn word(self) -> &'static str {
        match self {
            ReceiverChoice::Hierarchy => "cha",
            ReceiverChoice::Instantiated => "rta",
        }
    }
}

const RECEIVERS: Choices<ReceiverChoice, 2> = [
    (ReceiverChoice::Hierarchy, "Every subclass of the class that the call names"),
    (ReceiverChoice::Instantiated, "Those of which the test may make objects"),
];

const COLORS: Choices<anstream::ColorChoice, 3> = [
    (anstream::ColorChoice::Auto, "On a terminal, unless NO_COLOR is set"),
    (anstream::ColorChoice::Always, "Always"),
    (anstream::ColorChoice::Never, "Never"),
];

fn color_word(choice: anstream::ColorChoice) -> &'static str {
    match choice {
        anstream::ColorChoice::Auto => "auto",
        anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi => "always",
        anstream::ColorChoice::Never => "never",
    }
}

fn formats() -> impl TypedValueParser<Value = Format> {
    one_of(Format::ALL.map(|format| (format, format.help())), Format::word)
}

/// The value of a switch in the environment or in `tamis.toml`. An empty variable is one that was taken away.
fn switch(text: &str) -> Result<bool, &'static str> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" => Ok(true),
        "" | "0" | "false" | "no" => Ok(false),
        _ => Err("use 1, true or yes; or 0, false or no"),
    }
}

/// Accepts the words of a type.
fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    choices: Choices<T, N>,
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(choices.map(|(value, help)| PossibleValue::new(word(value)).help(help)))
        .try_map(move |text| {
            choices.iter().find(|(value, _)| word(*value) == text).map(|(value, _)| *value).ok_or(text)
        })
}
