//! Compiles all cases with their JDKs.

use crate::case::{Case, Side};
use crate::project::{Built, PACKAGE, runner};
use std::fs;
use std::path::{Path, PathBuf};
use tamis_test_support::jar;
use tamis_test_support::javac::{self, ClassDir, Job};
use tamis_test_support::jdk::{self, Jdk};

/// A case compiled with one JDK.
pub(crate) struct Item {
    pub(crate) case: &'static Case,
    pub(crate) feature: u32,
    pub(crate) before: Built,
    pub(crate) after: Built,
}

impl Item {
    /// Whether the JVM is started in another way after the edit.
    pub(crate) fn starts_differ(&self) -> bool {
        let how = |built: &Built| {
            let side = built.side.clone();
            let names: Vec<String> = built.libraries.iter().map(|(name, _)| name.clone()).collect();
            (side.environment, side.flags, side.framework, side.command, built.jdk.feature, names)
        };
        how(&self.before) != how(&self.after)
    }
}

/// Compiles each case with the oldest and the newest required JDK that it fits. Between 17 and 25 little has
/// changed for selection, so a case that fits only these is compiled with one of the two, and with both in
/// the slow ring.
pub(crate) fn compiled(cases: &'static [Case]) -> Vec<Item> {
    let required = jdk::required();
    let mut items = Vec::new();
    for jdk in &required {
        let chosen: Vec<&'static Case> = cases
            .iter()
            .filter(|case| {
                let mut fitting =
                    required.iter().map(|jdk| jdk.feature).filter(|feature| case.fits(*feature));
                let oldest = fitting.next();
                let newest = fitting.next_back().or(oldest);
                let name = case.path.display().to_string();
                let turn =
                    if name.bytes().map(usize::from).sum::<usize>() % 2 == 0 { oldest } else { newest };
                let has_both = cfg!(feature = "slow") || oldest < Some(17);
                if has_both {
                    [oldest, newest].contains(&Some(jdk.feature))
                } else {
                    turn == Some(jdk.feature)
                }
            })
            .collect();
        if !chosen.is_empty() {
            items.extend(with(jdk, &chosen));
        }
    }
    items
}

/// Programs without libraries, each compiled with JUnit 4.
pub(crate) fn built(jdk: &Jdk, programs: Vec<Vec<(String, String)>>) -> Vec<Built> {
    let side = Side::default();
    let mut jars = Built::framework(&side);
    let jobs = programs.into_iter().map(|files| Built::job(files, &side, &jars)).collect();
    jars.insert(0, runner_jar(jdk, &side));
    let compiled = javac::compile_many(jdk, jobs).into_iter();
    let built = compiled.map(|program| Built {
        side: side.clone(),
        program: program.unwrap_or_else(|log| panic!("{log}")),
        over: None,
        libraries: Vec::new(),
        jars: jars.clone(),
        jdk: jdk.clone(),
    });
    built.collect()
}

pub(crate) fn with(jdk: &Jdk, cases: &[&'static Case]) -> Vec<Item> {
    let sides: Vec<(&'static Case, &'static Side)> =
        cases.iter().flat_map(|case| [(*case, &case.before), (*case, &case.after)]).collect();
    // Libraries first: programs are compiled against them.
    let mut names: Vec<(usize, String)> = Vec::new();
    let mut jobs: Vec<Job> = Vec::new();
    for (index, (_, side)) in sides.iter().enumerate() {
        for (part, files) in side.parts() {
            if part.starts_with("lib") {
                names.push((index, part));
                jobs.push(Built::job(files, side, &Built::framework(side)));
            }
        }
    }
    let libraries: Vec<ClassDir> = compile(jdk, jobs, |at| sides.get(names.get(at).unwrap().0).unwrap().0);
    let of = |index: usize| -> Vec<(String, ClassDir)> {
        let own = names.iter().zip(&libraries).filter(|((side, _), _)| *side == index);
        own.map(|((_, name), classes)| (name.clone(), classes.clone())).collect()
    };
    let mut jobs = Vec::new();
    let mut owners = Vec::new();
    for (index, (case, side)) in sides.iter().enumerate() {
        let mut class_path: Vec<PathBuf> = of(index).into_iter().map(|(_, classes)| classes.path).collect();
        class_path.extend(Built::framework(side));
        let mut parts = side.parts();
        for part in ["", "over"] {
            let files = parts.remove(part).unwrap_or_default();
            jobs.push(Built::job(files, side, &class_path));
            owners.push(*case);
        }
    }
    let programs = compile(jdk, jobs, |at| owners.get(at).unwrap());
    let mut built = sides.iter().enumerate().zip(programs.chunks(2)).map(|((index, (_, side)), programs)| {
        let [program, over] = programs else { panic!("two jobs a side") };
        let mut jars = vec![runner_jar(jdk, side)];
        jars.extend(Built::framework(side));
        Built {
            side: (*side).clone(),
            program: program.clone(),
            over: side.parts().contains_key("over").then(|| over.clone()),
            libraries: of(index),
            jars,
            jdk: jdk.clone(),
        }
    });
    let mut items = Vec::new();
    for case in cases {
        let (before, mut after) = (built.next().unwrap(), built.next().unwrap());
        if let Some(feature) = case.runtime_after {
            after.jdk = jdk::jdk(feature);
        }
        items.push(Item { case, feature: jdk.feature, before, after });
    }
    items
}

fn compile(jdk: &Jdk, jobs: Vec<Job>, case: impl Fn(usize) -> &'static Case) -> Vec<ClassDir> {
    let outputs = javac::compile_many(jdk, jobs).into_iter().enumerate();
    let expect = |(at, output): (usize, Result<ClassDir, String>)| {
        output.unwrap_or_else(|log| {
            panic!("{} does not compile with JDK {}\n{log}", case(at).path.display(), jdk.feature)
        })
    };
    outputs.map(expect).collect()
}

/// The runner of a side's framework, in a jar: a directory would count as the project's own classes.
fn runner_jar(jdk: &Jdk, side: &Side) -> PathBuf {
    let name = runner(side);
    let source = match name {
        "RunJUnit4" => include_str!("runners/RunJUnit4.java"),
        "RunPlatform" => include_str!("runners/RunPlatform.java"),
        _ => include_str!("runners/RunTestNG.java"),
    };
    let job = Built::job(
        vec![(format!("{}/{name}.java", PACKAGE.replace('.', "/")), source.to_owned())],
        &Side::default(),
        &Built::framework(side),
    );
    let classes = javac::compile_many(jdk, vec![job]).remove(0).unwrap_or_else(|log| panic!("{name}: {log}"));
    let framework = side.libraries().1.join("+").replace(':', "_");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{framework}.jar", jdk.feature));
    let bytes = jar::deflated(&classes.files());
    if fs::read(&file).ok().as_ref() != Some(&bytes) {
        fs::write(&file, bytes).unwrap();
    }
    file
}
