//! Why a test runs or may be skipped.

use crate::code::MethodListings;
use crate::selection::{
    BrokenFact, DecisionWord, ReasonEntry, ReasonKind, SelectionReport, TestEntry, test_name,
};
use crate::time::iso;
use crate::words;
use serde::Serialize;
use tamis_select::decide::{Decision, SkipEvidence, TestDecision};
use tamis_select::facts::{Answer, Fact, FactKind};

/// The document.
#[derive(Clone, Debug, Serialize)]
pub struct ExplanationReport {
    format: u32,
    /// The explained tests.
    pub tests: Vec<Explanation>,
}

/// A test, or a class that is selected as a whole.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Explanation {
    /// `org.x.ParserTest#flatten`
    pub test: String,
    /// Its module.
    pub module: String,
    /// Run or skip.
    pub decision: DecisionWord,
    /// The reason, in words.
    pub summary: String,
    /// Why the class is selected as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// The trace it was compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceSummary>,
    /// The facts that do not hold; or all.
    pub facts: Vec<ShownFact>,
    /// With a static technique: the methods over which it may reach the first of these facts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
}

/// A trace.
#[derive(Clone, Debug, Serialize)]
pub struct TraceSummary {
    /// Its digest.
    pub digest: String,
    /// When it was recorded.
    pub recorded: String,
    /// The machine on which it was recorded.
    pub place: String,
    /// The number of its facts.
    pub facts: usize,
}

/// A fact.
#[derive(Clone, Debug, Serialize)]
pub struct ShownFact {
    /// Its kind.
    pub fact: String,
    /// Its subject.
    pub entity: String,
    /// How the answer changed.
    pub change: &'static str,
    /// How the test came to depend on it.
    pub how: &'static str,
    /// Both versions of the code.
    #[serde(skip)]
    pub code: Option<MethodListings>,
}

impl ExplanationReport {
    /// With these tests.
    pub fn new(tests: Vec<Explanation>) -> ExplanationReport {
        ExplanationReport { format: 1, tests }
    }

    /// Adds to a test that failed the last time the change that first broke it.
    pub fn add_first_cause(test: &mut Explanation, reason: &ReasonEntry, since: &str) {
        test.summary = words::red_since(&test.summary, since);
        test.facts = reason.facts.iter().map(ShownFact::from).collect();
    }

    /// Why tests ran in an earlier run.
    pub fn of_run(run: &SelectionReport) -> ExplanationReport {
        ExplanationReport::new(run.running().map(Explanation::from).collect())
    }
}

impl From<&TestDecision> for Explanation {
    fn from(test: &TestDecision) -> Explanation {
        let explanation = Explanation {
            test: test_name(&test.key.class, test.key.method.as_deref()),
            module: test.key.module.clone(),
            whole: test.whole.as_ref().map(words::whole_reason),
            ..Explanation::default()
        };
        match &test.decision {
            Decision::Run(reason) => Explanation {
                decision: DecisionWord::Run,
                summary: words::run_reason(reason),
                facts: reason.broken().iter().map(|(fact, now)| ShownFact::new(fact, *now)).collect(),
                ..explanation
            },
            Decision::Skip(evidence) => Explanation {
                decision: DecisionWord::Skip,
                summary: words::skip_reason(evidence),
                trace: Some(TraceSummary::from(evidence)),
                ..explanation
            },
        }
    }
}

impl From<&TestEntry> for Explanation {
    fn from(test: &TestEntry) -> Explanation {
        let unknown = ReasonEntry::new(ReasonKind::New);
        let reason = test.reason.as_ref().unwrap_or(&unknown);
        let facts = reason.facts.iter().map(ShownFact::from);
        Explanation {
            test: test.name(),
            module: test.module.clone(),
            decision: DecisionWord::Run,
            summary: words::last_run_reason(reason),
            whole: test.whole.clone(),
            trace: None,
            facts: facts.collect(),
            path: Vec::new(),
        }
    }
}

impl From<&BrokenFact> for ShownFact {
    fn from(fact: &BrokenFact) -> ShownFact {
        ShownFact {
            fact: fact.fact.clone(),
            entity: fact.entity.clone(),
            change: match fact.detail.as_str() {
                "added" => "added",
                "removed" => "gone",
                _ => "changed",
            },
            how: FactKind::ALL
                .iter()
                .find(|kind| kind.word() == fact.fact)
                .map_or("", |kind| words::dependency(*kind)),
            code: None,
        }
    }
}

impl From<&SkipEvidence> for TraceSummary {
    fn from(evidence: &SkipEvidence) -> TraceSummary {
        TraceSummary {
            digest: evidence.digest.to_string(),
            recorded: iso(evidence.recorded),
            place: evidence.place.clone(),
            facts: evidence.facts,
        }
    }
}

impl ShownFact {
    /// A recorded fact beside the present answer.
    pub fn new(fact: &Fact, now: Answer) -> ShownFact {
        ShownFact {
            fact: fact.question.kind.word().to_owned(),
            entity: fact.question.displayed(),
            change: match (&fact.answer, now) {
                (then, now) if *then == now && now.is_none() => "absent",
                (then, now) if *then == now => "the same",
                (None, _) => "added",
                (_, None) => "gone",
                _ => "changed",
            },
            how: words::dependency(fact.question.kind),
            code: None,
        }
    }
}
