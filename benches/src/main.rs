//! The figures Tamis promises, measured: `cargo xtask bench NAME`.
//!
//! One file a benchmark. Each prints a table with the promise beside the figure; none of them is a test, since a
//! busy machine would fail it.
#![forbid(unsafe_code)]
// A program to be looked at.
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
mod store;
mod table;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The figures Tamis promises, measured.
#[derive(Parser)]
#[command(name = "cargo xtask bench", arg_required_else_help = true)]
struct Args {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// Reading class files and digesting them, one thread.
    Reader {
        /// How often each is measured.
        #[arg(long, default_value_t = 15)]
        runs: usize,
        /// Only what has this in its name.
        #[arg(long)]
        only: Option<String>,
    },
    /// Loading 10,000 classes with and without an index, and 100,000.
    Snapshot {
        /// How often each is measured.
        #[arg(long, default_value_t = 15)]
        runs: usize,
        /// Leave out the 100,000.
        #[arg(long)]
        small: bool,
    },
    /// `tamis diff` of two releases of a library.
    Diff {
        /// How often each is measured.
        #[arg(long, default_value_t = 25)]
        runs: usize,
    },
    /// The traces of 5,000 test classes: loading, deciding, size on disk.
    Store {
        /// How often each is measured.
        #[arg(long, default_value_t = 15)]
        runs: usize,
    },
    /// What recording costs: a suite of 5,000 tests with and without, start-up, rewriting, boundaries.
    Agent {
        /// How often the suite is run each way.
        #[arg(long, default_value_t = 5)]
        runs: usize,
        /// With which JDKs.
        #[arg(long, value_delimiter = ',', default_value = "17,25")]
        jdks: Vec<u32>,
        /// Leave out the suite.
        #[arg(long)]
        small: bool,
    },
    /// `tamis test` beside `mvn`: the first run, and one with nothing changed.
    Line {
        /// How often each is run.
        #[arg(long, default_value_t = 5)]
        runs: usize,
        /// A Maven project that compiles offline; without it, the demo's. Its `.tamis` is made anew.
        #[arg(long)]
        project: Option<PathBuf>,
        /// Handed on to Maven.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// `tamis test` beside `mvn test` over the last commits of a project, with and without recording; counts misses.
    #[command(after_help = "Example: cargo xtask bench history -- --project ../jsoup --commits 15")]
    History {
        /// A clone of a Maven project that compiles offline at each of the commits. It is only read.
        #[arg(long)]
        project: PathBuf,
        /// How many commits, the last one being the one that is checked out.
        #[arg(long, default_value_t = 15)]
        commits: usize,
        /// Handed on to Maven.
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
