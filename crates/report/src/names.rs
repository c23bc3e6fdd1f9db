//! Names as a person writes them: `flatten(String[], int)` for `flatten([Ljava/lang/String;I)V`.

/// A method's name with its parameters; constructors bear the name of their class, `class` as the JVM has it.
pub fn method(class: &str, name: &str, descriptor: &str) -> String {
    match name {
        "<clinit>" => "static initialiser".to_owned(),
        "<init>" => format!("{}{}", simple(class), parameters(descriptor)),
        _ => format!("{name}{}", parameters(descriptor)),
    }
}

fn simple(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

fn parameters(descriptor: &str) -> String {
    let mut types = Vec::new();
    let mut rest = descriptor.strip_prefix('(').unwrap_or_default();
    let mut dimensions = 0;
    while let Some(first) = rest.chars().next() {
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        let name = match first {
            '[' => {
                dimensions += 1;
                continue;
            }
            'B' => "byte",
            'C' => "char",
            'D' => "double",
            'F' => "float",
            'I' => "int",
            'J' => "long",
            'S' => "short",
            'Z' => "boolean",
            'L' => {
                let (class, after) = rest.split_once(';').unwrap_or((rest, ""));
                rest = after;
                class.rsplit(['/', '$']).next().unwrap_or(class)
            }
            _ => break,
        };
        types.push(format!("{name}{}", "[]".repeat(dimensions)));
        dimensions = 0;
    }
    format!("({})", types.join(", "))
}

#[cfg(test)]
mod tests {
    use super::method;

    #[test]
    fn descriptors_read_as_parameters() {
        assert_eq!(method("a/B", "f", "([Ljava/lang/String;I[[J)V"), "f(String[], int, long[][])");
        assert_eq!(method("a/B$C", "<init>", "(La/B;)V"), "C(B)");
        assert_eq!(method("a/B", "<clinit>", "()V"), "static initialiser");
        assert_eq!(method("a/B", "broken", "(Lx"), "broken(x)");
    }
}
