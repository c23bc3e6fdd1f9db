//! Compares static fields of the project at boundaries: a test may leave another value than it found.
//!
//! A class is found when the JVM has prepared it; its fields have their first values when its static initialiser has ended.
//! From then on the values of fields that are not final are compared at every boundary, and so are the contents of atomic
//! variables in final fields. Everything that a field reaches is compared when a test class ends. For final fields the class
//! of the object is reported, once. Objects are referenced weakly: none lives longer because of the agent.

use super::object_graph::{GraphReader, GraphSum};
use crate::vm::{JavaObject, JniEnv, JvmField, JvmtiEnv};
use std::collections::HashSet;
use tamis_catalog::is_signature_of;
use tamis_catalog::jdk::types;
use tamis_catalog::libraries::is_logger;
use tamis_classfile::access;
use tamis_wire::{AgentMessage, StaticFieldGraph, StaticFieldInfo};

/// Limit on compared fields. Reading 2,000 takes about 50 microseconds.
const MOST: usize = 2000;

/// Limits on the objects that are looked at, per field and in all. A thousand take about a fifth of a millisecond.
const MOST_REACHED: u32 = 10_000;
const MOST_TOGETHER: u32 = 40_000;

/// Limits on the objects that are looked at when a single test ends, per field and in all.
const MOST_EACH_TEST: u32 = 40;
const MOST_TOGETHER_EACH_TEST: u32 = 300;

/// Local references for one look.
const REFERENCES: i32 = 16_384;

#[derive(Default)]
pub(crate) struct StaticsTracker {
    /// Names of classes with static fields, and those of them that have an initialiser.
    expected: HashSet<String>,
    initialised_later: HashSet<String>,
    /// Classes whose initialisers have not ended.
    unsettled: Vec<TrackedClass>,
    settled: Vec<TrackedClass>,
    compared: usize,
    reader: GraphReader,
    /// The objects that all compared fields reach, and those of them that are looked at when a test ends.
    reached: u32,
    reached_each_test: u32,
}

struct TrackedClass {
    name: String,
    /// A weak reference.
    class: JavaObject,
    fields: Vec<FieldSlot>,
}

// SAFETY: weak JNI references and field ids may be used from any thread.
unsafe impl Send for TrackedClass {}

struct FieldSlot {
    name: String,
    field: JvmField,
    descriptor: u8,
    is_final: bool,
    is_enum: bool,
    is_logger: bool,
    /// For an atomic variable in a final field: the type of its value, and the field that holds it.
    variable: Option<&'static str>,
    inner: Option<(JvmField, u8)>,
    holds: FieldValue,
    /// Whether `holds` is compared.
    is_compared: bool,
    graph: Option<TrackedGraph>,
}

/// What a field reached at the last look.
struct TrackedGraph {
    sum: GraphSum,
    /// Whether it is looked at whenever a test ends.
    each_test: bool,
    has_changed: bool,
    /// The classes that were reported.
    classes: HashSet<usize>,
}

/// The value of a field at the last boundary.
enum FieldValue {
    Number(u64),
    Null,
    /// A weak reference.
    Object(JavaObject),
    /// No weak reference could be made: the next boundary finds a change.
    Unknown,
}

impl StaticsTracker {
    /// A class of the project with static fields is about to be defined.
    pub(crate) fn expect(&mut self, name: &str, has_initialiser: bool) {
        self.expected.insert(name.to_owned());
        if has_initialiser {
            self.initialised_later.insert(name.to_owned());
        }
    }

