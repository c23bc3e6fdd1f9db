//! Measures the figures that Tamis promises: `cargo xtask bench NAME`.
//!
//! One file per benchmark. Each prints a table with figures and limits. None of them is a test, because a
//! busy machine would fail it.
#![forbid(unsafe_code)]
// An interactive program.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod agent;
mod classes;
mod diff;
mod history;
mod libraries;
mod line;
mod load;
mod measure;
mod process;
mod reader;
mod rename;
mod snapshot;
mod statics;
mod store;
mod table;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// The same allocator as in the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures the figures that Tamis promises.
#[derive(Parser)]
#[command(name = "cargo xtask bench", arg_required_else_help = true)]
struct Args {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// Reading and digesting class files on one thread.
    Reader {
        /// The number of runs of each measurement.
        #[arg(long, default_value_t = 15)]
        runs: usize,
        /// Only measurements with this text in their names.
        #[arg(long)]
        only: Option<String>,
    },
    /// Loading 10,000 classes with and without an index, and 100,000.
    Snapshot {
        /// The number of runs of each measurement.
        #[arg(long, default_value_t = 15)]
        runs: usize,
        /// Without the 100,000 classes.
        #[arg(long)]
        small: bool,
    },
    /// `tamis diff` of two releases of a library.
    Diff {
        /// The number of runs of each measurement.
        #[arg(long, default_value_t = 25)]
        runs: usize,
    },
    /// The static graph of 10,000 classes, and what 5,000 tests may reach in it.
    Static {
        /// The number of runs of each measurement.
        #[arg(long, default_value_t = 5)]
        runs: usize,
    },
    /// The traces of 5,000 test classes: loading, deciding, size on disk.
    Store {
        /// The number of runs of each measurement.
        #[arg(long, default_value_t = 15)]
        runs: usize,
    },
    /// The cost of recording: a suite of 5,000 tests with and without it, start-up, rewriting, boundaries.
    Agent {
        /// The number of runs of the suite for each variant.
        #[arg(long, default_value_t = 5)]
        runs: usize,
        /// The JDKs to use.
        #[arg(long, value_delimiter = ',', default_value = "17,25")]
        jdks: Vec<u32>,
        /// Without the suite.
        #[arg(long)]
        small: bool,
    },
    /// `tamis test` compared with `mvn`: the first run, and a run without changes.
    Line {
        /// The number of runs of each command.
        #[arg(long, default_value_t = 5)]
        runs: usize,
        /// A Maven project that compiles offline; default: the demo. Its `.tamis` is deleted.
        #[arg(long)]
        project: Option<PathBuf>,
        /// Arguments for Maven.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// `tamis test` compared with `mvn test` over the last commits of a project, with and without recording;
    /// counts misses.
    #[command(after_help = "Example: cargo xtask bench history -- --project ../jsoup --commits 15")]
    History {
        /// A clone of a Maven project that compiles offline at each of the commits. It is only read.
        #[arg(long)]
        project: PathBuf,
        /// The number of commits, ending with the one checked out.
        #[arg(long, default_value_t = 15)]
        commits: usize,
        /// Arguments for Maven.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// JVMs with and without the agent, for `agent`.
    #[command(hide = true)]
    Startup { java: PathBuf, classes: PathBuf },
    /// One load, for `snapshot`.
    #[command(hide = true)]
    Load {
        root: PathBuf,
        #[arg(long)]
        jdk: PathBuf,
        #[arg(long)]
        index: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let result = match Args::parse().bench {
        Bench::Reader { runs, only } => reader::run(runs, only.as_deref()),
        Bench::Snapshot { runs, small } => snapshot::run(runs, small),
        Bench::Diff { runs } => diff::run(runs),
        Bench::Static { runs } => statics::run(runs),
        Bench::Store { runs } => store::run(runs),
        Bench::Agent { runs, jdks, small } => agent::run(runs, &jdks, small),
        Bench::Line { runs, project, args } => line::Line { runs, project, args }.run(),
        Bench::History { project, commits, args } => history::History { project, commits, args }.run(),
        Bench::Startup { java, classes } => agent::startup_child(&java, &classes),
        Bench::Load { root, jdk, index } => load::run(root, jdk, index),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
