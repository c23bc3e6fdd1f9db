//! From observations to facts to decisions: which tests a change can affect.
//!
//! Pure: no files, no clock, no errors. Questions about anything but the program go to a [`world::World`].
#![forbid(unsafe_code)]

pub mod broken_changes;
pub mod decide;
pub mod events;
pub mod facts;
mod field_users;
pub mod history;
mod nearest_trace;
pub mod new_tests;
pub mod reason;
pub mod recording;
pub mod rules;
pub mod static_graph;
pub mod stored;
pub mod technique;
pub mod test_classes;
pub mod world;
