//! Opens a class path and reads all of its classes, and prints the time of each step.
//!
//! `cargo run --release -p tamis-project --example read_classpath -- [--release N] [--rounds N] ROOT…`
#![allow(clippy::print_stdout)] // An example prints.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tamis_project::classpath::{ClassPath, ClassPathError, ClassPathOptions};

fn main() -> Result<(), ClassPathError> {
    let (mut options, mut rounds, mut roots) = (ClassPathOptions::default(), 1, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok());
        match argument.as_str() {
            "--release" => options.release = number(),
            "--rounds" => rounds = number().unwrap_or(1),
            root => roots.push(PathBuf::from(root)),
        }
    }
    for _ in 0..rounds {
        let start = Instant::now();
        let class_path = ClassPath::open(&roots, &options)?;
        let opened = start.elapsed();
        let (bytes, errors) = read_all(&class_path);
        println!(
            "{} classes, {} shadowed, {} roots, {} problems: opened in {:.1} ms; {:.1} MB read, {errors} errors, in {:.1} ms",
            class_path.classes().len(),
            class_path.shadowed().len(),
            class_path.roots().len(),
            class_path.problems().len(),
            opened.as_secs_f64() * 1e3,
            bytes as f64 / 1e6,
            (start.elapsed() - opened).as_secs_f64() * 1e3,
        );
    }
    Ok(())
}

fn read_all(class_path: &ClassPath) -> (usize, usize) {
    let (next, bytes, errors) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let worker = || {
        let mut buffer = Vec::new();
        while let Some(entry) = class_path.classes().get(next.fetch_add(1, Ordering::Relaxed)) {
            match class_path.read(entry, &mut buffer) {
                Ok(()) => drop(bytes.fetch_add(buffer.len(), Ordering::Relaxed)),
                Err(_) => drop(errors.fetch_add(1, Ordering::Relaxed)),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    (bytes.into_inner(), errors.into_inner())
}
