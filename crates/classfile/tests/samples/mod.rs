//! Real class files: a few Java sources that cover every part of the format, compiled by javac.
#![allow(dead_code)] // Each test program uses a part.

use std::sync::OnceLock;
use tamis_test_support::javac::{self, ClassDir};
use tamis_test_support::jdk::{self, Jdk};

const SAMPLE: (&str, &str) = ("sample/Sample.java", include_str!("Sample.java"));
const MODERN: (&str, &str) = ("sample/Modern.java", include_str!("Modern.java"));
const NEWEST: (&str, &str) = ("sample/Newest.java", include_str!("Newest.java"));

/// A JDK, the classes it compiled, and those with a `main`.
pub(crate) struct Compiled {
    pub(crate) jdk: Jdk,
    pub(crate) classes: ClassDir,
    pub(crate) mains: &'static [&'static str],
}

/// The samples, with and without debug tables, for several class-file versions.
pub(crate) fn compiled() -> Vec<Compiled> {
    let (jdk17, jdk25) = (jdk::jdk(17), jdk::jdk(25));
    let compile = |jdk: &Jdk, sources: &[(&str, &str)], args: &[&str], mains| Compiled {
        jdk: jdk.clone(),
        classes: javac::compile(jdk, sources, args).unwrap(),
        mains,
    };
    vec![
        compile(&jdk17, &[SAMPLE], &["-g", "-parameters", "--release", "8"], &["sample.Sample"]),
        compile(&jdk17, &[SAMPLE, MODERN], &["-g:none"], &["sample.Sample", "sample.Modern"]),
        compile(
            &jdk25,
            &[SAMPLE, MODERN, NEWEST],
            &["-g", "-parameters"],
            &["sample.Sample", "sample.Modern", "sample.Newest"],
        ),
    ]
}

/// Name and bytes of every sample class.
pub(crate) fn classes() -> &'static [(String, Vec<u8>)] {
    static CLASSES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    CLASSES.get_or_init(|| compiled().iter().flat_map(|compiled| compiled.classes.classes()).collect())
}

/// Loops that tests stretch beyond the reach of a jump.
pub(crate) fn far() -> Compiled {
    let jdk = jdk::jdk(17);
    let source = ("sample/Far.java", include_str!("Far.java"));
    let classes = javac::compile(&jdk, &[source], &["-g"]).unwrap();
    Compiled { jdk, classes, mains: &["sample.Far"] }
}
