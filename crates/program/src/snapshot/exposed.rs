//! Compiler-made classes and methods of one family that another family uses.
//!
//! Usually there are none: compilers make lambda bodies, accessors and switch maps for the class at hand. But
//! code that is copied into its callers (Kotlin's inline functions) takes its references along. Such a class
//! or method is then identified by its name and stands for itself.

use super::{ClassId, MethodId, Snapshot};
use crate::digest::family_name;
use crate::record::{ClassKind, MethodOrigin, StaticReference};
use rustc_hash::FxHashSet;

#[derive(Default)]
pub(super) struct ExposedNames {
    classes: FxHashSet<ClassId>,
    methods: FxHashSet<MethodId>,
}

impl Snapshot {
    /// Whether a class stands for itself: it is from the source, or another family uses it.
    pub fn is_own_class(&self, class: ClassId) -> bool {
        self.class(class).kind != ClassKind::Made || self.exposed().classes.contains(&class)
    }

    /// Whether a method stands for itself: it is from the source, or another family uses it.
    pub fn is_own_method(&self, method: MethodId) -> bool {
        match self.method(method).origin {
            MethodOrigin::Written => true,
            MethodOrigin::Made => self.exposed().methods.contains(&method),
            MethodOrigin::Deserializer => false,
        }
    }

    /// Whether another family uses a compiler-made method of this class. Such a method is compared by name.
    pub fn exposes(&self, class: ClassId) -> bool {
        self.exposed().methods.iter().any(|method| method.class == class)
    }

    fn exposed(&self) -> &ExposedNames {
        self.exposed.get_or_init(|| {
            let mut exposed = ExposedNames::default();
            for user in self.project() {
                let record = self.class(user);
                let family = family_name(record.name());
                let of_code = |found: &&StaticReference| !found.kind.is_shown();
                for reference in record.references.iter().filter(of_code) {
                    let owner = record.str(reference.owner);
                    let name = record.str(reference.name);
                    // Compiler-made names contain a dollar, or the name of their class does.
                    let made = owner.contains('$') || name.contains('$');
                    if !made || family_name(owner) == family {
                        continue;
                    }
                    let Some(class) = self.find(owner) else { continue };
                    if self.class(class).kind == ClassKind::Made {
                        exposed.classes.insert(class);
                    }
                    let method = self.declared(class, name, record.str(reference.descriptor));
                    exposed
                        .methods
                        .extend(method.filter(|method| self.method(*method).origin == MethodOrigin::Made));
                }
            }
            exposed
        })
    }
}
