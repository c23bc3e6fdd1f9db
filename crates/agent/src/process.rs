//! The process of the JVM: its command line, its ancestors, the options in its environment.

use std::fs;
use tamis_catalog::environment::JVM_OPTIONS;

/// Limit on ancestors; the chain ends at process 1 long before.
const GENERATIONS: usize = 64;

/// The parent, its parent, and so on.
pub(crate) fn ancestors() -> Vec<u32> {
    let mut found = Vec::new();
    let mut process = std::process::id();
    while let Some(parent) = parent(process).filter(|parent| *parent > 0 && found.len() < GENERATIONS) {
        found.push(parent);
        process = parent;
    }
    found
}

/// The fourth word of `/proc/N/stat`; the second is the program in parentheses and may hold anything.
fn parent(process: u32) -> Option<u32> {
    let stat = fs::read(format!("/proc/{process}/stat")).ok()?;
    let after = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = String::from_utf8_lossy(stat.get(after + 1..)?).into_owned();
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The arguments that the process was started with.
pub(crate) fn command_line() -> Vec<String> {
    let bytes = fs::read("/proc/self/cmdline").unwrap_or_default();
    let mut arguments: Vec<String> = bytes
        .split(|byte| *byte == 0)
        .map(|argument| String::from_utf8_lossy(argument).into_owned())
        .collect();
    // Each ends in a NUL, the last one too.
    arguments.pop();
    arguments
}

/// The variables with options for JVMs that are set.
pub(crate) fn options() -> Vec<(String, String)> {
    let value = |name: &str| Some((name.to_owned(), std::env::var_os(name)?.to_string_lossy().into_owned()));
    JVM_OPTIONS.exact.iter().copied().filter_map(value).collect()
}
