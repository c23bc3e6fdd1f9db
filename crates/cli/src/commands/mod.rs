//! One file a command: from arguments to an operation to a report. Thin.

mod build;
mod choosing;
mod diff;
mod live;
mod observe;
mod select;

use crate::args::{Cli, Command};
use crate::error::Error;
use clap::CommandFactory;
use std::io::Write;
use std::process::ExitCode;

pub(crate) fn run(cli: Cli) -> Result<ExitCode, Error> {
    let Cli { command, global } = cli;
    match command {
        Command::Diff(args) => diff::run(&args, &global),
        Command::Test { choosing, arguments } => build::test(&choosing, &arguments, &global),
        Command::Run { observe: true, skip, command, .. } => observe::observe(&skip, &command, &global),
        Command::Run { choosing, command, .. } => build::run(&choosing, &command, &global),
        Command::Select { choosing } => select::select(&choosing, &global),
        Command::Explain { .. }
        | Command::Affected { .. }
        | Command::Cache { .. }
        | Command::Doctor { .. }
        | Command::Demo { .. } => Err(Error::Failed("not there yet".to_owned())),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "tamis", &mut script);
            std::io::stdout().write_all(&script)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            std::io::stdout().write_all(&page)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// One line to standard error. That it cannot be written is nothing we could say anywhere.
pub(crate) fn say(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
