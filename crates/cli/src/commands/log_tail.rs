//! The steps of a build, and the errors before its end, read from its log while it grows.
//!
//! Failures of tests are not read here: the agent reports them, whatever the build prints.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tamis_catalog::builds::{gradle, maven};

/// How much is read at a time.
const CHUNK: u64 = 1 << 20;

/// The end of a growing log.
pub(super) struct LogTail {
    path: PathBuf,
    file: Option<File>,
    rest: Vec<u8>,
    phase: String,
    /// The module of the present step, and whether there was another one before.
    module: Option<String>,
    has_modules: bool,
    is_testing: bool,
    is_over: bool,
}

impl LogTail {
    pub(super) fn new(path: &Path) -> LogTail {
        LogTail {
            path: path.to_owned(),
            file: None,
            rest: Vec::new(),
            phase: "starting".to_owned(),
            module: None,
            has_modules: false,
            is_testing: false,
            is_over: false,
        }
    }

    /// `compile`, or `core: compile` in a build with several modules.
    pub(super) fn phase(&self) -> String {
        match &self.module {
            Some(module) if self.has_modules => format!("{module}: {}", self.phase),
            _ => self.phase.clone(),
        }
    }

    /// The new lines with errors that are not about tests.
    pub(super) fn errors(&mut self) -> Vec<String> {
        if self.file.is_none() {
            self.file = File::open(&self.path).ok();
        }
        let Some(file) = &mut self.file else { return Vec::new() };
        // If the log cannot be read, no error is shown; the build goes on.
        let _ = file.take(CHUNK).read_to_end(&mut self.rest);
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let lines: Vec<u8> = self.rest.drain(..=end).collect();
        String::from_utf8_lossy(&lines).lines().filter_map(|line| self.error(line)).collect()
    }

    fn error(&mut self, line: &str) -> Option<String> {
        let plain = maven::without_colours(line);
        if let Some(announced) = maven::announced_goal(&plain) {
            self.phase = announced.goal.to_owned();
            self.is_testing = announced.runs_tests();
            let module = announced.module.map(str::to_owned);
            self.has_modules |= self.module.is_some() && self.module != module;
            self.module = module;
            return None;
        }
        if let Some(task) = gradle::announced_task(&plain) {
            self.phase = task.to_owned();
            return None;
        }
        self.is_over |= maven::is_end(&plain);
        let is_shown = maven::is_error(&plain) && !self.is_testing && !self.is_over;
        is_shown.then(|| plain.trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::LogTail;

    #[test]
    fn errors_are_shown_once_and_those_of_tests_not_at_all() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let log = "[INFO] --- compiler:3:compile (x) @ core ---\n[\x1b[1;31mERROR\x1b[m] A.java:[1,2] ';' expected\n\
                   [INFO] --- surefire:3:test (x) @ app ---\n[ERROR] Tests run: 1, Failures: 1\n\
                   [INFO] --- jar:3:jar (x) @ app ---\n[INFO] BUILD FAILURE\n[ERROR] -> [Help 1]\n[ERROR] un";
        std::fs::write(file.path(), log).unwrap();
        let mut tail = LogTail::new(file.path());
        assert_eq!(tail.errors(), ["[ERROR] A.java:[1,2] ';' expected"]);
        assert_eq!(tail.phase(), "app: jar");
        assert!(tail.errors().is_empty());
    }
}
