//! The commands for developers of Tamis: `cargo xtask COMMAND`.
//!
//! Only parses the command line; each command has a file of its own. Nothing here is part of the product.
#![forbid(unsafe_code)]
// A developer's tool prints to the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod cargo;
mod dump;
mod fuzz;
mod gaps;
mod jdks;
mod lint;
mod picture;
mod setup;
mod slow;
mod tally;
mod test;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use setup::Install;

/// Everything a developer of Tamis repeats.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = "Example: cargo xtask test")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check everything: format, lints, all tests with JDK 8, 11, 17, 21 and 25.
    ///
    /// Missing JDKs, and Maven, are installed first, into the user's cache folder and without root (Debian).
    /// Where that is impossible, JDK 17 and 25 are needed, and tests that need another one are listed as not
    /// run. With a filter only the tests run, not the format and the lints.
    #[command(after_help = "Examples:\n  cargo xtask test\n  cargo xtask test --jdks 17,25\n  \
                            cargo xtask test --slow\n  cargo xtask test jar")]
    Test {
        /// Cover exactly these JDKs; one that is missing and cannot be installed is a failure.
        #[arg(long, value_name = "LIST")]
        jdks: Option<String>,
        /// Install nothing: cover the JDKs that are here.
        #[arg(long)]
        no_install: bool,
        /// Run the slow ring too.
        #[arg(long)]
        slow: bool,
        /// Only tests whose name contains this.
        filter: Option<String>,
    },
    /// Install the JDKs that tests need and that are not here (Debian, no root needed).
    #[command(after_help = "Examples:\n  cargo xtask jdks\n  cargo xtask jdks 8 21")]
    Jdks {
        /// Feature versions [default: those of 8, 11, 17, 21, 25 that are not found].
        versions: Vec<u32>,
        /// Where to [default: tamis/jdks in the user's cache folder, where tests look].
        #[arg(long)]
        dir: Option<PathBuf>,
    },
    /// Check format and lints, warnings as errors.
    #[command(after_help = "Example: cargo xtask lint")]
    Lint,
    /// Check rules about the whole tree: crates, names, sentences, files, commits.
    #[command(after_help = "Example: cargo xtask tidy --verbose")]
    Tidy {
        /// Print the names behind the two ratios of the last line, and the exemptions, too.
        #[arg(long)]
        verbose: bool,
    },
    /// Run a benchmark, or list them.
    #[command(after_help = "Example: cargo xtask bench reader -- --runs 5")]
    Bench {
        /// Which one; without it, the benchmarks say what there is.
        name: Option<String>,
        /// Handed on to the benchmark.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Feed a fuzz target for a while (needs a nightly compiler and cargo-fuzz).
    #[command(after_help = "Example: cargo xtask fuzz reader --seconds 600")]
    Fuzz {
        /// A target of fuzz/.
        target: String,
        /// For how long.
        #[arg(long, default_value_t = 60)]
        seconds: u64,
    },
    /// Draw the output of the demo as docs/demo.svg.
    #[command(after_help = "Example: cargo xtask picture")]
    Picture,
    /// Print our view of class files.
    #[command(after_help = "Example: cargo xtask dump target/classes/A.class")]
    Dump {
        /// Class files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let result = match Args::parse().command {
        Command::Test { jdks, no_install, slow, filter } => {
            let install = if no_install { Install::Nothing } else { Install::Missing };
            test::test(jdks.as_deref(), install, slow, filter.as_deref())
        }
        Command::Jdks { versions, dir } => jdks::install(&versions, dir).map(done),
        Command::Lint => lint::lint().map(done),
        Command::Tidy { verbose } => tidy::tidy(verbose).map(done),
        Command::Bench { name, args } => bench::bench(name.as_deref(), &args).map(done),
        Command::Fuzz { target, seconds } => fuzz::fuzz(&target, seconds).map(done),
        Command::Picture => picture::picture().map(done),
        Command::Dump { files } => dump::dump(&files).map(done),
    };
    result.unwrap_or_else(|error| {
        eprintln!("xtask: {error:#}");
        ExitCode::FAILURE
    })
}
