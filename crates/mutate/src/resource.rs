//! Edits files that are not classes.

use crate::RandomDraw;

/// Replaces one letter or digit of a file by another; `None` if the file has neither.
pub fn edit(bytes: &[u8], draw: &mut RandomDraw) -> Option<(usize, Vec<u8>)> {
    let places: Vec<usize> =
        bytes.iter().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric()).map(|(at, _)| at).collect();
    let at = *places.get(draw.below(places.len()))?;
    let mut edited = bytes.to_vec();
    let byte = edited.get_mut(at)?;
    *byte = match *byte {
        b'9' => b'0',
        b'z' => b'a',
        b'Z' => b'A',
        other => other + 1,
    };
    Some((at, edited))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_is_another() {
        let (at, edited) = edit(b"= 9 =", &mut RandomDraw::new(1)).unwrap();
        assert_eq!((at, edited.as_slice()), (2, &b"= 0 ="[..]));
        assert_eq!(edit(b" \n", &mut RandomDraw::new(1)), None);
    }
}
