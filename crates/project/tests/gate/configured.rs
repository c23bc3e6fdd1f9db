//! The configuration's text is equal for the same build, and differs after every edit that tests could
//! notice.

use std::fs;
use std::path::Path;

use tamis_project::build::gate::GateRequest;
use tamis_test_support::{jdk, maven};

use super::asking::{Build, passing, plugins, pom};

/// Edits of the configuration, each as one execution beside the unedited ones.
const EDITS: [(&str, &str); 14] = [
    ("arguments", "<argLine>-Xmx64m</argLine>"),
    ("late", "<argLine>@{late}</argLine>"),
    ("includes", "<includes><include>**/B*.java</include></includes>"),
    ("excludes", "<excludes><exclude>**/B*.java</exclude></excludes>"),
    ("groups", "<groups>fast</groups>"),
    ("properties", "<systemPropertyVariables><x>1</x></systemPropertyVariables>"),
    ("properties-file", "<systemPropertiesFile>${basedir}/my.properties</systemPropertiesFile>"),
    ("environment", "<environmentVariables><X>1</X></environmentVariables>"),
    ("forks", "<forkCount>2</forkCount>"),
    ("reuse", "<reuseForks>false</reuseForks>"),
    ("none", "<forkCount>0</forkCount>"),
    ("scanned", "<dependenciesToScan><dependency>junit:junit</dependency></dependenciesToScan>"),
    ("toolchain", "<jdkToolchain><version>25</version></jdkToolchain>"),
    (
        "reporter",
        "<statelessTestsetReporter implementation=\"org.apache.maven.plugin.surefire.extensions.SurefireStatelessReporter\"><disable>true</disable></statelessTestsetReporter>",
    ),
];

/// A project that runs its tests once as `same`, once as `self`, and once for every edit.
fn project(version: &str, late: &str) -> Build {
    let java = jdk::jdk(25).home;
    let jvm = format!("<jvm>{}/bin/java</jvm>", java.display());
    let edits = EDITS.into_iter().chain([("same", ""), ("self", ""), ("jvm", jvm.as_str())]);
    let executions: String = edits
        .map(|(id, configuration)| {
            format!(
                "<execution><id>{id}</id><phase>test</phase><goals><goal>test</goal></goals>
                 <configuration>{configuration}</configuration></execution>"
            )
        })
        .collect();
    let surefire = format!(
        "<plugin><artifactId>maven-surefire-plugin</artifactId><version>{version}</version>
         <executions>{executions}</executions></plugin>"
    );
    let toolchains = format!(
        "<toolchains><toolchain><type>jdk</type><provides><version>25</version></provides>
         <configuration><jdkHome>{}</jdkHome></configuration></toolchain></toolchains>",
        java.display()
    );
    let pom =
        pom("a", &plugins(&surefire)).replace("<properties>", &format!("<properties><late>{late}</late>"));
    Build::new(&[
        ("pom.xml", &pom),
        ("my.properties", "a=1"),
        ("toolchains.xml", &toolchains),
        ("src/test/java/ATest.java", &passing("ATest")),
    ])
}

fn asked(build: &Build, maven: &Path, more: &[&str]) -> Vec<GateRequest> {
    let (output, asked) = build.run(maven, &[&["-t", "toolchains.xml", "test"], more].concat(), |_| true);
    assert!(output.success(), "{}", output.stdout);
    assert_eq!(asked.len(), EDITS.len() + 4, "{}", output.stdout);
    asked
}

fn of<'a>(asked: &'a [GateRequest], execution: &str) -> &'a str {
    &asked.iter().find(|asked| asked.execution == execution).unwrap().configuration
}

