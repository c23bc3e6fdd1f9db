//! The commands, one file each: from arguments to an operation to a document.

mod affected;
mod audit;
mod audit_progress;
mod build;
mod cache;
mod ci;
mod demo;
mod diff;
mod doctor;
mod explain;
mod import;
mod init;
mod live;
mod log_tail;
mod observe;
mod options;
mod record;
mod report;
mod select;

use crate::args::{Cli, Command, GlobalArgs};
use crate::error::CommandError;
use clap::CommandFactory;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use tamis_report::{Document, Format};

pub(crate) fn run(cli: Cli) -> Result<ExitCode, CommandError> {
    let Cli { command, global } = cli;
    match command {
        Command::Diff(args) => diff::run(&args, &global),
        Command::Test { choosing, arguments } => build::test(&choosing, &arguments, &global),
        Command::Run { observe: true, choosing, skip, command } => {
            observe::observe(&choosing, &skip, &command, &global)
        }
        Command::Run { choosing, command, .. } => build::run(&choosing, &command, &global),
        Command::Select { choosing } => select::select(&choosing, &global),
        Command::Explain { choosing, run, facts, tests } => {
            explain::explain(&choosing, &explain::ExplainQuery { tests: &tests, run, facts }, &global)
        }
        Command::Affected { choosing, what } => affected::affected(&choosing, &what, &global),
        Command::Audit(args) => audit::audit(&args, &global),
        Command::Record { choosing } => record::record(&choosing, &global),
        Command::Import { choosing, reports } => import::import(&choosing, &reports, &global),
        Command::Cache { choosing, action } => cache::cache(&choosing, action, &global),
        Command::Doctor { choosing } => doctor::doctor(&choosing, &global),
        Command::Report { choosing, report } => report::report(&choosing, &report),
        Command::Init => init::init(),
        Command::Demo { directory } => demo::demo(directory, &global),
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

/// Prints a document to standard output.
fn print(document: Document<'_>, format: Format, global: &GlobalArgs) -> Result<(), CommandError> {
    let mut out = BufWriter::new(anstream::stdout());
    tamis_report::print(&mut out, document, format, global.layout())?;
    Ok(out.flush()?)
}

/// One line to standard error. If that is closed there is nowhere to report it.
pub(crate) fn say(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
