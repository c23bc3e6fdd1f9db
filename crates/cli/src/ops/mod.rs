//! What commands do, in calls of the other crates.

mod agent;
mod charged;
mod class_path;
mod diff;
mod external;
mod heard;
mod misplaced;
mod picked_up;
mod records;
mod remembered;
mod run;
mod snapshot;

pub use charged::{Code, children, unseen};
pub use diff::{Compared, Listings, diff};
pub use heard::{Initialised, Jvm, Observed, Used};
pub use run::{Ran, run};
pub use snapshot::{Jdk, Loaded, Options, load};
