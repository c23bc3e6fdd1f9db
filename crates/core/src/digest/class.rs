//! From the class files of a family to their records.

use super::annotations::{Annotations, is_metadata_attribute};
use super::body::{self, Hashing, Named, Scratch};
use super::compiler::{self, CAPTURED, MadeClass};
use super::constant::{Constants, Content, Contents, Encoded, made_descriptor};
use super::family::{Class, Family, Field, Method, Place};
use super::listing::{Line, Lines};
use super::mention::{CONSTANT_DEPTH, Mention, Mentions};
use super::module;
use super::value::{Digest, Encoder, Out, Tag};
use crate::record::{ClassKind, ClassLayers, ClassRecord, FieldRecord, MethodRecord, Origin, Text};
use tamis_classfile::read::attribute::{Attribute, AttributeKind, Attributes, Kinds};
use tamis_classfile::{Member, ParseError, Version, access, mutf8, opcode};

use super::reference::References;

/// One class file: the name its place gives it, and its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// `a/B` for `a/B.class`; what the class is called if it cannot be read.
    pub name: &'a str,
    /// The class file.
    pub bytes: &'a [u8],
}

/// Digests families, one after another, with the same buffers.
#[derive(Default)]
pub struct Digester {
    encoder: Encoder,
    debug: Encoder,
    scratch: Scratch,
    named: Named,
    annotations: Annotations,
    references: References,
    /// Of classes that are done.
    encoded: Vec<Encoded>,
    texts: TextBuffers,
    fields: Vec<MemberRow>,
    methods: Vec<MemberRow>,
}

/// Of a member: its shape, its constant or body, its annotations.
type MemberRow = (Digest, Option<Digest>, Option<Digest>);

impl Digester {
    /// Digests all classes of one family. There is one record a source; the order is unspecified.
    pub fn family(&mut self, sources: &[Source<'_>]) -> Vec<ClassRecord> {
        let mut records = Vec::with_capacity(sources.len());
        let mut classes = Vec::with_capacity(sources.len());
        for source in sources {
            match Class::read(source.bytes) {
                Ok(class) => classes.push(class),
                Err(error) => records.push(opaque(source.name, source.bytes, &error)),
            }
        }
        let family = Family::new(classes);
        let contents = Contents::default();
        let mut constants = self.made_methods(&family, &contents);
        for (index, class) in family.classes.iter().enumerate() {
            let constants = constants.get_mut(index).and_then(Option::take);
            let mut constants =
                constants.unwrap_or_else(|| Constants::new(&family, class, &contents, self.encoded.pop()));
            let record = self.class(&mut constants, index, &contents);
            self.encoded.push(constants.done());
            records.push(
                record.unwrap_or_else(|error| opaque(&mutf8::decode(class.name), class.file.bytes, &error)),
            );
        }
        records
    }

    /// Digests compiler-made methods, callees first; returns the constants of their classes, encoded so far. A method
    /// that cannot be encoded is left out: those who refer to it then name it as the compiler did.
    fn made_methods<'c, 'a>(
        &mut self,
        family: &'c Family<'a>,
        contents: &'c Contents,
    ) -> Vec<Option<Constants<'c, 'a>>> {
        let mut all: Vec<Option<Constants<'c, 'a>>> = Vec::new();
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
            let constants =
                constants.get_or_insert_with(|| Constants::new(family, class, contents, self.encoded.pop()));
            self.named.ensure(class.file.pool.count());
            self.encoder.start(Tag::Made);
            let descriptor = made_descriptor(constants, method.name, method.member.access, method.descriptor);
            self.encoder.bytes(&descriptor);
            self.annotations.clear();
            let annotated = match method.kinds.has_any(ANNOTATIONS) {
                true => self.annotations.take(constants, &method.member.attributes, &mut self.scratch),
                false => Ok(()),
            };
            self.encoder.optional(self.annotations.plain().as_ref());
            if annotated.is_ok()
                && let Ok(digest) = self.body(constants, method)
            {
                let named = std::mem::take(&mut self.named.order);
                contents.insert((class_index, method_index), Content { digest, named });
            }
        }
        all
    }

