//! The JVMTI library inside the test JVM: it observes and follows a plan, and decides nothing.
//!
//! It connects to the CLI over the socket named in its options and receives a plan. Then it reports which classes have
//! probes, which tests began and ended, and which probes and inputs each test used. If anything fails, it stops recording
//! and the JVM runs on. It never writes to the host's output and never unwinds into the JVM.
//!
//! A module uses modules of lower layers only; `tests/layers.rs` checks it. From the lowest layer to the highest:
//!
//! | module | holds |
//! |---|---|
//! | `sync`, `own_code`, `process` | locks and their rules; threads that run our own code; the operating system's process |
//! | `vm` | the JVM's function tables: every call into the JVM |
//! | `instrument` | rewriting of class files: probes, framework hooks, calls of the JDK; knows no JVM |
//! | `probes`, `watched_roots` | probes at run time: their classes, pages and hits; directories whose classes have a probe per method |
//! | `state`, `threads` | static fields and defaults that tests change; threads that outlive their test, and their stacks |
//! | `recorder` | spans that are open, hits and inputs charged to them, messages to the CLI |
//! | `boundary` | test frameworks: where tests begin and end, and which are skipped |
//! | `inputs` | inputs other than code: natives of the JDK that are wrapped, answers of the JDK that no native sees |
//! | `connect`, `class_load`, `bridge` | the hello and the plan; classes before they are defined; natives that instrumented code calls |
//! | `events` | callbacks of the JVM |
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
