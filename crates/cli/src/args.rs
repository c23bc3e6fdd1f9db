//! What can be asked on the command line; the same table yields help, completions and the man page.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Runs only the JVM tests that a change can affect, and proves why the others may be skipped.
#[derive(Debug, Parser)]
#[command(name = "tamis", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options that mean the same everywhere.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// When to colour the output
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", env = "TAMIS_COLOR", global = true)]
    pub(crate) color: Color,
    /// Say more: timings, what was read, what was passed over
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Say nothing but the result
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn apply(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Diff(Diff),
    /// Run a command with the agent in its JVMs, and show what each test used
    #[command(after_help = "\
Example:
  tamis run -- java -cp classes:junit.jar:hamcrest.jar org.junit.runner.JUnitCore org.x.ParserTest

Every test runs that is not left out with --skip; nothing is kept yet. Classes in directories of the class path are watched method by
method, those in jars by class. With -v the library classes are listed too. The exit code is the command's own.")]
    Run {
        /// Leave out a test or a whole class, as a selection would
        #[arg(long, value_name = "CLASS[#METHOD]")]
        skip: Vec<String>,
        /// The command and its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
        command: Vec<std::ffi::OsString>,
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
pub(crate) struct Diff {
    /// The old classes: a directory, a jar, a jmod, or a class path of them
    pub(crate) old: PathBuf,
    /// The new classes
    pub(crate) new: PathBuf,
    /// How to print the changes
    #[arg(long, value_enum, default_value = "human", env = "TAMIS_FORMAT")]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person
    Human,
    /// One JSON document
    Json,
    /// The changed entities, one a line
    Names,
}
