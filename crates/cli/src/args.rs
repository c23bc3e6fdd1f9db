//! What can be asked on the command line; the same table yields help, completions and the man page.

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use tamis_select::technique::{HYBRID, TECHNIQUES};

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
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", env = "TAMIS_COLOR", global = true)]
    pub(crate) color: ColorChoice,
    /// Say more: timings, what was read, what was passed over
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Say nothing but the result
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    pub(crate) fn apply(self) {
        match self {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Diff(DiffArgs),
    /// Find the build of this directory, run its tests, skip those no change can affect
    ///
    /// With Maven: `mvn test` and the arguments after `--`; if those name a phase or a goal, that instead. `./mvnw` is used
    /// where there is one. The exit code is the build's own; 2 is bad usage, 3 an error of ours before the build was started.
    #[command(after_help = "\
Examples:
  tamis test                        run what a change since the last passing runs can affect
  tamis test -- -pl core -am        arguments of the build
  tamis test -- verify              another phase
  tamis test --all                  run everything, and record it again
  tamis test --format json          what ran, what did not, and why, as one document

On a terminal the build's own output goes to .tamis/last/build.log; with -v, or elsewhere, it is shown as it is.")]
    Test {
        #[command(flatten)]
        choosing: SelectionArgs,
        /// Arguments for the build
        #[arg(last = true, value_name = "BUILD ARGS")]
        arguments: Vec<OsString>,
    },
    /// The same around any command that starts test JVMs
    #[command(after_help = "\
Examples:
  tamis run -- mvn verify
  tamis run -- java -cp classes:junit.jar:hamcrest.jar org.junit.runner.JUnitCore org.x.ParserTest
  tamis run --observe -- mvn test   show what each test used, and keep nothing

Classes in directories of the class path, and in jars inside the project, are watched method by method, others by class. The
exit code is the command's own.")]
    Run {
        #[command(flatten)]
        choosing: SelectionArgs,
        /// Only show what each test used; nothing is selected, nothing is kept
        #[arg(long)]
        observe: bool,
        /// Leave out a test or a whole class, as a selection would
        #[arg(long, value_name = "CLASS[#METHOD]", requires = "observe")]
        skip: Vec<String>,
        /// The command and its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
        command: Vec<OsString>,
    },
    /// Decide on what is built now, run nothing
    ///
    /// Test JVMs are taken to be started as in the last run. Test classes that nobody has heard of are found by what is in
    /// them.
    #[command(after_help = "\
Examples:
  tamis select
  tamis select --format names       the tests to run, one a line
  mvn test -Dtest=\"$(tamis select --format names | paste -sd,)\"")]
    Select {
        #[command(flatten)]
        choosing: SelectionArgs,
    },
    /// Say why a test would run or be skipped: the facts, the change, the trace it was compared with
    #[command(after_help = "\
Examples:
  tamis explain org.x.ParserTest
  tamis explain ParserTest#flatten
  tamis explain --run               all tests that would run, or ran in the last run
  tamis explain -q --run            the same without code
  tamis explain --facts ParserTest  with all facts that a skip rests on")]
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
    /// Say which tests rely on a class, a method or a file
    #[command(after_help = "\
Examples:
  tamis affected org.x.Parser
  tamis affected 'Parser#flatten'
  tamis affected core/src/main/resources/conf.properties")]
    Affected {
        #[command(flatten)]
        choosing: SelectionArgs,
        /// A class, a method of it, or a file
        #[arg(required = true, value_name = "CLASS[#METHOD]|FILE")]
        what: Vec<String>,
    },
    Audit(AuditArgs),
    /// The recorded traces
    #[command(after_help = "Example:\n  tamis cache gc --older-than 30")]
    Cache {
        #[command(flatten)]
        choosing: SelectionArgs,
        #[command(subcommand)]
        action: Option<CacheCommand>,
    },
    /// Say what tamis found here: JDKs, build tool, agent, frameworks, store; what is wrong and how to mend it
    #[command(after_help = "Example:\n  tamis doctor")]
    Doctor {
        #[command(flatten)]
        choosing: SelectionArgs,
    },
    /// Show it all on a small project: a run, five edits, an explained selection after each
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
/// Moved lines, comments, reordered members, renumbered lambdas and anonymous classes are no change. Each change is
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
    #[arg(long, value_enum, default_value = "human", env = "TAMIS_FORMAT")]
    pub(crate) format: OutputFormat,
    /// Only count the changes, by kind
    #[arg(long, conflicts_with = "code")]
    pub(crate) stat: bool,
    /// Show the canonical code of changed methods side by side
    #[arg(long)]
    pub(crate) code: bool,
    /// Exit with 1 when there are changes
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Libraries that the classes inherit from, as `java -cp` takes them
    #[arg(long, visible_alias = "cp", value_name = "PATH")]
    pub(crate) class_path: Option<String>,
    /// The JDK whose classes they inherit from: a directory, `auto` (JAVA_HOME, or java on the PATH) or `none`
    #[arg(long, default_value = "auto", value_name = "JDK", env = "TAMIS_JDK")]
    pub(crate) jdk: String,
    /// The Java version whose classes of multi-release jars are compared [default: the newest]
    #[arg(long, value_name = "N")]
    pub(crate) release: Option<u32>,
    /// Compare classes that cannot be read by their bytes, instead of stopping there
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// Attack our own answer: run what would be skipped, on this project or on mutants of it, and report every miss
///
/// `--rerun` decides as usual and then runs everything. `--mutants N` makes N small edits in the built classes of a copy of the
/// project, one at a time, and runs all tests on each: a test that fails and would have been skipped is a miss. Your own tree
/// is not touched. Test JVMs are started as in the last `tamis test` or `tamis run`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamis audit --rerun                       after an edit: everything runs; was anything wrongly left out?
  tamis audit --rerun -- ant test           where no build is known: around any command
  tamis audit --mutants 200 --jobs 4        200 edits, four JVMs at a time; the same call again goes on where it was stopped
  tamis audit --mutants 50 --seed 7 --operator override-added,resource-edited

