//! Kills tamis, Maven or the test JVM with SIGKILL at random instants of a build.
//!
//! Afterwards a test is broken and the build runs again. That test must fail, tests that had not finished
//! must run, tests that finished well before the kill must not run again, and no process of the killed build
//! may remain. `TAMIS_SEED` repeats a run.

use crate::build::Build;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const CLASSES: usize = 8;

/// Tests that finished this long before the kill must be recorded: on a busy machine a process may wait for a
/// while.
const MARGIN: Duration = Duration::from_millis(700);

/// How long a build's processes may outlive the killed one. Surefire's JVM notices within half a minute.
const AFTERMATH: Duration = Duration::from_secs(90);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Victim {
    Tamis,
    Maven,
    TestJvm,
}

/// The counts of a run.
#[derive(Debug, Default)]
struct Figures {
    kills: usize,
    /// Builds that ended before the kill.
    late: usize,
    /// Classes that had finished well before the kill and were skipped.
    kept: usize,
    /// Classes that had not finished and ran.
    repeated: usize,
    /// Kills while the test JVM was running.
    testing: usize,
    longest_aftermath: Duration,
}

/// Kills this many builds.
#[allow(clippy::print_stderr)] // A failure must be repeatable, and the slow ring prints figures.
pub(crate) fn kill(victim: Victim, times: usize) {
    let seed = std::env::var("TAMIS_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut random = Random(seed.unwrap_or(now | 1));
    eprintln!("{victim:?}: TAMIS_SEED={}", random.0);
    let build = Build::of("sleepy", 17);
    write_values(&build.path, 0, None);
    let start = Instant::now();
    let first = build.test(&[]);
    assert_eq!((first.exit, first.reported.len()), (Some(0), 2 * CLASSES), "{}", first.text);
    let mut figures = Figures::default();
    let mut length = start.elapsed();
    for round in 1..=10 * times {
        let before = figures.kills;
        let began = Instant::now();
        let wrong = one(&build, victim, round, length, &mut random, &mut figures);
        assert!(wrong.is_empty(), "{victim:?}, round {round}:\n{}", wrong.join("\n"));
        if figures.kills == before {
            length = length.min(began.elapsed()) * 9 / 10; // It had already ended: kill earlier.
        }
        if figures.kills % 10 == 0 {
            eprintln!("{victim:?}: {figures:?}");
        }
        if figures.kills == times {
            break;
        }
    }
    let stats = build.tamis(&["cache", "stats"]).output().unwrap();
    assert!(stats.status.success(), "{}", String::from_utf8_lossy(&stats.stderr));
    eprintln!("{victim:?}: {figures:?}");
    assert_eq!(figures.kills, times);
}

/// Kills one build, and runs one that finds a broken test. Returns the failed checks.
fn one(
    build: &Build,
    victim: Victim,
    round: usize,
    length: Duration,
    random: &mut Random,
    figures: &mut Figures,
) -> Vec<String> {
    write_values(&build.path, round, None);
    for class in 1..=CLASSES {
        for test in ["again", "value"] {
            let _ = fs::remove_file(mark(&build.path, class, test));
        }
    }
    let log = build.path.join("killed.log");
    let mut command = build.tamis(&["test", "--", "--batch-mode", "--offline"]);
    let output = File::create(&log).unwrap();
    command.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output).process_group(0);
    let mut tamis = command.spawn().unwrap();
    let group = tamis.id();
    let (instant, testing) = strike(&mut tamis, victim, length, random);
    let settled = settle(&mut tamis, group);
    let finished = finished(&build.path);
    let Some(instant) = instant else {
        figures.late += 1;
        return Vec::new();
    };
    let mut wrong = Vec::new();
    match settled {
        Ok(time) => figures.longest_aftermath = figures.longest_aftermath.max(time),
        Err(left) => wrong.push(format!("still there: {left:?}")),
    }
    let early = |time: &SystemTime| instant.duration_since(*time).is_ok_and(|before| before > MARGIN);
    let broken = random.below(CLASSES as u64) as usize + 1;
    write_values(&build.path, round, Some(broken));
    let ran = build.test(&["--offline"]);
    let tests = |class: usize| ["again", "value"].map(|name| format!("sleepy.Value{class}Test#{name}"));
    if ran.exit != Some(1) || ran.failed != BTreeSet::from(tests(broken)) {
        wrong.push(format!("exit code {:?}, failed {:?}; Value{broken}Test should", ran.exit, ran.failed));
    }
    for class in (1..=CLASSES).filter(|class| *class != broken) {
        let again = tests(class).iter().filter(|test| ran.reported.contains(*test)).count();
        match finished.get(&class) {
            Some(time) if early(time) && again > 0 => {
                wrong.push(format!("Value{class}Test had finished, and ran again"));
            }
            Some(time) if early(time) => figures.kept += 1,
            // The killed process could not learn about this class.
            Some(time) if victim == Victim::Tamis && *time > instant + MARGIN => {
                if again < 2 {
                    wrong.push(format!("Value{class}Test finished after the kill, and did not run"));
                }
                figures.repeated += 1;
            }
            Some(_) => {}
            None if again < 2 => wrong.push(format!("Value{class}Test had not finished, and did not run")),
            None => figures.repeated += 1,
        }
    }
    if ran.text.contains("everything runs") || ran.text.contains("cannot be read") {
        wrong.push("the store cannot be read".to_owned());
    }
    if !wrong.is_empty() {
        let killed = fs::read_to_string(&log).unwrap();
        wrong.push(format!("killed at {instant:?}, finished {finished:?}\n{killed}\nthen\n{}", ran.text));
    }
    figures.kills += 1;
    figures.testing += usize::from(testing);
    wrong
}

