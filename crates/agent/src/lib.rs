//! The JVMTI library that lives inside the test JVM: it observes and obeys, and decides nothing.
//!
//! It connects to the CLI over the socket named in its options, asks for a plan, and then tells which classes it gave
//! probes, which tests began and ended, and which probes were hit in between. Whatever goes wrong, it stands aside: the
//! JVM runs on as if it were not there. It never writes to the host's output and never unwinds into the JVM.
//!
//! | file | |
//! |---|---|
//! | `vm` | the JVM's function tables: every call across the boundary is here |
//! | `events` | what the JVM calls: load, init, death, class file load |
//! | `boundaries` | where tests begin and end, whatever framework says so |
//! | `bridge` | what instrumented code calls |
//! | `calls` | calls of the JDK that no native sees |
//! | `instrument` | probes into classes, calls into test frameworks and initialisers |
//! | `frameworks` | which methods of which framework mean what |
//! | `holder` | the classes we define ourselves, byte by byte |
//! | `inside` | what threads are inside of when a test begins |
//! | `known` | which classes have which probes |
//! | `natives` | natives of the JDK, wrapped: files, reflection, processes, libraries |
//! | `places` | which classes are watched method by method |
//! | `process` | the process that the JVM is: its command line and ancestors |
//! | `queues` | tasks that wait in pools |
//! | `recorder` | what was hit, by whom, and how it is told |
//! | `statics` | what static fields hold, compared at boundaries |
//! | `threads` | threads that live longer than their test |
#![deny(unsafe_op_in_unsafe_fn)]

mod boundary;
mod bridge;
mod class_load;
mod connect;
mod events;
mod inputs;
pub mod instrument;
mod own_code;
mod probes;
mod process;
mod recorder;
mod state;
mod sync;
mod threads;
mod vm;
mod watched_roots;
