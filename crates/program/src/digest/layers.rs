//! The layers of a class: aspects that different tests can notice, each with its own digest.

use super::class::{Digester, constant_value};
use super::code_mentions::CONSTANT_DEPTH;
use super::compiler::{CAPTURED, MadeClass};
use super::constant::ConstantEncodings;
use super::family::{Nesting, ParsedClass, ParsedField};
use super::module;
use super::string_table::StringTable;
use super::value::{CanonicalOutput, Digest, EncodingTag};
use crate::record::{ClassKind, ClassLayers, ClassRecord, MethodOrigin};
use tamis_catalog::compilers::is_metadata_attribute;
use tamis_classfile::read::attribute::{AttributeKind, AttributeKinds, Attributes};
use tamis_classfile::{Member, ParseError, access};
impl Digester {
    /// Name, type, flags, generic signature, exceptions, parameter names; unknown attributes as they are.
    pub(super) fn member_shape(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        member: &Member<'_>,
        kinds: AttributeKinds,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<Digest, ParseError> {
        let pool = &constants.class.file.pool;
        let out = &mut self.encoder;
        out.start(EncodingTag::Shape);
        out.bytes(name);
        out.bytes(&constants.rewrite(descriptor));
        out.num(i64::from(member.access));
        if !kinds.has_any(SHAPE) {
            return Ok(out.finish());
        }
        for attribute in member.attributes.iter() {
            match attribute.kind(pool)? {
                AttributeKind::Signature => {
                    out.tag(EncodingTag::Signature);
                    out.bytes(&constants.rewrite(pool.utf8(attribute.index()?)?));
                }
                AttributeKind::Exceptions => {
                    out.tag(EncodingTag::Throws);
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
                        out.tag(EncodingTag::Parameter);
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

    pub(super) fn debug_of(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
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
                // A javadoc tag sets it, and nothing can see it at run time.
                AttributeKind::Deprecated => out.tag(EncodingTag::Text),
                _ => {}
            }
        }
        Ok(())
    }

    /// Everything of the class that does not belong to a member, in an otherwise empty record.
    pub(super) fn head(
        &mut self,
        constants: &mut ConstantEncodings<'_, '_>,
        class: &ParsedClass<'_>,
        texts: &mut StringTable<'_>,
    ) -> Result<ClassRecord, ParseError> {
        let file = &class.file;
        let pool = &file.pool;
        self.annotations.clear();
        self.annotations.take(constants, &file.attributes, &mut self.scratch)?;
        let out = &mut self.encoder;
        out.start(EncodingTag::Head);
        // ACC_SUPER has no meaning since Java 8.
        out.num(i64::from(file.access & !access::SUPER));
        out.num(class.inner_access.map_or(-1, i64::from));
        let mut nest_host = None;
        let mut member_classes = Vec::new();
        for attribute in file.attributes.iter() {
            match attribute.kind(pool)? {
                AttributeKind::Signature => {
                    out.tag(EncodingTag::Signature);
                    out.bytes(&constants.rewrite(pool.utf8(attribute.index()?)?));
                }
                AttributeKind::PermittedSubclasses => {
                    let mut permitted = Vec::new();
                    for subclass in attribute.rows::<1>()?.values() {
                        permitted.push(constants.rewrite(pool.class(subclass)?));
                    }
                    // Reflection returns them in no particular order.
                    permitted.sort_unstable();
                    out.tag(EncodingTag::Permits);
                    out.num(permitted.len() as i64);
                    for subclass in permitted {
                        out.bytes(&subclass);
                    }
                }
                AttributeKind::NestHost => {
                    let host = attribute.index()?;
                    out.tag(EncodingTag::NestHost);
                    constants.class_name(pool.class(host)?, out);
                    nest_host = Some(texts.class(host)?);
                }
                AttributeKind::Record => {
                    for component in attribute.record_components()? {
                        out.tag(EncodingTag::Component);
                        out.bytes(pool.utf8(component.name)?);
                        out.bytes(&constants.rewrite(pool.utf8(component.descriptor)?));
                        for attribute in component.attributes.iter() {
                            match attribute.kind(pool)? {
                                AttributeKind::Signature => {
                                    out.tag(EncodingTag::Signature);
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
                    out.tag(EncodingTag::Record);
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
                    out.tag(EncodingTag::Enclosing);
                    if let Nesting::Local { enclosing, .. } = class.place {
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
                    out.tag(EncodingTag::Package);
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
        // Reflection lists member classes, but each of them has its own record.
        member_classes.sort_unstable();
        out.start(EncodingTag::MemberClasses).digest(&head);
        for (name, flags) in member_classes {
            out.bytes(name);
            out.num(i64::from(flags));
        }
        let shape = out.finish();
        out.start(EncodingTag::Supers);
        if file.super_class != 0 {
            constants.class_name(pool.class(file.super_class)?, out);
        }
        for interface in file.interface_names() {
            out.tag(EncodingTag::InterfaceMethod);
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
            self.debug.tag(EncodingTag::Annotations);
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
                order: None,
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

    /// The input of `ObjectStreamClass`: an explicit UID with the serialisable fields, or else everything the
    /// default UID is computed from. That includes compiler-made members (hazard 17).
    pub(super) fn serial(&mut self, class: &ParsedClass<'_>) -> Result<Digest, ParseError> {
        let pool = &class.file.pool;
        let out = &mut self.encoder;
        out.start(EncodingTag::Serial);
        let mut explicit = false;
        let mut members = Vec::new();
        for &ParsedField { member, name, descriptor, kinds } in &class.fields {
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
            for &ParsedField { member, name, descriptor, .. } in &class.fields {
                if member.access & (access::STATIC | access::TRANSIENT) == 0 {
                    members.push((0, name, descriptor, member.access));
                }
            }
        } else {
            // The serialisable fields are a subset of these.
            let hidden = access::PRIVATE | access::STATIC | access::TRANSIENT;
            for &ParsedField { member, name, descriptor, .. } in &class.fields {
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

    /// The layers that combine other layers: shape and class.
    pub(super) fn whole(
        &mut self,
        constants: &ConstantEncodings<'_, '_>,
        class: &ParsedClass<'_>,
        record: &mut ClassRecord,
    ) -> Result<(), ParseError> {
        let out = &mut self.encoder;
        let ClassRecord { layers, fields, methods, version, .. } = record;
        out.start(EncodingTag::Shape).digest(&layers.shape);
        self.fields.clear();
        for field in fields.iter() {
            // Static fields added by the compiler are part of the code that uses them.
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
                MethodOrigin::Written => {
                    self.methods.push((method.shape, Some(method.body), method.annotations))
                }
                MethodOrigin::Deserializer => unused.push(method.body),
                MethodOrigin::Made => {}
            }
        }
        self.methods.sort_unstable();
        for (shape, ..) in &self.methods {
            out.digest(shape);
        }
        layers.shape = out.finish();
        out.start(EncodingTag::WholeClass).digest(&layers.shape);
        out.digest(&layers.supers);
        out.num(i64::from(version.major));
        out.num(i64::from(version.minor));
        for layer in [&layers.annotations, &layers.metadata, &layers.init] {
            out.optional(layer.as_ref());
        }
        for (.., annotations) in &self.fields {
            out.optional(annotations.as_ref());
        }
        // In the order of the shapes, which the class's shape contains.
        for (_, body, annotations) in &self.methods {
            out.optional(body.as_ref());
            out.optional(annotations.as_ref());
        }
        unused.sort_unstable();
        unused.dedup();
        out.tag(EncodingTag::Made2);
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

/// The attributes read by [`Digester::member_shape`].
const SHAPE: AttributeKinds = AttributeKinds::of(&[
    AttributeKind::Signature,
    AttributeKind::Exceptions,
    AttributeKind::MethodParameters,
    AttributeKind::Unknown,
]);
