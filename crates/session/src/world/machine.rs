//! Answers about the machine: processors, memory, host names.

use std::fs;
use std::net::{IpAddr, ToSocketAddrs};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime};
use tamis_program::digest::Digest;
use tamis_select::facts::Answer;

pub(super) fn machine(what: &str) -> Answer {
    let text = match what {
        "processors" => std::thread::available_parallelism().map_or(0, usize::from).to_string(),
        "host" => fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default(),
        "memory" => {
            let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
            text.lines().next().unwrap_or_default().to_owned()
        }
        "limits" => limits(&fs::read_to_string("/proc/self/cgroup").unwrap_or_default()),
        _ => match what.strip_prefix("name ") {
            Some(name) => addresses(name),
            None => return None,
        },
    };
    Some(Digest::of(text.as_bytes()))
}

/// The limits of this process, which are those of the build that it starts: of each of its groups, and of the groups around it.
fn limits(groups: &str) -> String {
    let mut found = String::new();
    for group in groups.lines() {
        // `4:memory:/a/b` in the first version of the kernel's interface, `0::/a/b` in the second.
        let mut fields = group.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let root = Path::new("/sys/fs/cgroup").join(controllers);
        for folder in Path::new(path.trim_start_matches('/')).ancestors() {
            for name in LIMITS {
                found.push_str(&fs::read_to_string(root.join(folder).join(name)).unwrap_or_default());
                found.push(';');
            }
        }
    }
    found
}

/// The files with limits of memory and processors.
const LIMITS: [&str; 9] = [
    "cpu.cfs_period_us",
    "cpu.cfs_quota_us",
    "cpu.max",
    "cpu.shares",
    "cpu.weight",
    "cpuset.cpus",
    "memory.limit_in_bytes",
    "memory.max",
    "memory.swap.max",
];

/// The addresses of a host name now. An answer that takes too long is unknown, which never equals another
/// answer.
fn addresses(name: &str) -> String {
    let (to, from) = mpsc::channel();
    let host = (name.to_owned(), 0);
    thread::spawn(move || {
        // In the given order: many programs use the first address.
        let found: Vec<IpAddr> =
            host.to_socket_addrs().into_iter().flatten().map(|address| address.ip()).collect();
        let _ = to.send(format!("{found:?}"));
    });
    let unknown = |_| format!("{:?}", SystemTime::now());
    from.recv_timeout(NAME_TIME).unwrap_or_else(unknown)
}

/// Time limit for resolving a name.
const NAME_TIME: Duration = Duration::from_secs(2);
