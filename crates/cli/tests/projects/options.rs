//! Options that reach the test JVM outside of the build's configuration: the gate must not overlook them.

use crate::build::{Build, PATIENCE};
use crate::steps::Edit;
use std::collections::BTreeSet;
use std::fs;
use tamis_test_support::run;

#[test]
fn options_of_the_environment_and_argument_files_count() {
    let mut build = Build::of("single", 17);
    let file = build.path.join("test.args");
    fs::write(&file, "-Dmode=careful").unwrap();
    build.edit(&Edit {
        file: "pom.xml".into(),
        find: "-Dmode=${mode}".to_owned(),
        replace: "@${project.basedir}/test.args".to_owned(),
    });
    let first = build.test(&[]);
    assert_eq!(first.exit, Some(0), "{}", first.text);
    assert_eq!(build.test(&["--offline"]).reported, BTreeSet::new());
    fs::write(&file, "-Dmode=bold").unwrap();
    let changed = build.test(&["--offline"]);
    assert_eq!(changed.reported, BTreeSet::from(["single.ModeTest#mode".to_owned()]), "{}", changed.text);
    build.forget_reports();
    let all = ["test", "--", "--batch-mode", "--offline"];
    run::run(build.tamis(&all).env("JAVA_TOOL_OPTIONS", "-Duser.language=de"), PATIENCE).unwrap();
    assert_eq!(build.reports().0, first.reported);
}
