//! A top-level class with everything nested in it: the unit of canonical form.
//!
//! Compilers number lambda bodies, anonymous classes, accessors and switch maps across a family, so canonical
//! names can only be found for the family as a whole. The class names alone decide which files form a family:
//! everything up to the first `$`.

use super::code_mentions::{CodeMention, MentionScanner};
use super::compiler::{self, CAPTURED, MadeClass, PROLOGUE};
use super::lambda_places::LambdaPlaces;
use super::rename::ClassRenames;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use tamis_catalog::compilers::kotlin::WHEN_MAPPINGS;
use tamis_classfile::read::attribute::{AttributeKind, AttributeKinds, BootstrapMethod};
use tamis_classfile::read::code::Code;
use tamis_classfile::{ClassFile, ConstantPool, Member, ParseError, access};

/// The name of the family that a class belongs to: `a/B` for `a/B$C$1`.
pub fn family_name(class: &str) -> &str {
    let bytes = class.as_bytes();
    let simple = bytes.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    // A leading `$` is part of the name: `$Proxy1` is its own family.
    let nested = bytes.iter().skip(simple + 1).position(|byte| *byte == b'$');
    nested.and_then(|dollar| class.get(..simple + 1 + dollar)).unwrap_or(class)
}

/// The readable classes of a family.
pub(crate) struct Family<'a> {
    /// Sorted by the length of their names, then by name.
    pub(crate) classes: Vec<ParsedClass<'a>>,
    /// The common prefix of the names of all classes. Most names in code do not begin with it, so it rejects
    /// them fast.
    prefix: &'a [u8],
    pub(crate) renames: ClassRenames<'a>,
    /// Whether the compiler made any method of the family.
    has_made: bool,
    /// Whether any class of the family holds switch maps.
    pub(crate) has_maps: bool,
    /// Compiler-made methods, each after the methods it refers to.
    pub(crate) made_order: Vec<(usize, usize)>,
    /// The compiler-made methods that other code of the family refers to.
    pub(crate) used: FxHashSet<(usize, usize)>,
    /// Lambda bodies that one method alone refers to.
    pub(crate) lambdas: LambdaPlaces,
}

/// One class, with the data needed before anything is encoded.
pub(crate) struct ParsedClass<'a> {
    pub(crate) file: ClassFile<'a>,
    pub(crate) name: &'a [u8],
    pub(crate) bootstrap: Vec<BootstrapMethod<'a>>,
    pub(crate) fields: Vec<ParsedField<'a>>,
    pub(crate) methods: Vec<ParsedMethod<'a>>,
    pub(crate) place: Nesting<'a>,
    /// The flags from the source: those of the class's own InnerClasses row, if it has one.
    pub(crate) inner_access: Option<u16>,
    pub(crate) made: MadeClass<'a>,
    /// The class whose assertion status `<clinit>` reads first, if it begins with that.
    pub(crate) assertions: Option<&'a [u8]>,
    /// The number of instructions at the start of `<clinit>` that only handle the assertion status.
    pub(crate) prologue: u32,
    made_methods: FxHashMap<(&'a [u8], &'a [u8]), usize>,
}

/// The position of a class in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting<'a> {
    /// Not nested, as far as is known.
    Top,
    /// A named member of another class.
    Member { outer: &'a [u8], name: &'a [u8] },
    /// Inside code; anonymous if it has no name.
    Local { enclosing: &'a [u8], method: Option<(&'a [u8], &'a [u8])>, name: Option<&'a [u8]> },
}

/// One field, with its names resolved.
pub(crate) struct ParsedField<'a> {
    pub(crate) member: Member<'a>,
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
    pub(crate) kinds: AttributeKinds,
}

/// One method, with its names and code resolved.
pub(crate) struct ParsedMethod<'a> {
    pub(crate) member: Member<'a>,
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
    pub(crate) kinds: AttributeKinds,
    pub(crate) code: Option<Code<'a>>,
    pub(crate) code_kinds: AttributeKinds,
    /// Whether the compiler made it for another member. That member then stands for it.
    pub(crate) made: bool,
}