    /// The JVM has prepared a class. Returns its fields if it has no initialiser.
    pub(crate) fn prepared(&mut self, jvmti: JvmtiEnv, jni: JniEnv, class: JavaObject) -> Vec<AgentMessage> {
        let Some(signature) = jvmti.class_signature(class) else { return Vec::new() };
        let Some(name) = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            return Vec::new();
        };
        if !self.expected.contains(name) {
            return Vec::new();
        }
        let fields: Vec<FieldSlot> =
            jvmti.fields(class).into_iter().filter_map(|f| slot(jvmti, class, f)).collect();
        let Some(weak) = (!fields.is_empty()).then(|| jni.weak(class)).flatten() else { return Vec::new() };
        let class = TrackedClass { name: name.to_owned(), class: weak, fields };
        if self.initialised_later.contains(name) {
            self.unsettled.push(class);
            return Vec::new();
        }
        self.settle(jvmti, jni, class)
    }

    /// The static initialiser of a class has ended. Returns its fields.
    pub(crate) fn initialised(&mut self, jvmti: JvmtiEnv, jni: JniEnv, name: &str) -> Vec<AgentMessage> {
        let mut named: Vec<TrackedClass> =
            self.unsettled.extract_if(.., |class| class.name == name).collect();
        match (named.pop(), named.is_empty()) {
            (Some(class), true) => self.settle(jvmti, jni, class),
            (class, _) => {
                // It may belong to either of two classes of different loaders: their fields stay unknown.
                let slots = class.iter().flat_map(|class| &class.fields);
                let unknown = slots.flat_map(|slot| {
                    let holds = slot.is_final.then(|| "?".to_owned());
                    let (class, field) = (name.to_owned(), slot.name.clone());
                    let known = StaticFieldInfo { class, name: field, is_compared: false, holds };
                    let field = (!slot.is_enum).then_some(AgentMessage::Field(known));
                    field.into_iter().chain([slot.graph_message(name, Vec::new(), false)])
                });
                let unknown = unknown.collect();
                named.extend(class);
                named.iter_mut().for_each(|class| class.forget(jni));
                unknown
            }
        }
    }

    /// Stores the first values of the fields of a class.
    fn settle(&mut self, jvmti: JvmtiEnv, jni: JniEnv, mut class: TrackedClass) -> Vec<AgentMessage> {
        let Some(local) = jni.local(class.class) else {
            class.forget(jni);
            return Vec::new();
        };
        let mut seen = Vec::new();
        let mut kept = Vec::new();
        for mut slot in std::mem::take(&mut class.fields) {
            let holds = slot.look(jvmti, jni, local);
            slot.inner = slot.variable.and_then(|descriptor| {
                let object = jni.static_value(local, slot.field, slot.descriptor).err()?;
                let of = jni.class_of(object)?;
                let field = jni.field(of, "value", descriptor);
                jni.forget(of);
                jni.forget(object);
                field.zip(descriptor.bytes().next())
            });
            let is_compared = (!slot.is_final || slot.inner.is_some()) && self.compared < MOST;
            if is_compared {
                slot.holds = slot.with_current(jni, local, |current| current.keep(jni));
                self.compared += 1;
            }
            slot.is_compared = is_compared;
            if !slot.is_enum {
                seen.push(AgentMessage::Field(StaticFieldInfo {
                    class: class.name.clone(),
                    name: slot.name.clone(),
                    is_compared,
                    holds: holds.filter(|_| slot.is_final),
                }));
            }
            // Loggers are not looked into.
            if (is_compared || slot.is_final) && !slot.is_logger {
                seen.extend(self.first_graph(jvmti, jni, local, &class.name, &mut slot));
            }
            if is_compared || slot.graph.is_some() {
                kept.push(slot);
            }
        }
        jni.forget(local);
        class.fields = kept;
        if class.fields.is_empty() {
            jni.forget_weak(class.class);
        } else {
            self.settled.push(class);
        }
        seen
    }

    /// Looks for the first time at what a field reaches.
    fn first_graph(
        &mut self,
        jvmti: JvmtiEnv,
        jni: JniEnv,
        class: JavaObject,
        name: &str,
        slot: &mut FieldSlot,
    ) -> Option<AgentMessage> {
        let mut classes = HashSet::new();
        let look = || {
            self.reader.begin();
            slot.graph_sum(jvmti, jni, class, &mut self.reader, &mut classes)
        };
        let sum = jni.with_room_for(REFERENCES, look)??;
        if sum.size > MOST_TOGETHER.saturating_sub(self.reached) {
            return None;
        }
        let can_change = !slot.is_final || sum.can_change;
        let each_test = can_change && is_for_each_test(sum, self.reached_each_test);
        if can_change {
            self.reached += sum.size;
            self.reached_each_test += cost_each_test(each_test, sum);
        }
        let reaches = names(&self.reader, &classes);
        slot.graph = Some(TrackedGraph { sum, each_test, has_changed: false, classes });
        let message = slot.graph_message(name, reaches, each_test);
        slot.graph = slot.graph.take().filter(|_| can_change);
        Some(message)
    }

    /// Looks at what fields reach: all of them, or those that are looked at whenever a test ends. Returns what is not as it
    /// was reported.
    pub(crate) fn look_at_graphs(
        &mut self,
        jvmti: JvmtiEnv,
        jni: JniEnv,
        only_each_test: bool,
    ) -> Vec<AgentMessage> {
        jni.with_room_for(REFERENCES, || self.compare_graphs(jvmti, jni, only_each_test)).unwrap_or_default()
    }

    fn compare_graphs(&mut self, jvmti: JvmtiEnv, jni: JniEnv, only_each_test: bool) -> Vec<AgentMessage> {
        let mut found = Vec::new();
        self.reader.begin();
        let (reader, reached) = (&mut self.reader, &mut self.reached);
        let reached_each_test = &mut self.reached_each_test;
        let is_looked_at =
            |slot: &FieldSlot| slot.graph.as_ref().is_some_and(|graph| graph.each_test || !only_each_test);
        for class in &mut self.settled {
            if !class.fields.iter().any(is_looked_at) {
                continue;
            }
            let Some(local) = jni.local(class.class) else { continue };
            for slot in class.fields.iter_mut().filter(|slot| is_looked_at(slot)) {
                let Some(mut graph) = slot.graph.take() else { continue };
                let each_test = graph.each_test;
                let known = graph.classes.len();
                let before = graph.classes.clone();
                let sum = slot.graph_sum(jvmti, jni, local, reader, &mut graph.classes);
                *reached -= graph.sum.size;
                *reached_each_test -= cost_each_test(each_test, graph.sum);
                let Some(sum) = sum.filter(|sum| sum.size <= MOST_TOGETHER.saturating_sub(*reached)) else {
                    // Too large by now: nobody knows any more whether it changes.
                    found.push(slot.graph_message(&class.name, Vec::new(), each_test));
                    continue;
                };
                *reached += sum.size;
                // One that was once too large for it has not been looked at since the last test.
                graph.each_test = each_test && is_for_each_test(sum, *reached_each_test);
                *reached_each_test += cost_each_test(graph.each_test, sum);
                let has_changed = sum.digest != graph.sum.digest;
                let is_news = has_changed || graph.classes.len() > known;
                graph.sum = sum;
                graph.has_changed = has_changed;
                let new: HashSet<usize> = graph.classes.difference(&before).copied().collect();
                slot.graph = Some(graph);
                if is_news {
                    found.push(slot.graph_message(&class.name, names(reader, &new), each_test));
                }
            }
            jni.forget(local);
        }
        found
    }

    /// The fields whose value is not the same as at the last boundary.
    pub(crate) fn changed(&mut self, jni: JniEnv) -> Vec<String> {
        let mut changed = Vec::new();
        self.settled.retain_mut(|class| {
            if !class.fields.iter().any(|slot| slot.is_compared) {
                return true;
            }
            let Some(local) = jni.local(class.class) else {
                class.forget(jni);
                return false;
            };
            for slot in class.fields.iter_mut().filter(|slot| slot.is_compared) {
                let old = &slot.holds;
                let new = slot
                    .with_current(jni, local, |current| (!current.is(jni, old)).then(|| current.keep(jni)));
                if let Some(new) = new {
                    std::mem::replace(&mut slot.holds, new).forget(jni);
                    changed.push(format!("{}.{}", class.name, slot.name));
                }
            }
            jni.forget(local);
            true
        });
        changed
    }
}

