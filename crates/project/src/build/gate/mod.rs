//! Answers a build that asks, before it starts a test JVM, whether there is anything to run in it.
//!
//! A small Maven extension or Gradle plugin asks (`crates/project/java`). The caller decides. A build that gets
//! no answer runs its tests.

mod answer;
mod question;
mod secret_file;
mod serve;

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub use answer::{GateAnswer, TestJvmOrder};
pub use question::GateRequest;

/// The compiled Maven extension. `tests/gate/jar.rs` compares it with its source, and names the command that
/// updates it.
const JAR: &[u8] = include_bytes!("../../../java/gate.jar");

/// Length of a secret in bytes.
const SECRET: usize = 32;

/// An open gate. It works as long as its files exist; the caller removes the directory afterwards.
#[derive(Debug)]
pub struct Gate {
    listener: TcpListener,
    jar: PathBuf,
    file: PathBuf,
    /// The secret that a request must contain.
    theirs: [u8; SECRET],
    /// The answer "nothing to run". A program that takes over our port later does not know it.
    nothing: [u8; SECRET],
    /// The start of the answer "run", which contains an argument of a JVM.
    run: [u8; SECRET],
}

impl Gate {
    /// Opens a gate on the loopback address, and writes the files that a build needs into this directory. The
    /// directory is created if needed, and only its owner can enter it from then on.
    pub fn open(room: &Path) -> io::Result<Gate> {
        secret_file::make(room)?;
        let gate = Gate {
            listener: TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?,
            jar: fs::canonicalize(room)?.join("gate.jar"),
            file: fs::canonicalize(room)?.join("gate"),
            theirs: secret_file::secret()?,
            nothing: secret_file::secret()?,
            run: secret_file::secret()?,
        };
        secret_file::write(&gate.jar, JAR)?;
        let port = gate.listener.local_addr()?.port();
        let [theirs, nothing, run] =
            [gate.theirs, gate.nothing, gate.run].map(|secret| secret_file::hex(&secret));
        let text = format!("tamis-gate 2\n{port}\n{theirs}\n{nothing}\n{run}\n");
        secret_file::write(&gate.file, text.as_bytes())?;
        Ok(gate)
    }

    /// The jar of the Maven extension.
    pub fn jar(&self) -> &Path {
        &self.jar
    }

    /// The file with port and secrets for the build. Its name may be on a command line, its content may
    /// not.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Answers until `ended` is set. `decide` is called from several threads; if it panics, the tests run.
    pub fn serve(&self, decide: impl Fn(GateRequest) -> GateAnswer + Sync, ended: &AtomicBool) {
        serve::serve(self, &decide, ended);
    }
}
