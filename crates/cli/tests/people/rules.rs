//! Rules of `tamis.toml` decide about inputs and tests, and show themselves when they do.

use crate::Project;

/// A test that reads a file, and one that starts a process.
fn project() -> Project {
    let project = Project::junit4();
    let test = "package p; import org.junit.*; import java.nio.file.*; public class ATest {
        @Test public void reads() throws Exception { Files.readAllBytes(Paths.get(\"stamp.txt\")); }
        @Test public void starts() throws Exception { new ProcessBuilder(\"true\").start().waitFor(); }
        @Test public void computes() { Assert.assertEquals(4, 2 + 2); } }";
    project.write("stamp.txt", "one");
    project.compile(&[("p/ATest.java", test)]);
    project.run();
    project
}

/// The methods that run now.
fn selected(project: &Project) -> Vec<String> {
    let names = project.tamis(&["select", "--format", "names"]);
    names.lines().filter_map(|line| Some(line.split_once('#')?.1.to_owned())).collect()
}

#[test]
fn an_ignored_file_may_change_until_the_rule_is_removed() {
    let project = project();
    project.write("stamp.txt", "two");
    assert_eq!(selected(&project), ["reads", "starts"]);
    project.write("tamis.toml", "[ignore]\nfiles = [{ name = \"*.txt\", why = \"a stamp\" }]");
    assert_eq!(selected(&project), ["starts"]);
    let shown = project.tamis(&["select"]);
    assert!(shown.contains("a rule of tamis.toml decided: [ignore] files \"*.txt\": a stamp"), "{shown}");
    assert!(project.tamis(&["doctor"]).contains("[ignore] files \"*.txt\": a stamp"));
    project.write("tamis.toml", "");
    assert_eq!(selected(&project), ["reads", "starts"]);
}

#[test]
fn an_ignored_process_is_forgotten_after_a_run_and_counts_again_without_the_rule() {
    let project = project();
    project.write("tamis.toml", "[ignore]\nprocesses = [{ name = \"true\", why = \"does nothing\" }]");
    project.run();
    assert!(selected(&project).is_empty());
    project.write("tamis.toml", "");
    assert_eq!(selected(&project), ["starts"]);
}

#[test]
fn a_test_always_runs_by_a_rule() {
    let project = project();
    project
        .write("tamis.toml", "[always]\ntests = [{ name = \"p.*Test#computes\", why = \"a smoke test\" }]");
    assert_eq!(selected(&project), ["computes", "starts"]);
    let explained = project.tamis(&["explain", "ATest#computes"]);
    assert!(explained.contains("it always runs: a smoke test"), "{explained}");
}
