//! Properties that the JDK takes from the machine and the user, for a JVM that is not started.
//!
//! A launch may have been recorded on another machine, or before its kernel was updated.

use super::Launch;
use std::fs;
use std::os::unix::fs::MetadataExt;
use tamis_catalog::jdk::properties::{ARCHITECTURE, SYSTEM, SYSTEM_VERSION, USER, USER_HOME};

/// Replaces the properties of the machine in a recorded launch by those of this machine. Properties that the build sets stay.
pub fn move_here(launch: &mut Launch) {
    for (name, value) in here() {
        let set = format!("-D{name}=");
        let is_set = launch.flags.iter().any(|flag| flag.starts_with(&set));
        if !is_set && launch.properties.contains_key(name) {
            launch.properties.insert(name.to_owned(), value);
        }
    }
}

/// The properties of this machine that are known without a JVM.
fn here() -> Vec<(&'static str, String)> {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(|text| text.trim().to_owned());
    let system = fs::read_to_string("/proc/sys/kernel/ostype").ok().map(|text| text.trim().to_owned());
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let own = fs::metadata("/proc/self").ok().and_then(|process| user(&users, process.uid()));
    let (name, home) = own.unzip();
    let known = [
        (ARCHITECTURE, architecture(std::env::consts::ARCH).map(str::to_owned)),
        (SYSTEM, system),
        (SYSTEM_VERSION, kernel),
        (USER, name),
        (USER_HOME, home),
    ];
    known.into_iter().filter_map(|(property, value)| Some((property, value?))).collect()
}

/// The JDK's name of an architecture.
fn architecture(name: &str) -> Option<&str> {
    match name {
        "x86_64" => Some("amd64"),
        "aarch64" => Some("aarch64"),
        _ => None,
    }
}

/// The name and the home of a user, from the table of users.
fn user(users: &str, number: u32) -> Option<(String, String)> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, id, home) = (fields.next()?, fields.nth(1)?, fields.nth(2)?);
        (id.parse() == Ok(number)).then(|| (name.to_owned(), home.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_of_another_machine_gets_the_properties_of_this_one() {
        let entry = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut launch = Launch {
            flags: vec!["-Duser.home=/set".to_owned()],
            properties: [
                entry(SYSTEM_VERSION, "0.0.1"),
                entry(USER_HOME, "/set"),
                entry("java.vm.name", "its own"),
            ]
            .into(),
            ..Launch::default()
        };
        move_here(&mut launch);
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
        let expected = [
            entry(SYSTEM_VERSION, kernel.trim()),
            entry(USER_HOME, "/set"),
            entry("java.vm.name", "its own"),
        ];
        assert_eq!(launch.properties, expected.into());
    }

    #[test]
    fn a_user_is_found_by_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\nbuild:x:1000:1000::/home/build:/bin/sh\n";
        let build = Some(("build".to_owned(), "/home/build".to_owned()));
        assert_eq!((user(users, 1000), user(users, 7)), (build, None));
    }
}
