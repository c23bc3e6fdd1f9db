//! The methods in which a test begins: those that its framework calls.

use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use tamis_catalog::frameworks;
use tamis_program::record::ReferenceKind;
use tamis_program::snapshot::{ClassId, MethodId, Snapshot};

/// The beginning of a test.
#[derive(Clone, Debug, Default)]
pub struct TestRoots {
    /// The methods that the framework may call.
    pub methods: Vec<MethodId>,
    /// The classes of which it makes objects.
    pub made: Vec<ClassId>,
}

impl TestRoots {
    /// The roots of one test of a class, or of all of them.
    ///
    /// Frameworks call more than the test: constructors, set-up, and methods that annotations name as text. So all methods
    /// count of the class, of its superclasses and of the classes around it, except other tests. `tests_of` lists the tests
    /// of a class. If the name is not that of one of its methods, all count.
    pub fn of(
        snapshot: &Snapshot,
        class: ClassId,
        method: Option<&str>,
        tests_of: &mut dyn FnMut(ClassId) -> BTreeSet<String>,
    ) -> TestRoots {
        let mut classes: Vec<ClassId> = Vec::new();
        let mut around = Some(class);
        while let Some(class) = around {
            classes.push(class);
            classes.extend(snapshot.above(class).iter().filter(|above| snapshot.is_project(**above)));
            let outer = snapshot.class(class).name().rsplit_once('$').map(|(outer, _)| outer);
            around = outer.and_then(|outer| snapshot.find(outer)).filter(|outer| snapshot.is_project(*outer));
        }
        let mut seen = FxHashSet::default();
        classes.retain(|class| seen.insert(*class));
        let declares = |name: &str| {
            classes.iter().any(|class| {
                let record = snapshot.class(*class);
                record.methods.iter().any(|method| record.str(method.name) == name)
            })
        };
        let method = method.filter(|name| declares(name));
        let mut roots = TestRoots::default();
        for class in &classes {
            let tests = method.map(|_| tests_of(*class)).unwrap_or_default();
            let record = snapshot.class(*class);
            for (index, found) in record.methods.iter().enumerate() {
                let name = record.str(found.name);
                if method == Some(name) || !tests.contains(name) {
                    roots.methods.push(MethodId { class: *class, method: index as u32 });
                }
            }
        }
        let mut made: FxHashSet<ClassId> = classes.iter().copied().collect();
        roots.made.extend(classes.iter().copied());
        // Extensions, rules and runners that annotations name, and those that annotations of the project name.
        let mut open = classes;
        while let Some(class) = open.pop() {
            let record = snapshot.class(class);
            let named = record.references.iter().filter(|named| named.kind == ReferenceKind::Annotated);
            let named = named.filter_map(|named| snapshot.find(record.str(named.owner)));
            for class in named.filter(|named| snapshot.is_project(*named)) {
                if made.insert(class) {
                    roots.made.push(class);
                    roots.methods.extend(methods_of(snapshot, class));
                    open.push(class);
                }
            }
        }
        roots
    }
}

/// The methods of classes that frameworks find by themselves: listeners and extensions that are registered as services.
pub(super) fn service_methods(snapshot: &Snapshot) -> Vec<MethodId> {
    let is_service = |class: &ClassId| {
        let (above, missing) = snapshot.supertypes(*class);
        let mut names = above.iter().map(|above| snapshot.class(*above).name()).chain(missing);
        names.any(frameworks::is_found_as_service)
    };
    snapshot.project().filter(is_service).flat_map(|class| methods_of(snapshot, class)).collect()
}

fn methods_of(snapshot: &Snapshot, class: ClassId) -> impl Iterator<Item = MethodId> + use<> {
    (0..snapshot.class(class).methods.len() as u32).map(move |method| MethodId { class, method })
}
