//! Converts modified UTF-8 (JVMS 4.4.7) to readable text and back.
//!
//! Digests use the raw bytes; only names for look-ups and display are converted.

use std::borrow::Cow;

/// Decodes; ASCII borrows. A lone surrogate or an invalid byte sequence is shown as an escape: `\u` and four
/// digits, or `\x` and two. Different names therefore stay different.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    // Plain UTF-8 without the two special forms (NUL as C0 80, surrogates as ED A0..BF xx) decodes as itself.
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(decode_slowly(bytes)),
    }
}

/// Encodes text in the form of class files.
pub fn encode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        let mut units = [0u16; 2];
        for unit in c.encode_utf16(&mut units) {
            let u = *unit;
            match u {
                1..=0x7f => out.push(u as u8),
                0 | 0x80..=0x7ff => out.extend([0xc0 | (u >> 6) as u8, 0x80 | (u & 0x3f) as u8]),
                _ => out.extend([
                    0xe0 | (u >> 12) as u8,
                    0x80 | ((u >> 6) & 0x3f) as u8,
                    0x80 | (u & 0x3f) as u8,
                ]),
            }
        }
    }
    out
}

fn decode_slowly(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((unit, length)) = code_unit(rest) {
        rest = rest.get(length..).unwrap_or_default();
        if (0xd800..0xdc00).contains(&unit)
            && let Some((low, 3)) = code_unit(rest)
            && (0xdc00..0xe000).contains(&low)
        {
            rest = rest.get(3..).unwrap_or_default();
            let c = 0x10000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
            out.extend(char::from_u32(c));
            continue;
        }
        match char::from_u32(u32::from(unit)) {
            Some(c) if length > 0 => out.push(c),
            _ => out.push_str(&format!("\\u{unit:04x}")),
        }
        if length == 0 {
            break;
        }
    }
    for byte in rest.iter().take_while(|_| code_unit(rest).is_none()) {
        out.push_str(&format!("\\x{byte:02x}"));
    }
    out
}

/// The first UTF-16 unit and its length in bytes; `None` at the end or at bytes that are not a unit.
fn code_unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let continuation = |i: usize| bytes.get(i).filter(|b| *b & 0xc0 == 0x80).map(|b| u16::from(b & 0x3f));
    let first = *bytes.first()?;
    match first {
        0..=0x7f => Some((u16::from(first), 1)),
        0xc0..=0xdf => Some(((u16::from(first & 0x1f) << 6) | continuation(1)?, 2)),
        0xe0..=0xef => {
            Some(((u16::from(first & 0x0f) << 12) | (continuation(1)? << 6) | continuation(2)?, 3))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_text_decodes_to_itself() {
        for text in ["", "java/lang/String", "é", "日本", "a\0b", "😀x"] {
            assert_eq!(decode(&encode(text)), text);
        }
    }

    #[test]
    fn a_lone_surrogate_and_a_stray_byte_stay_visible() {
        assert_eq!(decode(&[b'a', 0xed, 0xa0, 0x80, b'b']), "a\\ud800b");
        assert_eq!(decode(&[b'a', 0xff, 0xfe]), "a\\xff\\xfe");
        assert_eq!(decode(&[0xc0]), "\\xc0");
    }
}
