//! Finds builds and makes commands in small project trees.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;

/// A directory with these files; a path that ends in `/` is a directory.
fn project(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let root = fs::canonicalize(directory.path()).unwrap();
    for (path, text) in files {
        let file = root.join(path);
        fs::create_dir_all(if path.ends_with('/') { &file } else { file.parent().unwrap() }).unwrap();
        if !path.ends_with('/') {
            fs::write(&file, text).unwrap();
        }
    }
    (directory, root)
}

fn lists(modules: &[&str]) -> String {
    let modules: String = modules.iter().map(|name| format!("<module>{name}</module>")).collect();
    format!("<project><modules>{modules}</modules></project>")
}

fn arguments(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

/// Root and start directory of the build found from `from`, relative to the directory of these files.
fn found(files: &[(&str, &str)], from: &str, line: &str) -> String {
    let (_kept, root) = project(files);
    match MavenBuild::find(&root.join(from), &arguments(line)) {
        Ok(maven) => {
            let relative = |path: &Path| format!("{}/", path.strip_prefix(&root).unwrap().display());
            format!("{} {}", relative(&maven.root), relative(&maven.directory))
        }
        Err(error) => error.to_string().replace(root.to_str().unwrap(), "ROOT"),
    }
}

#[test]
fn a_single_build_is_found_from_below() {
    let files = [("a/pom.xml", "<project/>"), ("a/src/main/", "")];
    assert_eq!(found(&files, "a", ""), "a/ a/");
    assert_eq!(found(&files, "a/src/main", ""), "a/ a/");
}

#[test]
fn a_module_belongs_to_the_outermost_build_that_lists_it() {
    let top = lists(&["mid", "flat/deep"]);
    let files = [
        ("top/pom.xml", top.as_str()),
        (
            "top/mid/pom.xml",
            "<project><profiles><profile><modules><module>in/pom.xml</module></modules></profile></profiles></project>",
        ),
        ("top/mid/in/pom.xml", "<project/>"),
        ("top/flat/deep/pom.xml", "<project/>"),
        ("top/other/pom.xml", "<project/>"),
        ("pom.xml", "<project><modules><module>nothing</module></modules></project>"),
    ];
    assert_eq!(found(&files, "top/mid/in", ""), "top/ top/mid/in/");
    assert_eq!(found(&files, "top/flat/deep", ""), "top/ top/flat/deep/");
    assert_eq!(found(&files, "top", ""), "top/ top/");
    assert_eq!(found(&files, "top/other", ""), "top/other/ top/other/", "not listed");
}

#[test]
fn a_mvn_directory_marks_the_top_too() {
    let files = [("a/.mvn/", ""), ("a/pom.xml", "<project/>"), ("a/b/c/pom.xml", "<project/>")];
    assert_eq!(found(&files, "a/b/c", ""), "a/ a/b/c/");
    let top = lists(&["b"]);
    let inner = [("a/pom.xml", top.as_str()), ("a/b/.mvn/", ""), ("a/b/pom.xml", "<project/>")];
    assert_eq!(found(&inner, "a/b", ""), "a/ a/b/", "the outermost build counts");
    let bare = [(".mvn/", ""), ("a/pom.xml", "<project/>")];
    assert_eq!(found(&bare, "a", ""), "a/ a/", "no build file beside it");
}

#[test]
fn builds_that_list_each_other_do_not_loop() {
    let (a, b) = (lists(&["b", "."]), lists(&["..", "../b"]));
    assert_eq!(found(&[("a/pom.xml", &a), ("a/b/pom.xml", &b)], "a/b", ""), "a/ a/b/");
}

#[test]
fn the_option_f_names_a_build_file() {
    let top = lists(&["b/special.xml"]);
    let files = [("a/pom.xml", top.as_str()), ("a/b/special.xml", "<project/>"), ("x/", "")];
    assert_eq!(found(&files, "x", "-o -f ../a/b/special.xml"), "a/ x/");
    assert_eq!(found(&files, "x", "--file=../a"), "a/ x/");
    assert_eq!(found(&files, "x", "-f none"), "ROOT/x/none: no such build file; correct the option -f");
}

#[test]
fn a_missing_build_is_reported_with_advice() {
    let error = found(&[("x/", "")], "x", "");
    assert!(
        error.starts_with("no pom.xml and no Gradle build in ROOT/x or above; ")
            && error.contains("tamis run"),
        "{error}"
    );
}

#[test]
fn the_nearest_wrapper_inside_the_build_is_used() {
    use std::os::unix::fs::PermissionsExt;
    let top = lists(&["m"]);
    let (_kept, root) =
        project(&[("mvnw", ""), ("t/pom.xml", &top), ("t/m/pom.xml", "<project/>"), ("bin/mvn", "")]);
    let (t, m, bin) = (root.join("t"), root.join("t/m"), root.join("bin"));
    let executable = |file: &Path| fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    let find = || BuildProgram::find(("mvnw", "mvn"), &m, &t, Some(bin.as_os_str()));

    assert_eq!(find(), None);
    let none = BuildError::NoMaven { root: t.clone() }.to_string();
    assert!(none.starts_with("no Maven: neither mvnw in ") && none.contains("install Maven"), "{none}");
    executable(&bin.join("mvn"));
    assert_eq!(
        find().unwrap(),
        BuildProgram::Executable(bin.join("mvn")),
        "a wrapper above the build is not its own"
    );
    fs::write(t.join("mvnw"), "").unwrap();
    assert_eq!(find().unwrap(), BuildProgram::Script(t.join("mvnw")));
    executable(&t.join("mvnw"));
    assert_eq!(find().unwrap(), BuildProgram::Executable(t.join("mvnw")));
    let script = BuildProgram::Script("/x/mvnw".into()).command();
    assert_eq!(
        (script.get_program(), script.get_args().collect::<Vec<_>>()),
        ("sh".as_ref(), vec!["/x/mvnw".as_ref()])
    );
}

/// The arguments of Maven's command, with `GATE` for the directory of the gate.
fn command(files: &[(&str, &str)], line: &str, with_gate: bool) -> String {
    let (_kept, root) = project(&[files, &[("pom.xml", "<project/>"), ("mvnw", "")]].concat());
    let arguments = arguments(line);
    let maven = MavenBuild::find(&root, &arguments).unwrap();
    let gate = Gate::open(&root.join("room")).unwrap();
    let command = maven.command(&arguments, with_gate.then_some(&gate));
    assert_eq!(command.get_current_dir(), Some(root.as_path()));
    let words: Vec<_> = command.get_args().skip(1).map(|word| word.to_string_lossy()).collect();
    words.join(" ").replace(root.join("room").to_str().unwrap(), "GATE")
}

#[test]
fn maven_runs_test_unless_the_arguments_name_goals() {
    assert_eq!(command(&[], "", false), "test");
    assert_eq!(command(&[], "-o -pl core -am", false), "-o -pl core -am test");
    assert_eq!(command(&[], "-pl core -am verify", false), "-pl core -am verify");
    assert_eq!(command(&[], "-o -- verify", false), "-o -- verify");
}

#[test]
fn the_gate_is_added_to_existing_extensions() {
    let ours = "GATE/gate.jar -Dtamis.gate=GATE/gate";
    assert_eq!(command(&[], "-o", true), format!("-o -Dmaven.ext.class.path={ours} test"));
    assert_eq!(command(&[], "-o -- verify", true), format!("-o -Dmaven.ext.class.path={ours} -- verify"));
    let given = "-Dmaven.ext.class.path=a.jar:b.jar";
    assert_eq!(command(&[], given, true), format!("{given} {given}:{ours} test"));
    let files = [
        (".mvn/maven.config", "-T2\n# x\n-Dmaven.ext.class.path=c.jar"),
        (".mvn/jvm.config", "-Xmx1g -Dmaven.ext.class.path=d.jar"),
    ];
    assert_eq!(command(&files, "", true), format!("-Dmaven.ext.class.path=c.jar:{ours} test"));
    assert_eq!(command(&files[1..], "", true), format!("-Dmaven.ext.class.path=d.jar:{ours} test"));
}

#[test]
fn requests_are_read_from_the_command_line_and_the_project() {
    let (_kept, root) = project(&[("pom.xml", "<project/>"), ("mvnw", "")]);
    let maven = MavenBuild::find(&root, &[]).unwrap();
    for (line, asks, off) in [
        ("", false, false),
        ("-o verify", false, false),
        ("-Dtest=ATest", true, false),
        ("-D it.test=AIT", true, false),
        ("-Dtest=", false, false),
        ("-Dsurefire.rerunFailingTestsCount=2", true, false),
        ("-DskipTests", false, true),
        ("-DskipTests=false", false, false),
        ("-Dmaven.test.skip=true", false, true),
    ] {
        let words = arguments(line);
        assert_eq!((maven.asks_for_tests(&words), maven.tests_are_off(&words)), (asks, off), "{line}");
    }
    let (_kept, root) =
        project(&[("pom.xml", "<project/>"), ("mvnw", ""), (".mvn/maven.config", "-DskipTests")]);
    let maven = MavenBuild::find(&root, &[]).unwrap();
    assert!(maven.tests_are_off(&[]) && !maven.tests_are_off(&arguments("-DskipTests=false")));
}

/// Whether Maven's JVM gets our compiler options in a project with these files.
fn compiles(files: &[(&str, &str)], line: &str) -> bool {
    let (_kept, root) = project(&[&[("pom.xml", "<project/>"), ("mvnw", "")], files].concat());
    let mut maven = MavenBuild::find(&root, &[]).unwrap();
    // Independent of the environment of this test.
    maven.settings = MavenSettings::read(&root, [None, None]);
    let command = maven.command(&arguments(line), None);
    let options = command.get_envs().find(|(name, _)| *name == "MAVEN_OPTS").and_then(|(_, value)| value);
    options.is_some_and(|options| options.to_string_lossy().starts_with("-XX:TieredStopAtLevel=1 -Xss8m"))
}

#[test]
fn mavens_jvm_is_tuned_unless_the_user_or_the_build_decides_otherwise() {
    let many: Vec<String> = (0..2_001).map(|number| format!("src/A{number}.java")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "")).collect();
    let inside = "<project><forkCount> 0 </forkCount></project>";
    assert!(compiles(&[], "") && compiles(&many[1..], "-o verify"));
    assert!(!compiles(&many, ""), "a large build");
    assert!(!compiles(&[("core/pom.xml", inside)], ""), "tests inside of it");
    assert!(compiles(&[("core/pom.xml", &inside.replace('0', "10"))], ""));
    assert!(!compiles(&[], "-DforkMode=never") && !compiles(&[], "-D surefire.forkCount=0"));
    assert!(!compiles(&[(".mvn/maven.config", "-DforkCount=0")], ""));
    assert!(compiles(&[(".mvn/jvm.config", "-Xmx1g")], ""));
    for said in [
        "-XX:TieredStopAtLevel=4",
        "-XX:-TieredCompilation",
        "-Xint",
        "-XX:CICompilerCount=2",
        "-Xss1m",
        "-XX:ThreadStackSize=1024",
    ] {
        assert!(!compiles(&[(".mvn/jvm.config", said)], ""), "{said}");
    }
}

#[test]
fn the_users_options_are_separated_from_ours() {
    let ours = |theirs: &str| jvm::with_ours(Some(theirs.into())).into_string().unwrap();
    for (options, own) in [
        (ours(""), None),
        (ours("-Xmx1g"), Some("-Xmx1g")),
        (
            format!("--enable-native-access=ALL-UNNAMED  {}", ours("-Xmx1g")),
            Some("--enable-native-access=ALL-UNNAMED -Xmx1g"),
        ),
        (format!("{}k", ours("")), Some("-XX:TieredStopAtLevel=1 -Xss8mk")),
        ("-Xmx1g".to_owned(), Some("-Xmx1g")),
        (
            "--enable-native-access=ALL-UNNAMED  -Xmx1g".to_owned(),
            Some("--enable-native-access=ALL-UNNAMED -Xmx1g"),
        ),
        ("-XX:TieredStopAtLevel=12".to_owned(), Some("-XX:TieredStopAtLevel=12")),
    ] {
        assert_eq!(without_ours(&options).as_deref(), own, "{options}");
    }
}
