//! Sums up everything that an object reaches, so that two looks at it can be compared.
//!
//! Objects count by their identity and by what their fields hold. Objects that nobody can change count by their identity
//! alone, collections of the JDK and arrays by what they hold alone. The look is bounded: a graph that is too large has no sum.

use crate::vm::{JavaObject, JniEnv, JvmField, JvmtiEnv};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tamis_catalog::jdk::object_graphs::{ends_fields, is_leaf, is_skipped_field};
use tamis_catalog::libraries::is_logger;
use tamis_classfile::access;

/// The sum of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GraphSum {
    pub(super) digest: u64,
    /// How many objects and elements of arrays were looked at.
    pub(super) size: u32,
    /// Whether anything in it can change.
    pub(super) can_change: bool,
}

/// What is known of classes, and the state of the look that is under way.
#[derive(Default)]
pub(super) struct GraphReader {
    layouts: Vec<ClassLayout>,
    /// By identity hash code of the class.
    by_hash: HashMap<i32, Vec<usize>>,
    last: Option<usize>,
    /// By identity hash code, the order in which objects were met.
    met: HashMap<i32, u64>,
    pending: Vec<(JavaObject, i32)>,
    digest: u64,
    size: u32,
    can_change: bool,
    locals: ThreadLocals,
}

/// The values of this thread's thread-local variables: not read yet, or by the identity of the variable.
#[derive(Default)]
struct ThreadLocals(Option<Vec<(i32, JavaObject)>>);

struct ClassLayout {
    /// A weak reference.
    class: JavaObject,
    /// The internal name, for classes that are not the JDK's.
    name: Option<String>,
    kind: LayoutKind,
}

#[derive(Clone)]
enum LayoutKind {
    /// Its objects never change, or what they hold does not matter.
    Leaf,
    /// A variable whose value the thread holds.
    ThreadLocal,
    /// An array of objects; whether its elements are leaves.
    Objects { are_leaves: bool },
    /// An array of numbers, with the size of an element.
    Numbers(u32),
    /// Other objects: their fields, and whether these can be assigned and the identity counts.
    Fields { fields: Arc<[InstanceField]>, can_change: bool, has_identity: bool },
}

struct InstanceField {
    field: JvmField,
    descriptor: u8,
    is_leaf: bool,
}

// SAFETY: weak JNI references and field ids may be used from any thread; no local reference is used after a look.
unsafe impl Send for GraphReader {}

impl GraphReader {
    /// The sum of what an object reaches; `None` if that is more than `most`. `seen` is told each class that is not the
    /// JDK's by a number.
    pub(super) fn sum(
        &mut self,
        jvmti: JvmtiEnv,
        jni: JniEnv,
        root: JavaObject,
        most: u32,
        seen: &mut HashSet<usize>,
    ) -> Option<GraphSum> {
        self.met.clear();
        (self.digest, self.size, self.can_change) = (0, 0, false);
        let root = jni.local(root)?;
        self.edge(jvmti, jni, root);
        let mut is_whole = true;
        while let Some((object, id)) = self.pending.pop() {
            is_whole &= self.size <= most;
            if is_whole {
                is_whole &= self.visit(jvmti, jni, object, id, most, seen).is_some();
            }
            jni.forget(object);
        }
        is_whole.then_some(GraphSum { digest: self.digest, size: self.size, can_change: self.can_change })
    }

    /// Begins a look at several graphs, within one frame of local references.
    pub(super) fn begin(&mut self) {
        self.locals = ThreadLocals::default();
    }

    /// The internal name of a class that `sum` has told.
    pub(super) fn class_name(&self, class: usize) -> Option<&str> {
        self.layouts.get(class)?.name.as_deref()
    }

