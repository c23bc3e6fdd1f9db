//! Answers about the machine: processors, memory, host names.

use std::fs;
use std::net::{IpAddr, ToSocketAddrs};
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
        _ => match what.strip_prefix("name ") {
            Some(name) => addresses(name),
            None => return None,
        },
    };
    Some(Digest::of(text.as_bytes()))
}

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
