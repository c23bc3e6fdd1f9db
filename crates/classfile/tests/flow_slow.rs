//! Every method of all installed JDKs and of the libraries has a flow, except those with subroutines.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // Tests may panic and print.

mod corpora;
mod flow_properties;

use flow_properties::{FlowTally, check_class};

#[test]
fn every_class_of_the_jdks_has_the_properties_of_a_flow() {
    for jdk in corpora::jdks() {
        let tally = FlowTally::default();
        jdk.for_each(|place, bytes| check_class(place, bytes, &tally));
        tally.finish(50_000);
    }
}

#[test]
fn every_class_of_the_libraries_has_the_properties_of_a_flow() {
    let tally = FlowTally::default();
    for library in corpora::library_corpora() {
        library.for_each(|place, bytes| check_class(place, bytes, &tally));
    }
    tally.finish(50_000);
}