/// Whether a graph is small enough to be looked at whenever a test ends, if others with so many objects are.
fn is_for_each_test(sum: GraphSum, others: u32) -> bool {
    sum.size <= MOST_EACH_TEST && sum.size <= MOST_TOGETHER_EACH_TEST.saturating_sub(others)
}

fn cost_each_test(each_test: bool, sum: GraphSum) -> u32 {
    if each_test { sum.size } else { 0 }
}

/// The names of classes that a look has found.
fn names(reader: &GraphReader, classes: &HashSet<usize>) -> Vec<String> {
    let mut names: Vec<String> =
        classes.iter().filter_map(|class| reader.class_name(*class)).map(str::to_owned).collect();
    names.sort_unstable();
    names
}

/// A static field, unless it cannot hold state: a primitive constant, an object that never changes, generated by a compiler.
fn slot(jvmti: JvmtiEnv, class: JavaObject, field: JvmField) -> Option<FieldSlot> {
    let flags = jvmti.field_modifiers(class, field)?;
    let has = |flag: u16| flags & i32::from(flag) != 0;
    if !has(access::STATIC) || has(access::SYNTHETIC) {
        return None;
    }
    let (name, descriptor) = jvmti.field_name(class, field)?;
    let first = *descriptor.as_bytes().first()?;
    let is_final = has(access::FINAL);
    if is_final && (!matches!(first, b'L' | b'[') || types::SIMPLE.has_type(&descriptor)) {
        return None;
    }
    // The object in such a constant has the field `value`, whatever its class is.
    let is_it = |known: &str| is_final && is_signature_of(known, &descriptor);
    let variable = types::ATOMIC_VALUES.iter().find(|(known, _)| is_it(known)).map(|(_, of)| *of);
    Some(FieldSlot {
        name,
        field,
        descriptor: first,
        is_final,
        is_enum: has(access::ENUM),
        is_logger: is_logger(&descriptor),
        variable,
        inner: None,
        holds: FieldValue::Null,
        is_compared: false,
        graph: None,
    })
}

