//! A wrong count makes the reader allocate no more than a small multiple of the file's size.
//!
//! The only test of its program, because the peak is measured over all threads.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // Tests may panic and print.

mod samples;
mod walk;

use peak_alloc::PeakAlloc;
use tamis_classfile::ClassFile;
use tamis_classfile::write::class::ClassWriter;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Replaces, one at a time, every 16-bit and 32-bit number by the largest value, in classes that together
/// cover the format.
#[test]
fn memory_is_bounded_by_the_size_of_the_file_for_any_count() {
    let mut worst = 0.0f64;
    let newest = samples::compiled().pop().unwrap();
    for name in ["sample/Sample", "sample/Sample$Mark", "sample/Modern$Square", "sample/Newest"] {
        let bytes = newest.classes.class_bytes(name);
        for (at, width) in (0..bytes.len()).flat_map(|at| [(at, 2), (at, 4)]) {
            let mut spoilt = bytes.clone();
            spoilt[at..bytes.len().min(at + width)].fill(0xff);
            let before = ALLOCATED.current_usage();
            ALLOCATED.reset_peak_usage();
            if let Ok(class) = ClassFile::parse(&spoilt) {
                let _ = walk::walk(&class);
                let _ = ClassWriter::new(&class).finish_encoding_all();
            }
            let used = ALLOCATED.peak_usage().saturating_sub(before);
            let allowed = 64 * bytes.len() + 4096;
            assert!(used <= allowed, "{name} with ff at {at}: {used} bytes for a file of {}", bytes.len());
            worst = worst.max(used as f64 / bytes.len() as f64);
        }
    }
    println!("at most {worst:.1} times the file");
}
