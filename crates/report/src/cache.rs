//! How much is recorded, for a person and as JSON.

use std::io::{self, Write};

/// One JSON document, ending in a newline.
pub fn to_json(numbers: &[(&str, u64)]) -> String {
    let mut document = serde_json::Map::new();
    document.insert("format".to_owned(), 1.into());
    for (name, number) in numbers {
        document.insert((*name).to_owned(), (*number).into());
    }
    // Serialising numbers into memory cannot fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// A line a number.
pub fn write<W: Write>(out: &mut W, numbers: &[(&str, u64)]) -> io::Result<()> {
    for (name, number) in numbers {
        writeln!(out, "{number:>12}  {}", name.replace('_', " "))?;
    }
    Ok(())
}
