//! Turns the class files of a family into records.

use super::annotations::AnnotationLayers;
use super::body::{self, BodyBuffers, BodyHasher, NamedConstants};
use super::code_mentions::{CONSTANT_DEPTH, CodeMention, MentionScanner};
use super::constant::{
    CompilerMethod, CompilerMethods, ConstantEncodings, EncodedConstants, made_descriptor,
};
use super::family::{Family, ParsedClass, ParsedField, ParsedMethod};
use super::listing::{ListingLine, ListingLines};
use super::value::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use super::{compiler, method_traits};
use crate::record::{
    ClassKind, ClassLayers, ClassRecord, FieldRecord, MethodOrigin, MethodRecord, ReferenceKind,
    StaticReference, TextSpan, UnfollowedSet,
};
use tamis_classfile::read::attribute::{Attribute, AttributeKind, AttributeKinds};
use tamis_classfile::{ClassVersion, Member, ParseError, access, mutf8, opcode};

use super::reference::ClassReferences;
use super::reflectable::shown;
use super::string_table::{StringTable, TextBuffers};

/// One class file: its name by location, and its bytes.
#[derive(Clone, Copy, Debug)]
pub struct ClassSource<'a> {
    /// `a/B` for `a/B.class`; also the class's name if the file cannot be read.
    pub name: &'a str,
    /// The class file.
    pub bytes: &'a [u8],
}

/// Digests one family after another with the same buffers.
#[derive(Default)]
pub struct Digester {
    pub(super) encoder: DigestEncoder,
    pub(super) debug: DigestEncoder,
    pub(super) scratch: BodyBuffers,
    pub(super) named: NamedConstants,
    pub(super) annotations: AnnotationLayers,
    pub(super) references: ClassReferences,
    /// Buffers of finished classes, for reuse.
    pub(super) encoded: Vec<EncodedConstants>,
    pub(super) texts: TextBuffers,
    pub(super) fields: Vec<MemberRow>,
    pub(super) methods: Vec<MemberRow>,
    /// What method handles of the present class name that a static graph cannot follow, if known.
    pub(super) unfollowed_handles: Option<UnfollowedSet>,
}

/// A member's shape, its constant or body, and its annotations.
pub(super) type MemberRow = (Digest, Option<Digest>, Option<Digest>);

