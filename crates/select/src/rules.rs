//! The user's rules about inputs that cannot change an outcome, and about tests that always run.
//!
//! A recorded fact stays recorded, so a rule that is removed has no effect on later decisions. An input that would make a
//! test always run is recorded as the fact that the rule exists.

use crate::facts::{FactKind, Question};

/// All rules of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectionRules {
    /// The rules.
    pub rules: Vec<SelectionRule>,
}

/// A rule with its reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SelectionRule {
    /// The subject of the rule.
    pub about: RuleSubject,
    /// A name, in which `*` stands for any characters but slashes, and `**` for any characters.
    pub pattern: String,
    /// Why the user wants it.
    pub why: String,
}

/// The subject of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleSubject {
    /// Tests that always run.
    AlwaysTests,
    /// Files whose state cannot change an outcome.
    Files,
    /// System properties.
    Properties,
    /// Variables of the environment.
    Environment,
    /// Hosts to which tests connect.
    Hosts,
    /// Processes that tests start.
    Processes,
}

impl RuleSubject {
    /// All of them.
    pub const ALL: [RuleSubject; 6] = [
        RuleSubject::AlwaysTests,
        RuleSubject::Files,
        RuleSubject::Properties,
        RuleSubject::Environment,
        RuleSubject::Hosts,
        RuleSubject::Processes,
    ];

    /// The table and the key in `tamis.toml`. They are stored: add, never change.
    pub fn key(self) -> (&'static str, &'static str) {
        match self {
            RuleSubject::AlwaysTests => ("always", "tests"),
            RuleSubject::Files => ("ignore", "files"),
            RuleSubject::Properties => ("ignore", "properties"),
            RuleSubject::Environment => ("ignore", "environment"),
            RuleSubject::Hosts => ("ignore", "hosts"),
            RuleSubject::Processes => ("ignore", "processes"),
        }
    }
}

/// How the question about a rule begins.
const QUESTION: &str = "rule ";

impl SelectionRule {
    /// The subject of the question whether the rule exists.
    pub fn question(&self) -> String {
        format!("{QUESTION}{} {}", self.about.key().1, self.pattern)
    }
}

impl SelectionRules {
    /// Without rules.
    pub const NONE: &SelectionRules = &SelectionRules { rules: Vec::new() };

    /// The first rule about a name.
    pub fn find(&self, about: RuleSubject, name: &str) -> Option<&SelectionRule> {
        self.rules.iter().find(|rule| rule.about == about && matches(&rule.pattern, name))
    }

    /// The rule by which a test always runs: one about the test, about its class, or about one of its methods.
    pub fn always(&self, class: &str, methods: &[&str]) -> Option<&SelectionRule> {
        let about = RuleSubject::AlwaysTests;
        self.find(about, class)
            .or_else(|| methods.iter().find_map(|method| self.find(about, &format!("{class}#{method}"))))
    }

    /// The rule about a host: with its port, or without.
    pub fn host(&self, host: &str) -> Option<&SelectionRule> {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        self.find(RuleSubject::Hosts, host).or_else(|| self.find(RuleSubject::Hosts, name))
    }

    /// The rule about a program: by its path, or by its name.
    pub fn process(&self, program: &str) -> Option<&SelectionRule> {
        let name = program.rsplit('/').next().unwrap_or(program);
        let about = RuleSubject::Processes;
        self.find(about, program).or_else(|| self.find(about, name))
    }

    /// The rule by which it does not matter whether a recorded fact holds. Facts about code always matter.
    pub fn ignoring(&self, question: &Question) -> Option<&SelectionRule> {
        let subject = &*question.subject;
        match question.kind {
            FactKind::File | FactKind::Exists | FactKind::Listing | FactKind::Resource => {
                // A class file is code, also one that must not appear.
                self.find(RuleSubject::Files, subject).filter(|_| !subject.ends_with(".class"))
            }
            FactKind::Attribute => {
                let path = subject.split_once(' ').map_or(subject, |(_, path)| path);
                self.find(RuleSubject::Files, path)
            }
            // A fact about all properties or variables has no name.
            FactKind::Property => self.find(RuleSubject::Properties, subject).filter(|_| !subject.is_empty()),
            FactKind::Environment => {
                self.find(RuleSubject::Environment, subject).filter(|_| !subject.is_empty() && subject != "*")
            }
            FactKind::Machine => self.host(subject.strip_prefix("name ")?),
            FactKind::Body
            | FactKind::Inherits
            | FactKind::Supers
            | FactKind::External
            | FactKind::Init
            | FactKind::Shape
            | FactKind::Class
            | FactKind::Debug
            | FactKind::Head
            | FactKind::Methods
            | FactKind::Scan
            | FactKind::Walk
            | FactKind::Library
            | FactKind::Jvm => None,
        }
    }

