//! Tables of 16-bit columns that contain code offsets: handlers and debug tables.

use super::output::ClassOutput;
use super::placement::OffsetMap;
use crate::WriteError;
use crate::read::rows::TableRows;

/// The exception table: start, end, handler, class caught. `rescue` adds a last row that sends every uncaught
/// exception to the code appended to the method.
pub(crate) fn exceptions(
    rows: TableRows<'_, 4>,
    placement: &OffsetMap<'_>,
    rescue: bool,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    let count = u16::try_from(rows.len() + usize::from(rescue)).map_err(|_| WriteError::CodeTooLarge)?;
    out.u16(count);
    for [start, end, handler, caught] in rows.iter() {
        for pc in [
            placement.landing(u32::from(start))?,
            placement.end(u32::from(end))?,
            placement.landing(u32::from(handler))?,
        ] {
            // The new code is no longer than 65535 bytes.
            out.u16(pc as u16);
        }
        out.u16(caught);
    }
    if rescue {
        let end = placement.length() as u16;
        for cell in [0, end, end, 0] {
            out.u16(cell);
        }
    }
    Ok(())
}

/// LineNumberTable: pc, line.
pub(crate) fn lines(rows: TableRows<'_, 2>, placement: &OffsetMap<'_>, out: &mut Vec<u8>) {
    out.u16(rows.len() as u16);
    for [pc, line] in rows.iter() {
        out.u16(placement.loose_landing(pc));
        out.u16(line);
    }
}

/// LocalVariableTable and LocalVariableTypeTable: start, length, name, descriptor or signature, slot.
pub(crate) fn locals(rows: TableRows<'_, 5>, placement: &OffsetMap<'_>, out: &mut Vec<u8>) {
    out.u16(rows.len() as u16);
    for [start, length, name, descriptor, slot] in rows.iter() {
        let (start, length) = placement.loose_range(start, length);
        for cell in [start, length, name, descriptor, slot] {
            out.u16(cell);
        }
    }
}
