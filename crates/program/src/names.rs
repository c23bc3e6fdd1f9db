//! Names of classes in their two notations.
//!
//! The JVM writes `java/lang/String`; people, frameworks and builds write `java.lang.String`. A [`ClassName`] is always in the
//! JVM's notation. Nested classes have a `$` in both.

use std::fmt;
use std::ops::Deref;

/// The name of a class as the JVM writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassName(String);

impl ClassName {
    /// The class that people write like this.
    pub fn from_dotted(name: &str) -> ClassName {
        ClassName(name.replace('.', "/"))
    }

    /// The name in the JVM's notation.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl Deref for ClassName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A name in the JVM's notation as people write it.
pub fn dotted(name: &str) -> String {
    name.replace('/', ".")
}

/// The method around a lambda: `f(I)V` for `f(I)V~0~1`. Any other name is returned as it is.
pub fn without_place(method: &str) -> &str {
    let mut rest = method;
    while let Some((around, position)) = rest.rsplit_once('~') {
        if position.is_empty() || !position.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        rest = around;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::{ClassName, dotted, without_place};

    #[test]
    fn the_notations_are_turned_into_each_other() {
        let name = ClassName::from_dotted("org.x.Outer$Inner");
        assert_eq!(&*name, "org/x/Outer$Inner");
        assert_eq!(dotted(&name), "org.x.Outer$Inner");
    }

    #[test]
    fn a_lambda_is_shown_as_the_method_around_it() {
        assert_eq!(without_place("a/B.f(I)V~0~12"), "a/B.f(I)V");
        assert_eq!(without_place("a/B$f()V~new a/C.g()V"), "a/B$f()V~new a/C.g()V");
        assert_eq!(without_place("f()V~"), "f()V~");
    }
}
