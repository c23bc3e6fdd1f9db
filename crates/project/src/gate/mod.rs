//! Answers a build that asks, before it starts a test JVM, whether there is anything to run in it.
//!
//! The one who asks is a small Maven extension (`crates/project/java`), given on the command line as a jar. What is
//! decided, and from what, is the caller's business. A build that gets no answer runs its tests.

mod question;
mod secret_file;
mod serve;

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub use question::GateRequest;

/// The extension, compiled. `tests/gate/jar.rs` compares it with its source and says how to renew it.
const JAR: &[u8] = include_bytes!("../../java/gate.jar");

/// How many bytes a secret has.
const SECRET: usize = 32;

/// A place where builds can ask. It lasts as long as its files do; remove the room afterwards.
#[derive(Debug)]
pub struct Gate {
    listener: TcpListener,
    jar: PathBuf,
    file: PathBuf,
    /// What who asks must show.
    theirs: [u8; SECRET],
    /// What the answer "nothing to run" is: a program that came by our port after us cannot give it.
    ours: [u8; SECRET],
}

impl Gate {
    /// Opens a gate on this machine's loopback address, and writes into this directory what a build needs to find it.
    /// The directory is made if it is not there, and from then on only its owner can enter it.
    pub fn open(room: &Path) -> io::Result<Gate> {
        secret_file::make(room)?;
        let gate = Gate {
            listener: TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?,
            jar: fs::canonicalize(room)?.join("gate.jar"),
            file: fs::canonicalize(room)?.join("gate"),
            theirs: secret_file::secret()?,
            ours: secret_file::secret()?,
        };
        secret_file::write(&gate.jar, JAR)?;
        let port = gate.listener.local_addr()?.port();
        let (theirs, ours) = (secret_file::hex(&gate.theirs), secret_file::hex(&gate.ours));
        secret_file::write(&gate.file, format!("tamis-gate 1\n{port}\n{theirs}\n{ours}\n").as_bytes())?;
        Ok(gate)
    }

    /// The extension that asks.
    pub fn jar(&self) -> &Path {
        &self.jar
    }

    /// Where the extension finds us: port and secrets. Its name may stand on a command line; what is in it may not.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Answers until `ended` is set. `decide` says whether an execution has nothing to run; it is called from several
    /// threads, and if it panics, the tests run.
    pub fn serve(&self, decide: impl Fn(GateRequest) -> bool + Sync, ended: &AtomicBool) {
        serve::serve(self, &decide, ended);
    }
}
