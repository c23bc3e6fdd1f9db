//! One run of a build: JVMs connect, get a plan, and their observations are recorded.
//!
//! Holds the order of calls and all access to the disk. `select` decides whether a test runs.
#![forbid(unsafe_code)]

mod agent_check;
mod class_backup;
mod diff;
mod error;
mod import;
pub mod interrupt;
mod jvm;
mod load;
mod observation;
mod report_builder;
mod run;
mod run_dir;
pub mod run_memory;
mod settings;
mod source_files;
mod store_place;
mod sync;
mod test_folders;
mod trace_writer;
mod world;

pub use agent_check::try_agent;
pub use class_backup::ClassBackup;
pub use diff::{ClassPathDiff, diff};
pub use error::SessionError;
pub use import::import;
pub use load::framework_archives::FrameworkArchives;
pub use load::{JdkChoice, LoadOptions, LoadedProgram, load};
pub use observation::observe;
pub use report_builder::{ReportBuilder, failure_entry};
pub use run::{RunCommand, Session};
pub use run_dir::RunDir;
pub use settings::{RunSettings, last};
pub use store_place::store_of;
pub use sync::lock;
pub use world::ProjectWorld;
