//! Set-up that fails although nothing has changed. Its tests do not begin, so they have not passed.

use crate::build::{Build, PATIENCE};
use crate::steps::Edit;
use std::collections::BTreeSet;
use tamis_test_support::run;

#[test]
fn tests_whose_set_up_failed_run_again_although_they_passed_before() {
    let mut build = Build::of("failing", 17);
    let edit = |file: &str, find: &str, replace: &str| Edit {
        file: file.into(),
        find: find.to_owned(),
        replace: replace.to_owned(),
    };
    build.edit(&edit("src/main/java/clock/Clock.java", "minutes / 100", "minutes / 60"));
    // By reflection, so that the agent does not see the input.
    let reads = "Object broken = System.class.getMethod(\"getenv\", String.class).invoke(null, \"BROKEN\");";
    let set_up = format!("setUp() throws Exception {{\n        {reads}\n        assertEquals(null, broken);");
    build.edit(&edit("src/test/java/clock/SetUpTest.java", "setUp() {", &set_up));
    let first = build.test(&[]);
    assert!(first.exit == Some(0) && first.reported.contains("clock.SetUpTest#nothing"), "{}", first.text);
    let all = ["test", "--all", "--", "--batch-mode", "--offline"];
    let failing = run::run(build.tamis(&all).env("BROKEN", "1"), PATIENCE).unwrap();
    assert_eq!(failing.code, Some(1), "{}", failing.stdout);
    let again = build.test(&["--offline"]);
    assert_eq!(again.reported, BTreeSet::from(["clock.SetUpTest#nothing".to_owned()]), "{}", again.text);
    assert_eq!(build.test(&["--offline"]).reported, BTreeSet::new());
}
