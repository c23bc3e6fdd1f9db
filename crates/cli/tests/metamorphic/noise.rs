//! Edits that must not be noticed.

use crate::programs::{Place, Program};
use std::collections::BTreeMap;
use tamis_test_support::jdk::Jdk;

/// Adds a comment and blank lines after every brace, semicolon and comma outside of literals and comments.
pub(crate) fn commented(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let literal = ["\"\"\"", "\"", "'", "//", "/*"].into_iter().find(|start| rest.starts_with(start));
        let length = match literal {
            Some("//") => rest.find('\n').unwrap_or(rest.len()),
            Some("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            Some(quote) => quoted(rest, quote),
            None => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        out.push_str(piece);
        if literal.is_none() && "{};,".contains(first) {
            out.push_str(" /* noise */\n\n");
        }
        rest = after;
    }
    out
}

/// The length of the literal at the beginning of a text.
fn quoted(text: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(quote) {
            return at + quote.len();
        }
        at += if rest.starts_with('\\') { 2 } else { rest.chars().next().map_or(1, char::len_utf8) };
    }
    text.len()
}

/// The program once for each class with several methods or several member classes, with these in reverse
/// order.
pub(crate) fn reordered(program: &Program) -> Vec<String> {
    let mut groups: BTreeMap<(&str, bool), Vec<(usize, usize)>> = BTreeMap::new();
    for member in &program.members {
        groups.entry((&member.class, member.nested)).or_default().push((member.start, member.end));
    }
    groups.into_values().filter(|spans| spans.len() > 1).map(|spans| reversed(&program.text, spans)).collect()
}

fn reversed(text: &str, mut spans: Vec<(usize, usize)>) -> String {
    spans.sort_unstable();
    let mut out = String::new();
    let mut at = 0;
    for ((start, end), (from, to)) in spans.iter().zip(spans.iter().rev()) {
        out.push_str(&text[at..*start]);
        out.push_str(&text[*from..*to]);
        at = *end;
    }
    out + &text[at..]
}

/// Members to insert at one place.
pub(crate) struct Group {
    pub(crate) members: Vec<&'static Noise>,
    interface: bool,
}

/// A member that is unrelated to the program into which it is inserted.
pub(crate) struct Noise {
    /// The method in the notation of `tamis diff`.
    pub(crate) method: &'static str,
    /// Number of classes that belong to it.
    pub(crate) classes: usize,
    text: &'static str,
    first_jdk: u32,
}

/// All members together at every place, and at every fourth place also one of them alone, in turn.
pub(crate) fn members(jdk: &Jdk, place: &Place, turn: usize) -> Vec<Group> {
    let interface = place.kind == "INTERFACE";
    let fits = |noise: &&Noise| noise.first_jdk <= jdk.feature && !(interface && noise.method == ASSERT);
    let all: Vec<&'static Noise> = NOISE.iter().filter(fits).collect();
    let one = all.iter().copied().cycle().nth(turn / 4).filter(|_| turn.is_multiple_of(4));
    let groups = [Some(all), one.map(|noise| vec![noise])];
    groups.into_iter().flatten().map(|members| Group { members, interface }).collect()
}

impl Group {
    /// A program's text with the members at this place.
    pub(crate) fn inserted(&self, text: &str, offset: usize) -> String {
        let modifier = if self.interface { "default " } else { "" };
        let members: String =
            self.members.iter().map(|noise| format!("\n{}\n", noise.text.replace('@', modifier))).collect();
        format!("{}{members}{}", &text[..offset], &text[offset..])
    }
}

// In an interface it changes more than itself: tests/edits/bodies/assert_in_interface.md is open.
const ASSERT: &str = "noiseAssert(I)I";

/// Enough string constants to give those of the other members two-byte numbers.
macro_rules! many {
    ($($a:literal)*) => { concat!($(
        "\"0", $a, "\",\"1", $a, "\",\"2", $a, "\",\"3", $a, "\",\"4", $a, "\",\"5", $a, "\",\"6", $a, "\",\"7", $a,
        "\",\"8", $a, "\",\"9", $a, "\",\"x", $a, "\",\"y", $a, "\",\"z", $a, "\",\"+", $a, "\",\"-", $a, "\",\"*", $a, "\","
    ),*) };
}

