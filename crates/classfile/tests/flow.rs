//! Control flow of methods: the worked examples of the papers, to the block, and properties that every class
//! of a JDK has. The slow ring looks at all JDKs and libraries, this one at a part of one JDK.
#![allow(clippy::unwrap_used)] // Tests may panic.

mod corpora;
mod flow_properties;

use flow_properties::check_class;
use tamis_classfile::ClassFile;
use tamis_classfile::flow::{ControlFlow, FlowError};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_test_support::{javac, jdk};

/// Instructions, handlers, and the reason why they have no flow.
type Bytecode = (&'static [u8], &'static [[u16; 4]], FlowError);

/// One class in this many is looked at.
const SAMPLE: u64 = 31;

/// The flow of a method as text, with the names of the classes caught and without offsets.
fn flow_of(class: &ClassFile<'_>, method: &str) -> Vec<String> {
    let member = class.methods.iter().find(|it| class.pool.utf8(it.name) == Ok(method.as_bytes())).unwrap();
    let code = member.attributes.find(&class.pool, AttributeKind::Code).unwrap().unwrap();
    let flow = ControlFlow::of(&Code::read(&code).unwrap()).unwrap();
    assert_eq!(flow.entry, 0);
    let line = |(number, block): (usize, &tamis_classfile::flow::BasicBlock)| {
        let mut line = format!("B{number}");
        block.edges.iter().for_each(|edge| line += &format!(" {}:B{}", edge.label, edge.target));
        for row in &block.chain {
            let caught = match row.caught {
                0 => "any".to_owned(),
                class_index => String::from_utf8(class.pool.class(class_index).unwrap().to_vec()).unwrap(),
            };
            line += &format!(" {caught}>B{}", row.handler);
        }
        line
    };
    flow.blocks.iter().enumerate().map(line).collect()
}

fn check(source: &str, class: &str, method: &str, expected: &[&str]) {
    for release in ["8", "17"] {
        let folder = javac::compile(&jdk::jdk(17), &[("T.java", source)], &["--release", release]).unwrap();
        let bytes = folder.class_bytes(class);
        let class = ClassFile::parse(&bytes).unwrap();
        assert_eq!(flow_of(&class, method), expected, "for release {release}");
    }
}

#[test]
fn the_average_of_retests_first_figure_has_the_six_blocks_of_the_paper() {
    check(
        include_str!("samples/Average.java"),
        "Average",
        "average",
        &[
            "B0 :B1",       // count = 0; n = read
            "B1 F:B2 T:B5", // n is null
            "B2 F:B3 T:B4", // n is at least 0
            "B3",           // return error
            "B4 :B1",       // nums[count] = n; count++; n = read
            "B5",           // return the average
        ],
    );
}

#[test]
fn the_handlers_of_retests_sixth_figure_are_offered_exceptions_in_order() {
    check(
        include_str!("samples/Handlers.java"),
        "Handlers",
        "handle",
        &[
            "B0 :B1",                    // before the try statement
            "B1 :B2 E1>B3 E3>B5 any>B7", // its body
            "B2 :B8",                    // finally, after the body
            "B3 :B4 any>B7",             // the first catch
            "B4 :B8",                    // finally, after that
            "B5 :B6 any>B7",             // the second catch
            "B6 :B8",                    // finally, after that
            "B7",                        // finally, and the exception goes on
            "B8",                        // return
        ],
    );
}

#[test]
fn keys_of_a_switch_that_lead_to_its_default_have_no_edge() {
    let source = "class T { static int f(int k) { switch (k) { case 1: return 7; case 3: case 4: return 8; \
                  case 5: default: return 9; } } }";
    check(source, "T", "f", &["B0 1:B1 3:B2 4:B2 d:B3", "B1", "B2", "B3"]);
}

#[test]
fn a_block_that_only_jumps_is_passed_over_unless_it_jumps_to_itself() {
    let source = "class T { static int f(int k) { while (true) { if (k > 3) { k--; continue; } \
                  else if (k == 1) { break; } else { continue; } } return k; } \
                  static void g() { for (;;) { } } }";
    check(source, "T", "f", &["B0 F:B1 T:B2", "B1 :B0", "B2 F:B3 T:B0", "B3"]);
    check(source, "T", "g", &["B0 :B0"]);
}

/// The flow of code with these bytes and handlers, in an attribute made by hand.
fn flow_of_bytes(bytes: &[u8], handlers: &[[u16; 4]]) -> Result<ControlFlow, FlowError> {
    let mut content = vec![0, 9, 0, 9];
    content.extend((bytes.len() as u32).to_be_bytes());
    content.extend(bytes);
    content.extend((handlers.len() as u16).to_be_bytes());
    handlers.iter().flatten().for_each(|column| content.extend(column.to_be_bytes()));
    content.extend([0, 0]);
    flow_properties::with_code(&content, ControlFlow::of)
}

#[test]
fn code_that_is_not_understood_has_no_flow() {
    let cases: [Bytecode; 7] = [
        (&[168, 0, 3, 177], &[], FlowError::Subroutine),          // jsr
        (&[169, 1, 177], &[], FlowError::Subroutine),             // ret
        (&[3], &[], FlowError::Malformed),                        // falls off the end
        (&[153, 0, 4, 17, 0, 0, 177], &[], FlowError::Malformed), // jumps into an instruction
        (&[0, 177], &[[1, 1, 0, 0]], FlowError::Malformed),       // an empty range
        (&[0, 177], &[[0, 1, 9, 0]], FlowError::Malformed),       // a handler outside
        (&[186], &[], FlowError::Malformed),                      // is cut off
    ];
    for (bytes, handlers, expected) in cases {
        assert_eq!(flow_of_bytes(bytes, handlers), Err(expected), "{bytes:?} {handlers:?}");
    }
}

#[test]
fn an_exception_table_that_covers_everything_many_times_is_refused() {
    let mut bytes = Vec::new();
    for _ in 0..16_000 {
        bytes.extend([153, 0, 3]); // Each jumps to the next: 16,000 blocks.
    }
    bytes.push(177);
    let end = bytes.len() as u16;
    let rows = vec![[0, end, 0, 1]; 60_000];
    assert_eq!(flow_of_bytes(&bytes, &rows), Err(FlowError::TooManyHandlers));
}

#[test]
fn a_sample_of_the_classes_of_a_jdk_has_the_properties_of_a_flow() {
    let image = corpora::image(&jdk::jdk(17));
    let tally = flow_properties::FlowTally::default();
    image.for_each(|place, bytes| {
        let number = place.bytes().fold(7u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        if number % SAMPLE == 0 {
            check_class(place, bytes, &tally);
        }
    });
    tally.finish(2_000);
}
