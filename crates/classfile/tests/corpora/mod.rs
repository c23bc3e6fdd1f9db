//! Large sets of class files: the images of all installed JDKs, and popular libraries.
#![allow(dead_code)] // Each test program uses a part.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use tamis_project::classpath::{ClassPath, ClassPathOptions};
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::run;

/// Libraries as group:artifact:version, chosen for the variety of their compilers: javac of all ages, ecj,
/// kotlinc, scalac, groovyc, Clojure, bytecode libraries, shading. They have versions 45 to 61, some with
/// `jsr` and `ret`.
const LIBRARIES: &[&str] = &[
    "com.google.guava:guava:33.4.8-jre",
    "org.apache.commons:commons-lang3:3.18.0",
    "org.apache.commons:commons-math3:3.6.1",
    "commons-io:commons-io:2.20.0",
    "org.apache.commons:commons-collections4:4.5.0",
    "commons-collections:commons-collections:3.2.2",
    "com.fasterxml.jackson.core:jackson-core:2.19.2",
    "com.fasterxml.jackson.core:jackson-databind:2.19.2",
    "com.google.code.gson:gson:2.13.1",
    "junit:junit:4.13.2",
    "org.junit.jupiter:junit-jupiter-engine:5.13.4",
    "org.mockito:mockito-core:5.19.0",
    "net.bytebuddy:byte-buddy:1.17.6",
    "org.ow2.asm:asm:9.8",
    "org.springframework:spring-core:6.2.10",
    "org.hibernate.orm:hibernate-core:6.6.29.Final",
    "io.netty:netty-common:4.2.4.Final",
    "org.slf4j:slf4j-api:2.0.17",
    "ch.qos.logback:logback-classic:1.5.18",
    "org.apache.logging.log4j:log4j-core:2.25.1",
    "org.jetbrains.kotlin:kotlin-stdlib:2.2.20",
    "org.scala-lang:scala-library:2.13.16",
    "org.apache.groovy:groovy:4.0.28",
    "org.clojure:clojure:1.12.1",
    "com.h2database:h2:2.3.232",
    "org.assertj:assertj-core:3.27.4",
    "org.bouncycastle:bcprov-jdk18on:1.81",
    "org.eclipse.jdt:ecj:3.42.0",
    "org.aspectj:aspectjweaver:1.9.24",
    "xerces:xercesImpl:2.12.2",
    "antlr:antlr:2.7.7",
    "org.beanshell:bsh:2.0b5",
    "velocity:velocity:1.4",
];

const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/// The jars of [`LIBRARIES`]; Maven fetches them if they are not there yet.
pub(crate) fn libraries() -> Vec<PathBuf> {
    static FETCHING: Mutex<()> = Mutex::new(());
    let _alone = FETCHING.lock().unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("library-jars");
    let jars: Vec<PathBuf> = LIBRARIES.iter().map(|library| folder.join(file_name(library))).collect();
    if !jars.iter().all(|jar| jar.exists()) {
        fetch(&folder);
    }
    for jar in &jars {
        assert!(jar.exists(), "Maven did not fetch {}", jar.display());
    }
    jars
}

fn file_name(library: &str) -> String {
    let [_, artifact, version] = library.split(':').collect::<Vec<_>>()[..] else { panic!("{library}") };
    format!("{artifact}-{version}.jar")
}

/// Fetches all jars with one Maven run: a project that depends on every library, without transitive
/// dependencies.
fn fetch(folder: &Path) {
    let dependencies: String = LIBRARIES
        .iter()
        .map(|library| {
            let [group, artifact, version] = library.split(':').collect::<Vec<_>>()[..] else {
                panic!("{library}")
            };
            format!(
                "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
                 <version>{version}</version>\
                 <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>\
                 </dependency>"
            )
        })
        .collect();
    let project = tempfile::tempdir().unwrap();
    let pom = format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
         <groupId>none</groupId><artifactId>libraries</artifactId><version>1</version><packaging>pom</packaging>\
         <dependencies>{dependencies}</dependencies></project>"
    );
    fs::write(project.path().join("pom.xml"), pom).unwrap();
    let mut maven = Command::new("mvn");
    maven.args(["--batch-mode", "--quiet", COPY]);
    maven.arg(format!("-DoutputDirectory={}", folder.display())).current_dir(project.path());
    let output = run::run(&mut maven, Duration::from_secs(600)).unwrap_or_else(|error| {
        panic!("{error}\nMaven fetches the libraries; install with: apt-get install maven")
    });
    assert!(output.success(), "mvn: {}{}", output.stdout, output.stderr);
}

/// A set of classes.
pub(crate) struct Corpus {
    pub(crate) name: String,
    pub(crate) class_path: ClassPath,
}

impl Corpus {
    fn open(name: String, root: &Path) -> Corpus {
        // Every version of a multi-release jar is listed: the newest as a class, the others as shadowed.
        let options =
            ClassPathOptions { release: Some(1000), follow_manifests: false, ..ClassPathOptions::default() };
        let class_path = ClassPath::open(&[root.to_path_buf()], &options).unwrap();
        assert!(class_path.problems().is_empty(), "{name}: {:?}", class_path.problems());
        Corpus { name, class_path }
    }

    /// Calls `f` with the location and bytes of every class, from two threads.
    pub(crate) fn for_each(&self, f: impl Fn(&str, &[u8]) + Sync) {
        let entries: Vec<_> = self.class_path.classes().iter().chain(self.class_path.shadowed()).collect();
        let f = &f;
        std::thread::scope(|scope| {
            for half in entries.chunks(entries.len().div_ceil(2).max(1)) {
                scope.spawn(move || {
                    let mut bytes = Vec::new();
                    for entry in half {
                        self.class_path.read(entry, &mut bytes).unwrap();
                        f(&entry.location(&self.class_path).to_string(), &bytes);
                    }
                });
            }
        });
    }
}

/// The images of all installed JDKs; fails if a required one is missing.
pub(crate) fn jdks() -> Vec<Corpus> {
    jdk::required();
    jdk::all().iter().map(image).collect()
}

/// All classes of one JDK.
pub(crate) fn image(jdk: &Jdk) -> Corpus {
    Corpus::open(format!("JDK {} ({})", jdk.feature, jdk.version), &jdk.home)
}

/// The libraries, one corpus per jar.
pub(crate) fn library_corpora() -> Vec<Corpus> {
    libraries()
        .iter()
        .map(|jar| Corpus::open(jar.file_name().unwrap().to_string_lossy().into(), jar))
        .collect()
}