// `@` stands for the modifier that a method with a body needs in an interface.
const NOISE: [Noise; 15] = [
    Noise {
        method: "noiseLambda()Ljava/util/function/IntSupplier;",
        classes: 0,
        text: "@java.util.function.IntSupplier noiseLambda() { int k = hashCode(); return () -> k + 41; }",
        first_jdk: 8,
    },
    Noise {
        method: "noiseAnonymous()Ljava/lang/Runnable;",
        classes: 1,
        text: r#"@Runnable noiseAnonymous() {
            return new Runnable() { public void run() { System.out.println("noise"); } };
        }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseLocal()Ljava/lang/Object;",
        classes: 1,
        text: "@Object noiseLocal() { class Noise { int v = 3; } return new Noise(); }",
        first_jdk: 8,
    },
    Noise {
        method: "noiseString(Ljava/lang/String;)I",
        classes: 0,
        text: r#"@int noiseString(String s) {
            switch (s) { case "noise": return 1; case "Aa": case "BB": return 2; default: return 0; }
        }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseEnum(Ljava/util/concurrent/TimeUnit;)I",
        classes: 0,
        text: r#"@int noiseEnum(java.util.concurrent.TimeUnit u) {
            switch (u) { case MICROSECONDS: return 1; case DAYS: return 2; case SECONDS: return 3; default: return 0; }
        }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseEnum(Ljava/lang/Thread$State;)I",
        classes: 0,
        text: "@int noiseEnum(Thread.State s) { switch (s) { case NEW: return 1; default: return 0; } }",
        first_jdk: 8,
    },
    Noise {
        method: ASSERT,
        classes: 0,
        text: r#"@int noiseAssert(int i) { assert i > 41 : "noise"; return i; }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseAccess()I",
        classes: 1,
        text: r#"@int noiseAccess() { return new NoiseHolder().secret++; }
            class NoiseHolder { private int secret = 1; private NoiseHolder() {} }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseSerializable()Ljava/lang/Object;",
        classes: 0,
        text: r#"@Object noiseSerializable() {
            return (Runnable & java.io.Serializable) () -> System.out.println("noise");
        }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseNested()Ljava/util/function/Supplier;",
        classes: 1,
        text: r#"@java.util.function.Supplier<Runnable> noiseNested() {
            return () -> () -> new Object() { int v = 7; }.v++;
        }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseReference()Ljava/util/function/Function;",
        classes: 0,
        text: "@java.util.function.Function<Object, String> noiseReference() { return String::valueOf; }",
        first_jdk: 8,
    },
    Noise {
        method: "noiseConcat(I)Ljava/lang/String;",
        classes: 0,
        text: r#"@String noiseConcat(int i) { return "noise" + i + '!' + this; }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseResources(Ljava/lang/AutoCloseable;)V",
        classes: 0,
        text: r#"@void noiseResources(AutoCloseable c) throws Exception {
            try (AutoCloseable d = c) { d.hashCode(); } finally { System.out.println("noise"); }
        }"#,
        first_jdk: 8,
    },
    Noise {
        method: "noiseConstants()[Ljava/lang/String;",
        classes: 0,
        text: concat!(
            "@String[] noiseConstants() { return new String[] {",
            many!("a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p"),
            "}; }"
        ),
        first_jdk: 8,
    },
    Noise {
        method: "noisePattern(Ljava/lang/Object;)I",
        classes: 1,
        text: r#"@int noisePattern(Object o) {
            record NoisePair(int a, Object b) {}
            return o instanceof NoisePair(int a, String b) && a > 41 ? b.length()
                : switch (o) { case NoisePair p when p.a() > 1 -> 2; case String s -> 1; default -> 0; };
        }"#,
        first_jdk: 21,
    },
];
