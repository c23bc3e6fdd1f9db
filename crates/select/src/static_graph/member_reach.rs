//! The methods that a test may reach.

use super::{ReachKind, StaticGraph, StaticReach, TestRoots};
use tamis_classfile::access;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

/// The closure of one test while it grows.
struct MemberWalk<'w, 's> {
    graph: &'w StaticGraph<'s>,
    reach: StaticReach,
    open: Vec<u32>,
    made: BitSet<ClassId>,
    /// Signatures of virtual calls that were reached.
    called: BitSet<u32>,
    read: BitSet<u32>,
}

impl StaticGraph<'_> {
    pub(super) fn members_from(&self, roots: &TestRoots) -> StaticReach {
        let mut walk = MemberWalk {
            graph: self,
            reach: StaticReach::default(),
            open: Vec::new(),
            made: BitSet::default(),
            called: BitSet::default(),
            read: BitSet::default(),
        };
        for method in self.services.iter().chain(&roots.methods) {
            walk.enter(self.number(*method));
        }
        for class in self.services.iter().map(|method| &method.class).chain(&roots.made) {
            walk.make(*class);
        }
        while let Some(method) = walk.open.pop() {
            walk.follow(method);
        }
        walk.finish()
    }
}

impl MemberWalk<'_, '_> {
    /// Leaves out the methods of objects that nothing makes: without an object they cannot run. What they call stays.
    fn finish(mut self) -> StaticReach {
        let graph = self.graph;
        let snapshot = graph.snapshot;
        let with_above = |class: ClassId| snapshot.above(class).iter().copied().chain([class]);
        let receivers: BitSet<ClassId> = self.made.iter().flat_map(with_above).collect();
        let has_object = |method: &u32| {
            let id = graph.id(*method);
            let (record, found) = (snapshot.class(id.class), snapshot.method(id));
            let needs_none = found.is(access::STATIC) || record.str(found.name).starts_with('<');
            needs_none || receivers.contains(id.class)
        };
        let certain: Vec<u32> = self.reach.used.methods.iter().filter(has_object).collect();
        // What only they initialise does not count either.
        let edges = certain.iter().filter_map(|method| graph.methods.get(*method as usize));
        self.reach.used.touched = edges.flat_map(|edges| edges.touches.iter().copied()).collect();
        self.reach.used.touched.unite(&self.made);
        self.reach.used.methods = certain.into_iter().collect();
        let touched: Vec<ClassId> = self.reach.used.touched.iter().collect();
        for class in touched {
            graph.note_class(class, &mut self.reach);
        }
        self.reach
    }

    fn enter(&mut self, method: u32) {
        if self.reach.used.methods.insert(method) {
            self.open.push(method);
        }
    }

    fn follow(&mut self, method: u32) {
        let graph = self.graph;
        let Some(edges) = graph.methods.get(method as usize) else { return };
        graph.note_gaps(method, &mut self.reach);
        edges.calls.iter().for_each(|called| self.enter(*called));
        edges.makes.iter().for_each(|class| self.make(*class));
        for signature in &edges.virtuals {
            if self.called.insert(*signature) {
                self.call(*signature);
            }
        }
        edges.touches.iter().for_each(|class| self.initialise(*class));
        for field in &edges.reads {
            if self.read.insert(*field) {
                let writers = graph.writers.get(field).map_or(&[][..], Vec::as_slice);
                writers.iter().for_each(|writer| self.enter(*writer));
            }
        }
    }

    fn call(&mut self, signature: u32) {
        let graph = self.graph;
        match graph.kind {
            ReachKind::Classes | ReachKind::Hierarchy => {
                graph.virtuals.all(signature).iter().for_each(|method| self.enter(*method));
            }
            ReachKind::Instantiated => {
                for (receiver, method) in graph.virtuals.receivers(signature) {
                    if self.made.contains(*receiver) {
                        self.enter(*method);
                    }
                }
            }
        }
    }

    /// An object of a class is made: external code may call its overrides, and calls that were reached may find it.
    fn make(&mut self, class: ClassId) {
        if !self.made.insert(class) {
            return;
        }
        self.initialise(class);
        let graph = self.graph;
        if let Some(callbacks) = graph.callbacks.get(class.index()) {
            callbacks.iter().for_each(|method| self.enter(method));
        }
        if graph.kind == ReachKind::Instantiated {
            let called: Vec<u32> = self.called.iter().collect();
            for signature in called {
                let receivers = graph.virtuals.receivers(signature);
                let first = receivers.partition_point(|(receiver, _)| *receiver < class);
                let own = receivers.iter().skip(first).take_while(|(receiver, _)| *receiver == class);
                own.for_each(|(_, method)| self.enter(*method));
            }
        }
    }

    fn initialise(&mut self, class: ClassId) {
        if self.reach.used.touched.insert(class)
            && let Some(Some(initialiser)) = self.graph.initialisers.get(class.index())
        {
            self.enter(*initialiser);
        }
    }
}
