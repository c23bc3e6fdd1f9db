//! One file a command: from arguments to an operation to a report. Thin.

mod diff;
mod run;

use crate::args::{Cli, Command};
use crate::error::Error;
use clap::CommandFactory;
use std::io::Write;
use std::process::ExitCode;

pub(crate) fn run(cli: Cli) -> Result<ExitCode, Error> {
    let Cli { command, global } = cli;
    match command {
        Command::Diff(args) => diff::run(&args, &global),
        Command::Run { skip, command } => run::run(&skip, &command, &global),
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