Exit code: 0 no miss; 1 a miss; 2 bad usage; 3 an error of ours, or a build that ran no tests.")]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) choosing: SelectionArgs,
    /// Run everything, and compare what would have been skipped with what was recorded
    #[arg(long, conflicts_with = "mutants", required_unless_present = "mutants")]
    pub(crate) rerun: bool,
    /// Make so many edits, and run all tests on each
    #[arg(long, value_name = "N")]
    pub(crate) mutants: Option<usize>,
    /// Which edits: the same seed makes the same
    #[arg(long, value_name = "S", default_value = "1", requires = "mutants")]
    pub(crate) seed: u64,
    /// How many JVMs at a time [default: half of the processors]
    #[arg(long, value_name = "J", requires = "mutants")]
    pub(crate) jobs: Option<usize>,
    /// Only edits in this module
    #[arg(long, value_name = "M", requires = "mutants")]
    pub(crate) module: Option<String>,
    /// Only edits of these kinds
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "mutants")]
    pub(crate) operator: Vec<String>,
    /// Run only test classes of which a test would be skipped: the others cannot be missed, but may leave something behind
    #[arg(long, requires = "mutants")]
    pub(crate) quick: bool,
    /// Arguments for the build; a command where no build is found
    #[arg(last = true, value_name = "BUILD ARGS", conflicts_with = "mutants")]
    pub(crate) arguments: Vec<OsString>,
}

/// What `tamis cache` does.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// How much there is [default]
    Stats,
    /// Forget what has not held for a while, and tests that are gone
    Gc {
        /// Forget traces that did not hold within so many days
        #[arg(long, value_name = "DAYS", default_value = "90")]
        older_than: u32,
    },
    /// Forget everything
    Clear,
}

/// How to decide, and where what is known lies.
#[derive(Args, Clone, Debug)]
pub(crate) struct SelectionArgs {
    /// Which facts decide
    #[arg(
        long,
        value_name = "NAME",
        default_value = HYBRID.name(),
        value_parser = technique_names(),
        env = "TAMIS_TECHNIQUE"
    )]
    pub(crate) technique: String,
    /// What is decided about together
    #[arg(long, value_name = "UNIT", default_value = "auto", env = "TAMIS_GRANULARITY")]
    pub(crate) granularity: GranularityArg,
    /// Run everything, still record
    #[arg(long, env = "TAMIS_ALL")]
    pub(crate) all: bool,
    /// Keep nothing of what is learned
    #[arg(long, env = "TAMIS_NO_RECORD")]
    pub(crate) no_record: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "human", env = "TAMIS_FORMAT")]
    pub(crate) format: OutputFormat,
    /// Where traces are kept [default: .tamis beside the outermost build file]
    #[arg(long, value_name = "DIR", env = "TAMIS_STORE")]
    pub(crate) store: Option<PathBuf>,
}

/// The word for which no trace counts: it means `--all`.
pub(crate) const ALL: &str = "all";

/// The words for `--technique`.
fn technique_names() -> PossibleValuesParser {
    PossibleValuesParser::new(TECHNIQUES.iter().map(|technique| technique.name()).chain([ALL]))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GranularityArg {
    /// Single tests where those of a class share no state, else the class
    Auto,
    /// Whole classes
    Class,
    /// Single tests, whatever they share
    Method,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For a person
    Human,
    /// One JSON document
    Json,
    /// The changed entities, one a line
    Names,
}
