//! Finds the compiler-numbered things that a method's code names, in the order of the code.

use super::family::{Family, Nesting, ParsedClass, ParsedMethod};
use rustc_hash::FxHashSet;
use tamis_classfile::Constant;
use tamis_classfile::read::instruction::named_constants;

/// How deep constants may nest inside bootstrap arguments.
pub(crate) const CONSTANT_DEPTH: usize = 32;

/// A numbered thing named by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CodeMention {
    /// A local or anonymous class of the family.
    Class(usize),
    /// A compiler-made method: class and method.
    Made(usize, usize),
}

/// Looks for mentions in the code of one class.
pub(crate) struct MentionScanner<'m, 'a> {
    family: &'m Family<'a>,
    class: &'m ParsedClass<'a>,
    /// By constant: whether it may lead to anything numbered. Empty if none does, as in most classes.
    leads: Vec<bool>,
}

impl<'m, 'a> MentionScanner<'m, 'a> {
    pub(crate) fn new(family: &'m Family<'a>, class: &'m ParsedClass<'a>) -> Self {
        let mut mentions = MentionScanner { family, class, leads: Vec::new() };
        let mut bootstraps = vec![None; class.bootstrap.len()];
        for index in 1..class.file.pool.count() {
            if mentions.may_lead(index, CONSTANT_DEPTH, &mut bootstraps) {
                mentions.leads.resize(usize::from(index), false);
                mentions.leads.push(true);
            }
        }
        mentions
    }

    /// The mentions of a method in the order of its code, without repeats. Malformed code may give wrong ones,
    /// which is harmless: its class becomes unreadable when the body is encoded.
    pub(crate) fn of(&self, method: &ParsedMethod<'_>) -> Vec<CodeMention> {
        let mut found = FoundMention::default();
        let Some(code) = method.code.as_ref().filter(|_| !self.leads.is_empty()) else { return found.order };
        for index in named_constants(code.bytes) {
            if self.leads.get(usize::from(index)) == Some(&true) {
                self.constant(index, CONSTANT_DEPTH, &mut found);
            }
        }
        found.order
    }

    fn constant(&self, index: u16, depth: usize, found: &mut FoundMention) {
        match self.class.file.pool.get(index) {
            Ok(constant @ (Constant::Class(_) | Constant::Member(..))) => {
                self.named(constant, |mention| found.push(mention));
            }
            Ok(Constant::MethodHandle(_, member)) if depth > 0 => self.constant(member, depth - 1, found),
            Ok(Constant::Dynamic(bootstrap, _) | Constant::InvokeDynamic(bootstrap, _)) => {
                let Some(method) = self.class.bootstrap.get(usize::from(bootstrap)) else { return };
                if depth > 0 && found.walked.insert(bootstrap) {
                    self.constant(method.method, depth - 1, found);
                    for argument in method.arguments.values() {
                        self.constant(argument, depth - 1, found);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether walking a constant may find anything. `bootstraps` caches the answer per bootstrap method, so
    /// that each is visited once however many constants share it. A visit in progress answers yes.
    fn may_lead(&self, index: u16, depth: usize, bootstraps: &mut [Option<bool>]) -> bool {
        match self.class.file.pool.get(index) {
            Ok(constant @ (Constant::Class(_) | Constant::Member(..))) => {
                let mut leads = false;
                self.named(constant, |_| leads = true);
                leads
            }
            Ok(Constant::MethodHandle(_, member)) => {
                depth > 0 && self.may_lead(member, depth - 1, bootstraps)
            }
            Ok(Constant::Dynamic(bootstrap, _) | Constant::InvokeDynamic(bootstrap, _)) => {
                let at = usize::from(bootstrap);
                let (Some(method), Some(known)) = (self.class.bootstrap.get(at), bootstraps.get_mut(at))
                else {
                    return false;
                };
                if let Some(known) = *known {
                    return known;
                }
                *known = Some(true);
                let mut leads = |index| depth == 0 || self.may_lead(index, depth - 1, bootstraps);
                let any = leads(method.method) || method.arguments.values().any(leads);
                if let Some(known) = bootstraps.get_mut(at) {
                    *known = Some(any);
                }
                any
            }
            _ => false,
        }
    }

    /// Passes on the numbered things that a Class or Member constant names directly.
    fn named(&self, constant: Constant<'_>, mut tell: impl FnMut(CodeMention)) {
        let pool = &self.class.file.pool;
        let (name, member) = match constant {
            Constant::Class(name) => (pool.utf8(name), None),
            Constant::Member(_, class, name_and_type) => (pool.class(class), Some(name_and_type)),
            _ => return,
        };
        let Some((index, class)) = name.ok().and_then(|name| self.family.class(element(name))) else {
            return;
        };
        if matches!(class.place, Nesting::Local { .. }) {
            tell(CodeMention::Class(index));
        }
        if let Some(Ok((name, descriptor))) = member.map(|member| pool.name_and_type(member))
            && let Some(method) = class.made_method(name, descriptor)
        {
            tell(CodeMention::Made(index, method));
        }
    }
}

#[derive(Default)]
struct FoundMention {
    order: Vec<CodeMention>,
    seen: FxHashSet<CodeMention>,
    /// Bootstrap methods already walked: each is walked once, even if a thousand call sites name it.
    walked: FxHashSet<u16>,
}

impl FoundMention {
    fn push(&mut self, mention: CodeMention) {
        if self.seen.insert(mention) {
            self.order.push(mention);
        }
    }
}

/// The class itself, or the element class of an array.
fn element(name: &[u8]) -> &[u8] {
    match name.iter().position(|byte| *byte != b'[') {
        Some(0) | None => name,
        Some(n) => name.get(n..).and_then(|rest| rest.strip_prefix(b"L")?.strip_suffix(b";")).unwrap_or(name),
    }
}
