//! Parses descriptors and signatures (JVMS 4.3, 4.7.9.1) as far as callers need.

/// Calls `f` with each class name inside a field or method descriptor, `java/lang/String` in `(Ljava/lang/String;)V`.
pub fn class_names<'a>(descriptor: &'a [u8], mut f: impl FnMut(&'a [u8])) {
    let mut rest = descriptor;
    while let Some(start) = rest.iter().position(|byte| *byte == b'L') {
        rest = rest.get(start + 1..).unwrap_or_default();
        let Some(end) = rest.iter().position(|byte| *byte == b';') else { return };
        f(rest.get(..end).unwrap_or_default());
        rest = rest.get(end + 1..).unwrap_or_default();
    }
}

/// The number of local variable slots that the parameters of a method take, without `this`.
///
/// `None` if it is not a method descriptor.
pub fn parameter_slots(descriptor: &[u8]) -> Option<u16> {
    let mut slots = 0u16;
    let mut parameters = parameters(descriptor)?;
    for parameter in parameters.by_ref() {
        slots = slots.checked_add(if matches!(parameter, b"J" | b"D") { 2 } else { 1 })?;
    }
    parameters.rest.starts_with(b")").then_some(slots)
}

/// The types of the parameters of a method descriptor, in order; `None` if it does not start with `(`.
pub fn parameters(descriptor: &[u8]) -> Option<ParameterTypes<'_>> {
    Some(ParameterTypes { rest: descriptor.strip_prefix(b"(")? })
}

/// Iterates over parameter types; ends at the closing bracket or at the first invalid type.
#[derive(Clone, Debug)]
pub struct ParameterTypes<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for ParameterTypes<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let dimensions = self.rest.iter().position(|byte| *byte != b'[')?;
        let length = match self.rest.get(dimensions)? {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => dimensions + 1,
            b'L' => dimensions + 1 + self.rest.get(dimensions..)?.iter().position(|byte| *byte == b';')?,
            _ => return None,
        };
        let (parameter, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_count_long_and_double_twice() {
        assert_eq!(parameter_slots(b"()V"), Some(0));
        assert_eq!(parameter_slots(b"(IJ[[D[Ljava/lang/String;Ljava/lang/Object;D)V"), Some(8));
        for bad in [&b"V"[..], b"(", b"(Q)V", b"(Lx", b"([)V", b""] {
            assert_eq!(parameter_slots(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn class_names_are_found_inside_arrays_and_returns() {
        let mut names = Vec::new();
        class_names(b"([La/B;IJLc;)[[Ld$1;", |name| names.push(String::from_utf8_lossy(name).into_owned()));
        assert_eq!(names, ["a/B", "c", "d$1"]);
    }
}
