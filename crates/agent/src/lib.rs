//! The JVMTI library inside the test JVM: it observes and follows a plan, and decides nothing.
//!
//! It connects to the CLI over the socket named in its options and receives a plan. Then it reports the classes that have
//! probes, the tests that begin and end, and the probes and inputs that each test used. If anything fails, it stops recording
//! and the JVM runs on. It never writes to the host's output and never unwinds into the JVM.
//!
//! Modules have layers, listed below from the lowest to the highest. A module uses only those above it in the list.
#![deny(unsafe_op_in_unsafe_fn)]

// Locks and their rules; threads that run our own code; the process; whether tests may be skipped.
mod own_code;
mod process;
mod skip_switch;
mod sync;

// The function tables of the JVM: every call into it.
mod vm;

// Rewriting of class files, which knows no JVM.
pub mod instrument;

// Probes at run time, and the directories whose classes have a probe per method.
mod probes;
mod watched_roots;

// State that tests may change, and threads that outlive their test.
mod state;
mod threads;

// The open spans, the hits and inputs charged to them, and messages to the CLI.
mod recorder;

// Test frameworks: where tests begin and end, and which are skipped.
mod boundary;

// Inputs other than code.
mod inputs;

// The hello and the plan; classes before they are defined; the natives that instrumented code calls.
mod bridge;
mod class_load;
mod connect;

// Callbacks of the JVM.
mod events;
