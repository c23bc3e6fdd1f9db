//! Connections to hosts, and look-ups of names.
//!
//! The data that a host sends is not known. Many tests connect to a server of their own, so an address is marked if this process
//! listens on it, or no process does. Datagrams and connections by native code are not seen.

use super::listeners::{self, Listener};
use super::{natives, note};
use crate::vm::{JavaEnv, JavaObject};
use std::net::IpAddr;
use std::sync::OnceLock;
use tamis_wire::Input;

natives! { TABLE:
    [("java/net/PlainSocketImpl", "socketConnect", "(Ljava/net/InetAddress;II)V")],
    fn(this, host: JavaObject, port: i32, timeout: i32) -> (),
    |jni| Target::new(address(jni, host, port)?), |_, target: Target, ()| target.connected();

    [("sun/nio/ch/Net", "connect0", "(ZLjava/io/FileDescriptor;Ljava/net/InetAddress;I)I")],
    fn(this, prefer_v6: u8, descriptor: JavaObject, host: JavaObject, port: i32) -> i32,
    |jni| Target::new(address(jni, host, port)?), |_, target: Target, _| target.connected();

    [("sun/nio/ch/UnixDomainSockets", "connect0", "(Ljava/io/FileDescriptor;[B)I")],
    fn(this, descriptor: JavaObject, path: JavaObject) -> i32,
    |jni: JavaEnv| Target::new(format!("unix:{}", String::from_utf8_lossy(&jni.bytes(path, 0, None)?))),
    |_, target: Target, _| target.connected();

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

/// The target of a connection.
struct Target {
    address: String,
    /// Who listened there before. A server may close its socket as soon as it is connected to.
    before: Listener,
}

impl Target {
    fn new(address: String) -> Option<Target> {
        let before = listeners::listener(&address);
        Some(Target { address, before })
    }

    fn connected(self) {
        let listener = match self.before {
            Listener::Own => Listener::Own,
            Listener::Nobody | Listener::Other => listeners::listener(&self.address),
        };
        let whose = match listener {
            Listener::Own => ", its own",
            Listener::Nobody => ", nobody",
            Listener::Other => "",
        };
        note(Input::Network(self.address + whose));
    }
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
