//! The allowed dependencies between crates: the layers of the workspace, as a table.
//!
//! Reads `cargo metadata`. Dev-dependencies are free, and the crate for tests must be one. `xtask` and
//! `benches` are not part of the product.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Finding;
use super::tree::Tree;
use crate::cargo;

/// A crate and the crates it may depend on.
struct Layer {
    name: &'static str,
    may: &'static [&'static str],
}

/// The crate for tests; all others may have it as a dev-dependency.
const FOR_TESTS: &str = "tamis-test-support";

/// Crates outside the product: they may depend on everything.
const FREE: [&str; 3] = ["xtask", "tamis-benches", FOR_TESTS];

const CLASSFILE: &str = "tamis-classfile";
const WIRE: &str = "tamis-wire";
const CATALOG: &str = "tamis-catalog";
const PROGRAM: &str = "tamis-program";
const SELECT: &str = "tamis-select";
const PROJECT: &str = "tamis-project";
const STORE: &str = "tamis-store";
const REPORT: &str = "tamis-report";
const SESSION: &str = "tamis-session";
const AUDIT: &str = "tamis-audit";
const MUTATE: &str = "tamis-mutate";
const AGENT: &str = "tamis-agent";
const CLI: &str = "tamis";

/// From the bottom to the top.
const LAYERS: &[Layer] = &[
    Layer { name: CLASSFILE, may: &[] },
    Layer { name: WIRE, may: &[] },
    Layer { name: CATALOG, may: &[] },
    Layer { name: PROGRAM, may: &[CLASSFILE, CATALOG] },
    Layer { name: SELECT, may: &[CLASSFILE, PROGRAM, WIRE, CATALOG] },
    Layer { name: PROJECT, may: &[PROGRAM, WIRE, CATALOG] },
    Layer { name: STORE, may: &[SELECT, PROJECT, PROGRAM] },
    Layer { name: REPORT, may: &[SELECT, PROGRAM, CATALOG] },
    Layer { name: SESSION, may: &[SELECT, PROJECT, STORE, REPORT, PROGRAM, WIRE, CATALOG, CLASSFILE] },
    Layer { name: MUTATE, may: &[CLASSFILE] },
    Layer {
        name: AUDIT,
        may: &[SESSION, MUTATE, SELECT, PROJECT, STORE, REPORT, PROGRAM, WIRE, CATALOG, CLASSFILE],
    },
    Layer { name: AGENT, may: &[CLASSFILE, WIRE, CATALOG] },
    Layer {
        name: CLI,
        may: &[AUDIT, SESSION, MUTATE, SELECT, PROJECT, STORE, REPORT, PROGRAM, WIRE, CATALOG, CLASSFILE],
    },
];

pub(super) fn find(_: &Tree) -> Result<Vec<Finding>> {
    let mut command = cargo::cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let output = command.output().context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(wrong(&serde_json::from_slice(&output.stdout).context("cargo metadata")?))
}

fn wrong(metadata: &Value) -> Vec<Finding> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = list(&metadata["packages"]);
    let ours: Vec<String> = packages.iter().map(|package| word(&package["name"])).collect();
    let mut wrong = Vec::new();
    for package in &packages {
        let name = word(&package["name"]);
        if FREE.contains(&name.as_str()) {
            continue;
        }
        let place = format!("crate {name}");
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == name) else {
            let text = "is not in the table of layers: add it to xtask/src/tidy/arrows.rs";
            wrong.push(Finding::new(&place, 0, text));
            continue;
        };
        for dependency in list(&package["dependencies"]) {
            let on = word(&dependency["name"]);
            if dependency["kind"] == "dev" || !ours.contains(&on) || layer.may.contains(&on.as_str()) {
                continue;
            }
            let text = if on == FOR_TESTS {
                format!("depends on {on}, which is for tests: make it a dev-dependency")
            } else {
                format!("may not depend on {on}; the layers are in xtask/src/tidy/arrows.rs")
            };
            wrong.push(Finding::new(&place, 0, text));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The findings for a crate that depends on one other.
    fn with(name: &str, on: &str, kind: Option<&str>) -> Vec<String> {
        let found = wrong(&json!({ "packages": [
            { "name": name, "dependencies": [{ "name": on, "kind": kind }, { "name": "serde", "kind": null }] },
            { "name": on, "dependencies": [] },
        ]}));
        let of_this = found.iter().filter(|finding| finding.place == format!("crate {name}"));
        of_this.map(|finding| finding.text.clone()).collect()
    }

    #[test]
    fn arrows_of_the_table_are_allowed_and_others_are_found() {
        assert_eq!(with(PROGRAM, CLASSFILE, None), [""; 0]);
        assert_eq!(with("xtask", PROGRAM, None), [""; 0]);
        assert!(with(CLASSFILE, PROGRAM, None)[0].starts_with("may not depend on tamis-program"));
        assert!(with(CLI, AGENT, Some("build"))[0].starts_with("may not depend on tamis-agent"));
    }

    #[test]
    fn dev_dependencies_are_free() {
        assert_eq!(with(CLASSFILE, PROJECT, Some("dev")), [""; 0]);
        assert_eq!(with(CLASSFILE, FOR_TESTS, Some("dev")), [""; 0]);
        assert!(with(CLASSFILE, FOR_TESTS, None)[0].contains("make it a dev-dependency"));
    }

    #[test]
    fn a_crate_that_is_not_in_the_table_is_found() {
        assert!(with("tamis-new", CLASSFILE, None)[0].contains("xtask/src/tidy/arrows.rs"));
    }

    #[test]
    fn the_table_has_no_cycle() {
        let mut below: Vec<&str> = Vec::new();
        while below.len() < LAYERS.len() {
            let is_free = |layer: &&Layer| {
                !below.contains(&layer.name) && layer.may.iter().all(|name| below.contains(name))
            };
            let next = LAYERS.iter().find(is_free).expect("a crate all of whose dependencies lie below it");
            below.push(next.name);
        }
    }
}
