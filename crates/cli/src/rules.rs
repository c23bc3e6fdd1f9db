//! The tables `[always]` and `[ignore]` of `tamis.toml`: the user's rules, each with its reason.

use crate::config;
use crate::error::ConfigError;
use std::path::Path;
use tamis_select::rules::{RuleSubject, SelectionRule, SelectionRules};

/// The tables that hold rules.
pub(crate) const TABLES: [&str; 2] = ["always", "ignore"];

/// Reads the rules for a directory.
pub(crate) fn read(directory: &Path) -> Result<SelectionRules, ConfigError> {
    let Some((path, table)) = config::read(directory)? else { return Ok(SelectionRules::default()) };
    let mut rules = Vec::new();
    for (name, value) in table.iter().filter(|(name, _)| TABLES.contains(&name.as_str())) {
        let bad = |what: &str| ConfigError::Rule(path.clone(), format!("[{name}] {what}"));
        for (key, entries) in value.as_table().ok_or_else(|| bad(""))? {
            let about = RuleSubject::ALL
                .into_iter()
                .find(|about| about.key() == (name.as_str(), key.as_str()))
                .ok_or_else(|| ConfigError::Name(path.clone(), format!("[{name}] {key}")))?;
            for entry in entries.as_array().ok_or_else(|| bad(key))? {
                rules.push(rule(about, entry).ok_or_else(|| bad(key))?);
            }
        }
    }
    Ok(SelectionRules { rules })
}

fn rule(about: RuleSubject, entry: &toml::Value) -> Option<SelectionRule> {
    let table = entry.as_table().filter(|table| table.len() == 2)?;
    let text = |key: &str| table.get(key)?.as_str().filter(|text| !text.trim().is_empty());
    Some(SelectionRule { about, pattern: text("name")?.to_owned(), why: text("why")?.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<SelectionRules, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tamis.toml"), text).unwrap();
        read(folder.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn every_rule_has_a_name_and_a_reason() {
        let text = "[always]\ntests = [{ name = \"a.T\", why = \"hardware\" }]\n\
                    [ignore]\nhosts = [{ name = \"127.0.0.1\", why = \"a fake\" }]";
        let rules = read_text(text).unwrap().rules;
        let known: Vec<_> = rules.iter().map(|rule| (rule.about, rule.pattern.as_str())).collect();
        assert_eq!(known, [(RuleSubject::AlwaysTests, "a.T"), (RuleSubject::Hosts, "127.0.0.1")]);
        for wrong in [
            "[ignore]\nfiles = [\"a\"]",
            "[ignore]\nfiles = [{ name = \"a\" }]",
            "[ignore]\nfiles = [{ name = \"a\", why = \" \" }]",
            "[ignore]\nfiles = \"a\"",
            "[ignore]\nclasses = []",
            "ignore = 1",
        ] {
            assert!(read_text(wrong).is_err(), "{wrong}");
        }
    }
}
