//! The `tamis` command: arguments, commands, exit codes.
//!
//! `args` has the command line, `commands` call the other crates. Nothing here knows an opcode or decides whether two things
//! are the same.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod config;
mod error;
mod rules;
mod terminal;

pub use error::{CommandError, ConfigError};

use clap::{CommandFactory, FromArgMatches};
use std::process::ExitCode;

/// Runs the command line; docs/interface.md lists the exit codes.
pub fn main() -> ExitCode {
    let here = std::env::current_dir().unwrap_or_default();
    let command = match config::apply(args::Cli::command(), &here) {
        Ok(command) => command,
        Err(error) => {
            let error = CommandError::from(error);
            commands::say(&format!("tamis: {error}"));
            return error.exit_code();
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
    cli.global.color.write_global();
    match commands::run(cli) {
        Ok(code) => code,
        // The reader of our output has what it wanted.
        Err(error @ CommandError::OutputClosed) => error.exit_code(),
        Err(error) => {
            commands::say(&format!("tamis: {error}"));
            error.exit_code()
        }
    }
}
