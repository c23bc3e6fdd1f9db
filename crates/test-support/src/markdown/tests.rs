//! Valid and invalid contents of a case file.

use super::*;
use tempfile::TempDir;

const WHOLE: &str = "# The body of a default method changes

Prose with `code` and a # that is no title.

```java before/Shape.java
interface Shape { default int sides() { return 0; } }
```
```java after/Shape.java
interface Shape {
  default int sides() { return 1; }
}
```
```java both/a/Square.java
# not a title
```
```args
-g:none
-parameters
```
```args after
--release 17
```
````text both/notes.txt
```java before/Inner.java
````
```changes
CIM Shape.sides()I code

```
```decisions class
run  SquareTest
```
";

fn check_error(text: &str, line: usize, what: &str) {
    let error = parse(Path::new("x.md"), text).unwrap_err();
    assert!(error.what.contains(what), "{error}");
    assert_eq!(error.line, line, "{error}");
    assert!(error.to_string().starts_with(&format!("x.md:{line}: ")));
}

fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn a_whole_case_is_read() {
    let case = parse(Path::new("dir/x.md"), WHOLE).unwrap();
    assert_eq!(case.title, "The body of a default method changes");
    assert_eq!(case.path, Path::new("dir/x.md"));
    let square = ("a/Square.java", "# not a title\n");
    let notes = ("notes.txt", "```java before/Inner.java\n");
    let before = ("Shape.java", "interface Shape { default int sides() { return 0; } }\n");
    let after = ("Shape.java", "interface Shape {\n  default int sides() { return 1; }\n}\n");
    assert_eq!(case.before, owned(&[before, square, notes]));
    assert_eq!(case.after, owned(&[after, square, notes]));
    assert_eq!(case.args_before, ["-g:none", "-parameters"]);
    assert_eq!(case.args_after, ["-g:none", "-parameters", "--release", "17"]);
    assert_eq!(case.expect["changes"], ["CIM Shape.sides()I code", ""]);
    assert_eq!(case.expect["decisions class"], ["run  SquareTest"]);
    assert_eq!(case.expect.len(), 2);
    assert_eq!(case.job_after().args, case.args_after);
    assert_eq!(case.job_before().sources, case.before);
}

#[test]
fn windows_line_ends_change_nothing() {
    assert_eq!(parse(Path::new("x.md"), &WHOLE.replace('\n', "\r\n")), parse(Path::new("x.md"), WHOLE));
}

#[test]
fn one_side_may_be_empty() {
    let case =
        parse(Path::new("x.md"), "# t\n```java after/A.java\nclass A {}\n```\n```changes\nAF A\n```\n");
    assert_eq!(case.unwrap().before, []);
}

#[test]
fn a_case_without_title_program_or_expectation_is_refused() {
    check_error("```java both/A.java\n```\n```changes\n```\n", 1, "no `# Title`");
    check_error("# t\n```changes\n```\n", 1, "no program");
    check_error("# t\n```java both/A.java\n```\n", 1, "nothing is expected");
    check_error("# t\n\n# u\n", 3, "one file is one case");
}

#[test]
fn a_block_that_would_be_overlooked_is_refused() {
    check_error("# t\n\n```\nclass A {}\n```\n", 3, "needs to say what it is");
    check_error("# t\n```java befor/A.java\n```\n", 2, "`befor` is none of before, after, both");
    check_error("# t\n```java A.java\n```\n", 2, "before/, after/ or both/");
    check_error("# t\n```args sometimes\n```\n", 2, "`sometimes` is none of");
    check_error("# t\n~~~changes\n~~~\n", 2, "at least three backticks");
    check_error("# t\n  ```changes\n  ```\n", 2, "at the start of its line");
    check_error("# t\n\n```changes\n", 3, "never closed");
}

#[test]
fn a_file_or_expectation_given_twice_is_refused() {
    check_error("# t\n```java both/A.java\n```\n```java after/A.java\n```\n", 4, "`A.java` is given twice");
    check_error("# t\n```changes\n```\n```changes\n```\n", 4, "a second `changes` block");
}

#[test]
fn a_path_that_leaves_its_side_is_refused() {
    for path in ["../A.java", "/A.java", "", "a/"] {
        check_error(&format!("# t\n```java both/{path}\n```\n"), 2, "is not the path of a file");
    }
}

#[test]
fn a_folder_is_read_in_order_with_its_subfolders_and_an_empty_one_is_refused() {
    let dir = TempDir::new().unwrap();
    assert!(read_dir(dir.path()).unwrap_err().to_string().contains("no case"));
    for name in ["b.md", "a.md", "README.md", "notes.txt"] {
        fs::write(dir.path().join(name), if name.len() == 4 { WHOLE } else { "prose" }).unwrap();
    }
    fs::create_dir(dir.path().join("aa")).unwrap();
    assert!(read_dir(dir.path()).unwrap_err().to_string().contains("aa:0: no case"));
    fs::write(dir.path().join("aa/z.md"), WHOLE).unwrap();
    let paths: Vec<PathBuf> = read_dir(dir.path()).unwrap().into_iter().map(|case| case.path).collect();
    assert_eq!(paths, ["a.md", "aa/z.md", "b.md"].map(|name| dir.path().join(name)));
    fs::write(dir.path().join("c.md"), "no title").unwrap();
    assert!(read_dir(dir.path()).unwrap_err().to_string().contains("c.md:1: "));
}
