//! Tests of compiling and caching. They need the JDKs of [`crate::jdk::required`].

use std::collections::BTreeMap;
use std::fs;
use std::thread;

use tempfile::TempDir;

use super::cache::{Cache, Key};
use super::*;
use crate::jdk::{jdk, required};
use crate::{jar, run};

#[test]
fn every_jdk_compiles_and_the_classes_run() {
    for jdk in required() {
        let source = "package a; class B { static class C {} public static void main(String[] x) { \
                      System.out.print(new C().getClass().getName() + \" grüßt\"); } }";
        let classes = compile(&jdk, &[("a/B.java", source)], &[]).unwrap();
        let names: Vec<String> = classes.classes().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a/B", "a/B$C"]);
        assert_eq!(classes.class_bytes("a.B$C"), classes.class_bytes("a/B$C"));
        let out = run::java(
            &jdk,
            &["-Dfile.encoding=UTF-8", "-cp", classes.path.to_str().unwrap(), "a.B"],
            run::SHORT,
        );
        assert_eq!(out.unwrap().stdout, "a.B$C grüßt", "JDK {}", jdk.feature);
    }
}

#[test]
fn errors_of_javac_use_the_given_names_of_sources() {
    for jdk in required() {
        let error = compile(&jdk, &[("a/B.java", "package a;\nclass B { int f() { } }")], &[]).unwrap_err();
        assert!(
            error.starts_with("a/B.java:2: error: missing return statement"),
            "JDK {}: {error}",
            jdk.feature
        );
        let error = compile(&jdk, &[("A.java", "class A {}")], &["-no-such-option"]).unwrap_err();
        assert!(error.contains("no-such-option"), "JDK {}: {error}", jdk.feature);
    }
}

#[test]
fn jobs_of_one_batch_do_not_see_each_other() {
    for jdk in required() {
        let results = compile_many(
            &jdk,
            vec![
                Job::new(&[("A.java", "class A { int ok; }")], &["-g:none"]),
                Job::new(&[("B.java", "class B extends A { }")], &[]),
                Job::new(&[("A.java", "class A { int ok; }")], &["-g"]),
                Job::new(&[("A.java", "class A { int ok; }")], &["-g:none"]),
            ],
        );
        let [Ok(bare), Err(error), Ok(debug), Ok(again)] = results.as_slice() else { panic!("{results:?}") };
        assert!(error.contains("cannot find symbol"), "{error}");
        assert!(bare.class_bytes("A").len() < debug.class_bytes("A").len());
        assert_eq!(bare, again);
    }
}

#[test]
fn a_batch_gives_the_same_bytes_as_the_javac_command() {
    for jdk in required() {
        let source = "import java.util.function.*; class A { enum E { X, Y } Supplier<String> f(E e) { switch (e) { \
                      case X: return () -> \"x\" + e; default: return new Supplier<String>() { public String get() { \
                      return \"é\"; } }; } } }";
        let ours = compile(&jdk, &[("A.java", source)], &["-g"]).unwrap();
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("A.java"), source).unwrap();
        let mut javac = jdk.javac();
        javac.args(["-g", "-encoding", "UTF-8", "-d", "out", "A.java"]).current_dir(dir.path());
        fs::create_dir(dir.path().join("out")).unwrap();
        assert!(run::run(&mut javac, run::SHORT).unwrap().success());
        assert_eq!(
            ours.classes(),
            ClassDir { path: dir.path().join("out") }.classes(),
            "JDK {}",
            jdk.feature
        );
    }
}

#[test]
fn resources_are_copied_beside_the_classes_and_without_sources_the_folder_is_empty() {
    let results = compile_many(
        &jdk(17),
        vec![Job::new(&[("A.java", "class A {}"), ("conf/a.txt", "x")], &[]), Job::default()],
    );
    let [Ok(mixed), Ok(empty)] = results.as_slice() else { panic!("{results:?}") };
    let names: Vec<String> = mixed.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["A.class", "conf/a.txt"]);
    assert_eq!(empty.files(), []);
}

#[test]
fn a_changed_library_is_a_new_compilation() {
    let jdk = jdk(17);
    let dir = TempDir::new().unwrap();
    let library = dir.path().join("lib.jar");
    let class_with = |value: &str| {
        let source = format!("public class L {{ public static final int V = {value}; }}");
        let built = compile(&jdk, &[("L.java", &source)], &[]).unwrap();
        fs::write(&library, jar::deflated(&built.files())).unwrap();
        let user = "class U { int f() { return L.V; } }";
        compile(&jdk, &[("U.java", user)], &["-cp", library.to_str().unwrap()]).unwrap().class_bytes("U")
    };
    assert_ne!(class_with("1000"), class_with("2000"));
}