    fn mix(&mut self, word: u64) {
        let hash = (self.digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.digest = hash ^ (hash >> 32);
    }

    /// Follows a reference to an object, which is then ours to free.
    fn edge(&mut self, jvmti: JvmtiEnv, jni: JniEnv, object: JavaObject) {
        let Some(id) = jvmti.identity(object) else {
            jni.forget(object);
            return;
        };
        let next = self.met.len() as u64;
        match self.met.get(&id).copied() {
            Some(order) => {
                self.mix(order);
                jni.forget(object);
            }
            None => {
                self.met.insert(id, next);
                self.pending.push((object, id));
            }
        }
    }

    fn visit(
        &mut self,
        jvmti: JvmtiEnv,
        jni: JniEnv,
        object: JavaObject,
        id: i32,
        most: u32,
        seen: &mut HashSet<usize>,
    ) -> Option<()> {
        let at = self.layout_of(jvmti, jni, object)?;
        self.size += 1;
        self.mix(at as u64);
        let layout = self.layouts.get(at)?;
        if layout.name.is_some() {
            seen.insert(at);
        }
        match layout.kind.clone() {
            LayoutKind::Leaf => self.mix(id as u64),
            LayoutKind::ThreadLocal => {
                self.can_change = true;
                if let Some(value) = self.locals.value(jvmti, jni, id).and_then(|value| jni.local(value)) {
                    self.edge(jvmti, jni, value);
                }
            }
            LayoutKind::Numbers(size) => {
                let bytes = (jni.length(object) as u32).checked_mul(size)?;
                self.size = self.size.checked_add(bytes / 64)?;
                self.can_change |= bytes > 0;
                if self.size <= most {
                    let sum = jni.with_bytes(object, bytes as usize, tamis_wire::content)?;
                    self.mix(sum);
                }
            }
            LayoutKind::Objects { are_leaves } => {
                let length = jni.length(object);
                self.size = self.size.checked_add(length as u32)?;
                self.can_change |= length > 0;
                if self.size > most {
                    return None;
                }
                for index in 0..length {
                    let Some(element) = jni.element(object, index) else { continue };
                    self.mix(index as u64);
                    if are_leaves {
                        self.mix(jvmti.identity(element)? as u64);
                        jni.forget(element);
                    } else {
                        self.edge(jvmti, jni, element);
                    }
                }
            }
            LayoutKind::Fields { fields, can_change, has_identity } => {
                self.can_change |= can_change;
                if has_identity {
                    self.mix(id as u64);
                }
                for InstanceField { field, descriptor, is_leaf } in fields.iter() {
                    match jni.value_in(object, *field, *descriptor) {
                        Ok(number) => self.mix(number),
                        Err(value) if value.is_null() => self.mix(0),
                        Err(value) if *is_leaf => {
                            self.mix(jvmti.identity(value)? as u64);
                            jni.forget(value);
                        }
                        Err(value) => self.edge(jvmti, jni, value),
                    }
                }
            }
        }
        Some(())
    }

    /// The number of the layout of an object's class.
    fn layout_of(&mut self, jvmti: JvmtiEnv, jni: JniEnv, object: JavaObject) -> Option<usize> {
        let class = jni.class_of(object)?;
        let is_it = |at: &usize| self.layouts.get(*at).is_some_and(|known| jni.is_same(class, known.class));
        let found = self.last.filter(&is_it).map(Ok).unwrap_or_else(|| {
            let hash = jvmti.identity(class).unwrap_or(0);
            self.by_hash.get(&hash).into_iter().flatten().copied().find(&is_it).ok_or(hash)
        });
        let at = match found {
            Ok(at) => Some(at),
            Err(hash) => ClassLayout::of(jvmti, jni, class).map(|layout| {
                self.layouts.push(layout);
                let at = self.layouts.len() - 1;
                self.by_hash.entry(hash).or_default().push(at);
                at
            }),
        };
        jni.forget(class);
        self.last = at;
        at
    }
}

impl ClassLayout {
    fn of(jvmti: JvmtiEnv, jni: JniEnv, class: JavaObject) -> Option<ClassLayout> {
        let signature = jvmti.class_signature(class)?;
        let weak = jni.weak(class)?;
        if let Some(element) = signature.strip_prefix('[') {
            let kind = match element.as_bytes() {
                [b'Z' | b'B'] => LayoutKind::Numbers(1),
                [b'C' | b'S'] => LayoutKind::Numbers(2),
                [b'I' | b'F'] => LayoutKind::Numbers(4),
                [b'J' | b'D'] => LayoutKind::Numbers(8),
                _ => LayoutKind::Objects { are_leaves: is_leaf_type(element) },
            };
            return Some(ClassLayout { class: weak, name: None, kind });
        }
        let name = signature.strip_prefix('L')?.strip_suffix(';')?;
        let is_jdk = tamis_catalog::jdk::object_graphs::is_jdk(name);
        let kind = if is_leaf(name) || is_logger(&signature) {
            LayoutKind::Leaf
        } else {
            fields_of(jvmti, jni, class, !is_jdk)
        };
        Some(ClassLayout { class: weak, name: (!is_jdk).then(|| name.to_owned()), kind })
    }
}

fn is_leaf_type(descriptor: &str) -> bool {
    let class = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
    class.is_some_and(tamis_catalog::jdk::object_graphs::is_final_leaf)
}

/// The instance fields of a class and of those above it, up to classes whose own fields do not matter.
fn fields_of(jvmti: JvmtiEnv, jni: JniEnv, class: JavaObject, has_identity: bool) -> LayoutKind {
    let (mut fields, mut can_change) = (Vec::new(), !has_identity);
    let mut next = jni.local(class);
    while let Some(class) = next {
        let signature = jvmti.class_signature(class).unwrap_or_default();
        let name = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or_default();
        if name == "java/lang/ThreadLocal" {
            jni.forget(class);
            return LayoutKind::ThreadLocal;
        }
        if !ends_fields(name) {
            for field in jvmti.fields(class) {
                let Some(flags) = jvmti.field_modifiers(class, field) else { continue };
                let has = |flag: u16| flags & i32::from(flag) != 0;
                let Some((called, descriptor)) = jvmti.field_name(class, field) else { continue };
                if has(access::STATIC) || is_skipped_field(name, &called, &descriptor) {
                    continue;
                }
                can_change |= !has(access::FINAL);
                let first = descriptor.bytes().next().unwrap_or(b'L');
                fields.push(InstanceField { field, descriptor: first, is_leaf: is_leaf_type(&descriptor) });
            }
        }
        next = jni.superclass(class);
        jni.forget(class);
    }
    LayoutKind::Fields { fields: fields.into(), can_change, has_identity }
}

impl ThreadLocals {
    /// The value of a variable in this thread.
    fn value(&mut self, jvmti: JvmtiEnv, jni: JniEnv, variable: i32) -> Option<JavaObject> {
        let values = self.0.get_or_insert_with(|| read_locals(jvmti, jni).unwrap_or_default());
        values.iter().find(|(known, _)| *known == variable).map(|(_, value)| *value)
    }
}

/// Reads the maps of this thread: one for variables, one for those that threads inherit.
fn read_locals(jvmti: JvmtiEnv, jni: JniEnv) -> Option<Vec<(i32, JavaObject)>> {
    const MAP: &str = "Ljava/lang/ThreadLocal$ThreadLocalMap;";
    let thread = jvmti.current_thread()?;
    let class = thread_class(jvmti, jni, thread)?;
    let mut values = Vec::new();
    for name in ["threadLocals", "inheritableThreadLocals"] {
        let field = named_field(jvmti, class, name, MAP);
        let Some(map) = field.and_then(|field| jni.object_in(thread, field)) else { continue };
        let table = jni.field_of(map, "table", "[Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;")?;
        for index in 0..jni.length(table) {
            let Some(entry) = jni.element(table, index) else { continue };
            let variable = jni.field_of(entry, "referent", "Ljava/lang/Object;");
            let value = jni.field_of(entry, "value", "Ljava/lang/Object;");
            if let (Some(variable), Some(value)) = (variable, value) {
                values.extend(jvmti.identity(variable).map(|id| (id, value)));
            }
        }
    }
    Some(values)
}

/// `java.lang.Thread`, of which this thread's class may be a subclass.
fn thread_class(jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> Option<JavaObject> {
    let mut class = jni.class_of(thread)?;
    while jvmti.class_signature(class)? != "Ljava/lang/Thread;" {
        class = jni.superclass(class)?;
    }
    Some(class)
}

fn named_field(jvmti: JvmtiEnv, class: JavaObject, name: &str, descriptor: &str) -> Option<JvmField> {
    let is_it = |field: &JvmField| {
        jvmti.field_name(class, *field).is_some_and(|found| (&*found.0, &*found.1) == (name, descriptor))
    };
    jvmti.fields(class).into_iter().find(is_it)
}
