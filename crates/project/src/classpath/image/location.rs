//! One entry of an image's index: the parts of its name, and the location of its bytes.

use super::{HEADER_LENGTH, JdkImage};
use crate::classpath::error::ClassPathFault;

const END: u8 = 0;
const MODULE: u8 = 1;
const PARENT: u8 = 2;
const BASE: u8 = 3;
const EXTENSION: u8 = 4;
const OFFSET: u8 = 5;
const COMPRESSED: u8 = 6;
const UNCOMPRESSED: u8 = 7;

/// The location of a resource in its image.
#[derive(Clone, Copy, Debug)]
pub(in crate::classpath) struct ResourceLocation {
    /// The offset of the module's name in the strings.
    pub(super) module: u32,
    /// Relative to the first resource.
    pub(super) offset: u64,
    /// 0 for an uncompressed resource.
    pub(super) compressed: u64,
    pub(super) size: u64,
}

/// A resource's name in parts, `/module/parent/base.extension`, and its location.
pub(super) struct ResourceName<'a> {
    module: &'a str,
    parent: &'a str,
    base: &'a str,
    extension: &'a str,
    pub(super) located: ResourceLocation,
}

impl<'a> ResourceName<'a> {
    pub(super) fn read(image: &'a JdkImage, at: usize) -> Result<ResourceName<'a>, ClassPathFault> {
        let tables = HEADER_LENGTH + u64::from(image.length) * 8;
        let broken = |what| ClassPathFault::Malformed { offset: tables + at as u64, what };
        let attributes = image
            .locations
            .get(at..)
            .and_then(attributes)
            .ok_or(broken("a location is not a list of attributes"))?;
        let number = |kind: u8| attributes.get(usize::from(kind)).copied().unwrap_or(0);
        let string_at = |kind| u32::try_from(number(kind)).map_err(|_| broken("a name outside the strings"));
        let string = |kind| image.string(string_at(kind)?);
        Ok(ResourceName {
            module: string(MODULE)?,
            parent: string(PARENT)?,
            base: string(BASE)?,
            extension: string(EXTENSION)?,
            located: ResourceLocation {
                module: string_at(MODULE)?,
                offset: number(OFFSET),
                compressed: number(COMPRESSED),
                size: number(UNCOMPRESSED),
            },
        })
    }

    /// Whether this resource has that full name.
    pub(super) fn is(&self, path: &str) -> bool {
        let rest = if self.module.is_empty() {
            Some(path)
        } else {
            path.strip_prefix('/')
                .and_then(|rest| rest.strip_prefix(self.module))
                .and_then(|rest| rest.strip_prefix('/'))
        };
        let rest = match (rest, self.parent) {
            (rest, "") => rest,
            (rest, parent) => {
                rest.and_then(|rest| rest.strip_prefix(parent)).and_then(|rest| rest.strip_prefix('/'))
            }
        };
        let rest = rest.and_then(|rest| rest.strip_prefix(self.base));
        match self.extension {
            "" => rest == Some(""),
            extension => rest.and_then(|rest| rest.strip_prefix('.')) == Some(extension),
        }
    }

    /// The class name of this resource, if it is a class.
    pub(super) fn class_name(&self) -> Option<String> {
        // `/modules` and `/packages` belong to the index and are not modules.
        if self.extension != "class" || matches!(self.module, "" | "modules" | "packages") {
            return None;
        }
        Some(match self.parent {
            "" => self.base.to_owned(),
            parent => format!("{parent}/{}", self.base),
        })
    }
}

/// Decodes a list of attributes: each is a byte of kind and length, then that many bytes, highest first.
fn attributes(mut bytes: &[u8]) -> Option<[u64; 8]> {
    let mut values = [0; 8];
    loop {
        let (head, rest) = bytes.split_first()?;
        let kind = head >> 3;
        if kind == END {
            return Some(values);
        }
        let (digits, rest) = rest.split_at_checked(usize::from(head & 7) + 1)?;
        *values.get_mut(usize::from(kind))? =
            digits.iter().fold(0, |value, digit| value << 8 | u64::from(*digit));
        bytes = rest;
    }
}