impl Digester {
    /// Digests all classes of one family. Returns one record per source, in unspecified order.
    pub fn family(&mut self, sources: &[ClassSource<'_>]) -> Vec<ClassRecord> {
        // Two files may claim the same class name. Which of them references mean must not depend on reading
        // order.
        let mut sources: Vec<&ClassSource<'_>> = sources.iter().collect();
        sources.sort_by_key(|source| source.name);
        let mut records = Vec::with_capacity(sources.len());
        let mut classes = Vec::with_capacity(sources.len());
        for source in sources {
            match ParsedClass::read(source.bytes) {
                Ok(class) => classes.push(class),
                Err(error) => records.push(opaque(source.name, source.bytes, &error)),
            }
        }
        let family = Family::new(classes);
        let contents = CompilerMethods::default();
        let mut constants = self.made_methods(&family, &contents);
        for (index, class) in family.classes.iter().enumerate() {
            let constants = constants.get_mut(index).and_then(Option::take);
            let mut constants = constants
                .unwrap_or_else(|| ConstantEncodings::new(&family, class, &contents, self.encoded.pop()));
            let record = self.class(&mut constants, index, &contents);
            self.encoded.push(constants.done());
            records.push(
                record.unwrap_or_else(|error| opaque(&mutf8::decode(class.name), class.file.bytes, &error)),
            );
        }
        records
    }

    /// Digests compiler-made methods, callees first, and returns the constants encoded so far for their
    /// classes. A method that cannot be encoded is left out: references to it then use the compiler's name.
    fn made_methods<'c, 'a>(
        &mut self,
        family: &'c Family<'a>,
        contents: &'c CompilerMethods,
    ) -> Vec<Option<ConstantEncodings<'c, 'a>>> {
        let mut all: Vec<Option<ConstantEncodings<'c, 'a>>> = Vec::new();
        if family.made_order.is_empty() {
            return all;
        }
        all.resize_with(family.classes.len(), || None);
        for &(class_index, method_index) in &family.made_order {
            let Some(class) = family.classes.get(class_index) else { continue };
            let (Some(method), Some(constants)) = (class.methods.get(method_index), all.get_mut(class_index))
            else {
                continue;
            };
            let constants = constants
                .get_or_insert_with(|| ConstantEncodings::new(family, class, contents, self.encoded.pop()));
            self.named.ensure(class.file.pool.count());
            if self.start_made(constants, method).is_ok()
                && let Ok(digest) = self.body(constants, method)
            {
                let named = std::mem::take(&mut self.named.order);
                contents.insert((class_index, method_index), CompilerMethod { digest, named });
            }
        }
        all
    }

    /// Begins the encoding of a compiler-made method: its type and its annotations.
    fn start_made(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
        method: &ParsedMethod<'_>,
    ) -> Result<(), ParseError> {
        self.encoder.start(EncodingTag::Made);
        let descriptor = made_descriptor(constants, method.name, method.member.access, method.descriptor);
        self.encoder.bytes(&descriptor);
        self.annotations.clear();
        let annotated = match method.kinds.has_any(ANNOTATIONS) {
            true => self.annotations.take(constants, &method.member.attributes, &mut self.scratch),
            false => Ok(()),
        };
        self.encoder.optional(self.annotations.plain().as_ref());
        annotated
    }

    /// The body of a method with its lambda bodies by place.
    fn frame(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        method: &ParsedMethod<'_>,
        is_made: bool,
    ) -> Result<Digest, ParseError> {
        match is_made {
            true => self.start_made(constants, method)?,
            false => _ = self.encoder.start(EncodingTag::Body),
        }
        self.body(constants, method)
    }

    /// Hashes the encoder's content together with the method's body.
    fn body(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        method: &ParsedMethod<'_>,
    ) -> Result<Digest, ParseError> {
        self.named.start_body();
        let mut out = BodyHasher { encoder: &mut self.encoder, named: &mut self.named };
        body::write(constants, method, &mut self.scratch, &mut out)?;
        Ok(self.encoder.finish())
    }

    fn class(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        index: usize,
        contents: &CompilerMethods,
    ) -> Result<ClassRecord, ParseError> {
        let (family, class) = (constants.family, constants.class);
        self.named.ensure(class.file.pool.count());
        self.debug.start(EncodingTag::Debug);
        self.annotations.start_class();
        self.unfollowed_handles = None;
        let mut texts = StringTable::new(class, std::mem::take(&mut self.texts));
        self.references.start_class(class.file.pool.count());
        let mut methods = Vec::with_capacity(class.methods.len());
        let mut init = None;
        let lambdas = &family.lambdas;
        let mut by_place = lambdas.is_in(index).then(|| ConstantEncodings::by_place(family, class, contents));
        for (method_index, method) in class.methods.iter().enumerate() {
            let content = contents.take((index, method_index));
            let made = content.is_some();
            let frame = match &mut by_place {
                Some(by_place) if lambdas.are_in((index, method_index)) => {
                    Some(self.frame(by_place, method, made)?)
                }
                _ => None,
            };
            let mut record = self.method(constants, method, content, &mut texts)?;
            record.frame = frame;
            record.place = lambdas.name(family, (index, method_index)).map(|name| texts.push(&name));
            record.origin = match made {
                true if family.used.contains(&(index, method_index)) => MethodOrigin::Made,
                // Unused within the family: code elsewhere can only refer to it by its name.
                true => MethodOrigin::Written,
                false if compiler::is_deserialize_lambda(method) => MethodOrigin::Deserializer,
                false => MethodOrigin::Written,
            };
            let nothing = class.prologue > 0
                && method.code.as_ref().is_some_and(|code| body::is_only_prologue(code, class.prologue));
            if method.name == b"<clinit>" && !nothing {
                init = Some(record.body);
            }
            if method.name != b"<clinit>" || !nothing {
                methods.push(record);
            }
        }
        let fields = self.fields(constants, class, &mut texts)?;
        let mut record = self.head(constants, class, &mut texts)?;
        record.fields = fields;
        record.methods = methods;
        record.layers.init = init;
        (record.references, record.links) = self.references.finish();
        let nothing = texts.push(b"");
        let shown = shown(&class.file);
        let annotated = shown.annotated.into_iter().map(|name| (ReferenceKind::Annotated, name));
        let others = shown.others.into_iter().map(|name| (ReferenceKind::Shown, name));
        record.references.extend(annotated.chain(others).map(|(kind, name)| StaticReference {
            kind,
            owner: texts.push(name),
            name: nothing,
            descriptor: nothing,
        }));
        (record.text, self.texts) = texts.finish();
        record.layers.order = self.order(&record, class)?;
        sort_members(&mut record);
        self.whole(constants, class, &mut record)?;
        Ok(record)
    }

    /// The order in which HotSpot's reflection lists members. It lists fields and permitted subclasses in
    /// class-file order, but sorts methods by the addresses of their names: only methods of one name (above
    /// all constructors) keep their order. Must run before the members are sorted.
    fn order(&mut self, record: &ClassRecord, class: &ParsedClass<'_>) -> Result<Option<Digest>, ParseError> {
        let is_shown = |access: u16| access & access::SYNTHETIC == 0;
        let fields: Vec<&FieldRecord> = record.fields.iter().filter(|field| is_shown(field.access)).collect();
        let mut methods: Vec<&MethodRecord> =
            record.methods.iter().filter(|method| is_shown(method.access)).collect();
        methods.sort_by_key(|method| record.str(method.name));
        self.encoder.start(EncodingTag::Order);
        let mut is_any = fields.len() > 1;
        for field in fields {
            self.encoder.bytes(record.str(field.name).as_bytes());
        }
        for methods in methods.chunk_by(|a, b| record.str(a.name) == record.str(b.name)) {
            if methods.len() > 1 {
                is_any = true;
                for method in methods {
                    let descriptor = method.canonical_descriptor.unwrap_or(method.descriptor);
                    self.encoder.bytes(record.str(method.name).as_bytes());
                    self.encoder.bytes(record.str(descriptor).as_bytes());
                }
            }
        }
        let pool = &class.file.pool;
        if let Some(permitted) = class.file.attributes.find(pool, AttributeKind::PermittedSubclasses)? {
            is_any = true;
            self.encoder.tag(EncodingTag::Permits);
            for subclass in permitted.rows::<1>()?.values() {
                self.encoder.bytes(pool.class(subclass)?);
            }
        }
        Ok(is_any.then(|| self.encoder.finish()))
    }

    fn method(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        method: &ParsedMethod<'_>,
        content: Option<CompilerMethod>,
        texts: &mut StringTable<'_>,
    ) -> Result<MethodRecord, ParseError> {
        let body = match content {
            Some(content) => {
                self.named.order = content.named;
                if let Some(code) = &method.code {
                    self.scratch.prepare(method, code);
                }
                content.digest
            }
            None if compiler::is_deserialize_lambda(method) => self.deserializer(constants, method)?,
            None => {
                self.encoder.start(EncodingTag::Body);
                self.body(constants, method)?
            }
        };
        let links = self.references.take(constants, &self.named.order, texts)?;
        self.annotations.clear();
        if method.kinds.has_any(ANNOTATIONS) {
            self.annotations.take(constants, &method.member.attributes, &mut self.scratch)?;
        }
        if let Some(code) = &method.code {
            if method.code_kinds.has_any(ANNOTATIONS) {
                self.scratch.number(code);
                self.annotations.take(constants, &code.attributes, &mut self.scratch)?;
            }
            self.debug_of(constants, &code.attributes)?;
        }
        if method.made {
            self.debug.bytes(method.name); // The compiler's number shows in stack traces.
        }
        let shape =
            self.member_shape(constants, &method.member, method.kinds, method.name, method.descriptor)?;
        let pool = &constants.class.file.pool;
        let mut conduct = method_traits::of(pool, &self.named.order, &mut self.unfollowed_handles);
        if method.kinds.has_any(ANNOTATIONS) {
            conduct.fixture = method_traits::fixture(pool, &method.member.attributes)?;
        }
        let canonical = constants.rewrite(method.descriptor);
        let canonical_descriptor = (canonical != method.descriptor).then(|| texts.push(&canonical));
        Ok(MethodRecord {
            name: texts.constant(method.member.name)?,
            descriptor: texts.constant(method.member.descriptor)?,
            canonical_descriptor,
            access: method.member.access,
            origin: MethodOrigin::Written,
            conduct,
            body,
            frame: None,
            place: None,
            shape,
            annotations: self.annotations.plain(),
            links,
        })
    }

    /// `$deserializeLambda$` compares the numbered names of all serialisable lambdas. Its meaning is the set
    /// of lambdas it can create.
    fn deserializer(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        method: &ParsedMethod<'_>,
    ) -> Result<Digest, ParseError> {
        self.encoder.start(EncodingTag::Body);
        self.body(constants, method)?;
        let mut sites = Vec::new();
        for (op, index) in &self.named.order {
            if *op == opcode::INVOKEDYNAMIC {
                sites.push(constants.bytes(*index)?.to_vec());
            }
        }
        sites.sort_unstable();
        sites.dedup();
        self.encoder.start(EncodingTag::Body);
        for site in sites {
            self.encoder.bytes(&site);
        }
        Ok(self.encoder.finish())
    }

    fn fields(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        class: &ParsedClass<'_>,
        texts: &mut StringTable<'_>,
    ) -> Result<Vec<FieldRecord>, ParseError> {
        let mut fields = Vec::with_capacity(class.fields.len());
        for &ParsedField { member, name, descriptor, kinds } in &class.fields {
            let constant = match constant_value(class, &member, kinds)? {
                Some(attribute) => {
                    self.encoder.start(EncodingTag::Constant);
                    constants.encode(attribute.index()?, CONSTANT_DEPTH, &mut self.encoder)?;
                    Some(self.encoder.finish())
                }
                None => None,
            };
            self.annotations.clear();
            if kinds.has_any(ANNOTATIONS) {
                self.annotations.take(constants, &member.attributes, &mut self.scratch)?;
            }
            let captured = class.captured(name);
            if captured.is_some() {
                self.debug.bytes(name);
            }
            let canonical = captured.as_deref().unwrap_or(name);
            fields.push(FieldRecord {
                name: texts.constant(member.name)?,
                descriptor: texts.constant(member.descriptor)?,
                access: member.access,
                shape: self.member_shape(constants, &member, kinds, canonical, descriptor)?,
                constant,
                annotations: self.annotations.plain(),
            });
        }
        Ok(fields)
    }
}

/// The attributes read by [`AnnotationLayers::take`].
pub(super) const ANNOTATIONS: AttributeKinds = AttributeKinds::of(&[
    AttributeKind::RuntimeVisibleAnnotations,
    AttributeKind::RuntimeInvisibleAnnotations,
    AttributeKind::RuntimeVisibleParameterAnnotations,
    AttributeKind::RuntimeInvisibleParameterAnnotations,
    AttributeKind::RuntimeVisibleTypeAnnotations,
    AttributeKind::RuntimeInvisibleTypeAnnotations,
    AttributeKind::AnnotationDefault,
    AttributeKind::Unknown,
]);

pub(super) fn constant_value<'a>(
    class: &ParsedClass<'a>,
    field: &Member<'a>,
    kinds: AttributeKinds,
) -> Result<Option<Attribute<'a>>, ParseError> {
    match kinds.has(AttributeKind::ConstantValue) {
        true => field.attributes.find(&class.file.pool, AttributeKind::ConstantValue),
        false => Ok(None),
    }
}

