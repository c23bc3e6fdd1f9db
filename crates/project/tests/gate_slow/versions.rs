//! Every Maven and every line of Surefire and Failsafe asks, obeys, and continues without an answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tamis_project::build::gate::Gate;
use tamis_test_support::{jdk, maven};

use super::asking::{Build, passing, plugins, pom};

/// A module with a unit test and an integration test, which Surefire and Failsafe of this version run.
fn module(name: &str, version: &str) -> String {
    let more = format!(
        "<plugin><artifactId>maven-surefire-plugin</artifactId><version>{version}</version></plugin>
         <plugin><artifactId>maven-failsafe-plugin</artifactId><version>{version}</version><executions>
           <execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution>
         </executions></plugin>"
    );
    pom(name, &plugins(&more))
}

fn project(version: &str) -> Build {
    Build::new(&[
        ("pom.xml", &module("a", version)),
        ("src/main/java/A.java", "public class A {}"),
        ("src/test/java/ATest.java", &passing("ATest")),
        ("src/test/java/AIT.java", &passing("AIT")),
    ])
}

/// The summary of an earlier build whose integration tests failed.
const FAILED: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><failsafe-summary result=\"255\" timeout=\"false\">\
    <completed>1</completed><errors>0</errors><failures>1</failures><skipped>0</skipped><failureMessage/>\
    </failsafe-summary>";

fn check(maven: &Path, version: &str) {
    let build = project(version);
    let (first, asked) = build.run(maven, &["verify"], |_| false);
    assert!(first.success(), "{}", first.stdout);
    assert_eq!(build.reports(""), ["TEST-AIT.xml", "TEST-ATest.xml"]);
    let goals: Vec<_> = asked.iter().map(|asked| (asked.goal.as_str(), asked.execution.as_str())).collect();
    assert_eq!(goals, [("integration-test", "default"), ("test", "default-test")]);
    assert_eq!(asked[1].plugin, format!("org.apache.maven.plugins:maven-surefire-plugin:{version}"));
    assert_eq!(asked[0].directory, build.path("").parent().unwrap().join("project"));
    for asked in &asked {
        assert!(asked.class_path.contains(&build.path("target/test-classes")), "{:?}", asked.class_path);
        assert!(
            asked.class_path.iter().any(|path| path.ends_with("junit-4.13.2.jar")),
            "{:?}",
            asked.class_path
        );
        assert!(asked.class_path.iter().all(|path| path.exists()), "{:?}", asked.class_path);
        assert!(asked.environment.iter().any(|(name, _)| name == "PATH"));
        assert!(!asked.configuration.contains("unknown:"), "{}", asked.configuration);
    }
    assert!(asked[1].class_path.contains(&build.path("target/classes")));
    // After packaging, Failsafe uses the jar; its oldest versions did not.
    let packed = asked[0].class_path.contains(&build.path("target/a-1.jar"));
    assert!(packed != asked[0].class_path.contains(&build.path("target/classes")));
    assert_eq!(packed, !version.starts_with("2.1"), "{:?}", asked[0].class_path);

    build.forget_reports("");
    build.write("target/failsafe-reports/failsafe-summary.xml", FAILED);
    let (second, again) = build.run(maven, &["verify"], |_| true);
    assert!(second.success(), "{}", second.stdout);
    assert_eq!(second.stdout.matches("Tests are skipped.").count(), 3, "{}", second.stdout);
    assert_eq!(build.reports(""), [""; 0]);
    for (first, second) in asked.iter().zip(&again) {
        assert_eq!(first.configuration, second.configuration);
        assert_eq!(first.class_path, second.class_path);
    }
    assert_eq!(again.len(), 2);
}

fn installed() -> PathBuf {
    "mvn".into()
}

#[test]
fn maven_3_6_with_surefire_2_12() {
    check(&maven::program("3.6.3").unwrap(), "2.12");
}

#[test]
fn maven_3_6_with_surefire_3_5() {
    check(&maven::program("3.6.3").unwrap(), "3.5.4");
}

#[test]
fn the_installed_maven_with_surefire_2_22() {
    check(&installed(), "2.22.2");
}

#[test]
fn the_installed_maven_with_surefire_2_18() {
    check(&installed(), "2.18.1");
}

#[test]
fn maven_3_9_with_surefire_3_0() {
    check(&maven::program("3.9.13").unwrap(), "3.0.0");
}

#[test]
fn maven_4_with_surefire_3_2() {
    check(&maven::program("4.0.0-rc-5").unwrap(), "3.2.5");
}

