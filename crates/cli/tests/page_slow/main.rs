//! The page of `tamis report` in a real browser, headless: its numbers equal the document of the run, it sends no request, and
//! it stays fast with 50,000 tests.
//!
//! Needs Chromium (`apt-get install chromium`); `TAMIS_CHROMIUM` names another program.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Tests may panic.

mod browser;

use browser::VisitedPage;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};
use tamis_test_support::run;

const PATIENCE: Duration = Duration::from_secs(120);

/// What is clicked and measured in the page.
const DRIVER: &str = include_str!("driver.js");

const HOSTILE: &str =
    "</script><img src=http://x.invalid/a onerror=\"document.body.dataset.hacked=1\">&#x202e;";

/// The document of a run with so many tests, of which every 50th ran and every 1000th failed.
fn document(tests: usize) -> Value {
    let test = |at: usize| {
        let class = at / 10;
        let mut test = json!({
            "module": format!("m{}", class % 20), "class": format!("org.example.part{}.Some{class}Test", class % 300),
            "method": format!("returnsWhatIsExpectedOf{}", (class * 31 + at * 7) % 997), "tests": 1,
            "seconds": (class * at % 1999) as f64 / 1e3, "decision": "skip",
            "evidence": { "trace": format!("{class:032x}"), "facts": 100 + class % 300, "recorded": "2026-01-31T12:00:00Z" },
        });
        if at.is_multiple_of(50) {
            test["decision"] = "run".into();
            test["outcome"] = "passed".into();
            let entity = format!("org.example.Parser.f{}(I)V", at % 3);
            test["reason"] = json!({ "kind": "changed", "facts": [{ "fact": "body", "entity": entity, "detail": "changed" }] });
        }
        if at.is_multiple_of(1000) {
            test["outcome"] = "failed".into();
            test["class"] = HOSTILE.into();
            test["method"] = "x".repeat(10_000).into();
            test["failure"] =
                json!({ "error": HOSTILE, "message": HOSTILE, "frame": HOSTILE, "trace": [HOSTILE] });
        }
        test
    };
    let all: Vec<Value> = (0..tests).map(test).collect();
    let (run, failed) = (tests.div_ceil(50), tests.div_ceil(1000));
    let summary = json!({ "run": run, "skip": tests - run, "spared_seconds": 1.0, "analysis_seconds": 0.1,
        "passed": run - failed, "failed": failed, "seconds": 1.0, "exit": i32::from(failed > 0) });
    json!({ "format": 1, "tamis": "1", "technique": "hybrid", "granularity": "auto", "tests": all, "changes": [],
        "summary": summary, "notes": [HOSTILE] })
}

fn value_of<'t>(dom: &'t str, before: &str, end: char) -> &'t str {
    let (_, rest) = dom.split_once(before).unwrap_or_else(|| panic!("no {before} in the page"));
    rest.split(end).next().unwrap()
}

/// Makes the page of a run and visits it with the driver; what the driver saw, and how long making it took.
#[track_caller]
fn check(tests: usize) -> (Value, Duration, u64) {
    let folder = tempfile::tempdir().unwrap();
    let (run, page) = (folder.path().join("run.json"), folder.path().join("page.html"));
    let document = document(tests);
    fs::write(&run, document.to_string()).unwrap();
    let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
    tamis.args(["report", "--history", "--run"]).arg(&run).arg("-o").arg(&page).current_dir(folder.path());
    let start = Instant::now();
    let output = run::run(&mut tamis, PATIENCE).unwrap();
    let took = start.elapsed();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let html = fs::read_to_string(&page).unwrap();
    let bytes = html.len() as u64;
    fs::write(&page, html.replace("</body>", &format!("<script>{DRIVER}</script></body>"))).unwrap();
    let VisitedPage { dom, messages, requests } = browser::visit(&page);
    for name in ["run", "skip", "passed", "failed"] {
        let shown = value_of(&dom, &format!("id=\"number-{name}\">"), '<');
        assert_eq!(shown, document["summary"][name].to_string(), "{name} of {tests}");
    }
    assert!(!dom.contains("data-hacked"), "a name was executed");
    assert!(messages.is_empty(), "{messages:?}");
    assert!(requests.iter().all(|url| url.starts_with("file:") || url.starts_with("data:")), "{requests:?}");
    let seen = value_of(&dom, "data-seen=\"", '"').replace("&quot;", "\"").replace("&amp;", "&");
    let seen: Value = serde_json::from_str(&seen).unwrap();
    assert_eq!((&seen["images"], &seen["requests"]), (&0.into(), &0.into()), "{seen}");
    assert_eq!(seen["all"], format!("{tests} of {tests}"), "{seen}");
    assert_eq!(seen["none"], format!("0 of {tests}"), "{seen}");
    assert!(seen["rows"].as_u64().unwrap() < 60, "{seen}");
    for screen in ["run", "why", "map", "slow", "history"] {
        assert!(seen[screen].as_i64().unwrap() > 0, "{screen}: {seen}");
    }
    (seen, took, bytes)
}

#[test]
fn small_pages_show_their_run() {
    for tests in [0, 1, 50] {
        let (seen, ..) = check(tests);
        assert_eq!(seen["detail"].as_str().unwrap().is_empty(), tests == 0, "{seen}");
    }
}

#[test]
fn a_page_of_fifty_thousand_tests_is_small_and_fast() {
    let (seen, took, bytes) = check(50_000);
    assert!(bytes < 1 << 20, "{bytes} bytes");
    let keystroke = seen["keystroke"].as_f64().unwrap();
    // Limits of a busy machine: docs/design/report.md has the figures of a quiet one.
    assert!(keystroke < 500.0 && took < Duration::from_secs(5), "{seen}, made in {took:?}");
    let (paint, took) = (&seen["paint"], took.as_millis());
    println!("{bytes} bytes, made in {took} ms, first paint {paint} ms, keystroke {keystroke:.1} ms");
}
