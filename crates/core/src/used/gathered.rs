//! What was used, while it grows: quick to add to, and it remembers in which order things came.

use super::methods::Methods;
use super::{Outside, Used};
use crate::marks::Grown;
use crate::snapshot::{ClassId, MethodId};
use crate::sorted::Sorted;

/// What was used, and how much of it was followed to what it needs.
#[derive(Default)]
pub(super) struct Gathered {
    /// By number.
    pub(super) methods: Grown<u32>,
    pub(super) classes: Grown<ClassId>,
    pub(super) touched: Grown<ClassId>,
    pub(super) others: Grown<u32>,
    leaves: Sorted<u32>,
    pub(super) meets_others: bool,
    /// Classes of whose objects static initialisers made some.
    pub(super) kept: Grown<ClassId>,
    /// Classes whose initialisers were added.
    met: Grown<ClassId>,
    /// How many of each were followed.
    followed: Followed,
}

#[derive(Default)]
struct Followed {
    methods: usize,
    classes: usize,
    touched: usize,
    met: usize,
    others: usize,
    named: usize,
}

impl Gathered {
    pub(super) fn add(&mut self, methods: &Methods<'_>, used: &Used) {
        self.methods.extend(used.methods.iter().map(|method| methods.number(method)));
        self.classes.extend(&used.classes);
        self.touched.extend(&used.touched);
        self.others.extend(&used.others);
        self.leaves.unite(&used.leaves);
        self.meets_others |= used.meets_others;
    }

    /// Adds the initialisers of all classes that are touched: `inits` says what ran in them.
    pub(super) fn add_initialisers<'u>(
        &mut self,
        methods: &Methods<'_>,
        inits: impl Fn(ClassId) -> Option<&'u Used>,
    ) {
        loop {
            let Followed { methods: method, classes, touched, met, .. } = self.followed;
            for method in self.methods.list().get(method..).unwrap_or_default() {
                self.met.extend(methods.touched(*method).iter().copied());
            }
            let named = self.classes.list().get(classes..).unwrap_or_default();
            self.met
                .extend(named.iter().chain(self.touched.list().get(touched..).unwrap_or_default()).copied());
            self.followed.methods = self.methods.list().len();
            self.followed.classes = self.classes.list().len();
            self.followed.touched = self.touched.list().len();
            self.followed.met = self.met.list().len();
            let new: Vec<ClassId> = self.met.list().get(met..).unwrap_or_default().to_vec();
            if new.is_empty() {
                return;
            }
            for init in new.into_iter().filter_map(&inits) {
                let is_made = |method: &MethodId| methods.traits(methods.number(*method)).is_constructor();
                self.kept.extend(init.methods.iter().filter(is_made).map(|method| method.class));
                self.add(methods, init);
            }
        }
    }

    /// Adds what is owed to what the caller has numbered: initialisers of library classes that are used, or named by what
    /// is.
    pub(super) fn add_outside(&mut self, methods: &Methods<'_>, outside: &mut dyn Outside) {
        while self.followed.others < self.others.list().len()
            || self.followed.named < self.methods.list().len()
        {
            let mut named: Vec<u32> = Vec::new();
            for method in self.methods.list().get(self.followed.named..).unwrap_or_default() {
                named.extend_from_slice(&outside.named_by(*method, methods.id(*method)));
            }
            self.followed.named = self.methods.list().len();
            let new: Vec<u32> = self.others.list().get(self.followed.others..).unwrap_or_default().to_vec();
            self.followed.others = self.others.list().len();
            for number in new {
                named.extend_from_slice(&outside.named_in(number));
                if let Some(init) = outside.init(number) {
                    self.add(methods, init);
                }
            }
            self.others.extend(named.into_iter().filter(|number| outside.init(*number).is_some()));
        }
    }

    /// How much of it is code of the project: methods, and classes that were used or touched.
    pub(super) fn code(&self) -> usize {
        self.methods.list().len() + self.classes.list().len() + self.touched.list().len()
    }

    /// Whether all of it was followed.
    pub(super) fn is_followed(&self) -> bool {
        self.followed.methods == self.methods.list().len()
            && self.followed.named == self.methods.list().len()
            && self.followed.classes == self.classes.list().len()
            && self.followed.touched == self.touched.list().len()
            && self.followed.others == self.others.list().len()
    }

    pub(super) fn into_used(self, methods: &Methods<'_>) -> Used {
        // Methods are numbered in their order.
        let entered = self.methods.numbers().iter().map(|number| methods.id(number as u32));
        Used {
            methods: Sorted::ascending(entered),
            classes: self.classes.list().iter().copied().collect(),
            touched: self.touched.list().iter().copied().collect(),
            others: Sorted::ascending(self.others.numbers().iter().map(|number| number as u32)),
            leaves: self.leaves,
            meets_others: self.meets_others,
        }
    }
}
