//! The private directory of a gate, and its files with secrets.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use super::SECRET;

/// Creates the directory. If it exists, it is closed to other users.
pub(super) fn make(room: &Path) -> io::Result<()> {
    fs::create_dir_all(room)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(room, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Writes a file that only we can read. A file of an earlier run is replaced, a link is not followed.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)?.write_all(content)
}

pub(super) fn secret() -> io::Result<[u8; SECRET]> {
    let mut secret = [0; SECRET];
    File::open("/dev/urandom")?.read_exact(&mut secret)?;
    Ok(secret)
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Takes the same time wherever they differ.
pub(super) fn equal(a: &[u8; SECRET], b: &[u8; SECRET]) -> bool {
    std::hint::black_box(a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b))) == 0
}