/// The canonical listings of the methods of one class of a family: the class file's name and descriptor, and
/// the lines. The code of compiler-made methods follows the method that uses them.
pub fn list_methods(sources: &[ClassSource<'_>], class: &str) -> Vec<(String, Vec<ListingLine>)> {
    let family =
        Family::new(sources.iter().filter_map(|source| ParsedClass::read(source.bytes).ok()).collect());
    let contents = CompilerMethods::default();
    Digester::default().made_methods(&family, &contents);
    let Some((index, found)) = family.class(&mutf8::encode(class)) else { return Vec::new() };
    let listing = |method: usize| {
        let mut lines = ListingLines::default();
        let mut listed = vec![(index, method)];
        let mut next = 0;
        while let Some(&(class, method)) = listed.get(next) {
            let Some(owner) = family.classes.get(class) else { break };
            let Some(method) = owner.methods.get(method) else { break };
            if let Some(digest) = contents.digest((class, listed.get(next).map_or(0, |(_, method)| *method)))
            {
                let hash = digest.to_string();
                lines.heading(&format!("made {{{}}}", hash.get(..12).unwrap_or_default()));
            }
            let mut constants = ConstantEncodings::new(&family, owner, &contents, None);
            if let Err(error) = body::write(&mut constants, method, &mut BodyBuffers::default(), &mut lines) {
                lines.heading(&error.to_string());
            }
            for mention in MentionScanner::new(&family, owner).of(method) {
                if let CodeMention::Made(class, method) = mention
                    && !listed.contains(&(class, method))
                {
                    listed.push((class, method));
                }
            }
            next += 1;
        }
        lines.finish()
    };
    let name = |method: &ParsedMethod<'_>| {
        format!("{}{}", mutf8::decode(method.name), mutf8::decode(method.descriptor))
    };
    found.methods.iter().enumerate().map(|(index, method)| (name(method), listing(index))).collect()
}

