//! The headings of `tamis demo`.

use std::path::Path;

/// The second run.
pub const AGAIN: &str = "Again, with nothing changed.";

/// The first run.
pub fn introduction(files: usize) -> String {
    format!("A shop of two Maven modules, {files} files. First, all its tests: nothing is recorded yet.")
}

/// An edit.
pub fn edit(title: &str, file: &str) -> String {
    format!("An edit: {title}, in {file}.")
}

/// The end of a demo whose project stays.
pub fn project_stays(directory: &Path) -> String {
    format!("The project is yours: cd {} && tamis test", directory.display())
}

/// The duration of a run.
pub fn duration(seconds: f64) -> String {
    format!("{seconds:.1} s in all")
}
