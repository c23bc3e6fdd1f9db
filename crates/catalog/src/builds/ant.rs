//! Ant.

use super::BuildTool;

/// The row.
pub const ANT: BuildTool = BuildTool {
    name: "Ant",
    why: "Its own JVM runs no tests; nothing is asked of it.",
    build_files: &["build.xml"],
    main_classes: &["org.apache.tools.ant.launch.Launcher"],
    ..BuildTool::EMPTY
};
