//! Finds resources in JDK images (`lib/modules`, the jimage format, version 1.0).
//!
//! An image has a header, four tables (redirects, offsets, locations, strings), and the resources. The
//! tables, about 3 MB, are read once. A resource is found by a hash of its name and read by position on
//! demand.

mod location;
mod resource;

pub(super) use location::ResourceLocation;

use super::error::ClassPathFault;
use super::file::ArchiveFile;
use location::ResourceName;

const MAGIC: u32 = 0xCAFE_DADA;
const VERSION: u32 = 1 << 16;
const HEADER_LENGTH: u64 = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;
/// Eighty times the size in JDK 25.
const LARGEST_INDEX: u64 = 256 << 20;

/// An open image.
#[derive(Debug)]
pub(super) struct JdkImage {
    archive: ArchiveFile,
    order: ByteOrder,
    /// Redirects (signed) and offsets, `length` numbers each.
    redirects: Vec<u8>,
    offsets: Vec<u8>,
    length: u32,
    locations: Vec<u8>,
    strings: Vec<u8>,
    /// The offset of the first resource.
    resources: u64,
}

/// The byte order of the machine for which an image was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    fn u32_at(self, bytes: &[u8], at: usize) -> Option<u32> {
        let number = bytes.get(at..)?.first_chunk().copied()?;
        Some(if self == ByteOrder::Little { u32::from_le_bytes(number) } else { u32::from_be_bytes(number) })
    }

    fn u64_at(self, bytes: &[u8], at: usize) -> Option<u64> {
        let number = bytes.get(at..)?.first_chunk().copied()?;
        Some(if self == ByteOrder::Little { u64::from_le_bytes(number) } else { u64::from_be_bytes(number) })
    }
}

impl JdkImage {
    /// Whether a file that begins with these bytes is an image.
    pub(super) fn starts_with(bytes: &[u8]) -> bool {
        order(bytes).is_some()
    }

    pub(super) fn open(archive: ArchiveFile) -> Result<JdkImage, ClassPathFault> {
        let mut header = Vec::new();
        archive.read_at(0, archive.size().min(HEADER_LENGTH) as usize, &mut header)?;
        let order = order(&header).ok_or(ClassPathFault::Malformed { offset: 0, what: "not a JDK image" })?;
        let number = |at: usize| {
            order
                .u32_at(&header, at)
                .ok_or(ClassPathFault::Malformed { offset: at as u64, what: "the header ends early" })
        };
        let version = number(4)?;
        if version != VERSION {
            let (major, minor) = (version >> 16, version & 0xFFFF);
            return Err(ClassPathFault::Unsupported(format!(
                "JDK image of version {major}.{minor}, known is 1.0"
            )));
        }
        let length = number(16)?;
        let table = u64::from(length) * 4;
        let (locations, strings) = (u64::from(number(20)?), u64::from(number(24)?));
        let resources = HEADER_LENGTH + 2 * table + locations + strings;
        if resources > archive.size() || resources > LARGEST_INDEX {
            return ClassPathFault::malformed(
                16,
                "the tables are larger than the file, or than any real ones",
            );
        }
        let mut at = HEADER_LENGTH;
        let mut section = |size: u64| -> Result<Vec<u8>, ClassPathFault> {
            let mut bytes = Vec::new();
            archive.read_at(at, size as usize, &mut bytes)?;
            at += size;
            Ok(bytes)
        };
        let (redirects, offsets) = (section(table)?, section(table)?);
        let (locations, strings) = (section(locations)?, section(strings)?);
        Ok(JdkImage { archive, order, redirects, offsets, length, locations, strings, resources })
    }

    pub(super) fn archive(&self) -> &ArchiveFile {
        &self.archive
    }

    /// Finds a class by its internal name, through the module of its package.
    pub(super) fn find(&self, name: &str) -> Result<Option<ResourceLocation>, ClassPathFault> {
        let Some((package, _)) = name.rsplit_once('/') else { return Ok(None) };
        let Some(module) = self.module_of(package)? else { return Ok(None) };
        Ok(self.locate(&format!("/{module}/{name}.class"))?.map(|location| location.located))
    }

    /// All classes with name and location, in the order of the image.
    pub(super) fn classes(&self) -> impl Iterator<Item = Result<(String, ResourceLocation), ClassPathFault>> {
        (0..self.length).filter_map(|slot| match self.location(slot) {
            Ok(location) => location.class_name().map(|name| Ok((name, location.located))),
            Err(fault) => Some(Err(fault)),
        })
    }

    /// The module of a resource.
    pub(super) fn module(&self, located: &ResourceLocation) -> &str {
        self.string(located.module).unwrap_or_default()
    }

    fn module_of(&self, package: &str) -> Result<Option<&str>, ClassPathFault> {
        let Some(location) = self.locate(&format!("/packages/{}", package.replace('/', ".")))? else {
            return Ok(None);
        };
        let mut pairs = Vec::new();
        self.read(&location.located, &mut pairs)?;
        // Pairs of numbers: whether the module only has packages below this one, and the module's name.
        for pair in pairs.chunks_exact(8) {
            if let (Some(0), Some(name)) = (self.order.u32_at(pair, 0), self.order.u32_at(pair, 4)) {
                return self.string(name).map(Some);
            }
        }
        Ok(None)
    }

    fn locate(&self, path: &str) -> Result<Option<ResourceName<'_>>, ClassPathFault> {
        if self.length == 0 {
            return Ok(None);
        }
        let slot = hash(path, HASH_MULTIPLIER) % self.length;
        // Negative: the slot itself. Positive: hash again with this seed. Zero: no name has this hash.
        let slot = match self.order.u32_at(&self.redirects, slot as usize * 4).map(u32::cast_signed) {
            None | Some(0) => return Ok(None),
            Some(seed @ 1..) => hash(path, seed.cast_unsigned()) % self.length,
            Some(direct) => (-1 - direct).cast_unsigned(),
        };
        let location = self.location(slot)?;
        Ok(location.is(path).then_some(location))
    }

    fn location(&self, slot: u32) -> Result<ResourceName<'_>, ClassPathFault> {
        let tables = HEADER_LENGTH + u64::from(self.length) * 4;
        let offset =
            self.order.u32_at(&self.offsets, slot as usize * 4).ok_or(ClassPathFault::Malformed {
                offset: tables,
                what: "a redirect leads outside the table of offsets",
            })?;
        ResourceName::read(self, offset as usize)
    }

    fn string(&self, at: u32) -> Result<&str, ClassPathFault> {
        let bytes = self.strings.get(at as usize..).and_then(|rest| rest.split(|b| *b == 0).next());
        bytes.and_then(|bytes| str::from_utf8(bytes).ok()).ok_or(ClassPathFault::Malformed {
            offset: self.resources - self.strings.len() as u64 + u64::from(at),
            what: "no string where one is referred to",
        })
    }
}

fn order(bytes: &[u8]) -> Option<ByteOrder> {
    [ByteOrder::Little, ByteOrder::Big].into_iter().find(|order| order.u32_at(bytes, 0) == Some(MAGIC))
}

fn hash(path: &str, seed: u32) -> u32 {
    path.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(byte)) & 0x7FFF_FFFF
}
