//! The costs of the agent: a real suite without it, with it and with JaCoCo; start-up, rewriting, boundaries,
//! memory.
//!
//! The variants alternate, so that other work on the machine affects all of them alike. Only ratios have
//! limits.

use crate::measure::{Runs, Took};
use crate::process::{once, tamis};
use crate::table;
use anyhow::{Context, Result, anyhow, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_agent::instrument::{self, WatchMode};
use tamis_classfile::ClassFile;
use tamis_classfile::access::ABSTRACT;
use tamis_test_support::jdk::Jdk;
use tamis_test_support::{javac, jdk, maven};

/// Apache Commons Math: 5,000 tests, at least 10 seconds.
const SUITE: [&str; 3] = [
    "org.apache.commons:commons-math3:3.6.1",
    "org.apache.commons:commons-math3:3.6.1:tests",
    "junit:junit:4.13.2",
];

/// Excluded: a few classes that run numeric loops for longer than all other classes together.
const SLOW: [&str; 16] = [
    "AbstractRandomGenerator",
    "BOBYQA",
    "BitsStream",
    "CMAES",
    "EmpiricalDistribution",
    "FastMathTest",
    "FieldRotation",
    "FixedElapsedTime",
    "ISAAC",
    "JacobianMatrices",
    "KolmogorovSmirnov",
    "LegendreHighPrecisionTest",
    "PSquare",
    "PolynomialFitter",
    "RandomDataGenerator",
    "RandomGeneratorFactory",
];

/// A part of the suite that takes less than 10 seconds.
const SHORT: [&str; 3] = [".complex.", ".fraction.", ".linear."];

/// A fixed heap: the resident size of a growing one depends mostly on the collector's timing.
const HEAP: [&str; 2] = ["-Xms768m", "-Xmx768m"];

const JACOCO: &str = "org.jacoco:org.jacoco.agent:0.8.14:runtime";

/// Methods of the program that crosses boundaries, a thousand per class.
const PROBES: usize = 100_000;
const HIT: usize = 10_000;

pub(crate) fn run(runs: usize, features: &[u32], skip_suite: bool) -> Result<()> {
    for feature in features {
        let jdk = jdk::find(*feature).with_context(|| jdk::missing(&[*feature]))?;
        let there = tempfile::tempdir()?;
        let mut rows = Vec::new();
        let suite = Suite::prepare(&jdk, there.path())?;
        if !skip_suite {
            suite.measure("tests", "1.05, processor 1.10, memory 1.05", runs, &mut rows)?;
            // Each run takes only two seconds, so a single disturbance could decide; more runs compensate for
            // that.
            suite.measure("short", "1.10", runs * 5, &mut rows)?;
        }
        startup(&jdk, there.path(), &mut rows)?;
        rewriting(&suite, &mut rows)?;
        boundaries(&jdk, &suite, &mut rows)?;
        table::print(
            &format!("the agent in JDK {} ({}), {runs} runs of the suite in turns", jdk.feature, jdk.version),
            &["", "median", "best", "processor", "memory", "promised"],
            &rows,
        );
    }
    Ok(())
}

fn row(name: impl Into<String>, cells: [String; 4], promised: &str) -> Vec<String> {
    let mut row = vec![name.into()];
    row.extend(cells);
    row.push(promised.to_owned());
    row
}

fn none() -> String {
    String::new()
}

/// A suite unpacked into directories, like a project under development.
struct Suite {
    java: PathBuf,
    folder: PathBuf,
    class_path: String,
    classes: Vec<PathBuf>,
    jacoco: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum With {
    Nothing,
    Tamis,
    Jacoco,
}

struct Ran {
    took: Took,
    tests: String,
    peak: f64,
}

impl Suite {
    fn prepare(jdk: &Jdk, there: &Path) -> Result<Suite> {
        let jars = maven::jars(&SUITE).map_err(|error| anyhow!(error))?;
        let jacoco = maven::jars(&[JACOCO]).map_err(|error| anyhow!(error))?;
        let (mut entries, mut unpacked) = (Vec::new(), Vec::new());
        for (number, jar) in jars.iter().enumerate() {
            if !jar.to_string_lossy().contains("commons-math3") {
                entries.push(jar.clone());
                continue;
            }
            let folder = there.join(format!("classes-{number}"));
            fs::create_dir(&folder)?;
            let unpack = jdk.tool("jar").arg("xf").arg(jar).current_dir(&folder).status()?;
            ensure!(unpack.success(), "jar xf {}", jar.display());
            entries.push(folder.clone());
            unpacked.push(folder);
        }
        let library_path = join(&entries);
        let source = [("Suite.java", include_str!("../java/Suite.java"))];
        let runner = javac::compile(jdk, &source, &["-cp", &library_path]).map_err(|error| anyhow!(error))?;
        let mut classes = Vec::new();
        for folder in &unpacked {
            crate::classes::files(folder, &mut classes)?;
        }
        let mut names: Vec<String> = classes.iter().filter_map(|file| test_class(file, &unpacked)).collect();
        names.sort_unstable();
        fs::write(there.join("tests"), names.join("\n"))?;
        names.retain(|name| SHORT.iter().any(|package| name.contains(package)));
        fs::write(there.join("short"), names.join("\n"))?;
        Ok(Suite {
            java: jdk.home.join("bin/java"),
            folder: there.to_owned(),
            class_path: format!("{}:{library_path}", runner.path.display()),
            classes,
            jacoco: jacoco.into_iter().next().context("no JaCoCo")?,
        })
    }

    fn measure(&self, list: &str, promised: &str, runs: usize, rows: &mut Vec<Vec<String>>) -> Result<()> {
        let all = [With::Nothing, With::Tamis, With::Jacoco];
        let mut ran: [Vec<Ran>; 3] = Default::default();
        for _ in 0..runs.max(1) {
            for (with, ran) in all.iter().zip(&mut ran) {
                ran.push(self.once(list, *with)?);
            }
        }
        let tests = ran[0].first().map(|ran| ran.tests.clone()).context("no run")?;
        for run in ran.iter().flatten() {
            ensure!(run.tests == tests, "verdicts differ: {} and {tests} tests and failures", run.tests);
        }
        let of = |ran: &[Ran]| {
            let mut peaks: Vec<f64> = ran.iter().map(|ran| ran.peak).collect();
            peaks.sort_by(f64::total_cmp);
            (Runs::collect(ran.iter().map(|ran| ran.took)), peaks[peaks.len() / 2])
        };
        let (bare, bare_peak) = of(&ran[0]);
        let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
        let figures =
            [seconds(bare.median()), seconds(bare.best()), seconds(bare.cpu()), format!("{bare_peak:.0} MB")];
        rows.push(row(format!("commons-math3 3.6.1 ({tests} tests, failures)"), figures, ""));
        let all = [("  with recording, times", &ran[1], promised), ("  with JaCoCo, times", &ran[2], "")];
        for (name, ran, promised) in all {
            let (runs, peak) = of(ran);
            let ratio = |a: Duration, b: Duration| format!("{:.3}", a.as_secs_f64() / b.as_secs_f64());
            let figures = [
                ratio(runs.median(), bare.median()),
                ratio(runs.best(), bare.best()),
                ratio(runs.cpu(), bare.cpu()),
                format!("{:.3}", peak / bare_peak),
            ];
            rows.push(row(name, figures, promised));
        }
        Ok(())
    }

    fn once(&self, list: &str, with: With) -> Result<Ran> {
        let answer = self.folder.join("answer");
        let mut command = match with {
            With::Tamis => {
                let mut command = Command::new(tamis()?);
                command.args(["run", "--observe", "--quiet", "--"]).arg(&self.java);
                command
            }
            With::Nothing | With::Jacoco => Command::new(&self.java),
        };
        if with == With::Jacoco {
            let file = self.folder.join("jacoco.exec");
            command.arg(format!("-javaagent:{}=destfile={}", self.jacoco.display(), file.display()));
        }
        command.args(HEAP).args(["-cp", &self.class_path, "Suite"]).arg(self.folder.join(list)).arg(&answer);
        tamis_test_support::run::forget_java_settings(command.current_dir(&self.folder));
        let took = once(&mut command)?;
        let answer = fs::read_to_string(&answer).context("the suite says nothing")?;
        let (tests, peak) = answer.rsplit_once(' ').context("the suite says too little")?;
        Ok(Ran { took, tests: tests.replace(' ', ", "), peak: peak.parse::<f64>()? / 1e3 })
    }
}

fn join(entries: &[PathBuf]) -> String {
    entries.iter().map(|entry| entry.display().to_string()).collect::<Vec<_>>().join(":")
}

/// The name of the class in `file` if builds would treat it as a test: `…Test`, not abstract.
fn test_class(file: &Path, folders: &[PathBuf]) -> Option<String> {
    let relative = folders.iter().find_map(|folder| file.strip_prefix(folder).ok())?.to_str()?;
    let name = relative.strip_suffix(".class")?;
    let bytes = fs::read(file).ok()?;
    let class = ClassFile::parse(&bytes).ok()?;
    let wanted = name.ends_with("Test") && !SLOW.iter().any(|slow| name.contains(slow));
    (wanted && class.access & ABSTRACT == 0).then(|| name.replace('/', "."))
}

/// Hello, world: many JVMs within one run, every other one without the agent.
fn startup(jdk: &Jdk, there: &Path, rows: &mut Vec<Vec<String>>) -> Result<()> {
    let source = [(
        "Hello.java",
        "public class Hello { public static void main(String[] a) { System.out.println(1); } }",
    )];
    let hello = javac::compile(jdk, &source, &[]).map_err(|error| anyhow!(error))?;
    let mut command = Command::new(tamis()?);
    command.args(["run", "--observe", "--quiet", "--"]).arg(std::env::current_exe()?).arg("startup");
    command.arg(jdk.home.join("bin/java")).arg(&hello.path).current_dir(there);
    tamis_test_support::run::forget_java_settings(&mut command);
    let output = command.output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let figures = text.lines().next().context("no figures of start-up")?;
    let mut figures = figures.split(' ').map(str::parse::<f64>);
    let mut next = || figures.next().context("too few figures")?.context("no number");
    let ms = |value: f64| format!("{value:.1} ms");
    let bare = [next()?, next()?, next()?];
    let with = [next()?, next()?, next()?];
    let [median, best, processor] = bare.map(ms);
    rows.push(row("start-up of an empty JVM", [median, best, processor, none()], ""));
    let [median, best, processor] = [0, 1, 2].map(|at| ms(with[at] - bare[at]));
    rows.push(row("  added", [median, best, processor, none()], "3 ms"));
    Ok(())
}

/// The program run by `startup` under `tamis run`.
pub(crate) fn startup_child(java: &Path, classes: &Path) -> Result<()> {
    const RUNS: usize = 40;
    let mut times: [Vec<Took>; 2] = Default::default();
    for _ in 0..RUNS {
        for (with, times) in times.iter_mut().enumerate() {
            let mut command = Command::new(java);
            command.arg("-cp").arg(classes).arg("Hello");
            if with == 0 {
                command.env_remove("JAVA_TOOL_OPTIONS");
            }
            times.push(once(&mut command)?);
        }
    }
    let mut line = String::new();
    for times in times {
        // Linux counts in hundredths of a second, so only the sum is meaningful.
        let cpu: Duration = times.iter().map(|took| took.cpu).sum();
        let runs = Runs::collect(times.into_iter());
        for time in [runs.median(), runs.best(), cpu / RUNS as u32] {
            write!(line, "{} ", time.as_secs_f64() * 1e3)?;
        }
    }
    println!("{}", line.trim_end());
    Ok(())
}

fn rewriting(suite: &Suite, rows: &mut Vec<Vec<String>>) -> Result<()> {
    let classes: Vec<Vec<u8>> = suite.classes.iter().map(fs::read).collect::<Result<_, _>>()?;
    let runs = Runs::of(9, || {
        for bytes in &classes {
            let class = ClassFile::parse(bytes).expect("a class of the suite");
            let rewritten = instrument::probes(&class, WatchMode::Methods { first: 0, class: 0 });
            std::hint::black_box(rewritten.expect("it can be rewritten"));
        }
    });
    let mean = |time: Duration| format!("{:.1} µs", time.as_secs_f64() * 1e6 / classes.len() as f64);
    let figures = [mean(runs.median()), mean(runs.best()), mean(runs.cpu()), none()];
    rows.push(row(format!("rewriting a class, mean of {}", classes.len()), figures, "50 µs"));
    Ok(())
}

fn boundaries(jdk: &Jdk, suite: &Suite, rows: &mut Vec<Vec<String>>) -> Result<()> {
    let mut main = include_str!("../java/Boundaries.java").to_owned();
    let per_class = 1_000;
    let (classes, hit) = (PROBES / per_class, HIT / per_class);
    writeln!(main, "static final int CLASSES = {classes}, HIT = {hit};")?;
    writeln!(main, "static void run(int number) {{ switch (number) {{")?;
    let mut sources = Vec::new();
    for class in 0..classes {
        writeln!(main, "case {class}: C{class}.run(); break;")?;
        let mut source = format!("class C{class} {{ static int n;\n");
        let mut calls = String::new();
        for method in 0..per_class - 1 {
            writeln!(source, "static void m{method}() {{ n++; }}")?;
            write!(calls, "m{method}(); ")?;
        }
        writeln!(source, "static void run() {{ {calls} }} }}")?;
        sources.push((format!("C{class}.java"), source));
    }
    main.push_str("} } }");
    sources.push(("Boundaries.java".to_owned(), main));
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let compiled =
        javac::compile(jdk, &sources, &["-cp", &suite.class_path]).map_err(|error| anyhow!(error))?;
    let class_path = format!("{}:{}", compiled.path.display(), suite.class_path);
    let mut figures = Vec::new();
    for agent in [false, true] {
        let mut command = if agent { Command::new(tamis()?) } else { Command::new(&suite.java) };
        if agent {
            command.args(["run", "--observe", "--quiet", "--"]).arg(&suite.java);
        }
        tamis_test_support::run::forget_java_settings(command.args(["-cp", &class_path, "Boundaries"]));
        let output = command.current_dir(&suite.folder).output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().next().context("no figures of boundaries")?;
        let numbers: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        figures.push(numbers);
    }
    for (at, what) in [(0, "nothing hit".to_owned()), (3, format!("{HIT} hit"))] {
        let mut added = Vec::new();
        for at in at..at + 3 {
            let (with, bare) =
                figures[1].get(at).zip(figures[0].get(at)).context("too few figures of boundaries")?;
            added.push(format!("{:.1} µs", (with - bare) / 1e3));
        }
        let [median, best, processor] = added.try_into().map_err(|_| anyhow!("three figures"))?;
        let figures = [median, best, processor, none()];
        rows.push(row(format!("a boundary, {PROBES} probes, {what}"), figures, "50 µs"));
    }
    Ok(())
}
