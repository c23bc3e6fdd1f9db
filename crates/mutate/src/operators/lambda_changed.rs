//! Applies the edits of other operators to the bodies of lambda expressions.

use super::{call_removed, condition_negated, constant_changed, return_replaced};
use crate::{ClassLookup, EditableClass, MutationSite};

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    let mut sites = Vec::new();
    for lambda in class.methods().filter(|method| method.is_lambda()) {
        call_removed::find(class, &lambda, &mut sites);
        condition_negated::find(class, &lambda, &mut sites);
        constant_changed::find(class, &lambda, &mut sites);
        return_replaced::find(class, &lambda, &mut sites);
    }
    sites
}