#[test]
fn every_edit_changes_the_configuration_and_nothing_else_does() {
    let build = project("3.2.5", "-Dlate=1");
    let installed = Path::new("mvn");
    let first = asked(&build, installed, &[]);
    assert_eq!(of(&first, "same"), of(&first, "self"));
    for edited in
        first.iter().filter(|asked| !["default-test", "same", "self"].contains(&asked.execution.as_str()))
    {
        assert_ne!(edited.configuration, of(&first, "same"), "{}", edited.execution);
    }
    for asked in &first {
        assert!(!asked.configuration.contains("unknown:"), "{}", asked.configuration);
    }
    let java = fs::canonicalize(jdk::jdk(25).home.join("bin/java")).unwrap();
    for execution in ["toolchain", "jvm"] {
        assert!(of(&first, execution).contains(java.to_str().unwrap()), "{}", of(&first, execution));
    }

    let again = asked(&build, installed, &[]);
    assert_eq!(again, first, "the same build");

    build.write("my.properties", "a=2");
    let other_file = asked(&build, installed, &[]);
    for (before, after) in first.iter().zip(&other_file) {
        assert_eq!(before.configuration == after.configuration, before.execution != "properties-file");
    }

    let given = asked(&build, installed, &["-Dx=1"]);
    assert_ne!(of(&given, "same"), of(&first, "same"));
    let pom = fs::read_to_string(build.path("pom.xml")).unwrap();
    build.write("pom.xml", &pom.replace("-Dlate=1", "-Dlate=2"));
    let late = asked(&build, installed, &[]);
    for (before, after) in other_file.iter().zip(&late) {
        assert_eq!(before.configuration == after.configuration, before.execution != "late");
    }
}

#[test]
fn the_toolchain_of_the_build_is_part_of_the_configuration() {
    let java = jdk::jdk(25).home;
    let toolchains = format!(
        "<toolchains><toolchain><type>jdk</type><provides><version>25</version></provides>
         <configuration><jdkHome>{}</jdkHome></configuration></toolchain></toolchains>",
        java.display()
    );
    let more = "<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
        <plugin><artifactId>maven-toolchains-plugin</artifactId><version>3.1.0</version><executions><execution>
          <goals><goal>toolchain</goal></goals>
          <configuration><toolchains><jdk><version>25</version></jdk></toolchains></configuration>
        </execution></executions></plugin>";
    let build = Build::new(&[
        ("pom.xml", &pom("a", &plugins(more))),
        ("toolchains.xml", &toolchains),
        ("src/test/java/ATest.java", &passing("ATest")),
    ]);
    for maven in ["3.6.3", "3.9.13", "4.0.0-rc-5"].map(|version| maven::program(version).unwrap()) {
        let (output, asked) = build.run(&maven, &["-t", "toolchains.xml", "test"], |_| true);
        assert!(output.success() && asked.len() == 1, "{}", output.stdout);
        let jvm = asked[0].configuration.lines().find(|line| line.starts_with("jvm ")).unwrap();
        assert!(jvm.contains(java.to_str().unwrap()), "{jvm}");
    }
}

#[test]
fn another_version_of_a_library_changes_only_the_class_path() {
    let build = project("3.2.5", "");
    let first = asked(&build, Path::new("mvn"), &[]);
    let pom = fs::read_to_string(build.path("pom.xml")).unwrap();
    build.write("pom.xml", &pom.replace("4.13.2", "4.13.1"));
    let second = asked(&build, Path::new("mvn"), &[]);
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(first.configuration, second.configuration);
        assert_ne!(first.class_path, second.class_path);
    }
}

#[test]
fn another_version_of_the_plugin_or_of_maven_changes_the_configuration() {
    let installed = Path::new("mvn");
    let build = project("3.2.5", "");
    let first = asked(&build, installed, &[]);
    let root = build.path("");
    let relative = |asked: &[GateRequest], root: &Path| {
        let asked = asked.iter().find(|asked| asked.execution == "same").unwrap();
        asked.configuration_in(Path::new(root.to_str().unwrap().trim_end_matches('/')))
    };
    let copy = project("3.2.5", "");
    let copied = asked(&copy, installed, &[]);
    assert_eq!(relative(&copied, &copy.path("")), relative(&first, &root), "a copy elsewhere");
    let surefire = project("3.5.4", "");
    assert_ne!(relative(&asked(&surefire, installed, &[]), &surefire.path("")), relative(&first, &root));
    let maven = asked(&build, &maven::program("3.9.13").unwrap(), &[]);
    assert_ne!(of(&maven, "same"), of(&first, "same"));
}
