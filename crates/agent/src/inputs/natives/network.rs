//! Connections to hosts, and look-ups of names.
//!
//! The data that a host sends is not known. Many tests connect to a server of their own, so an address is marked if this process
//! listens on it, or no process does. Datagrams and connections by native code are not seen.

use super::{natives, note};
use crate::sync::lock;
use crate::vm::{JavaEnv, JavaObject};
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use tamis_wire::Input;

natives! { TABLE:
    [("java/net/PlainSocketImpl", "socketConnect", "(Ljava/net/InetAddress;II)V")],
    fn(this, host: JavaObject, port: i32, timeout: i32) -> (),
    |jni| address(jni, host, port), |_, address, ()| connected(address);

    [("sun/nio/ch/Net", "connect0", "(ZLjava/io/FileDescriptor;Ljava/net/InetAddress;I)I")],
    fn(this, prefer_v6: u8, descriptor: JavaObject, host: JavaObject, port: i32) -> i32,
    |jni| address(jni, host, port), |_, address, _| connected(address);

    [("sun/nio/ch/UnixDomainSockets", "connect0", "(Ljava/io/FileDescriptor;[B)I")],
    fn(this, descriptor: JavaObject, path: JavaObject) -> i32,
    |jni: JavaEnv| jni.bytes(path, 0, None), |_, path: Vec<u8>, _| {
        connected(format!("unix:{}", String::from_utf8_lossy(&path)));
    };

    [
        ("java/net/Inet4AddressImpl", "lookupAllHostAddr", "(Ljava/lang/String;)[Ljava/net/InetAddress;"),
    ],
    fn(this, name: JavaObject) -> JavaObject, |jni: JavaEnv| jni.string(name), |_, name: String, _| looked_up(&name);

    [
        ("java/net/Inet6AddressImpl", "lookupAllHostAddr", "(Ljava/lang/String;)[Ljava/net/InetAddress;"),
    ],
    fn(this, name: JavaObject) -> JavaObject, |jni: JavaEnv| jni.string(name), |_, name: String, _| looked_up(&name);

    [
        ("java/net/Inet6AddressImpl", "lookupAllHostAddr", "(Ljava/lang/String;I)[Ljava/net/InetAddress;"),
    ],
    fn(this, name: JavaObject, which: i32) -> JavaObject, |jni: JavaEnv| jni.string(name), |_, name: String, _| looked_up(&name);

    [
        ("java/net/Inet4AddressImpl", "getHostByAddr", "([B)Ljava/lang/String;"),
        ("java/net/Inet6AddressImpl", "getHostByAddr", "([B)Ljava/lang/String;"),
    ],
    fn(this, address: JavaObject) -> JavaObject,
    |jni: JavaEnv| jni.bytes(address, 0, None), |_, address: Vec<u8>, _| note(named(&address));

    [("java/net/Inet4AddressImpl", "getLocalHostName", "()Ljava/lang/String;")],
    fn(this) -> JavaObject, |_| Some(()), |jni, (), name| this_host(jni, name);

    [("java/net/Inet6AddressImpl", "getLocalHostName", "()Ljava/lang/String;")],
    fn(this) -> JavaObject, |_| Some(()), |jni, (), name| this_host(jni, name);
}

/// The name of this machine, which programs look up next.
static THIS_HOST: OnceLock<String> = OnceLock::new();

fn this_host(jni: JavaEnv, name: JavaObject) {
    if let (false, Some(name)) = (jni.threw(), jni.string(name)) {
        let _ = THIS_HOST.set(name);
    }
    note(Input::Machine("host".to_owned()));
}

/// A name was looked up. Its address depends on this machine, and the look-up can be repeated.
fn looked_up(name: &str) {
    if THIS_HOST.get().map(String::as_str) != Some(name) {
        note(Input::Machine(format!("name {name}")));
    }
}

/// The name of an address was looked up. Names of this machine are in a file; others come from a name server.
fn named(address: &[u8]) -> Input {
    let address: Option<IpAddr> = match address.len() {
        4 => <[u8; 4]>::try_from(address).ok().map(IpAddr::from),
        _ => <[u8; 16]>::try_from(address).ok().map(IpAddr::from),
    };
    match address {
        Some(address) if address.is_loopback() => Input::Read("/etc/hosts".to_owned()),
        Some(address) => Input::Network(format!("a name server, for the name of {address}")),
        None => Input::Network("a name server".to_owned()),
    }
}