#[test]
fn maven_4_with_surefire_3_5() {
    check(&maven::program("4.0.0-rc-5").unwrap(), "3.5.4");
}

#[test]
fn surefire_is_not_loaded_if_there_is_nothing_to_run() {
    for maven in ["3.6.3", "3.9.13", "4.0.0-rc-5"].map(|version| maven::program(version).unwrap()) {
        let build = project("3.2.5");
        for (nothing, loaded) in [(false, true), (true, false)] {
            let (output, asked) = build.run(&maven, &["-X", "test"], |_| nothing);
            assert!(output.success() && asked.len() == 1, "{}", output.stdout);
            let realm = "Created new class realm plugin>org.apache.maven.plugins:maven-surefire-plugin";
            assert_eq!(output.stdout.contains(realm), loaded, "{}", output.stdout);
            assert!(
                output.stdout.contains("surefire:3.2.5:test")
                    || output.stdout.contains("surefire-plugin:3.2.5:test")
            );
        }
    }
}

#[test]
fn early_and_late_requests_of_an_execution_are_equal() {
    // Excluding a library that does not exist changes nothing, but only the goal itself knows that.
    let late = "<classpathDependencyExcludes><classpathDependencyExclude>no:such</classpathDependencyExclude>\
                </classpathDependencyExcludes>";
    for version in ["2.12", "2.22.2", "3.0.0", "3.5.4"] {
        let surefire = format!(
            "<plugin><artifactId>maven-surefire-plugin</artifactId><version>{version}</version><executions>
             <execution><id>late</id><goals><goal>test</goal></goals><configuration>{late}</configuration></execution>
             </executions></plugin>"
        );
        let build = Build::new(&[
            ("pom.xml", &pom("a", &plugins(&surefire))),
            ("src/test/java/ATest.java", &passing("ATest")),
        ]);
        let (output, asked) = build.run(&installed(), &["test"], |_| true);
        assert!(output.success() && asked.len() == 2, "{}", output.stdout);
        assert_eq!(asked[0].class_path, asked[1].class_path);
        let same = |text: &str| {
            let lines =
                text.lines().filter(|line| !line.starts_with("parameter classpathDependencyExcludes"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(same(&asked[0].configuration), same(&asked[1].configuration));
        assert_ne!(asked[0].configuration, asked[1].configuration);
    }
}

#[test]
fn every_jdk_runs_the_extension() {
    for jdk in jdk::required() {
        let build = project("3.2.5");
        let arguments = ["-Dx=y", "test"];
        let (first, asked) = build.run_with(&installed(), &arguments, &jdk.home, |_| false);
        assert!(first.success(), "{}", first.stdout);
        assert_eq!((build.reports("").len(), asked.len()), (1, 1));
        build.forget_reports("");
        let (second, again) = build.run_with(&installed(), &arguments, &jdk.home, |_| true);
        assert!(second.success(), "{}", second.stdout);
        assert_eq!((build.reports("").len(), &again), (0, &asked));
        assert!(asked[0].configuration.contains(jdk.home.to_str().unwrap()), "{}", asked[0].configuration);
    }
}

#[test]
fn the_gate_is_not_asked_about_tests_that_the_build_skips() {
    let build = project("3.2.5");
    let (output, asked) = build.run(&installed(), &["-DskipTests", "verify"], |_| true);
    assert!(output.success() && asked.is_empty(), "{}", output.stdout);
}

#[test]
fn verify_checks_only_executions_that_ran() {
    let execution = |id: &str, file: &str| {
        format!(
            "<execution><id>{id}</id><goals><goal>integration-test</goal></goals><configuration>
             <summaryFile>${{project.build.directory}}/{file}</summaryFile>
             <includes><include>{id}.java</include></includes></configuration></execution>"
        )
    };
    for version in ["2.12", "2.22.2", "3.5.4"] {
        let executions = [
            execution("AIT", "a.xml"),
            execution("BIT", "b.xml"),
            "<execution><id>judge</id><goals><goal>verify</goal></goals><configuration>
             <failIfNoTests>true</failIfNoTests>
             <summaryFile>${project.build.directory}/a.xml</summaryFile><summaryFiles>
             <summaryFile>${project.build.directory}/b.xml</summaryFile></summaryFiles></configuration></execution>"
                .to_owned(),
        ]
        .concat();
        let more = format!(
            "<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
             <plugin><artifactId>maven-failsafe-plugin</artifactId><version>{version}</version>
             <executions>{executions}</executions></plugin>"
        );
        let fails = "public class BIT { @org.junit.Test public void fails() {
            org.junit.Assert.assertNull(System.getProperty(\"fail\")); } }";
        let build = Build::new(&[
            ("pom.xml", &pom("a", &plugins(&more))),
            ("src/main/java/A.java", "public class A {}"),
            ("src/test/java/AIT.java", &passing("AIT")),
            ("src/test/java/BIT.java", fails),
        ]);
        for summary in ["target/a.xml", "target/b.xml"] {
            build.write(summary, FAILED);
        }
        let verify = |arguments: &[&str], left_out: &[&str]| {
            let decide = |asked: &tamis_project::build::gate::GateRequest| {
                left_out.contains(&asked.execution.as_str())
            };
            build.run(&installed(), arguments, decide).0
        };
        for (left_out, fail, success) in [
            (&["AIT", "BIT"][..], "-Dx", true),
            (&["AIT"], "-Dx", true),
            (&["AIT"], "-Dfail", false),
            (&["BIT"], "-Dfail", true),
            (&[], "-Dfail", false),
        ] {
            let output = verify(&["verify", fail], left_out);
            assert_eq!(output.success(), success, "{version} {left_out:?} {fail}: {}", output.stdout);
        }
    }
}

#[test]
fn without_an_answer_the_tests_run() {
    let build = project("3.2.5");
    let gate = Gate::open(&build.path("../room")).unwrap();
    let file = fs::read(gate.file()).unwrap();
    let (jar, room) = (gate.jar().to_owned(), build.path("../room"));
    drop(gate);
    // Nobody is listening; the file is missing; the file is not a gate's.
    for text in [Some(file.as_slice()), None, Some(b"tamis-gate 9\n1\n2\n3\n")] {
        let other = Gate::open(&room).unwrap();
        match text {
            Some(text) => fs::write(other.file(), text).unwrap(),
            None => fs::remove_file(other.file()).unwrap(),
        }
        assert_eq!(other.jar(), jar);
        let output = build.maven(&installed(), &["test"], &jdk::jdk(17).home, &other);
        assert!(output.success() && !output.stdout.contains("tamis"), "{}", output.stdout);
        assert_eq!(build.reports(""), ["TEST-ATest.xml"]);
        build.forget_reports("");
    }
}

#[test]
fn maven_does_not_wait_forever_for_an_answer() {
    let build = project("3.2.5");
    let (output, asked) = build.run(&installed(), &["test"], |_| {
        thread::sleep(Duration::from_secs(14));
        true
    });
    assert!(output.success(), "{}", output.stdout);
    assert_eq!((build.reports("").len(), asked.len()), (1, 1));
}

#[test]
fn modules_that_build_in_parallel_ask_separately() {
    let surefire = "<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>";
    let module = |name| pom(name, &plugins(surefire));
    let top = "<packaging>pom</packaging><modules><module>a</module><module>b</module></modules>";
    let unseen = "public class BTest { @org.junit.Test public void sees() {
        for (String name : System.getProperties().stringPropertyNames()) {
            org.junit.Assert.assertFalse(name, name.startsWith(\"tamis\") || name.equals(\"maven.ext.class.path\"));
        }
        org.junit.Assert.assertEquals(\"1\", System.getProperty(\"given\"));
    } }";
    let build = Build::new(&[
        ("pom.xml", &pom("top", top)),
        ("a/pom.xml", &module("a")),
        ("a/src/test/java/ATest.java", &passing("ATest")),
        ("b/pom.xml", &module("b")),
        ("b/src/test/java/BTest.java", unseen),
    ]);
    for maven in [installed(), maven::program("3.9.13").unwrap(), maven::program("4.0.0-rc-5").unwrap()] {
        let (output, asked) =
            build.run(&maven, &["-T2", "-Dgiven=1", "test"], |asked| asked.directory.ends_with("a"));
        assert!(output.success(), "{}", output.stdout);
        let directories: Vec<_> = asked.iter().map(|asked| asked.directory.clone()).collect();
        assert_eq!(directories, [build.path("a"), build.path("b")]);
        assert_eq!((build.reports("a"), build.reports("b")), (vec![], vec!["TEST-BTest.xml".to_owned()]));
        let (_, again) = build.run(&maven, &["-Dgiven=1", "test"], |_| true);
        let texts = |asked: &[tamis_project::build::gate::GateRequest]| {
            asked.iter().map(|asked| asked.configuration.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&again), texts(&asked), "with one thread as with two");
        build.forget_reports("b");
    }
}
