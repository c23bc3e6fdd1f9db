//! The `tamis` command: arguments, orchestration, exit codes.
//!
//! `args` says what can be asked, `commands` translate that, `ops` do it with the other crates. Nothing here knows an
//! opcode or decides whether two things are the same.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod config;
mod error;

pub use error::CommandError;

use clap::{CommandFactory, FromArgMatches};
use std::process::ExitCode;

/// Runs the command line; the exit code is INTERFACE's.
pub fn main() -> ExitCode {
    let here = std::env::current_dir().unwrap_or_default();
    let command = match config::apply(args::Cli::command(), &here) {
        Ok(command) => command,
        Err(error) => {
            commands::say(&format!("tamis: {error}"));
            return ExitCode::from(2);
        }
    };
    let parsed = command.try_get_matches().and_then(|matches| args::Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // clap prints help to stdout with code 0, bad usage to stderr with code 2.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    cli.global.color.apply();
    match commands::run(cli) {
        Ok(code) => code,
        Err(error) => {
            commands::say(&format!("tamis: {error}"));
            error.exit_code()
        }
    }
}