/// Kills at a random instant in the life of the build or of the test JVM. Returns the instant, and whether
/// tests were running. The instant is `None` if the process had already ended.
fn strike(
    tamis: &mut Child,
    victim: Victim,
    length: Duration,
    random: &mut Random,
) -> (Option<SystemTime>, bool) {
    let group = tamis.id();
    let is_jvm = |name: &'static str| {
        move |process: &&Process| process.name == "java" && process.command.contains(name)
    };
    let find = |name| members(group).iter().find(is_jvm(name)).map(|process| process.pid);
    let (maven, booter) = ("classworlds.launcher.Launcher", "surefirebooter");
    // Half of the kills hit the phase in which most can be lost.
    let wait = if victim == Victim::TestJvm || random.below(2) == 0 {
        while tamis.try_wait().unwrap().is_none() && find(booter).is_none() {
            thread::sleep(Duration::from_millis(5));
        }
        random.below(length.as_millis() as u64 * 6 / 10)
    } else {
        random.below(length.as_millis() as u64)
    };
    thread::sleep(Duration::from_millis(wait));
    let testing = find(booter).is_some();
    let target = match victim {
        Victim::Tamis => Some(group).filter(|_| tamis.try_wait().unwrap().is_none()),
        Victim::Maven => find(maven),
        Victim::TestJvm => find(booter),
    };
    let killed = target.is_some_and(|pid| {
        Command::new("sh").args(["-c", &format!("kill -9 {pid}")]).status().unwrap().success()
    });
    (killed.then(SystemTime::now), testing)
}

/// Waits until no process of the build remains. Returns how long that took, or the remaining processes.
fn settle(tamis: &mut Child, group: u32) -> Result<Duration, Vec<Process>> {
    let start = Instant::now();
    loop {
        let _ = tamis.try_wait().unwrap();
        let left = members(group);
        if left.is_empty() {
            return Ok(start.elapsed());
        }
        if start.elapsed() > AFTERMATH {
            return Err(left);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The classes that finished, with the time. Their tests leave files, because Maven writes Surefire's reports
/// and may be dead while tests continue.
fn finished(project: &Path) -> BTreeMap<usize, SystemTime> {
    let end = |class| {
        let time = |test: &str| fs::metadata(mark(project, class, test)).ok()?.modified().ok();
        Some((class, time("again")?.max(time("value")?)))
    };
    (1..=CLASSES).filter_map(end).collect()
}

fn mark(project: &Path, class: usize, test: &str) -> PathBuf {
    project.join(format!("target/done-Value{class}Test-{test}"))
}

/// Writes the classes under test. They differ in every round, so no earlier trace holds.
fn write_values(project: &Path, round: usize, broken: Option<usize>) {
    let mut text = "package sleepy;\n\npublic class Values {\n".to_owned();
    for class in 1..=CLASSES {
        let less = usize::from(broken == Some(class));
        let body = format!("return Math.max({class}, -{round}) - {less};");
        text.push_str(&format!("    public static int value{class}() {{ {body} }}\n"));
    }
    let folder = project.join("src/main/java/sleepy");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("Values.java"), text + "}\n").unwrap();
}

#[derive(Debug)]
struct Process {
    pid: u32,
    name: String,
    command: String,
}

/// The living processes of a group.
fn members(group: u32) -> Vec<Process> {
    let pids = fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let member = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (head, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_whitespace();
        let (state, of) = (fields.next()?, fields.nth(1)?);
        let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let name = head.split_once('(')?.1.to_owned();
        (state != "Z" && of == group.to_string()).then_some(Process { pid, name, command })
    };
    pids.filter_map(member).collect()
}

/// xorshift64*; any seed but 0.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound.max(1)
    }
}