/// The current value of a field.
enum CurrentValue {
    Number(u64),
    /// A local reference, which may be null.
    Object(JavaObject),
}

impl CurrentValue {
    fn is(&self, jni: JniEnv, value: &FieldValue) -> bool {
        match (self, value) {
            (CurrentValue::Number(one), FieldValue::Number(other)) => one == other,
            (CurrentValue::Object(object), FieldValue::Null) => object.is_null(),
            (CurrentValue::Object(object), FieldValue::Object(weak)) => {
                !object.is_null() && jni.is_same(*object, *weak)
            }
            _ => false,
        }
    }

    fn keep(&self, jni: JniEnv) -> FieldValue {
        match self {
            CurrentValue::Number(number) => FieldValue::Number(*number),
            CurrentValue::Object(object) if object.is_null() => FieldValue::Null,
            CurrentValue::Object(object) => jni.weak(*object).map_or(FieldValue::Unknown, FieldValue::Object),
        }
    }
}

impl FieldSlot {
    /// The class of the object in a final field; empty if the object has no state.
    fn look(&self, jvmti: JvmtiEnv, jni: JniEnv, class: JavaObject) -> Option<String> {
        if !self.is_final {
            return None;
        }
        let object = jni.static_value(class, self.field, self.descriptor).err()?;
        if object.is_null() {
            return Some(String::new());
        }
        let of = jni.class_of(object)?;
        let signature = jvmti.class_signature(of);
        // A lambda that captures nothing.
        let is_empty = signature.as_ref().is_some_and(|name| name.contains("$$Lambda"))
            && jvmti.fields(of).is_empty()
            && is_below_object(jni, of);
        jni.forget(of);
        jni.forget(object);
        if is_empty {
            return Some(String::new());
        }
        // An array's elements can change.
        Some(signature?.strip_prefix('L')?.strip_suffix(';')?.to_owned())
    }

    /// The sum of what the field reaches; `None` if it is too much.
    fn graph_sum(
        &self,
        jvmti: JvmtiEnv,
        jni: JniEnv,
        class: JavaObject,
        reader: &mut GraphReader,
        seen: &mut HashSet<usize>,
    ) -> Option<GraphSum> {
        match jni.static_value(class, self.field, self.descriptor) {
            Ok(number) => Some(GraphSum { digest: number, size: 0, can_change: false }),
            Err(object) if object.is_null() => Some(GraphSum { digest: 0, size: 0, can_change: false }),
            Err(object) => {
                let sum = reader.sum(jvmti, jni, object, MOST_REACHED, seen);
                jni.forget(object);
                sum
            }
        }
    }

    fn graph_message(&self, class: &str, reaches: Vec<String>, each_test: bool) -> AgentMessage {
        AgentMessage::Graph(StaticFieldGraph {
            class: class.to_owned(),
            name: self.name.clone(),
            is_compared: self.graph.is_some(),
            each_test,
            has_changed: self.graph.as_ref().is_some_and(|graph| graph.has_changed),
            reaches,
        })
    }

    fn with_current<R>(&self, jni: JniEnv, class: JavaObject, work: impl FnOnce(CurrentValue) -> R) -> R {
        let mut current = into_current(jni.static_value(class, self.field, self.descriptor));
        if let (Some((field, descriptor)), CurrentValue::Object(holder)) = (self.inner, &current) {
            let holder = *holder;
            if !holder.is_null() {
                current = into_current(jni.value_in(holder, field, descriptor));
                jni.forget(holder);
            }
        }
        let local = if let CurrentValue::Object(object) = current { object } else { std::ptr::null_mut() };
        let result = work(current);
        jni.forget(local);
        result
    }
}

/// Whether a class is directly below `Object`.
fn is_below_object(jni: JniEnv, class: JavaObject) -> bool {
    let above = jni.superclass(class);
    let further = above.and_then(|above| jni.superclass(above));
    [above, further].into_iter().flatten().for_each(|class| jni.forget(class));
    above.is_some() && further.is_none()
}

fn into_current(value: Result<u64, JavaObject>) -> CurrentValue {
    value.map_or_else(CurrentValue::Object, CurrentValue::Number)
}

impl FieldValue {
    fn forget(self, jni: JniEnv) {
        if let FieldValue::Object(weak) = self {
            jni.forget_weak(weak);
        }
    }
}

impl TrackedClass {
    /// Deletes the references to a class that is unloaded, or not compared.
    fn forget(&mut self, jni: JniEnv) {
        for slot in std::mem::take(&mut self.fields) {
            slot.holds.forget(jni);
        }
        jni.forget_weak(self.class);
    }
}
