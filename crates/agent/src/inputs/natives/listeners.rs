//! Finds out who listens on an address: this process, nobody, or somebody else.
//!
//! The kernel's tables name the addresses of this machine and the sockets that listen. A JVM that talks to itself may do so by any
//! of its addresses.

use crate::sync::lock;
use std::collections::HashMap;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;
use std::sync::Mutex;

/// The process that listens on an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listener {
    /// This one.
    Own,
    /// None, of this machine's processes: the address is its loopback address.
    Nobody,
    /// Another one, or unknown.
    Other,
}

/// A socket of this process: its file descriptor's link, and the target of the link while the socket is open.
struct OwnSocket {
    file: PathBuf,
    target: PathBuf,
}

impl OwnSocket {
    fn is_open(&self) -> bool {
        fs::read_link(&self.file).is_ok_and(|target| target == self.target)
    }
}

/// By address, sockets of this process that listen on it: the kernel's tables are long, and tests connect often.
static OWN_SOCKETS: Mutex<Option<HashMap<String, OwnSocket>>> = Mutex::new(None);

/// Limit on remembered sockets.
const MOST: usize = 1024;

/// Who listens on `127.0.0.1:80` or `unix:/path`.
pub(super) fn listener(to: &str) -> Listener {
    let mut known = lock(&OWN_SOCKETS);
    let known = known.get_or_insert_default();
    if known.get(to).is_some_and(OwnSocket::is_open) {
        return Listener::Own;
    }
    let (found, is_loopback) = match to.strip_prefix("unix:") {
        Some(path) => (unix_listeners(&table("unix"), path), true),
        None => match address_and_port(to) {
            Some((address, port)) if is_of_machine(address) => {
                let tables = table("tcp") + &table("tcp6");
                (tcp_listeners(&tables, address, port), address.is_loopback() || address.is_unspecified())
            }
            _ => return Listener::Other,
        },
    };
    if found.is_empty() {
        // By its other addresses the machine may be a router: then some rule sends the connection elsewhere.
        return if is_loopback { Listener::Nobody } else { Listener::Other };
    }
    let Some(own) = own_socket(&found) else { return Listener::Other };
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(to.to_owned(), own);
    Listener::Own
}

/// A table of the kernel's about the network.
fn table(name: &str) -> String {
    fs::read_to_string(format!("/proc/self/net/{name}")).unwrap_or_default()
}

/// The parts of `127.0.0.1:80` or `fe80:0:0:0:0:0:0:1%eth0:80`.
fn address_and_port(to: &str) -> Option<(IpAddr, u16)> {
    let (address, port) = to.rsplit_once(':')?;
    let address = address.split('%').next()?;
    Some((address.parse().ok()?, port.parse().ok()?))
}

/// Whether an address is one of this machine's.
fn is_of_machine(address: IpAddr) -> bool {
    address.is_loopback()
        || address.is_unspecified()
        || match address {
            IpAddr::V4(address) => has_v4(&table("fib_trie"), address),
            IpAddr::V6(address) => has_v6(&table("if_inet6"), address),
        }
}

/// Whether the table of routes has a local address. Its lines are an address, and below it the kinds of routes to it.
fn has_v4(routes: &str, address: Ipv4Addr) -> bool {
    let mut is_it = false;
    for line in routes.lines().map(str::trim) {
        if let Some(found) = line.strip_prefix("|-- ") {
            is_it = found.parse() == Ok(address);
        } else if is_it && line.starts_with("/32 host LOCAL") {
            return true;
        }
    }
    false
}

/// Whether the table of interfaces has an address: each line begins with one.
fn has_v6(interfaces: &str, address: Ipv6Addr) -> bool {
    let digits = format!("{:032x}", u128::from(address));
    interfaces.lines().any(|line| line.split_whitespace().next() == Some(&digits))
}

/// The inodes of the sockets that listen on a port of an address, from the kernel's table. Those of exactly this address come
/// before those of all addresses.
fn tcp_listeners(table: &str, address: IpAddr, port: u16) -> Vec<String> {
    let (mut exact, mut any) = (Vec::new(), Vec::new());
    for line in table.lines() {
        let Some((local, local_port, inode)) = listening(line) else { continue };
        if local_port != port {
            continue;
        }
        if local.is_unspecified() {
            any.push(inode);
        } else if local == address || address.is_unspecified() && local.is_loopback() {
            exact.push(inode);
        }
    }
    if exact.is_empty() { any } else { exact }
}

