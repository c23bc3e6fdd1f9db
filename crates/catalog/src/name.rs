//! Names of classes, packages, properties and variables that are treated alike.

/// Names that are treated alike.
#[derive(Clone, Copy, Debug)]
pub struct NameSet {
    /// The prefixes that they share.
    pub name: &'static str,
    /// These names.
    pub exact: &'static [&'static str],
    /// All names that begin so.
    pub prefixes: &'static [&'static str],
    /// Why they are treated so.
    pub why: &'static str,
    /// The cases that prove it.
    pub cases: &'static [&'static str],
}

impl NameSet {
    pub(crate) const EMPTY: NameSet = NameSet { name: "", exact: &[], prefixes: &[], why: "", cases: &[] };

    /// Whether this name is one of them.
    #[inline]
    pub fn has(&self, name: impl AsRef<[u8]>) -> bool {
        let name = name.as_ref();
        is_any(self.exact, name) || begins_any(self.prefixes, name)
    }

    /// Whether the class of this descriptor, `La/B;`, is one of them.
    #[inline]
    pub fn has_type(&self, descriptor: impl AsRef<[u8]>) -> bool {
        class_of(descriptor.as_ref()).is_some_and(|class| self.has(class))
    }
}

/// The class that a descriptor names: `a/B` of `La/B;`.
#[inline]
pub fn class_of(descriptor: &[u8]) -> Option<&[u8]> {
    descriptor.strip_prefix(b"L")?.strip_suffix(b";")
}

/// Whether a descriptor, or a signature of the JVM's tool interface, is that of a class: `La/B;` of `a/B`.
#[inline]
pub fn is_signature_of(class: &str, signature: &str) -> bool {
    class_of(signature.as_bytes()) == Some(class.as_bytes())
}

/// Whether a name as people write it is that of a class: `a.B` of `a/B`.
pub fn is_class(class: &str, dotted: &str) -> bool {
    let same = |(slash, dot)| if slash == b'/' { dot == b'.' } else { slash == dot };
    class.len() == dotted.len() && class.bytes().zip(dotted.bytes()).all(same)
}

#[inline]
pub(crate) fn is_any(names: &[&str], name: &[u8]) -> bool {
    names.iter().any(|known| known.as_bytes() == name)
}

#[inline]
pub(crate) fn begins_any(prefixes: &[&str], name: &[u8]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix.as_bytes()))
}

#[inline]
pub(crate) fn ends_any(endings: &[&str], name: &[u8]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_three_notations() {
        assert!(is_class("a/B$C", "a.B$C") && !is_class("a/B", "a/B") && !is_class("a/B", "a.Bc"));
        assert!(is_signature_of("a/B", "La/B;") && !is_signature_of("a/B", "[La/B;"));
        let names = NameSet { exact: &["a/B"], prefixes: &["b/"], ..NameSet::EMPTY };
        assert!(names.has("a/B") && !names.has("a/Bc") && names.has(b"b/C") && names.has_type("Lb/C;"));
        assert!(!names.has_type("b/C") && !names.has_type("[Lb/C;"));
    }
}
