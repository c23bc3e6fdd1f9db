//! Runs a program to its end, with a time limit, and captures its output.
//!
//! It knows nothing about the program, except which environment variables change the behaviour of a JVM.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::jdk::Jdk;

/// Long enough for a program that starts a JVM and does little else.
pub const SHORT: Duration = Duration::from_secs(60);

/// The result of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Its output on stdout.
    pub stdout: String,
    /// Its output on stderr.
    pub stderr: String,
}

impl Output {
    /// Whether the exit code is 0.
    pub fn success(&self) -> bool {
        self.code == Some(0)
    }
}

/// Runs `java` of this JDK with these arguments, for at most `timeout`.
pub fn java(jdk: &Jdk, args: &[&str], timeout: Duration) -> Result<Output, String> {
    run(jdk.java().args(args), timeout)
}

/// Runs a command without input. After `timeout` it is killed, which is an error.
pub fn run(command: &mut Command, timeout: Duration) -> Result<Output, String> {
    let name = command.get_program().display().to_string();
    finish(command, timeout).map_err(|e| format!("{name}: {e}"))
}

/// Removes the shell's settings for all JVMs, and fixes the locale: a JVM's file names and messages depend on
/// it.
pub fn forget_java_settings(command: &mut Command) {
    for key in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "CLASSPATH"] {
        command.env_remove(key);
    }
    command.env("LC_ALL", "C.UTF-8");
}

fn finish(command: &mut Command, timeout: Duration) -> io::Result<Output> {
    // Files instead of pipes: a grandchild that outlives its parent would keep a pipe open and block the
    // reader.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let mut child = command.spawn()?;
    let status = wait(&mut child, timeout)?;
    let (stdout, stderr) = (text(&mut stdout)?, text(&mut stderr)?);
    match status {
        Some(status) => Ok(Output { code: status.code(), stdout, stderr }),
        None => Err(io::Error::new(
            io::ErrorKind::TimedOut,
            format!("killed after {} s\n{stdout}{stderr}", timeout.as_secs_f32()),
        )),
    }
}

/// `None` if the time expired and the child was killed.
fn wait(child: &mut Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + timeout;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn text(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str, timeout: Duration) -> Result<Output, String> {
        run(Command::new("sh").args(["-c", script]), timeout)
    }

    #[test]
    fn both_streams_and_the_exit_code_are_kept_apart() {
        let out = sh("echo out; echo err >&2; exit 7", SHORT).unwrap();
        assert_eq!(out, Output { code: Some(7), stdout: "out\n".into(), stderr: "err\n".into() });
        assert!(!out.success());
    }

    #[test]
    fn a_program_that_does_not_end_is_killed_and_its_output_reported() {
        let error = sh("echo started; exec sleep 600", Duration::from_millis(200)).unwrap_err();
        assert!(error.contains("killed after 0.2 s") && error.contains("started"), "{error}");
    }

    #[test]
    fn a_surviving_grandchild_does_not_block_the_caller() {
        let started = Instant::now();
        sh("sleep 5 & exit 0", SHORT).unwrap();
        assert!(started.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn the_error_for_a_missing_program_names_it() {
        assert!(run(&mut Command::new("no-such-program"), SHORT).unwrap_err().contains("no-such-program"));
    }

    #[test]
    fn a_shells_java_settings_do_not_reach_the_jvm() {
        let mut command = Command::new("env");
        command.env("JAVA_TOOL_OPTIONS", "-Dx=1").env("CLASSPATH", "/tmp");
        forget_java_settings(&mut command);
        let out = run(&mut command, SHORT).unwrap();
        assert!(
            !out.stdout.contains("JAVA_TOOL_OPTIONS") && !out.stdout.contains("CLASSPATH"),
            "{}",
            out.stdout
        );
    }
}
