//! Detects whether a directory is on a network file system.
//!
//! SQLite's write-ahead log shares memory between processes. On a network file system it seems to work, but
//! loses data if two machines write. Linux lists the mounts; on other systems SQLite's own check must be
//! enough.

use std::fs;
use std::path::Path;

/// File systems that several machines can write.
const SHARED: &[&str] = &[
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "lustre",
    "gpfs",
    "ocfs2",
    "gfs2",
    "glusterfs",
    "vboxsf",
    "vmhgfs",
    "drvfs",
    "virtiofs",
    "davfs",
    "ncpfs",
    "beegfs",
    "orangefs",
];

/// Whether `directory`, which must exist, is on such a file system.
pub(super) fn is_shared(directory: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    fs::canonicalize(directory).is_ok_and(|directory| shared_in(&mounts, &directory))
}

fn shared_in(mounts: &str, directory: &Path) -> bool {
    // The longest mount point that contains the directory. Of two mounts at one place, the later hides the
    // earlier.
    let holding = mounts.lines().filter_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let point = left.split(' ').nth(4)?.replace("\\040", " ");
        directory.starts_with(&point).then_some((point.len(), right.split(' ').next()?))
    });
    let Some((_, kind)) = holding.max_by_key(|(length, _)| *length) else { return false };
    // The file system behind a FUSE mount (`fuse.sshfs`) is not known; most are remote.
    kind.starts_with("fuse.") || SHARED.contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::shared_in;
    use std::path::Path;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:5 / /home rw shared:2 - nfs4 server:/home rw
41 40 0:6 / /home/me/my\\040disk rw - ext4 /dev/sdb1 rw
42 22 0:7 / /mnt/far rw - fuse.sshfs me@far:/ rw";

    #[test]
    fn the_innermost_mount_decides() {
        for (path, shared) in [
            ("/srv/project", false),
            ("/home/me/project", true),
            ("/home/me/my disk/project", false),
            ("/mnt/far", true),
            ("/homes", false),
        ] {
            assert_eq!(shared_in(MOUNTS, Path::new(path)), shared, "{path}");
        }
    }

    #[test]
    fn unknown_mounts_are_not_shared() {
        assert!(!shared_in("", Path::new("/")));
        assert!(!shared_in("a b - c\n\n - ", Path::new("/")));
    }
}