    /// Hashes what the encoder holds and the method's body.
    fn body(&mut self, constants: &mut Constants<'_, '_>, method: &Method<'_>) -> Result<Digest, ParseError> {
        self.named.start_body();
        let mut out = Hashing { encoder: &mut self.encoder, named: &mut self.named };
        body::write(constants, method, &mut self.scratch, &mut out)?;
        Ok(self.encoder.finish())
    }

    fn class(
        &mut self,
        constants: &mut Constants<'_, '_>,
        index: usize,
        contents: &Contents,
    ) -> Result<ClassRecord, ParseError> {
        let (family, class) = (constants.family, constants.class);
        self.named.ensure(class.file.pool.count());
        self.debug.start(Tag::Debug);
        self.annotations.start_class();
        let mut texts = Texts::new(class, std::mem::take(&mut self.texts));
        self.references.start_class(class.file.pool.count());
        let mut methods = Vec::with_capacity(class.methods.len());
        let mut init = None;
        for (method_index, method) in class.methods.iter().enumerate() {
            let content = contents.take((index, method_index));
            let made = content.is_some();
            let mut record = self.method(constants, method, content, &mut texts)?;
            record.origin = match made {
                true if family.used.contains(&(index, method_index)) => Origin::Made,
                // Nothing in the family uses it: whoever does goes by its name.
                true => Origin::Written,
                false if compiler::is_deserialize_lambda(method) => Origin::Deserializer,
                false => Origin::Written,
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
        (record.text, self.texts) = texts.finish();
        sort_members(&mut record);
        self.whole(constants, class, &mut record)?;
        Ok(record)
    }

    fn method(
        &mut self,
        constants: &mut Constants<'_, '_>,
        method: &Method<'_>,
        content: Option<Content>,
        texts: &mut Texts<'_>,
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
                self.encoder.start(Tag::Body);
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
            self.debug.bytes(method.name); // The compiler's number: to be seen in stack traces.
        }
        let shape =
            self.member_shape(constants, &method.member, method.kinds, method.name, method.descriptor)?;
        let canonical = constants.rewrite(method.descriptor);
        let canonical_descriptor = (canonical != method.descriptor).then(|| texts.push(&canonical));
        Ok(MethodRecord {
            name: texts.constant(method.member.name)?,
            descriptor: texts.constant(method.member.descriptor)?,
            canonical_descriptor,
            access: method.member.access,
            origin: Origin::Written,
            body,
            shape,
            annotations: self.annotations.plain(),
            links,
        })
    }

    /// `$deserializeLambda$` compares the numbered names of all serialisable lambdas; what it means is the set of
    /// lambdas it can make.
    fn deserializer(
        &mut self,
        constants: &mut Constants<'_, '_>,
        method: &Method<'_>,
    ) -> Result<Digest, ParseError> {
        self.encoder.start(Tag::Body);
        self.body(constants, method)?;
        let mut sites = Vec::new();
        for (op, index) in &self.named.order {
            if *op == opcode::INVOKEDYNAMIC {
                sites.push(constants.bytes(*index)?.to_vec());
            }
        }
        sites.sort_unstable();
        sites.dedup();
        self.encoder.start(Tag::Body);
        for site in sites {
            self.encoder.bytes(&site);
        }
        Ok(self.encoder.finish())
    }

    fn fields(
        &mut self,
        constants: &mut Constants<'_, '_>,
        class: &Class<'_>,
        texts: &mut Texts<'_>,
    ) -> Result<Vec<FieldRecord>, ParseError> {
        let mut fields = Vec::with_capacity(class.fields.len());
        for &Field { member, name, descriptor, kinds } in &class.fields {
            let constant = match constant_value(class, &member, kinds)? {
                Some(attribute) => {
                    self.encoder.start(Tag::Constant);
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

    /// Name, type, flags, generic signature, exceptions, parameter names; unknown attributes as they are.
    fn member_shape(
        &mut self,
        constants: &mut Constants<'_, '_>,
        member: &Member<'_>,
        kinds: Kinds,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<Digest, ParseError> {
        let pool = &constants.class.file.pool;
        let out = &mut self.encoder;
        out.start(Tag::Shape);
        out.bytes(name);
        out.bytes(&constants.rewrite(descriptor));
        out.num(i64::from(member.access));
        if !kinds.has_any(SHAPE) {
            return Ok(out.finish());
        }
        for attribute in member.attributes.iter() {
            match attribute.kind(pool)? {
                AttributeKind::Signature => {
                    out.tag(Tag::Signature);
                    out.bytes(&constants.rewrite(pool.utf8(attribute.index()?)?));
                }
                AttributeKind::Exceptions => {
                    out.tag(Tag::Throws);
                    for class in attribute.rows::<1>()?.values() {
                        out.bytes(constants.bytes(class)?);
                    }
                }
                AttributeKind::MethodParameters => {
                    for [name, flags] in attribute.method_parameters()?.iter() {
                        let name = if name == 0 { b"" } else { pool.utf8(name)? };
                        let captured = flags & access::SYNTHETIC != 0 && name.starts_with(CAPTURED);
                        if captured {
                            self.debug.bytes(name);
                        }
                        out.tag(Tag::Parameter);
                        out.bytes(if captured { CAPTURED } else { name });
                        out.num(i64::from(flags));
                    }
                }
                AttributeKind::Unknown => {
                    constants.raw(&attribute, out)?;
                }
                _ => {}
            }
        }
        Ok(out.finish())
    }

    fn debug_of(
        &mut self,
        constants: &Constants<'_, '_>,
        attributes: &Attributes<'_>,
    ) -> Result<(), ParseError> {
        let pool = &constants.class.file.pool;
        let out = &mut self.debug;
        for attribute in attributes.iter() {
            match attribute.kind(pool)? {
                AttributeKind::LineNumberTable => out.bytes(attribute.data),
                AttributeKind::LocalVariableTable | AttributeKind::LocalVariableTypeTable => {
                    for [start, length, name, kind, slot] in attribute.rows::<5>()?.iter() {
                        out.num(i64::from(start));
                        out.num(i64::from(length));
                        out.bytes(pool.utf8(name)?);
                        out.bytes(pool.utf8(kind)?);
                        out.num(i64::from(slot));
                    }
                }
                AttributeKind::SourceFile => out.bytes(pool.utf8(attribute.index()?)?),
                AttributeKind::SourceDebugExtension => out.bytes(attribute.data),
                // A javadoc tag sets it, and nothing at run time can see it.
                AttributeKind::Deprecated => out.tag(Tag::Text),
                _ => {}
            }
        }
        Ok(())
    }

    /// Everything of the class that is no member's, and an otherwise empty record.
    fn head(
        &mut self,
        constants: &mut Constants<'_, '_>,
        class: &Class<'_>,
        texts: &mut Texts<'_>,
    ) -> Result<ClassRecord, ParseError> {
        let file = &class.file;
        let pool = &file.pool;
        self.annotations.clear();
        self.annotations.take(constants, &file.attributes, &mut self.scratch)?;
        let out = &mut self.encoder;
        out.start(Tag::Head);
        // ACC_SUPER means nothing since Java 8.
        out.num(i64::from(file.access & !access::SUPER));
        out.num(class.inner_access.map_or(-1, i64::from));
        let mut nest_host = None;
        let mut member_classes = Vec::new();
        for attribute in file.attributes.iter() {
            match attribute.kind(pool)? {
                AttributeKind::Signature => {
                    out.tag(Tag::Signature);
                    out.bytes(&constants.rewrite(pool.utf8(attribute.index()?)?));
                }
                AttributeKind::PermittedSubclasses => {
                    let mut permitted = Vec::new();
                    for subclass in attribute.rows::<1>()?.values() {
                        permitted.push(constants.rewrite(pool.class(subclass)?));
                    }
                    // Reflection gives them in no particular order.
                    permitted.sort_unstable();
                    out.tag(Tag::Permits);
                    out.num(permitted.len() as i64);
                    for subclass in permitted {
                        out.bytes(&subclass);
                    }
                }
                AttributeKind::NestHost => {
                    let host = attribute.index()?;
                    out.tag(Tag::NestHost);
                    constants.class_name(pool.class(host)?, out);
                    nest_host = Some(texts.class(host)?);
                }
                AttributeKind::Record => {
                    for component in attribute.record_components()? {
                        out.tag(Tag::Component);
                        out.bytes(pool.utf8(component.name)?);
                        out.bytes(&constants.rewrite(pool.utf8(component.descriptor)?));
                        for attribute in component.attributes.iter() {
                            match attribute.kind(pool)? {
                                AttributeKind::Signature => {
                                    out.tag(Tag::Signature);
                                    out.bytes(&constants.rewrite(pool.utf8(attribute.index()?)?));
                                }
                                AttributeKind::Unknown => {
                                    constants.raw(&attribute, out)?;
                                }
                                _ => {}
                            }
                        }
                        self.annotations.take(constants, &component.attributes, &mut self.scratch)?;
                    }
                    out.tag(Tag::Record);
                }
                AttributeKind::InnerClasses => {
                    for [inner, outer, simple, flags] in attribute.rows::<4>()?.iter() {
                        if outer != 0
                            && simple != 0
                            && pool.class(outer)? == class.name
                            && pool.class(inner)? != class.name
                        {
                            member_classes.push((pool.utf8(simple)?, flags));
                        }
                    }
                }
                AttributeKind::EnclosingMethod => {
                    out.tag(Tag::Enclosing);
                    if let Place::Local { enclosing, .. } = class.place {
                        constants.class_name(enclosing, out);
                        out.bytes(constants.family.renames.owner(class.name).unwrap_or_default());
                    } else {
                        out.bytes(attribute.data);
                    }
                }
                AttributeKind::Module => module::write(constants, &attribute, out)?,
                AttributeKind::ModulePackages => {
                    let mut packages = Vec::new();
                    for package in attribute.rows::<1>()?.values() {
                        packages.push(constants.bytes(package)?.to_vec());
                    }
                    packages.sort_unstable();
                    out.tag(Tag::Package);
                    for package in packages {
                        out.bytes(&package);
                    }
                }
                AttributeKind::ModuleMainClass => {
                    constants.encode(attribute.index()?, CONSTANT_DEPTH, out)?;
                }
                AttributeKind::Unknown if !is_metadata_attribute(pool.utf8(attribute.name)?) => {
                    constants.raw(&attribute, out)?;
                }
                _ => {}
            }
        }
        let head = out.finish();
        // Members of a class are listed by reflection, but each is a class of its own to us.
        member_classes.sort_unstable();
        out.start(Tag::MemberClasses).digest(&head);
        for (name, flags) in member_classes {
            out.bytes(name);
            out.num(i64::from(flags));
        }
        let shape = out.finish();
        out.start(Tag::Supers);
        if file.super_class != 0 {
            constants.class_name(pool.class(file.super_class)?, out);
        }
        for interface in file.interface_names() {
            out.tag(Tag::InterfaceMethod);
            constants.class_name(interface?, out);
        }
        let supers = out.finish();
        let serial = self.serial(class)?;
        self.debug_of(constants, &file.attributes)?;
        let renamed = constants.family.renames.get(class.name);
        if renamed.is_some() {
            self.debug.bytes(class.name);
        }
        if !self.annotations.debug().is_empty() {
            self.debug.tag(Tag::Annotations);
            self.debug.bytes(self.annotations.debug());
        }
        let enclosing = constants.family.renames.owner(class.name).filter(|owner| !owner.is_empty());
        Ok(ClassRecord {
            text: Box::default(),
            name: texts.class(file.this_class)?,
            canonical: renamed.map(|name| texts.push(name)),
            super_class: if file.super_class == 0 { None } else { Some(texts.class(file.super_class)?) },
            interfaces: file.interfaces.values().map(|index| texts.class(index)).collect::<Result<_, _>>()?,
            nest_host,
            enclosing_member: enclosing.map(|owner| texts.push(owner)),
            access: file.access,
            version: file.version,
            kind: if class.made == MadeClass::No { ClassKind::Written } else { ClassKind::Made },
            layers: ClassLayers {
                head,
                supers,
                shape,
                annotations: self.annotations.plain(),
                metadata: self.annotations.metadata(),
                init: None,
                serial,
                debug: self.debug.finish(),
                class: head,
            },
            fields: Vec::new(),
            methods: Vec::new(),
            references: Vec::new(),
            links: Vec::new(),
        })
    }

    /// What `ObjectStreamClass` looks at: an explicit UID and the serialisable fields, or everything that the default
    /// UID is computed from, which counts compiler-made members too (hazard 17).
    fn serial(&mut self, class: &Class<'_>) -> Result<Digest, ParseError> {
        let pool = &class.file.pool;
        let out = &mut self.encoder;
        out.start(Tag::Serial);
        let mut explicit = false;
        let mut members = Vec::new();
        for &Field { member, name, descriptor, kinds } in &class.fields {
            if name == b"serialVersionUID"
                && descriptor == b"J"
                && let Some(value) = constant_value(class, &member, kinds)?
            {
                explicit = true;
                if let tamis_classfile::Constant::Long(uid) = pool.get(value.index()?)? {
                    out.num(uid);
                }
            }
        }
        if explicit {
            for &Field { member, name, descriptor, .. } in &class.fields {
                if member.access & (access::STATIC | access::TRANSIENT) == 0 {
                    members.push((0, name, descriptor, member.access));
                }
            }
        } else {
            // The serialisable fields are among these.
            let hidden = access::PRIVATE | access::STATIC | access::TRANSIENT;
            for &Field { member, name, descriptor, .. } in &class.fields {
                if member.access & access::PRIVATE == 0 || member.access & hidden == access::PRIVATE {
                    members.push((1, name, descriptor, member.access));
                }
            }
            for method in &class.methods {
                if method.member.access & access::PRIVATE == 0 {
                    members.push((2, method.name, method.descriptor, method.member.access));
                }
            }
            let flags = access::PUBLIC | access::FINAL | access::INTERFACE | access::ABSTRACT;
            out.num(i64::from(class.source_access() & flags));
            let mut interfaces = class.file.interface_names().collect::<Result<Vec<_>, _>>()?;
            interfaces.sort_unstable();
            out.bytes(class.name);
            for interface in interfaces {
                out.bytes(interface);
            }
        }
        members.sort_unstable();
        for (sort, name, descriptor, flags) in members {
            out.num(sort);
            out.bytes(name);
            out.bytes(descriptor);
            out.num(i64::from(flags));
        }
        Ok(out.finish())
    }

    /// The layers that are made of other layers: shape and class.
    fn whole(
        &mut self,
        constants: &Constants<'_, '_>,
        class: &Class<'_>,
        record: &mut ClassRecord,
    ) -> Result<(), ParseError> {
        let out = &mut self.encoder;
        let ClassRecord { layers, fields, methods, version, .. } = record;
        out.start(Tag::Shape).digest(&layers.shape);
        self.fields.clear();
        for field in fields.iter() {
            // Static fields that the compiler added are part of the code that uses them.
            if field.access & access::SYNTHETIC == 0
                || field.access & access::STATIC == 0
                || field.constant.is_some()
                || field.annotations.is_some()
            {
                self.fields.push((field.shape, field.constant, field.annotations));
            }
        }
        self.fields.sort_unstable();
        for (shape, constant, _) in &self.fields {
            out.digest(shape);
            out.optional(constant.as_ref());
        }
        self.methods.clear();
        let mut unused = Vec::new();
        for method in methods.iter() {
            match method.origin {
                Origin::Written => self.methods.push((method.shape, Some(method.body), method.annotations)),
                Origin::Deserializer => unused.push(method.body),
                Origin::Made => {}
            }
        }
        self.methods.sort_unstable();
        for (shape, ..) in &self.methods {
            out.digest(shape);
        }
        layers.shape = out.finish();
        out.start(Tag::WholeClass).digest(&layers.shape);
        out.digest(&layers.supers);
        out.num(i64::from(version.major));
        out.num(i64::from(version.minor));
        for layer in [&layers.annotations, &layers.metadata, &layers.init] {
            out.optional(layer.as_ref());
        }
        for (.., annotations) in &self.fields {
            out.optional(annotations.as_ref());
        }
        // In the order of their shapes, which the shape of the class holds.
        for (_, body, annotations) in &self.methods {
            out.optional(body.as_ref());
            out.optional(annotations.as_ref());
        }
        unused.sort_unstable();
        unused.dedup();
        out.tag(Tag::Made2);
        for body in unused {
            out.digest(&body);
        }
        if let MadeClass::SwitchMaps(maps) = &class.made {
            for map in maps {
                constants.class_name(map.enumeration, out);
            }
        }
        layers.class = out.finish();
        Ok(())
    }
}

/// What [`Annotations::take`] looks for.
const ANNOTATIONS: Kinds = Kinds::of(&[
    AttributeKind::RuntimeVisibleAnnotations,
    AttributeKind::RuntimeInvisibleAnnotations,
    AttributeKind::RuntimeVisibleParameterAnnotations,
    AttributeKind::RuntimeInvisibleParameterAnnotations,
    AttributeKind::RuntimeVisibleTypeAnnotations,
    AttributeKind::RuntimeInvisibleTypeAnnotations,
    AttributeKind::AnnotationDefault,
    AttributeKind::Unknown,
]);

/// What [`Digester::member_shape`] looks for.
const SHAPE: Kinds = Kinds::of(&[
    AttributeKind::Signature,
    AttributeKind::Exceptions,
    AttributeKind::MethodParameters,
    AttributeKind::Unknown,
]);

fn constant_value<'a>(
    class: &Class<'a>,
    field: &Member<'a>,
    kinds: Kinds,
) -> Result<Option<Attribute<'a>>, ParseError> {
    match kinds.has(AttributeKind::ConstantValue) {
        true => field.attributes.find(&class.file.pool, AttributeKind::ConstantValue),
        false => Ok(None),
    }
}

/// The canonical listings of the methods of one class of a family: name and descriptor as the class has them, and
/// lines. What the compiler made for a method follows its own code.
pub fn list_methods(sources: &[Source<'_>], class: &str) -> Vec<(String, Vec<Line>)> {
    let family = Family::new(sources.iter().filter_map(|source| Class::read(source.bytes).ok()).collect());
    let contents = Contents::default();
    Digester::default().made_methods(&family, &contents);
    let Some((index, found)) = family.class(&mutf8::encode(class)) else { return Vec::new() };
    let listing = |method: usize| {
        let mut lines = Lines::default();
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
            let mut constants = Constants::new(&family, owner, &contents, None);
            if let Err(error) = body::write(&mut constants, method, &mut Scratch::default(), &mut lines) {
                lines.heading(&error.to_string());
            }
            for mention in Mentions::new(&family, owner).of(method) {
                if let Mention::Made(class, method) = mention
                    && !listed.contains(&(class, method))
                {
                    listed.push((class, method));
                }
            }
            next += 1;
        }
        lines.finish()
    };
    let name =
        |method: &Method<'_>| format!("{}{}", mutf8::decode(method.name), mutf8::decode(method.descriptor));
    found.methods.iter().enumerate().map(|(index, method)| (name(method), listing(index))).collect()
}

/// Class files of Java 25.
const NEWEST_KNOWN: u16 = 69;

fn opaque(name: &str, bytes: &[u8], error: &ParseError) -> ClassRecord {
    let mut encoder = Encoder::default();
    encoder.start(Tag::Opaque).bytes(bytes);
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
        serial: all,
        debug: all,
        class: all,
    };
    ClassRecord {
        text: name.into(),
        name: Text { start: 0, length: name.len() as u32 },
        canonical: None,
        super_class: None,
        interfaces: Vec::new(),
        nest_host: None,
        enclosing_member: None,
        access: 0,
        version: Version { major: 0, minor: 0 },
        kind: ClassKind::Opaque { reason: error.to_string().into(), newer },
        layers,
        fields: Vec::new(),
        methods: Vec::new(),
        references: Vec::new(),
        links: Vec::new(),
    }
}

/// Sorts members by name and descriptor; links stay with their methods.
fn sort_members(record: &mut ClassRecord) {
    let text = std::mem::take(&mut record.text);
    let of = |piece: Text| {
        let start = piece.start as usize;
        text.as_bytes().get(start..start + piece.length as usize).unwrap_or_default()
    };
    record.methods.sort_by(|a, b| (of(a.name), of(a.descriptor)).cmp(&(of(b.name), of(b.descriptor))));
    record.fields.sort_by(|a, b| (of(a.name), of(a.descriptor)).cmp(&(of(b.name), of(b.descriptor))));
    record.text = text;
}

/// Collects the text of a record; each constant is taken once.
pub(crate) struct Texts<'t> {
    class: &'t Class<'t>,
    buffers: TextBuffers,
}

/// The memory of [`Texts`], which one class after another uses.
#[derive(Default)]
struct TextBuffers {
    /// UTF-8, once more found to be so when it is finished: of all at once that costs less than of each piece.
    text: Vec<u8>,
    /// By constant: where its text stands.
    taken: Vec<Option<Text>>,
}

impl<'t> Texts<'t> {
    fn new(class: &'t Class<'t>, mut buffers: TextBuffers) -> Self {
        buffers.text.clear();
        buffers.taken.clear();
        buffers.taken.resize(usize::from(class.file.pool.count()), None);
        Texts { class, buffers }
    }

    fn finish(self) -> (Box<str>, TextBuffers) {
        let text = std::str::from_utf8(&self.buffers.text).map_or_else(
            |_| String::from_utf8_lossy(&self.buffers.text).into(), // Every piece is UTF-8.
            Box::from,
        );
        (text, self.buffers)
    }

    /// The text of a Utf8 constant.
    pub(crate) fn constant(&mut self, index: u16) -> Result<Text, ParseError> {
        if let Some(Some(text)) = self.buffers.taken.get(usize::from(index)) {
            return Ok(*text);
        }
        let text = self.push(self.class.file.pool.utf8(index)?);
        if let Some(taken) = self.buffers.taken.get_mut(usize::from(index)) {
            *taken = Some(text);
        }
        Ok(text)
    }

    /// The name in a Class constant.
    pub(crate) fn class(&mut self, index: u16) -> Result<Text, ParseError> {
        match self.class.file.pool.get(index)? {
            tamis_classfile::Constant::Class(name) => self.constant(name),
            _ => Err(self.class.file.pool.wrong(index, "constant is not a class")),
        }
    }

    /// Text that stands in no constant.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Text {
        let start = self.buffers.text.len();
        if bytes.is_ascii() {
            self.buffers.text.extend_from_slice(bytes);
        } else {
            self.buffers.text.extend_from_slice(mutf8::decode(bytes).as_bytes());
        }
        Text { start: start as u32, length: (self.buffers.text.len() - start) as u32 }
    }
}
