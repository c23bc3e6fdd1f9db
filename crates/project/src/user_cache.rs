//! Files of Tamis in the user's cache folder, which other programs load: named after their content, never rewritten.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The user's cache folder.
pub fn folder() -> PathBuf {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("XDG_CACHE_HOME")
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(env::temp_dir)
}

/// Writes a file unless it exists with this length. Another program sees all of it or nothing.
pub fn write_once(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(file).is_ok_and(|metadata| metadata.len() == bytes.len() as u64) {
        return Ok(());
    }
    let folder = file.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    let name = file.file_name().unwrap_or_default();
    let temporary = folder.join(format!(".{}.{}", std::process::id(), name.display()));
    let write = || {
        let mut out = fs::File::create(&temporary)?;
        out.write_all(bytes)?;
        out.sync_all()
    };
    write().and_then(|()| fs::rename(&temporary, file))
}