/// Java 25.
const NEWEST_KNOWN: u16 = 69;

fn opaque(name: &str, bytes: &[u8], error: &ParseError) -> ClassRecord {
    let mut encoder = DigestEncoder::default();
    encoder.start(EncodingTag::Opaque).bytes(bytes);
    let all = encoder.finish();
    let newer = matches!(bytes, [0xca, 0xfe, 0xba, 0xbe, _, _, high, low, ..]
        if u16::from_be_bytes([*high, *low]) > NEWEST_KNOWN);
    let layers = ClassLayers {
        head: all,
        supers: all,
        shape: all,
        annotations: Some(all),
        metadata: Some(all),
        init: Some(all),
        order: Some(all),
        serial: all,
        debug: all,
        class: all,
    };
    ClassRecord {
        text: name.into(),
        name: TextSpan { start: 0, length: name.len() as u32 },
        canonical: None,
        super_class: None,
        interfaces: Vec::new(),
        nest_host: None,
        enclosing_member: None,
        access: 0,
        version: ClassVersion { major: 0, minor: 0 },
        kind: ClassKind::Opaque { reason: error.to_string().into(), newer },
        layers,
        fields: Vec::new(),
        methods: Vec::new(),
        references: Vec::new(),
        links: Vec::new(),
    }
}

/// Sorts members by name and descriptor. Each method keeps its range of links.
fn sort_members(record: &mut ClassRecord) {
    let text = std::mem::take(&mut record.text);
    let of = |piece: TextSpan| {
        let start = piece.start as usize;
        text.as_bytes().get(start..start + piece.length as usize).unwrap_or_default()
    };
    record.methods.sort_by(|a, b| (of(a.name), of(a.descriptor)).cmp(&(of(b.name), of(b.descriptor))));
    record.fields.sort_by(|a, b| (of(a.name), of(a.descriptor)).cmp(&(of(b.name), of(b.descriptor))));
    record.text = text;
}
