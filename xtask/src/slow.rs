//! Slow tests: targets named `…slow` that require the feature `slow` of their crate.
//!
//! Cargo skips a target silently if its features are missing, and always runs one that does not require them.
//! So the two rules are checked against each other here, and the caller learns which targets it did not run.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cargo;

/// The feature that slow targets require.
pub(crate) const FEATURE: &str = "slow";

/// The slow ring of the workspace.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Slow {
    /// Names of targets, sorted. A name that two crates use is there twice.
    pub(crate) targets: Vec<String>,
    /// Whether any crate has the feature. Cargo rejects a feature that no crate has.
    pub(crate) feature: bool,
}

/// Reads the targets from cargo.
pub(crate) fn of_workspace() -> Result<Slow> {
    let mut command = cargo::cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let out = command.output().context("cargo metadata")?;
    if !out.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&out.stderr).trim());
    }
    of(&serde_json::from_slice(&out.stdout).context("cargo metadata")?)
}

fn of(metadata: &Value) -> Result<Slow> {
    let mut slow = Slow::default();
    for package in list(metadata, "packages") {
        slow.feature |= package["features"].get(FEATURE).is_some();
        for target in list(package, "targets") {
            let name = target["name"].as_str().unwrap_or_default();
            let is_test = list(target, "kind").iter().any(|kind| kind == "test");
            let named = is_test && name.ends_with("slow");
            let gated = list(target, "required-features").iter().any(|feature| feature == FEATURE);
            let package = package["name"].as_str().unwrap_or_default();
            match (named, gated) {
                (true, true) => slow.targets.push(name.to_owned()),
                (false, false) => {}
                (true, false) => bail!(
                    "test target {name} of {package} is named slow: give it required-features = [\"slow\"]"
                ),
                (false, true) => {
                    bail!("target {name} of {package} requires the feature slow: only a test named …slow may")
                }
            }
        }
    }
    slow.targets.sort();
    Ok(slow)
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn workspace(name: &str, kind: &str, required: &[&str]) -> Value {
        json!({ "packages": [
            { "name": "a", "features": {}, "targets": [{ "name": "a", "kind": ["lib"] }] },
            { "name": "b", "features": { "slow": [] },
              "targets": [{ "name": name, "kind": [kind], "required-features": required }] },
        ]})
    }

    #[test]
    fn slow_tests_have_a_name_and_a_feature() {
        let found = of(&workspace("images_slow", "test", &["slow"])).unwrap();
        assert_eq!(found, Slow { targets: vec!["images_slow".to_owned()], feature: true });
        assert_eq!(of(&workspace("edits", "test", &[])).unwrap().targets, Vec::<String>::new());
    }

    #[test]
    fn a_target_that_breaks_one_of_the_rules_is_an_error() {
        for (name, kind, required) in
            [("images_slow", "test", &[][..]), ("images", "test", &["slow"]), ("b_slow", "bin", &["slow"])]
        {
            assert!(of(&workspace(name, kind, required)).is_err(), "{name} {kind}");
        }
    }

    #[test]
    fn this_workspace_follows_the_rules() {
        of_workspace().unwrap();
    }
}
