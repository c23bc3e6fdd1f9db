//! Maps classes to probes, and methods on a stack to the probes that stand for them.

use crate::vm::{JvmMethod, JvmtiEnv};
use std::collections::HashMap;
use tamis_catalog::jdk::packages;

/// The probes of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClassProbes {
    content: u64,
    /// Whether each method has a probe.
    pub(crate) by_method: bool,
    /// The first probe.
    pub(crate) first: u32,
    /// The number of probes.
    count: u32,
    /// The number of the class, with which `init` is called.
    pub(crate) class: u32,
}

/// All classes that have probes.
#[derive(Default)]
pub(crate) struct KnownClasses {
    /// By name, so that a class loaded twice has the same probes.
    by_name: HashMap<String, Vec<ClassProbes>>,
    /// By the number of the class.
    names: Vec<String>,
    /// By probe: a short hash of its method. Names are reported once and not kept.
    methods: Vec<u32>,
    /// Methods that were found on stacks, by `jmethodID`.
    found: HashMap<usize, OnStack>,
}

/// A method that was found on a stack.
#[derive(Default)]
pub(crate) struct OnStack {
    /// The probes of its name and descriptor in all classes of its class's name.
    pub(crate) probes: Box<[u32]>,
    /// Whether its class belongs to a test framework.
    pub(crate) is_framework: bool,
    /// The origin of its class.
    pub(crate) origin: FrameOrigin,
}

/// The origin of a method on a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FrameOrigin {
    /// The project, a library, or unknown.
    #[default]
    Program,
    /// The JDK.
    Jdk,
    /// A test framework.
    Framework,
    /// The part of a build that runs tests.
    Runner,
}

impl FrameOrigin {
    /// The origin of a class. A class of the JDK has no probes.
    fn of(class: &str, has_probes: bool) -> FrameOrigin {
        if !has_probes && packages::OWN.has(class) {
            FrameOrigin::Jdk
        } else if tamis_catalog::is_runner(class) {
            FrameOrigin::Runner
        } else if tamis_catalog::has_no_probes(class) {
            FrameOrigin::Framework
        } else {
            FrameOrigin::Program
        }
    }
}

impl KnownClasses {
    /// Whether a class of this name has probes.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Whether a class of this name has a probe per method; `None` if it has no probes.
    pub(crate) fn is_watched(&self, name: &str) -> Option<bool> {
        Some(self.by_name.get(name)?.iter().any(|known| known.by_method))
    }

    /// The number of all probes.
    pub(crate) fn probes(&self) -> u32 {
        self.methods.len() as u32
    }

    /// The name of the class with this number.
    pub(crate) fn name(&self, class: u32) -> String {
        self.names.get(class as usize).cloned().unwrap_or_default()
    }

    /// The class of this name and content, unless it has one probe and needs one per method.
    pub(crate) fn find(&self, name: &str, content: u64, by_method: bool) -> Option<ClassProbes> {
        let all = self.by_name.get(name)?;
        all.iter().find(|known| known.content == content && known.by_method >= by_method).copied()
    }

    /// Numbers a class and its probes: one per method, or one if `methods` is empty; and those of its blocks.
    pub(crate) fn add(
        &mut self,
        name: &str,
        content: u64,
        methods: &[(String, String)],
        blocks: u32,
    ) -> ClassProbes {
        let known = ClassProbes {
            content,
            by_method: !methods.is_empty(),
            first: self.probes(),
            count: methods.len().max(1) as u32,
            class: self.names.len() as u32,
        };
        self.names.push(name.to_owned());
        self.methods.extend(methods.iter().map(|(name, descriptor)| short(name, descriptor)));
        if methods.is_empty() {
            self.methods.push(0);
        }
        // Probes of blocks follow. No stack leads to one.
        self.methods.resize(self.methods.len() + blocks as usize, 0);
        self.by_name.entry(name.to_owned()).or_default().push(known);
        known
    }

    /// The probes of a method that is on a stack.
    pub(crate) fn on_stack(&mut self, jvmti: JvmtiEnv, method: JvmMethod) -> &OnStack {
        if !self.found.contains_key(&(method as usize)) {
            let found = self.look_up(jvmti, method).unwrap_or_default();
            self.found.insert(method as usize, found);
        }
        self.found.entry(method as usize).or_default()
    }

    fn look_up(&self, jvmti: JvmtiEnv, method: JvmMethod) -> Option<OnStack> {
        let class = jvmti.class_signature(jvmti.declaring_class(method).ok()?)?;
        let class = class.strip_prefix('L')?.strip_suffix(';')?;
        let Some(all) = self.by_name.get(class) else {
            return Some(OnStack { origin: FrameOrigin::of(class, false), ..OnStack::default() });
        };
        let (name, descriptor) = jvmti.method_name(method).ok()?;
        let probes = all.iter().flat_map(|known| self.named(known, short(&name, &descriptor))).collect();
        let origin = FrameOrigin::of(class, true);
        Some(OnStack { probes, is_framework: tamis_catalog::has_hooks(class), origin })
    }

    fn named(&self, known: &ClassProbes, hash: u32) -> impl Iterator<Item = u32> {
        let probes = known.first..known.first + known.count;
        probes.filter(move |probe| !known.by_method || self.methods.get(*probe as usize) == Some(&hash))
    }
}

/// FNV-1a. If two methods of a class have the same hash, both are assumed to run.
fn short(name: &str, descriptor: &str) -> u32 {
    let bytes = name.bytes().chain(descriptor.bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_of_a_method_is_that_of_its_class() {
        let cases = [
            ("java/util/List", false, FrameOrigin::Jdk),
            ("java/util/List$$Lambda+0x1", false, FrameOrigin::Jdk),
            ("javax/cache/Cache", true, FrameOrigin::Program),
            ("org/junit/platform/launcher/core/Launcher$$Lambda.0x1", false, FrameOrigin::Framework),
            ("org/apache/maven/surefire/booter/ForkedBooter", true, FrameOrigin::Runner),
            ("worker/org/gradle/Main", true, FrameOrigin::Runner),
            ("a/B$$Lambda.0x1", false, FrameOrigin::Program),
        ];
        for (class, has_probes, expected) in cases {
            assert_eq!(FrameOrigin::of(class, has_probes), expected, "{class}");
        }
    }

    #[test]
    fn a_method_is_found_in_every_class_of_its_name() {
        let method = |name: &str| (name.to_owned(), "()V".to_owned());
        let mut classes = KnownClasses::default();
        classes.add("a/B", 1, &[method("f"), method("g")], 0);
        let library = classes.add("l/L", 1, &[], 0);
        let again = classes.add("a/B", 2, &[method("x"), method("g")], 0);
        assert_eq!((library.first, again.first, classes.probes()), (2, 3, 5));
        let hash = short("g", "()V");
        let found = |name: &str| -> Vec<u32> {
            classes.by_name[name].iter().flat_map(|known| classes.named(known, hash)).collect()
        };
        assert_eq!((found("a/B"), found("l/L")), (vec![1, 4], vec![2]));
        assert_eq!(classes.find("a/B", 2, true), Some(again));
        assert_eq!(classes.find("l/L", 1, true), None);
    }
}
