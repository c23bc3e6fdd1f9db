//! The classes of real JDKs, compared with a listing by the JDK itself.

use crate::Disk;
use std::collections::BTreeMap;
use std::time::Duration;
use tamis_project::classpath::{ClassPath, ClassPathOptions, JdkClasses};
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::{javac, run};

/// Prints module, name, size and checksum of all classes: of the run-time image, or of JDK 8's jars.
const LISTER: &str = r#"
import java.io.*; import java.net.URI; import java.nio.file.*; import java.util.*; import java.util.zip.*;
public class Lister {
    static PrintStream out = new PrintStream(new BufferedOutputStream(System.out));
    static void show(String module, String name, byte[] content) {
        CRC32 crc = new CRC32(); crc.update(content);
        out.println(module + " " + name.substring(0, name.length() - 6) + " " + content.length + " " + crc.getValue());
    }
    static byte[] all(InputStream in) throws IOException {
        ByteArrayOutputStream to = new ByteArrayOutputStream(); byte[] part = new byte[8192];
        for (int n; (n = in.read(part)) > 0; ) to.write(part, 0, n);
        return to.toByteArray();
    }
    public static void main(String[] args) throws Exception {
        if (System.getProperty("java.version").startsWith("1.8")) {
            List<String> jars = new ArrayList<>(Arrays.asList(System.getProperty("sun.boot.class.path").split(":")));
            File[] extensions = new File(System.getProperty("java.home"), "lib/ext").listFiles();
            if (extensions != null) for (File jar : extensions) jars.add(jar.getPath());
            for (String jar : jars) {
                if (!jar.endsWith(".jar") || !new File(jar).isFile()) continue;
                try (ZipFile zip = new ZipFile(jar)) {
                    for (ZipEntry e : Collections.list(zip.entries()))
                        if (e.getName().endsWith(".class")) show("", e.getName(), all(zip.getInputStream(e)));
                }
            }
        } else {
            Path top = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
            Iterator<Path> paths = Files.walk(top).filter(p -> p.toString().endsWith(".class")).iterator();
            while (paths.hasNext()) {
                Path p = paths.next();
                show(p.getName(1).toString(), p.subpath(2, p.getNameCount()).toString(), Files.readAllBytes(p));
            }
        }
        out.flush();
    }
}
"#;

type Classes = BTreeMap<(String, String), (usize, u32)>;

/// The listing by the JVM of this JDK.
fn as_the_jvm_says(jdk: &Jdk) -> Classes {
    let classes = javac::compile(jdk, &[("Lister.java", LISTER)], &[]).unwrap();
    let class_path = classes.path.to_str().unwrap();
    let output = run::java(jdk, &["-cp", class_path, "Lister"], Duration::from_secs(180)).unwrap();
    assert!(output.success(), "{}", output.stderr);
    let mut all = Classes::new();
    for line in output.stdout.lines() {
        let [module, name, size, crc] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        all.insert((module.into(), name.into()), (size.parse().unwrap(), crc.parse().unwrap()));
    }
    all
}

fn measure(bytes: &[u8]) -> (usize, u32) {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    (bytes.len(), crc.sum())
}