impl<'a> Family<'a> {
    /// Analyses all classes of a family together.
    pub(crate) fn new(files: Vec<ParsedClass<'a>>) -> Self {
        let mut classes = files;
        classes.sort_by(|a, b| by_length(a.name, b.name));
        let prefix = classes.iter().map(|class| class.name).reduce(common_prefix).unwrap_or_default();
        let mut family = Family {
            classes,
            prefix,
            renames: ClassRenames::default(),
            has_made: false,
            has_maps: false,
            made_order: Vec::new(),
            used: FxHashSet::default(),
            lambdas: LambdaPlaces::default(),
        };
        let numbered = family.classes.iter().any(|class| matches!(class.place, Nesting::Local { .. }));
        if numbered || family.classes.iter().any(|class| class.name.ends_with(WHEN_MAPPINGS)) {
            family.find_made_classes();
        }
        for class in &mut family.classes {
            family.has_made |= class.find_made_methods(numbered);
        }
        if family.has_made || numbered {
            let mentions = family.mentions();
            family.order_made_methods(&mentions);
            family.find_used(&mentions);
            family.lambdas = LambdaPlaces::find(&family, &mentions);
            if numbered {
                family.renames = ClassRenames::find(&family, &mentions);
            }
        }
        family
    }

    /// The class with this name, if it is in the family.
    pub(crate) fn class(&self, name: &[u8]) -> Option<(usize, &ParsedClass<'a>)> {
        // Classes of one package have long common prefixes; the last byte of the prefix rejects most of them.
        if let Some(last) = self.prefix.len().checked_sub(1)
            && name.get(last) != self.prefix.last()
        {
            return None;
        }
        if !name.starts_with(self.prefix) {
            return None;
        }
        // If two classes have the same name, the last one.
        let after = self.classes.partition_point(|class| by_length(class.name, name).is_le());
        let index = after.checked_sub(1)?;
        self.classes.get(index).filter(|class| class.name == name).map(|class| (index, class))
    }

    /// The compiler-made method that a reference names, if it names one.
    pub(crate) fn made_method(&self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<(usize, usize)> {
        if !self.has_made {
            return None;
        }
        let (class, found) = self.class(owner)?;
        let method = found.made_method(name, descriptor)?;
        Some((class, method))
    }

    fn find_made_classes(&mut self) {
        for class in &mut self.classes {
            class.made = compiler::made_class(class);
            self.has_maps |= matches!(class.made, MadeClass::SwitchMaps(_));
        }
        let holders = self.classes.iter().filter(|class| class.made == MadeClass::Assertions);
        let holders: Vec<&[u8]> = holders.map(|class| class.name).collect();
        if holders.is_empty() {
            return;
        }
        for class in &mut self.classes {
            if class.file.access & access::INTERFACE != 0 {
                class.prologue = compiler::holder_prologue(class, &holders).unwrap_or(0);
            }
        }
    }

    /// The compiler-numbered things that each method mentions, in the order of its code.
    fn mentions(&self) -> Vec<Vec<Vec<CodeMention>>> {
        let of_class = |class: &ParsedClass<'a>| {
            let mentions = MentionScanner::new(self, class);
            class.methods.iter().map(|method| mentions.of(method)).collect()
        };
        self.classes.iter().map(of_class).collect()
    }