    /// Whether the rule of a question exists; `None` if the question is not about a rule.
    pub fn has(&self, question: &str) -> Option<bool> {
        question.starts_with(QUESTION).then(|| self.rules.iter().any(|rule| rule.question() == question))
    }
}

fn set(fits: &mut [bool], at: usize) {
    if let Some(fits) = fits.get_mut(at) {
        *fits = true;
    }
}

/// Whether a name fits a pattern.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // By position in the pattern: whether it fits the name up to the present letter.
    let mut fits = vec![false; pattern.len() + 1];
    set(&mut fits, 0);
    let closed = |fits: &mut Vec<bool>| {
        for at in 0..pattern.len() {
            if pattern.get(at) == Some(&'*') && fits.get(at) == Some(&true) {
                set(fits, at + 1);
            }
        }
    };
    closed(&mut fits);
    for letter in name {
        let mut next = vec![false; pattern.len() + 1];
        for (at, wanted) in pattern.iter().enumerate() {
            if fits.get(at) != Some(&true) {
                continue;
            }
            let is_double =
                pattern.get(at + 1) == Some(&'*') || (at > 0 && pattern.get(at - 1) == Some(&'*'));
            if *wanted == '*' && (letter != '/' || is_double) {
                set(&mut next, at);
            } else if *wanted != '*' && *wanted == letter {
                set(&mut next, at + 1);
            }
        }
        closed(&mut next);
        fits = next;
    }
    fits.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(about: RuleSubject, pattern: &str) -> SelectionRules {
        let rule = SelectionRule { about, pattern: pattern.to_owned(), why: "test".to_owned() };
        SelectionRules { rules: vec![rule] }
    }

    #[test]
    fn a_star_stands_for_any_characters_but_slashes() {
        for (pattern, name, fits) in [
            ("a.txt", "a.txt", true),
            ("a.txt", "ab.txt", false),
            ("*.log", "x.log", true),
            ("*.log", "logs/x.log", false),
            ("**.log", "logs/x.log", true),
            ("logs/**", "logs/a/b", true),
            ("logs/*", "logs/a/b", false),
            ("org.x.*Test", "org.x.ATest", true),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn rules_are_never_about_code_or_about_all_properties() {
        let all = rules(RuleSubject::Properties, "*");
        assert!(all.ignoring(&Question::new(FactKind::Property, "user.name".to_owned())).is_some());
        assert!(all.ignoring(&Question::new(FactKind::Property, String::new())).is_none());
        let files = rules(RuleSubject::Files, "**");
        assert!(files.ignoring(&Question::new(FactKind::Attribute, "modified a/b".to_owned())).is_some());
        assert!(files.ignoring(&Question::new(FactKind::Resource, "a/B.class".to_owned())).is_none());
        assert!(files.ignoring(&Question::new(FactKind::Class, "a/B".to_owned())).is_none());
        assert!(files.ignoring(&Question::new(FactKind::Library, "a/B".to_owned())).is_none());
    }

    #[test]
    fn hosts_and_programs_are_found_by_their_short_names() {
        let host = rules(RuleSubject::Hosts, "127.0.0.1");
        assert!(host.host("127.0.0.1:5432").is_some() && host.host("10.0.0.1:5432").is_none());
        assert!(rules(RuleSubject::Processes, "git").process("/usr/bin/git").is_some());
        assert!(rules(RuleSubject::AlwaysTests, "a.T#m").always("a.T", &["l", "m"]).is_some());
    }

    #[test]
    fn a_question_about_a_rule_has_another_answer_without_the_rule() {
        let host = rules(RuleSubject::Hosts, "db");
        let question = host.rules[0].question();
        assert_eq!((host.has(&question), SelectionRules::NONE.has(&question)), (Some(true), Some(false)));
        assert_eq!(host.has("processors"), None);
    }
}
