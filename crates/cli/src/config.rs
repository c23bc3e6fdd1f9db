//! `tamis.toml`: default options of a project. The command line and `TAMIS_…` come before it.

use crate::error::ConfigError;
use crate::rules;
use clap::Command;
use std::path::Path;

/// The largest file that is read.
const LARGEST: u64 = 1 << 20;

/// Options that cannot be set there: they are for one call.
const ONCE: [&str; 7] = ["help", "version", "observe", "skip", "run", "run_file", "facts"];

/// Makes the values of `tamis.toml` the defaults of every command that has the option. The nearest file counts, up to the
/// repository's root.
pub(crate) fn apply(command: Command, directory: &Path) -> Result<Command, ConfigError> {
    let Some((path, table)) = read(directory)? else { return Ok(command) };
    let mut command = command;
    for (name, value) in table {
        if rules::TABLES.contains(&name.as_str()) {
            continue;
        }
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Boolean(value) => value.to_string(),
            toml::Value::Integer(value) => value.to_string(),
            _ => return Err(ConfigError::Value(path, name)),
        };
        let id = name.replace('-', "_");
        if ONCE.contains(&id.as_str()) || !knows(&command, &id) {
            return Err(ConfigError::Name(path, name));
        }
        // A default is part of the command's definition, which lives as long as the process.
        let text: &'static str = Box::leak(text.into_boxed_str());
        command = with_default(command, &id, text);
    }
    Ok(command)
}

pub(crate) fn read(directory: &Path) -> Result<Option<(String, toml::Table)>, ConfigError> {
    for folder in directory.ancestors() {
        let path = folder.join("tamis.toml");
        if path.is_file() {
            let shown = path.display().to_string();
            if std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() > LARGEST) {
                return Err(ConfigError::TooLarge(shown));
            }
            let text =
                std::fs::read_to_string(&path).map_err(|error| ConfigError::Read(shown.clone(), error))?;
            let table = text
                .parse::<toml::Table>()
                .map_err(|error| ConfigError::Syntax(shown.clone(), error.message().to_owned()))?;
            return Ok(Some((shown, table)));
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    Ok(None)
}

fn knows(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_id() == id)
        || command.get_subcommands().any(|inner| knows(inner, id))
}

fn with_default(mut command: Command, id: &str, text: &'static str) -> Command {
    if command.get_arguments().any(|argument| argument.get_id() == id) {
        command = command.mut_arg(id, |argument| argument.default_value(text));
    }
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, |inner| with_default(inner, id, text));
    }
    command
}