/// The address, port and inode of a line of a listening socket.
fn listening(line: &str) -> Option<(IpAddr, u16, String)> {
    const LISTEN: &str = "0A";
    let mut columns = line.split_whitespace();
    let (address, port) = columns.nth(1)?.rsplit_once(':')?;
    let state = columns.nth(1)?;
    let inode = columns.nth(5)?;
    let is_listening = state == LISTEN;
    is_listening.then_some(())?;
    Some((address_of(address)?, u16::from_str_radix(port, 16).ok()?, inode.to_owned()))
}

/// An address of the table: words of 32 bits in hexadecimal, each in the order of the machine's bytes.
fn address_of(digits: &str) -> Option<IpAddr> {
    let mut bytes = [0; 16];
    let words = digits.len() / 8;
    for (at, place) in bytes.chunks_exact_mut(4).take(words).enumerate() {
        let word = u32::from_str_radix(digits.get(at * 8..at * 8 + 8)?, 16).ok()?;
        place.copy_from_slice(&word.to_ne_bytes());
    }
    match words {
        1 => Some(IpAddr::from(<[u8; 4]>::try_from(bytes.get(..4)?).ok()?)),
        // An IPv4 address may stand in the table of the newer protocol.
        4 => Some(IpAddr::from(bytes).to_canonical()),
        _ => None,
    }
}

/// The inodes of sockets that are bound to a path.
fn unix_listeners(table: &str, path: &str) -> Vec<String> {
    let bound = |line: &str| {
        let mut columns = line.split_whitespace();
        let inode = columns.nth(6)?;
        (columns.next() == Some(path)).then(|| inode.to_owned())
    };
    table.lines().skip(1).filter_map(bound).collect()
}

/// The first of these sockets that is open in this process.
fn own_socket(inodes: &[String]) -> Option<OwnSocket> {
    let targets: Vec<PathBuf> = inodes.iter().map(|inode| format!("socket:[{inode}]").into()).collect();
    let files = fs::read_dir("/proc/self/fd").ok()?;
    files.flatten().find_map(|file| {
        let target = fs::read_link(file.path()).ok()?;
        targets.contains(&target).then(|| OwnSocket { file: file.path(), target })
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test may stop at the first surprise.
mod tests {
    use super::*;
    use std::net::TcpListener;

    const ROUTES: &str = "
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 192.0.2.0/24 2 0 2
        |-- 192.0.2.0
           /24 link UNICAST
        |-- 192.0.2.2
           /32 host LOCAL
        |-- 192.0.2.255
           /32 link BROADCAST
";

    #[test]
    fn the_machine_has_the_addresses_of_its_interfaces() {
        let is_its = |address: &str| has_v4(ROUTES, address.parse().unwrap());
        assert!(is_its("192.0.2.2"));
        assert!(!is_its("192.0.2.0") && !is_its("192.0.2.255") && !is_its("192.0.2.3") && !is_its("0.0.0.0"));
        let interfaces = "fd000000000000000000000000000002 04 40 00 82     eth0\n";
        assert!(has_v6(interfaces, "fd00::2".parse().unwrap()));
        assert!(!has_v6(interfaces, "fd00::3".parse().unwrap()));
    }

    #[test]
    fn a_socket_of_one_address_comes_before_those_of_all() {
        let line = |address: &str, state: &str, inode: u32| {
            format!(
                "   0: {address} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000 0 0 {inode} 1 0\n"
            )
        };
        let own = "020200C0:1F90"; // 192.0.2.2:8080
        let all = "00000000000000000000000000000000:1F90";
        let mapped = "0000000000000000FFFF00000100007F:1F90"; // ::ffff:127.0.0.1
        let table = line(all, "0A", 1) + &line(own, "0A", 2) + &line(own, "01", 3) + &line(mapped, "0A", 4);
        let found = |to: &str| {
            let (address, port) = address_and_port(to).unwrap();
            tcp_listeners(&table, address, port).join(" ")
        };
        assert_eq!(found("192.0.2.2:8080"), "2");
        assert_eq!(found("127.0.0.1:8080"), "4");
        assert_eq!(found("fe80:0:0:0:0:0:0:1%eth0:8080"), "1");
        assert_eq!(found("192.0.2.2:8081"), "");
    }

    #[test]
    fn a_listening_socket_of_this_process_is_its_own_until_it_is_closed() {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let to = socket.local_addr().unwrap().to_string();
        assert_eq!(listener(&to), Listener::Own);
        drop(socket);
        assert_eq!(listener(&to), Listener::Nobody);
        // Reserved for examples: no machine has it.
        assert_eq!(listener("203.0.113.1:80"), Listener::Other);
    }
}