    /// Callees first. A compiler-made method that refers back to itself keeps its compiler-given name.
    fn order_made_methods(&mut self, mentions: &[Vec<Vec<CodeMention>>]) {
        let callees = |(class, method): (usize, usize)| {
            let found = mentions.get(class).and_then(|methods| methods.get(method));
            found.map(Vec::as_slice).unwrap_or_default().iter().filter_map(|mention| match mention {
                CodeMention::Made(class, method) => Some((*class, *method)),
                CodeMention::Class(_) => None,
            })
        };
        let mut state: FxHashMap<(usize, usize), bool> = FxHashMap::default(); // true: done, false: open
        let mut cyclic = Vec::new();
        for class in 0..self.classes.len() {
            let count = self.classes.get(class).map_or(0, |class| class.methods.len());
            for method in 0..count {
                if !self.is_made((class, method)) || state.contains_key(&(class, method)) {
                    continue;
                }
                let mut stack = vec![((class, method), callees((class, method)))];
                state.insert((class, method), false);
                while let Some((node, edges)) = stack.last_mut() {
                    match edges.next() {
                        Some(next) => match state.get(&next) {
                            Some(true) => {}
                            Some(false) => cyclic.push(next),
                            None => {
                                state.insert(next, false);
                                stack.push((next, callees(next)));
                            }
                        },
                        None => {
                            state.insert(*node, true);
                            self.made_order.push(*node);
                            stack.pop();
                        }
                    }
                }
            }
        }
        for (class, method) in cyclic {
            if let Some(found) = self.classes.get_mut(class).and_then(|class| class.methods.get_mut(method)) {
                found.made = false;
            }
        }
        let made_order = std::mem::take(&mut self.made_order);
        self.made_order = made_order.into_iter().filter(|node| self.is_made(*node)).collect();
    }

    fn find_used(&mut self, mentions: &[Vec<Vec<CodeMention>>]) {
        for (class, methods) in mentions.iter().enumerate() {
            for (method, mentioned) in methods.iter().enumerate() {
                for mention in mentioned {
                    if let CodeMention::Made(to_class, to_method) = *mention
                        && (to_class, to_method) != (class, method)
                    {
                        self.used.insert((to_class, to_method));
                    }
                }
            }
        }
    }

    pub(super) fn is_made(&self, (class, method): (usize, usize)) -> bool {
        let found = self.classes.get(class).and_then(|class| class.methods.get(method));
        found.is_some_and(|method| method.made)
    }
}

impl<'a> ParsedClass<'a> {
    /// Reads one class as far as the canonical form needs it.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let file = ClassFile::parse(bytes)?;
        let pool = &file.pool;
        let name = file.name()?;
        let mut bootstrap = Vec::new();
        let mut row = None;
        let mut enclosing = None;
        for attribute in file.attributes.iter() {
            match attribute.kind(pool)? {
                AttributeKind::BootstrapMethods => bootstrap = attribute.bootstrap_methods()?,
                AttributeKind::InnerClasses => {
                    for [inner, outer, simple, flags] in attribute.rows::<4>()?.iter() {
                        if pool.class(inner)? == name {
                            row = Some((pool.optional_class(outer)?, simple, flags));
                        }
                    }
                }
                AttributeKind::EnclosingMethod => enclosing = Some(attribute.enclosing_method()?),
                _ => {}
            }
        }
        let place = place(&file, name, row, enclosing)?;
        let mut fields = Vec::with_capacity(file.fields.len());
        for member in file.fields.iter() {
            fields.push(ParsedField::read(pool, member)?);
        }
        let mut methods = Vec::with_capacity(file.methods.len());
        for member in file.methods.iter() {
            methods.push(ParsedMethod::read(pool, member)?);
        }
        let mut class = ParsedClass {
            name,
            bootstrap,
            fields,
            methods,
            place,
            inner_access: row.map(|(_, _, flags)| flags),
            made: MadeClass::No,
            assertions: None,
            prologue: 0,
            made_methods: FxHashMap::default(),
            file,
        };
        class.assertions = compiler::assertion_prologue(&class)?;
        class.prologue = class.assertions.map_or(0, |_| PROLOGUE);
        Ok(class)
    }

    fn find_made_methods(&mut self, numbered: bool) -> bool {
        for (i, method) in self.methods.iter_mut().enumerate() {
            method.made = compiler::is_made_method(method, numbered);
            if method.made {
                self.made_methods.insert((method.name, method.descriptor), i);
            }
        }
        !self.made_methods.is_empty()
    }

    /// The compiler-made method of this name and descriptor.
    pub(crate) fn made_method(&self, name: &[u8], descriptor: &[u8]) -> Option<usize> {
        if self.made_methods.is_empty() {
            return None;
        }
        let method = *self.made_methods.get(&(name, descriptor))?;
        self.methods.get(method).filter(|method| method.made).map(|_| method)
    }

    /// The canonical name of a field that holds a captured variable: its position among those fields. The
    /// values are assigned where the object is created, which is in the code around the class.
    #[inline]
    pub(crate) fn captured(&self, name: &[u8]) -> Option<Vec<u8>> {
        if name.starts_with(CAPTURED) { self.captured_place(name) } else { None }
    }

    #[cold]
    fn captured_place(&self, name: &[u8]) -> Option<Vec<u8>> {
        if !matches!(self.place, Nesting::Local { .. }) {
            return None;
        }
        let mut captured = self.fields.iter().filter(|field| compiler::is_captured(field));
        captured.position(|field| field.name == name).map(|place| format!("val~{place}").into_bytes())
    }

    /// The flags from the source.
    pub(crate) fn source_access(&self) -> u16 {
        self.inner_access.unwrap_or(self.file.access)
    }

    pub(crate) fn is_synthetic(&self) -> bool {
        (self.file.access | self.source_access()) & access::SYNTHETIC != 0
    }
}

