//! The JVMs of a run: how they get the agent, and how they connect.

mod agent_file;
pub(crate) mod agent_option;
pub(crate) mod connection;
mod stderr_filter;
