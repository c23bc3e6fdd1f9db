//! Every edit of every operator gives a class that the JVM verifies, and at least one edit of each operator
//! changes the program's output.

#![allow(clippy::unwrap_used)] // Tests may panic.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use tamis_mutate::{ClassLookup, EditableClass, OPERATORS, apply};
use tamis_test_support::{javac, jdk, run};

struct Classes(BTreeMap<String, Vec<u8>>);

impl ClassLookup for Classes {
    fn class(&self, name: &str) -> Option<Arc<[u8]>> {
        self.0.get(name).map(|bytes| Arc::from(bytes.as_slice()))
    }
}

#[test]
fn every_edit_verifies_and_every_operator_has_a_visible_effect() {
    for jdk in jdk::spread() {
        let args: &[&str] = if jdk.feature == 8 { &["-g"] } else { &["-g", "--release", "8"] };
        let program =
            javac::compile(&jdk, &[("p/Program.java", include_str!("samples/Program.java"))], args).unwrap();
        let driver =
            javac::compile(&jdk, &[("Driver.java", include_str!("samples/Driver.java"))], &["-nowarn"])
                .unwrap();
        let mut classes: BTreeMap<String, Vec<u8>> = program.classes().into_iter().collect();
        let own: Vec<String> = classes.keys().cloned().collect();
        let folder = tempfile::tempdir().unwrap();
        let object = folder.path().join("Object.class");
        let (at, to) = (driver.path.display().to_string(), object.display().to_string());
        run::java(&jdk, &["-cp", &at, "Driver", "object", &to], run::SHORT).unwrap();
        classes.insert("java/lang/Object".to_owned(), fs::read(object).unwrap());
        let classes = Classes(classes);
        let mut made = Vec::new();
        for operator in OPERATORS {
            for name in &own {
                let class = EditableClass::read(&classes.0[name]).unwrap();
                for site in operator.sites(&class, &classes) {
                    let at = folder.path().join(made.len().to_string());
                    for file in apply(&class, &site.edit).unwrap() {
                        let path = at.join(format!("{}.class", file.class));
                        fs::create_dir_all(path.parent().unwrap()).unwrap();
                        fs::write(path, file.bytes).unwrap();
                    }
                    made.push((operator.name, site));
                }
            }
        }
        let mut args: Vec<String> =
            ["-Xverify:all", "-XX:TieredStopAtLevel=1", "-cp"].map(str::to_owned).to_vec();
        args.extend([driver.path.display().to_string(), "Driver".to_owned()]);
        args.extend((0..made.len()).map(|index| folder.path().join(index.to_string()).display().to_string()));
        args.push(program.path.display().to_string());
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run::java(&jdk, &args, Duration::from_secs(300)).unwrap();
        let said: Vec<&str> =
            output.stdout.lines().filter_map(|line| Some(line.split_once('\t')?.1)).collect();
        assert_eq!(said.len(), made.len() + 1, "{}{}", output.stdout, output.stderr);
        let original = said.last().unwrap();
        assert!(original.starts_with("7 base 4 16 false named title 16"), "{original}");
        let mut shown: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for ((operator, site), said) in made.iter().zip(&said) {
            let what = format!("JDK {}, {operator}: {} {}", jdk.feature, site.entity, site.what);
            for error in ["VerifyError", "ClassFormatError", "IncompatibleClassChange", "ClassCastException"]
            {
                assert!(!said.contains(error), "{what}: {said}");
            }
            let count = shown.entry(operator).or_default();
            count.0 += 1;
            count.1 += usize::from(said != original);
        }
        for operator in OPERATORS {
            let (sites, different) = shown.get(operator.name).copied().unwrap_or_default();
            assert!(
                different > 0,
                "JDK {}: {} has {sites} sites without any visible effect",
                jdk.feature,
                operator.name
            );
        }
    }
}
