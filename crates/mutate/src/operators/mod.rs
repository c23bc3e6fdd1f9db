//! The table of operators, one file each. Each operator finds its sites in one class.

mod access_changed;
mod annotation_removed;
mod arithmetic_swapped;
mod call_removed;
mod condition_negated;
mod constant_changed;
mod default_added;
mod field_shadowed;
mod handler_removed;
mod initialiser_added;
mod interface_added;
mod lambda_changed;
mod override_added;
mod override_removed;
mod return_replaced;
mod switch_swapped;
mod throws;

use crate::class::EditableMethod;
use crate::{ClassLookup, EditableClass, MutationSite};

/// A kind of edit.
pub struct MutationOperator {
    /// Its name in arguments and reports.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    find: fn(&EditableClass<'_>, &dyn ClassLookup) -> Vec<MutationSite>,
}

impl MutationOperator {
    /// The places in a class where it applies, in file order.
    pub fn sites(&self, class: &EditableClass<'_>, around: &dyn ClassLookup) -> Vec<MutationSite> {
        (self.find)(class, around)
    }
}

macro_rules! operators {
    ($($module:ident $name:literal $about:literal),* $(,)?) => {
        /// All operators on classes, sorted by name.
        pub const OPERATORS: &[MutationOperator] =
            &[$(MutationOperator { name: $name, about: $about, find: $module::sites }),*];
    };
}

operators! {
    access_changed "access-changed" "a public method is no longer public",
    annotation_removed "annotation-removed" "annotations that are visible at run time are removed",
    arithmetic_swapped "arithmetic-swapped" "another operation, such as minus instead of plus",
    call_removed "call-removed" "a method is not called; its result is zero, false or null",
    condition_negated "condition-negated" "the other branch is taken",
    constant_changed "constant-changed" "another number or text",
    default_added "default-added" "another default method in an interface, or in a new superinterface",
    field_shadowed "field-shadowed" "a field that hides an inherited one",
    handler_removed "handler-removed" "an exception is no longer caught",
    initialiser_added "initialiser-added" "a static initialiser that throws, or sets a field",
    interface_added "interface-added" "a class implements another interface",
    lambda_changed "lambda-changed" "other code in a lambda expression",
    override_added "override-added" "a method that hides an inherited one",
    override_removed "override-removed" "an override is removed: the inherited method is found",
    return_replaced "return-replaced" "another value is returned",
    switch_swapped "switch-swapped" "two labels of a switch lead to each other's code",
    throws "throws" "the body of a method throws at once",
}

/// The operator with this name.
pub fn find(name: &str) -> Option<&'static MutationOperator> {
    OPERATORS.iter().find(|operator| operator.name == name)
}

/// The sites of one kind in all methods from the source. Lambda bodies have an operator of their own.
fn in_methods(
    class: &EditableClass<'_>,
    find: fn(&EditableClass<'_>, &EditableMethod<'_>, &mut Vec<MutationSite>),
) -> Vec<MutationSite> {
    let mut sites = Vec::new();
    for method in class.methods().filter(|method| method.is_written() && !method.is_lambda()) {
        find(class, &method, &mut sites);
    }
    sites
}

/// `add(II)I` instead of `add(int, int)`, to tell overloads apart.
fn named(name: &str, descriptor: &str) -> String {
    format!("{name}{descriptor}")
}
