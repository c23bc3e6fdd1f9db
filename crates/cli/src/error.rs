//! Errors before a build is started, and their exit codes.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};
use tamis_audit::AuditError;
use tamis_project::build::BuildError;
use tamis_session::SessionError;
use tamis_store::traces::StoreError;

/// An error that ends the command: one line, with advice.
#[derive(Debug)]
pub enum CommandError {
    /// `--skip` without a class.
    SkipWithoutClass,
    /// An operator that `--operator` does not know.
    UnknownOperator {
        /// The name.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// No test has this name; and whether any is known.
    UnknownTest(String, bool),
    /// No class, method or file has this name.
    UnknownSubject(String),
    /// No build of a known kind.
    NoBuild(BuildError),
    /// No build of a known kind, and no command to audit.
    NothingToRerun(BuildError),
    /// The directory of the demo has files.
    DemoDirectory(PathBuf),
    /// `tamis.toml` has an error.
    Config(ConfigError),
    /// Nothing is recorded yet; in this store.
    NothingRecorded(Option<PathBuf>),
    /// An audited build ran no test.
    NothingAudited(ExitStatus),
    /// The current directory does not exist.
    NoDirectory(io::Error),
    /// The log of the build cannot be written.
    Log(PathBuf, io::Error),
    /// The example of `tamis.toml` cannot be written.
    Init(PathBuf, io::Error),
    /// No run has left this document, or it cannot be read.
    NoRun(PathBuf, Option<io::Error>),
    /// The page cannot be written.
    Page(PathBuf, io::Error),
    /// A folder cannot be removed.
    Remove(PathBuf, io::Error),
    /// `tamis record` without a run that was put off.
    NothingPutOff,
    /// The demo cannot be set up.
    Demo(io::Error),
    /// An edit of the demo does not fit its file.
    DemoEdit(String),
    /// A command of the demo failed.
    DemoCommand(String, ExitStatus),
    /// Tamis cannot start itself.
    Start(io::Error),
    /// The store cannot be used.
    Store(StoreError),
    /// A run or a comparison does not start.
    Session(SessionError),
    /// An audit ended.
    Audit(AuditError),
    /// The output cannot be written.
    Output(io::Error),
    /// The reader of the output stopped reading.
    OutputClosed,
}

/// An error in `tamis.toml`: its path, and what is wrong.
#[derive(Debug)]
pub enum ConfigError {
    /// A value that no option has.
    Value(String, String),
    /// A name that no option has.
    Name(String, String),
    /// A rule without name or reason.
    Rule(String, String),
    /// Larger than any list of options.
    TooLarge(String),
    /// It cannot be read.
    Read(String, io::Error),
    /// It is not TOML.
    Syntax(String, String),
}

impl CommandError {
    /// 2 for bad usage, 3 for an error of this machine or of Tamis.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            CommandError::SkipWithoutClass
            | CommandError::UnknownOperator { .. }
            | CommandError::UnknownTest(..)
            | CommandError::UnknownSubject(_)
            | CommandError::NoBuild(_)
            | CommandError::NothingToRerun(_)
            | CommandError::DemoDirectory(_)
            | CommandError::Init(..)
            | CommandError::NothingPutOff
            | CommandError::Config(_) => ExitCode::from(2),
            CommandError::Session(error) if error.is_usage() => ExitCode::from(2),
            CommandError::Audit(error) if error.is_usage() => ExitCode::from(2),
            CommandError::NothingRecorded(_)
            | CommandError::NothingAudited(_)
            | CommandError::NoDirectory(_)
            | CommandError::Log(..)
            | CommandError::Remove(..)
            | CommandError::NoRun(..)
            | CommandError::Page(..)
            | CommandError::Demo(_)
            | CommandError::DemoEdit(_)
            | CommandError::DemoCommand(..)
            | CommandError::Start(_)
            | CommandError::Store(_)
            | CommandError::Session(_)
            | CommandError::Audit(_)
            | CommandError::Output(_) => ExitCode::from(3),
            CommandError::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::SkipWithoutClass => f.write_str(
                "--skip names no class; example: --skip org.x.ParserTest, or --skip 'org.x.ParserTest#flatten' for one test",
            ),
            CommandError::UnknownOperator { name, known } => {
                write!(f, "--operator {name}: no such operator; known operators: {}", known.join(", "))
            }
            CommandError::UnknownTest(name, true) => {
                write!(f, "{name}: no such test is known; `tamis select` lists the known tests")
            }
            CommandError::UnknownTest(name, false) => {
                write!(f, "{name}: nothing recorded yet; run `tamis test` first")
            }
            CommandError::UnknownSubject(name) => {
                write!(f, "no class, method or file of this project is called {name}")
            }
            CommandError::NoBuild(error) => write!(f, "{error}"),
            CommandError::NothingToRerun(error) => {
                write!(f, "{error}; or name a command: tamis audit --rerun -- COMMAND")
            }
            CommandError::DemoDirectory(directory) => {
                write!(f, "{} is not empty; name a new directory", directory.display())
            }
            CommandError::Config(error) => write!(f, "{error}"),
            CommandError::NothingRecorded(None) => {
                f.write_str("nothing recorded yet; run `tamis test` first")
            }
            CommandError::NothingRecorded(Some(store)) => {
                write!(f, "{}: nothing recorded yet; run `tamis test` first", store.display())
            }
            CommandError::NothingPutOff => {
                f.write_str("no run was put off; `tamis test --record later` puts one off")
            }
            CommandError::NothingAudited(status) => {
                write!(f, "nothing was audited: the build ran no test ({status}); does it pass without tamis?")
            }
            CommandError::NoDirectory(error) => write!(f, "the current directory does not exist: {error}"),
            CommandError::Log(path, error) => {
                write!(f, "cannot write {}: {error}; name another --store", path.display())
            }
            CommandError::Remove(path, error) => write!(f, "cannot remove {}: {error}", path.display()),
            CommandError::NoRun(path, Some(error)) => {
                write!(f, "{}: {error}; run `tamis test` first", path.display())
            }
            CommandError::NoRun(path, None) => write!(f, "{}: not the run.json of a run", path.display()),
            CommandError::Page(path, error) => write!(f, "{}: {error}", path.display()),
            CommandError::Init(path, error) => write!(f, "{}: {error}", path.display()),
            CommandError::Demo(error) => write!(f, "cannot set up the demo: {error}"),
            CommandError::DemoEdit(file) => write!(f, "the demo's edit of {file} does not fit"),
            CommandError::DemoCommand(command, status) => write!(
                f,
                "tamis {command} failed in the demo: {status}; is Maven on the PATH, and the network reachable for the first run?"
            ),
            CommandError::Start(error) => write!(f, "cannot start tamis: {error}"),
            CommandError::Store(error) => write!(f, "{error}"),
            CommandError::Session(error) => write!(f, "{error}"),
            CommandError::Audit(error) => write!(f, "{error}"),
            CommandError::Output(error) => write!(f, "cannot write the output: {error}"),
            CommandError::OutputClosed => f.write_str("output closed"),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Value(path, name) => {
                write!(f, "{path}: {name} must be a text, a number, true or false")
            }
            ConfigError::Name(path, name) => {
                write!(f, "{path}: unknown option {name}; see `tamis test --help`")
            }
            ConfigError::Rule(path, table) => {
                write!(
                    f,
                    "{path}: {table} must be a list of {{ name = \"…\", why = \"…\" }}; see `tamis init`"
                )
            }
            ConfigError::TooLarge(path) => write!(f, "{path}: too large to be a list of options"),
            ConfigError::Read(path, error) => write!(f, "{path}: {error}"),
            ConfigError::Syntax(path, message) => write!(f, "{path}: {message}"),
        }
    }
}

impl std::error::Error for CommandError {}

impl std::error::Error for ConfigError {}

impl From<ConfigError> for CommandError {
    fn from(error: ConfigError) -> CommandError {
        CommandError::Config(error)
    }
}

impl From<SessionError> for CommandError {
    fn from(error: SessionError) -> CommandError {
        CommandError::Session(error)
    }
}

impl From<AuditError> for CommandError {
    fn from(error: AuditError) -> CommandError {
        CommandError::Audit(error)
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> CommandError {
        CommandError::Store(error)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CommandError::OutputClosed,
            _ => CommandError::Output(error),
        }
    }
}