#[test]
fn every_class_of_every_jdk_is_found_with_its_bytes() {
    for jdk in jdk::required() {
        let expected = as_the_jvm_says(&jdk);
        assert!(expected.len() > 15_000, "JDK {}: {} classes", jdk.feature, expected.len());
        let classes = JdkClasses::open(&jdk.home).unwrap();
        let names: Vec<_> = classes.names().unwrap().into_iter().map(|(m, n)| (m.to_owned(), n)).collect();
        assert_eq!(names, expected.keys().cloned().collect::<Vec<_>>(), "JDK {}", jdk.feature);

        let class_path =
            ClassPath::open(std::slice::from_ref(&jdk.home), &ClassPathOptions::default()).unwrap();
        assert!(class_path.problems().is_empty());
        let (mut by_name, mut by_path) = (Vec::new(), Vec::new());
        for ((module, name), measured) in &expected {
            if name == "module-info" {
                continue;
            }
            assert!(classes.read(name, &mut by_name).unwrap(), "JDK {}: {module}/{name}", jdk.feature);
            assert_eq!(measure(&by_name), *measured, "JDK {}: {module}/{name}", jdk.feature);
            class_path.read(class_path.find(name).unwrap(), &mut by_path).unwrap();
            assert!(by_name == by_path, "JDK {}: {module}/{name}", jdk.feature);
        }
        assert_eq!(class_path.classes().len() + class_path.shadowed().len(), expected.len());
        assert!(
            classes.read("java/lang/Object", &mut by_name).unwrap()
                && by_name.starts_with(b"\xCA\xFE\xBA\xBE")
        );
        assert!(!classes.read("java/lang/NoSuchClass", &mut by_name).unwrap());
        assert!(!classes.read("no/such/package/A", &mut by_name).unwrap());
    }
}

#[test]
fn an_image_that_jlink_compressed_is_read() {
    let jdk = jdk::jdk(17);
    let plain = JdkClasses::open(&jdk.home).unwrap();
    let disk = Disk::new();
    let link = |level: &str| {
        let home = disk.at(&format!("level-{level}"));
        let mut command = jdk.tool("jlink");
        command.args(["--add-modules", "java.base,java.logging", "--compress", level, "--output"]).arg(&home);
        let output = run::run(&mut command, Duration::from_secs(180)).unwrap();
        assert!(output.success(), "{}{}", output.stdout, output.stderr);
        JdkClasses::open(&home).unwrap()
    };
    let (mut expected, mut actual) = (Vec::new(), Vec::new());
    let zipped = link("2");
    let names = zipped.names().unwrap();
    assert!(names.len() > 5_000);
    for (_, name) in names.iter().filter(|(_, name)| name != "module-info") {
        assert!(zipped.read(name, &mut actual).unwrap(), "{name}");
        // jlink generates new classes that describe the modules, for the chosen modules.
        if plain.read(name, &mut expected).unwrap() && !name.contains("SystemModules") {
            assert!(actual == expected, "{name}");
        }
    }
    let error = link("1").read("java/lang/Object", &mut actual).unwrap_err();
    assert!(error.to_string().contains("compressed with jlink's `compact-cp`"), "{error}");
}

#[test]
fn a_jdk_with_only_jmods_is_read() {
    let jdk = jdk::jdk(17);
    let disk = Disk::new();
    disk.link("home/jmods", jdk.home.join("jmods"));
    let plain = JdkClasses::open(&jdk.home).unwrap();
    let from_jmods = JdkClasses::open(&disk.at("home")).unwrap();
    let (mut expected, mut actual) = (Vec::new(), Vec::new());
    for name in ["java/lang/Thread", "java/sql/Connection"] {
        assert!(plain.read(name, &mut expected).unwrap() && from_jmods.read(name, &mut actual).unwrap());
        assert!(actual == expected, "{name}");
    }
    assert!(!from_jmods.read("module-info", &mut actual).unwrap());
    let modules = |classes: &JdkClasses| {
        let mut modules: Vec<_> =
            classes.names().unwrap().into_iter().map(|(module, _)| module.to_owned()).collect();
        modules.dedup();
        modules
    };
    assert_eq!(modules(&from_jmods), modules(&plain));
}

#[test]
fn a_home_without_a_jdk_is_a_clear_error() {
    let disk = Disk::new();
    disk.write("no/jdk", "");
    let error = disk.shown(JdkClasses::open(&disk.at("no")).unwrap_err());
    assert!(error.contains("not a JDK") && error.contains("JAVA_HOME"), "{error}");
    let error = disk.shown(JdkClasses::open(&disk.at("missing")).unwrap_err());
    assert!(error.starts_with("missing: no such file or directory"), "{error}");
}
