//! Hosts that are connected to, and names that are looked up.
//!
//! What comes back is the other side's and not known. Many tests talk to a server of their own: addresses are told, and who
//! reads the notes tells this machine from others. Datagrams and what native code connects are not seen.

use super::{natives, note};
use crate::vm::{Jni, Object};
use std::sync::OnceLock;
use tamis_trace::Noted;

natives! { TABLE:
    [("java/net/PlainSocketImpl", "socketConnect", "(Ljava/net/InetAddress;II)V")],
    fn(this, host: Object, port: i32, timeout: i32) -> (),
    |jni| address(jni, host, port), |_, address, ()| connected(address);

    [("sun/nio/ch/Net", "connect0", "(ZLjava/io/FileDescriptor;Ljava/net/InetAddress;I)I")],
    fn(this, prefer_v6: u8, descriptor: Object, host: Object, port: i32) -> i32,
    |jni| address(jni, host, port), |_, address, _| connected(address);

    [("sun/nio/ch/UnixDomainSockets", "connect0", "(Ljava/io/FileDescriptor;[B)I")],
    fn(this, descriptor: Object, path: Object) -> i32,
    |jni: Jni| jni.bytes(path, 0, None), |_, path: Vec<u8>, _| {
        connected(format!("unix:{}", String::from_utf8_lossy(&path)));
    };

    [
        ("java/net/Inet4AddressImpl", "lookupAllHostAddr", "(Ljava/lang/String;)[Ljava/net/InetAddress;"),
    ],
    fn(this, name: Object) -> Object, |jni: Jni| jni.string(name), |_, name, _| connected(name);

    [
        ("java/net/Inet6AddressImpl", "lookupAllHostAddr", "(Ljava/lang/String;)[Ljava/net/InetAddress;"),
    ],
    fn(this, name: Object) -> Object, |jni: Jni| jni.string(name), |_, name, _| connected(name);

    [
        ("java/net/Inet6AddressImpl", "lookupAllHostAddr", "(Ljava/lang/String;I)[Ljava/net/InetAddress;"),
    ],
    fn(this, name: Object, which: i32) -> Object, |jni: Jni| jni.string(name), |_, name, _| connected(name);

    [("java/net/Inet4AddressImpl", "getLocalHostName", "()Ljava/lang/String;")],
    fn(this) -> Object, |_| Some(()), |jni, (), name| this_host(jni, name);

    [("java/net/Inet6AddressImpl", "getLocalHostName", "()Ljava/lang/String;")],
    fn(this) -> Object, |_| Some(()), |jni, (), name| this_host(jni, name);
}

/// The name of this machine, which is then looked up, too.
static THIS_HOST: OnceLock<String> = OnceLock::new();

fn this_host(jni: Jni, name: Object) {
    if let (false, Some(name)) = (jni.threw(), jni.string(name)) {
        let _ = THIS_HOST.set(name);
    }
    note(Noted::Machine("host".to_owned()));
}

fn connected(to: String) {
    if THIS_HOST.get() != Some(&to) {
        note(Noted::Network(to));
    }
}

/// `127.0.0.1:80`, from an `InetAddress`.
fn address(jni: Jni, host: Object, port: i32) -> Option<String> {
    let text = jni.with_locals(|| jni.call_string(host, "getHostAddress")).flatten()?;
    Some(format!("{text}:{port}"))
}
