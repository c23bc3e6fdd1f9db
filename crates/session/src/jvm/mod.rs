//! The JVMs of a run: how they get the agent, and how they connect.

mod agent_file;
mod charged;
pub(crate) mod connection;
mod heard;
mod observe;
mod stderr_filter;

pub use charged::{Code, children, unseen};
pub use heard::{Initialised, Jvm, Observed, Used};
pub use observe::{ObservedRun, observe, try_agent};