impl<'a> ParsedField<'a> {
    fn read(pool: &ConstantPool<'a>, member: Member<'a>) -> Result<Self, ParseError> {
        let (name, descriptor) = (pool.utf8(member.name)?, pool.utf8(member.descriptor)?);
        Ok(ParsedField { kinds: member.attributes.kinds(pool)?, member, name, descriptor })
    }
}

impl<'a> ParsedMethod<'a> {
    fn read(pool: &ConstantPool<'a>, member: Member<'a>) -> Result<Self, ParseError> {
        let (name, descriptor) = (pool.utf8(member.name)?, pool.utf8(member.descriptor)?);
        let (mut kinds, mut code) = (AttributeKinds::default(), None);
        for attribute in member.attributes.iter() {
            let kind = attribute.kind(pool)?;
            if kind == AttributeKind::Code && !kinds.has(kind) {
                code = Some(Code::read(&attribute)?);
            }
            kinds = kinds.with(kind);
        }
        let code_kinds = code.map(|code| code.attributes.kinds(pool)).transpose()?.unwrap_or_default();
        Ok(ParsedMethod { member, name, descriptor, kinds, code, code_kinds, made: false })
    }
}

fn by_length(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn common_prefix<'a>(a: &'a [u8], b: &[u8]) -> &'a [u8] {
    let length = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    a.get(..length).unwrap_or_default()
}

type InnerRow<'a> = (Option<&'a [u8]>, u16, u16);

fn place<'a>(
    file: &ClassFile<'a>,
    name: &[u8],
    row: Option<InnerRow<'a>>,
    enclosing: Option<(u16, u16)>,
) -> Result<Nesting<'a>, ParseError> {
    let Some((outer, simple, _)) = row else { return Ok(Nesting::Top) };
    let simple = if simple == 0 { None } else { Some(file.pool.utf8(simple)?) };
    // If the name does not begin with the outer class's name, the claim to be nested is ignored. Then nothing
    // depends on the claim, and claims cannot form a cycle.
    let contains = |outer: &[u8]| name.len() > outer.len() && name.starts_with(outer);
    Ok(match (outer, simple, enclosing) {
        (Some(outer), Some(name), _) if contains(outer) => Nesting::Member { outer, name },
        (None, name, Some((class, method))) => {
            let enclosing = file.pool.class(class)?;
            let method = if method == 0 { None } else { Some(file.pool.name_and_type(method)?) };
            if contains(enclosing) { Nesting::Local { enclosing, method, name } } else { Nesting::Top }
        }
        _ => Nesting::Top,
    })
}

#[cfg(test)]
mod tests {
    use super::family_name;

    #[test]
    fn a_family_is_everything_up_to_the_first_dollar() {
        for (class, family) in [
            ("a/B", "a/B"),
            ("a/B$C$1", "a/B"),
            ("B$1", "B"),
            ("a$b/C$D", "a$b/C"),
            ("$Proxy1", "$Proxy1"),
            ("a/$", "a/$"),
            ("a/B$", "a/B"),
            ("", ""),
            ("日$本", "日"),
        ] {
            assert_eq!(family_name(class), family, "{class}");
        }
    }
}
