//! Reads a resource of an image, and decompresses it if `jlink` compressed it.

use super::{JdkImage, ResourceLocation};
use crate::classpath::error::ClassPathFault;
use crate::classpath::file::LARGEST_CLASS;
use crate::classpath::zip::inflate;

const MAGIC: u32 = 0xCAFE_FAFA;
const HEADER_LENGTH: usize = 29;
/// `jlink` applies at most one compressor of each of its two kinds.
const MOST_LAYERS: usize = 2;

impl JdkImage {
    /// Makes `into` the content of a resource.
    pub(in crate::classpath) fn read(
        &self,
        located: &ResourceLocation,
        into: &mut Vec<u8>,
    ) -> Result<(), ClassPathFault> {
        into.clear();
        let largest = located.size.max(located.compressed);
        if largest > LARGEST_CLASS {
            return Err(ClassPathFault::TooLarge(largest));
        }
        let at = self.resources.saturating_add(located.offset);
        let stored = if located.compressed == 0 { located.size } else { located.compressed };
        self.archive.read_at(at, stored as usize, into)?;
        if located.compressed != 0 {
            self.decompress(at, into)?;
        }
        if into.len() as u64 != located.size {
            into.clear();
            return ClassPathFault::malformed(at, "the resource is not as long as the index says");
        }
        Ok(())
    }

    fn decompress(&self, at: u64, content: &mut Vec<u8>) -> Result<(), ClassPathFault> {
        for _ in 0..=MOST_LAYERS {
            if self.order.u32_at(content, 0) != Some(MAGIC) {
                return Ok(());
            }
            let broken = |what| ClassPathFault::Malformed { offset: at, what };
            let (Some(packed), Some(size), Some(name)) = (
                self.order.u64_at(content, 4),
                self.order.u64_at(content, 12),
                self.order.u32_at(content, 20),
            ) else {
                return Err(broken("the header of a compressed resource ends early"));
            };
            let name = self.string(name)?;
            if name != "zip" {
                return Err(ClassPathFault::Unsupported(format!(
                    "resource compressed with jlink's `{name}`"
                )));
            }
            if size > LARGEST_CLASS {
                return Err(ClassPathFault::TooLarge(size));
            }
            let packed =
                usize::try_from(packed).ok().and_then(|length| content.get(HEADER_LENGTH..)?.get(..length));
            let packed = packed.ok_or(broken("a compressed resource ends early"))?;
            let mut inflated = Vec::new();
            inflate(packed, size as usize, true, &mut inflated).map_err(broken)?;
            *content = inflated;
        }
        ClassPathFault::malformed(at, "a resource compressed over and over")
    }
}
