//! A body that throws does so in every version of class files, whatever it begins with, and no handler of its
//! own catches it.

#![allow(clippy::unwrap_used)] // Tests may panic.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use tamis_mutate::{ClassLookup, EditableClass, apply, find};
use tamis_test_support::{javac, jdk, run};

struct NoClasses;

impl ClassLookup for NoClasses {
    fn class(&self, _: &str) -> Option<Arc<[u8]>> {
        None
    }
}

#[test]
fn bodies_throw_at_once_in_every_version_of_class_files() {
    let throws = find("throws").unwrap();
    for jdk in jdk::spread() {
        let args: &[&str] = if jdk.feature == 8 { &["-g"] } else { &["-g", "--release", "8"] };
        let program =
            javac::compile(&jdk, &[("p/Program.java", include_str!("samples/Bodies.java"))], args).unwrap();
        let driver =
            javac::compile(&jdk, &[("Driver.java", include_str!("samples/Driver.java"))], &["-nowarn"])
                .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut made = Vec::new();
        // The first version is 45.3, of JDK 1.1; JDK 8 reads 52.
        for version in 45..=44 + jdk.feature {
            // Version 49 brought enums, and constants that are classes.
            let existed = |name: &String| version >= 49 || name != "p/Program$Side";
            for (name, mut bytes) in program.classes().into_iter().filter(|(name, _)| existed(name)) {
                bytes[5] = if version == 45 { 3 } else { 0 };
                bytes[6..8].copy_from_slice(&u16::try_from(version).unwrap().to_be_bytes());
                let class = EditableClass::read(&bytes).unwrap();
                for site in throws.sites(&class, &NoClasses) {
                    let path = folder.path().join(made.len().to_string()).join(format!("{name}.class"));
                    let [edited] = &apply(&class, &site.edit).unwrap()[..] else { panic!("one class") };
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, &edited.bytes).unwrap();
                    made.push((version, site.entity));
                }
            }
        }
        let entities: BTreeSet<&str> = made.iter().map(|(_, entity)| entity.as_str()).collect();
        let bodies = [
            "p/Program$Base.<init>(I)V",
            "p/Program$Side.<init>(Ljava/lang/String;I)V",
            "p/Program$Sub.<init>(ZLjava/lang/String;)V",
            "p/Program$Sub.area()I",
            "p/Program.<init>()V",
            "p/Program.caught(Ljava/lang/String;)I",
            "p/Program.empty()V",
            "p/Program.kind(I)Ljava/lang/String;",
            "p/Program.last(Ljava/lang/String;)I",
            "p/Program.locked(Ljava/lang/Object;)Z",
            "p/Program.loop()I",
            "p/Program.run()Ljava/lang/String;",
            "p/Program.wide(JD[Ljava/lang/Object;)D",
        ];
        assert_eq!(entities, BTreeSet::from(bodies), "JDK {}", jdk.feature);
        let mut args: Vec<String> = ["-Xverify:all", "-cp"].map(str::to_owned).to_vec();
        args.extend([driver.path.display().to_string(), "Driver".to_owned()]);
        args.extend((0..made.len()).map(|index| folder.path().join(index.to_string()).display().to_string()));
        args.push(program.path.display().to_string());
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run::java(&jdk, &args, Duration::from_secs(300)).unwrap();
        let said: BTreeMap<usize, &str> = output
            .stdout
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(index, said)| (index.parse().unwrap(), said))
            .collect();
        assert_eq!(said[&made.len()], "6two3.0false16RIGHT", "{}", output.stderr);
        for (index, (version, entity)) in made.iter().enumerate() {
            let what = format!("JDK {}, version {version}: {entity}", jdk.feature);
            assert_eq!(said[&index], "threw java.lang.UnknownError", "{what}");
        }
    }
}