#[test]
fn a_path_that_leaves_the_folder_or_occurs_twice_is_refused() {
    for path in ["../A.java", "/A.java", "", "a/", "a\\B.java"] {
        assert!(compile(&jdk(17), &[(path, "class A {}")], &[]).is_err(), "{path}");
    }
    let twice = compile(&jdk(17), &[("A.java", "class A {}"), ("A.java", "class A {}")], &[]);
    assert_eq!(twice.unwrap_err(), "`A.java` is given twice");
}

#[test]
fn everything_the_output_depends_on_is_in_the_key() {
    let (old, new) = (jdk(17), jdk(25));
    fn key(jdk: &Jdk, sources: &[(&str, &str)], args: &[&str]) -> Key {
        Key::of(jdk, &Job::new(sources, args)).unwrap()
    }
    let (a, b) = (("A.java", "class A {}"), ("B.java", "class B {}"));
    let keys = [
        key(&old, &[a, b], &[]),
        key(&old, &[b, a], &[]),
        key(&new, &[a, b], &[]),
        key(&old, &[a, b], &["-g"]),
        key(&old, &[a, ("B.java", "class B { }")], &[]),
        key(&old, &[a, ("C.java", "class B {}")], &[]),
        key(&old, &[a], &[]),
    ];
    let distinct: std::collections::BTreeSet<&Key> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len());
    assert_eq!(key(&old, &[a, b], &[]), keys[0]);
}

#[test]
fn an_entry_that_was_made_for_another_key_is_replaced() {
    let dir = TempDir::new().unwrap();
    let cache = Cache::at(dir.path());
    let jdk = jdk(17);
    let job = Job::new(&[("A.java", "class A {}")], &[]);
    let key = Key::of(&jdk, &job).unwrap();
    let compiled = || batch::compile(&jdk, &cache, &BTreeMap::from([(&key, &job)]));
    assert_eq!(compiled(), BTreeMap::new());
    fs::write(cache.entry(&key).join("key"), "another").unwrap();
    assert_eq!(cache.get(&key), None);
    assert_eq!(compiled(), BTreeMap::new());
    assert_eq!(cache.get(&key).unwrap().classes().len(), 1);
}

#[test]
fn many_threads_with_an_empty_cache_get_the_same_entry() {
    let dir = TempDir::new().unwrap();
    let cache = Cache::at(dir.path());
    let jdk = jdk(25);
    let job = Job::new(&[("A.java", "class A { Runnable r = () -> {}; }")], &[]);
    let key = Key::of(&jdk, &job).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                assert_eq!(batch::compile(&jdk, &cache, &BTreeMap::from([(&key, &job)])), BTreeMap::new());
                assert_eq!(cache.get(&key).unwrap().classes().len(), 1);
            });
        }
    });
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "one entry and the helper: {left:?}");
}

#[test]
fn a_copy_can_be_changed_without_changing_the_cache() {
    let classes = compile(&jdk(17), &[("a/A.java", "package a; class A {}")], &[]).unwrap();
    let dir = TempDir::new().unwrap();
    let copy = classes.copy_to(&dir.path().join("mine")).unwrap();
    assert_eq!(copy.files(), classes.files());
    fs::write(copy.path.join("a/A.class"), "changed").unwrap();
    assert_ne!(copy.files(), classes.files());
}

/// Compilers run concurrently in one JVM; that must not make a job lose or change its classes.
#[test]
fn a_large_batch_gives_every_job_its_own_classes() {
    for jdk in required() {
        let dir = TempDir::new().unwrap();
        let cache = Cache::at(dir.path());
        let jobs: Vec<Job> = (0..40)
            .map(|n| {
                Job::new(&[("A.java", &format!("class A {{ String f() {{ return \"<{n}>\"; }} }}"))], &[])
            })
            .collect();
        let keys: Vec<Key> = jobs.iter().map(|job| Key::of(&jdk, job).unwrap()).collect();
        assert_eq!(batch::compile(&jdk, &cache, &keys.iter().zip(&jobs).collect()), BTreeMap::new());
        for (n, key) in keys.iter().enumerate() {
            let bytes = cache.get(key).unwrap().class_bytes("A");
            assert!(
                String::from_utf8_lossy(&bytes).contains(&format!("<{n}>")),
                "JDK {}, job {n}",
                jdk.feature
            );
        }
    }
}