fn connected(to: String) {
    let whose = listener(&to);
    note(Input::Network(to + whose));
}

/// The mark of an address of this machine: this process listens on it, or no process; empty for any other.
fn listener(to: &str) -> &'static str {
    let is_here = ["127.", "localhost", "0:0:0:0:0:0:0:1", "::1", "[::1]", "0.0.0.0", "unix:"];
    if !is_here.iter().any(|here| to.starts_with(here)) {
        return "";
    }
    let mut known = lock(&OWN_SOCKETS);
    let known = known.get_or_insert_default();
    if known.get(to).is_some_and(OwnSocket::is_open) {
        return OWN;
    }
    let found: Vec<String> = match to.strip_prefix("unix:") {
        Some(path) => unix_listeners(path),
        None => match to.rsplit_once(':').and_then(|(_, port)| port.parse().ok()) {
            Some(port) => ["tcp", "tcp6"].iter().flat_map(|table| tcp_listeners(table, port)).collect(),
            None => return "",
        },
    };
    if found.is_empty() {
        return NOBODY;
    }
    let Some(own) = own_socket(&found) else { return "" };
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(to.to_owned(), own);
    OWN
}

/// A socket of this process: its file descriptor's link, and the target of the link while the socket is open.
struct OwnSocket {
    file: PathBuf,
    target: PathBuf,
}

impl OwnSocket {
    fn is_open(&self) -> bool {
        std::fs::read_link(&self.file).is_ok_and(|target| target == self.target)
    }
}

/// By address, sockets of this process that listen on it: the kernel's tables are long, and tests connect often.
static OWN_SOCKETS: Mutex<Option<HashMap<String, OwnSocket>>> = Mutex::new(None);

/// Limit on remembered sockets.
const MOST: usize = 1024;

/// The mark of an address on which this process listens.
const OWN: &str = ", its own";

/// The mark of an address on which no process listens.
const NOBODY: &str = ", nobody";

/// The inodes of sockets that listen on a port, from the kernel's table.
fn tcp_listeners(table: &str, port: u16) -> Vec<String> {
    let text = std::fs::read_to_string(format!("/proc/self/net/{table}")).unwrap_or_default();
    let listens = |line: &str| {
        let mut columns = line.split_whitespace();
        let local = columns.nth(1)?;
        let state = columns.nth(1)?;
        let is_it = u16::from_str_radix(local.rsplit_once(':')?.1, 16) == Ok(port) && state == "0A";
        is_it.then(|| columns.nth(5).map(str::to_owned)).flatten()
    };
    text.lines().skip(1).filter_map(listens).collect()
}

/// The inodes of sockets that are bound to a path.
fn unix_listeners(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string("/proc/self/net/unix").unwrap_or_default();
    let bound = |line: &str| {
        let mut columns = line.split_whitespace();
        let inode = columns.nth(6)?;
        (columns.next() == Some(path)).then(|| inode.to_owned())
    };
    text.lines().skip(1).filter_map(bound).collect()
}

/// The first of these sockets that is open in this process.
fn own_socket(inodes: &[String]) -> Option<OwnSocket> {
    let targets: Vec<PathBuf> = inodes.iter().map(|inode| format!("socket:[{inode}]").into()).collect();
    let files = std::fs::read_dir("/proc/self/fd").ok()?;
    files.flatten().find_map(|file| {
        let target = std::fs::read_link(file.path()).ok()?;
        targets.contains(&target).then(|| OwnSocket { file: file.path(), target })
    })
}

/// `127.0.0.1:80`, from an `InetAddress`.
fn address(jni: JavaEnv, host: JavaObject, port: i32) -> Option<String> {
    let text = jni.with_locals(|| jni.call_string(host, "getHostAddress")).flatten()?;
    Some(format!("{text}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::named;
    use tamis_wire::Input;

    #[test]
    fn names_of_this_machine_are_in_a_file_and_others_come_from_a_server() {
        let file = Input::Read("/etc/hosts".to_owned());
        let own = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        assert_eq!((named(&[127, 0, 1, 1]), named(&own)), (file.clone(), file));
        let server = |whose: &str| Input::Network(format!("a name server{whose}"));
        assert_eq!(named(&[192, 0, 2, 1]), server(", for the name of 192.0.2.1"));
        assert_eq!(named(&[1, 2]), server(""));
    }
}
