//! Knowledge about other software: test frameworks, libraries, build tools, compilers, the JDK, variables.
//!
//! Tables, and predicates over them. A row names things, says why they are treated so, and which cases prove it. To add a
//! framework, write one file in `frameworks/` and one line in its table. Columns are collected over all rows at compile time,
//! so that a predicate walks one flat list: the agent asks some of them for every class that a JVM loads. Nothing here reads a
//! file or knows a JVM. Elsewhere only the agent's tables of hooks name a foreign class, package or property.
#![forbid(unsafe_code)]

#[macro_use]
mod column;

pub mod builds;
pub mod compilers;
pub mod environment;
pub mod frameworks;
pub mod jdk;
pub mod libraries;
mod name;
mod package;

pub use name::{NameSet, class_of, is_class, is_signature_of};
pub use package::{
    PackageEntry, PackageRole, has_hooks, has_no_probes, is_runner, owns_annotations, reads_stacks,
};

/// The name of a row, its reason, and the cases that prove it.
#[derive(Clone, Copy, Debug)]
pub struct RowSource {
    /// The name.
    pub name: &'static str,
    /// Why it is treated so.
    pub why: &'static str,
    /// Files of `tests/decisions` (`junit3.md`), projects of `tests/projects` (`projects/testng`), or tests of a crate
    /// (`platform.rs`).
    pub cases: &'static [&'static str],
}

/// Where all rows come from: for the test that each has a reason, and that its cases exist.
pub fn sources() -> Vec<RowSource> {
    macro_rules! of {
        ($($table:expr),+) => {
            [$($table.iter().map(|row| RowSource { name: row.name, why: row.why, cases: row.cases }).collect()),+]
        };
    }
    let tables: [Vec<RowSource>; 8] = of![
        frameworks::FRAMEWORKS,
        libraries::LIBRARIES,
        builds::BUILD_TOOLS,
        compilers::COMPILERS,
        package::ROLES,
        builds::NAMES,
        jdk::NAMES,
        environment::NAMES
    ];
    tables.concat()
}
