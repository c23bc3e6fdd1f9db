//! `tamis demo`: a small project with five edits; after each one, the tests that run and why.

use super::say;
use crate::args::GlobalArgs;
use crate::error::CommandError;
use anstyle::Style;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use tamis_report::words;

include!(concat!(env!("OUT_DIR"), "/demo.rs"));

/// One edit: its title, the file, the expected selection, the text to replace and its replacement.
struct DemoEdit<'t> {
    title: &'t str,
    file: &'t str,
    expect: &'t str,
    find: &'t str,
    replace: &'t str,
}

impl<'t> DemoEdit<'t> {
    /// Parses headers, then `--- find` and `--- replace`.
    fn parse(text: &'t str) -> Option<DemoEdit<'t>> {
        let (head, rest) = text.split_once("--- find\n")?;
        let (find, replace) = rest.split_once("--- replace\n")?;
        let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        Some(DemoEdit {
            title: header("title:")?,
            file: header("file:")?,
            expect: header("expect:")?,
            find,
            replace,
        })
    }
}

pub(super) fn demo(directory: Option<PathBuf>, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let failed = CommandError::Demo;
    let temporary;
    let project = match &directory {
        Some(directory) => {
            if fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some()) {
                return Err(CommandError::DemoDirectory(directory.clone()));
            }
            directory.clone()
        }
        None => {
            temporary = tempfile::tempdir().map_err(failed)?;
            temporary.path().join("shop")
        }
    };
    for (name, content) in PROJECT {
        let file = project.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&project))
            .and_then(|()| fs::write(&file, content))
            .map_err(failed)?;
    }
    let demo = DemoProject { project: &project, quiet: global.quiet };
    demo.say(&words::introduction(PROJECT.len()))?;
    // The first build may have to fetch plugins and libraries.
    demo.test(false)?;
    demo.say(words::AGAIN)?;
    demo.test(true)?;
    for text in EDITS {
        let Some(edit) = DemoEdit::parse(text) else { continue };
        let file = project.join(edit.file);
        let before = fs::read_to_string(&file).map_err(failed)?;
        if !before.contains(edit.find) {
            return Err(CommandError::DemoEdit(edit.file.to_owned()));
        }
        // Some build tools compare time stamps of whole seconds.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        fs::write(&file, before.replace(edit.find, edit.replace)).map_err(failed)?;
        demo.say(&words::edit(edit.title, edit.file))?;
        demo.show_edit(&edit)?;
        demo.test(true)?;
        demo.tamis(&["explain", "--run", "--quiet"])?;
        demo.note(edit.expect)?;
    }
    if let Some(directory) = &directory {
        demo.say(&words::project_stays(directory))?;
    }
    Ok(ExitCode::SUCCESS)
}

struct DemoProject<'p> {
    project: &'p Path,
    quiet: bool,
}

impl DemoProject<'_> {
    fn say(&self, text: &str) -> Result<(), CommandError> {
        if self.quiet {
            return Ok(());
        }
        let bold = Style::new().bold();
        Ok(writeln!(anstream::stdout(), "\n{bold}# {text}{bold:#}")?)
    }

    fn note(&self, text: &str) -> Result<(), CommandError> {
        let dim = Style::new().dimmed();
        Ok(writeln!(anstream::stdout(), "{dim}{text}{dim:#}")?)
    }

    fn show_edit(&self, edit: &DemoEdit<'_>) -> Result<(), CommandError> {
        let mut out = anstream::stdout();
        let (red, green) = (anstyle::AnsiColor::Red.on_default(), anstyle::AnsiColor::Green.on_default());
        for line in edit.find.lines() {
            writeln!(out, "{red}- {line}{red:#}")?;
        }
        for line in edit.replace.lines() {
            writeln!(out, "{green}+ {line}{green:#}")?;
        }
        Ok(())
    }

    /// Runs `tamis test` on the project. Only its summary is shown, unless it fails.
    fn test(&self, offline: bool) -> Result<(), CommandError> {
        let start = Instant::now();
        let mut arguments = vec!["test", "--", "-B", "-q"];
        if offline {
            arguments.push("-o");
        }
        self.note(&format!("$ tamis {}", arguments.join(" ")))?;
        self.tamis(&arguments)?;
        say(&format!("         {}", words::duration(start.elapsed().as_secs_f64())));
        Ok(())
    }

    fn tamis(&self, arguments: &[&str]) -> Result<(), CommandError> {
        let own = std::env::current_exe().map_err(CommandError::Start)?;
        let status = Command::new(own)
            .args(arguments)
            .current_dir(self.project)
            .stdin(Stdio::null())
            .status()
            .map_err(CommandError::Start)?;
        if status.success() { Ok(()) } else { Err(CommandError::DemoCommand(arguments.join(" "), status)) }
    }
}

#[cfg(test)]
mod tests {
    use super::{DemoEdit, EDITS, PROJECT};

    #[test]
    fn every_edit_fits_the_project() {
        assert_eq!(EDITS.len(), 5);
        for text in EDITS {
            let edit = DemoEdit::parse(text).unwrap();
            let (_, content) = PROJECT.iter().find(|(name, _)| *name == edit.file).unwrap();
            assert_eq!(content.matches(edit.find).count(), 1, "{}", edit.title);
            assert_ne!(edit.find, edit.replace);
        }
    }
}
