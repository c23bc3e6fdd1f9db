//! Tables for the terminal.

/// Prints rows under their headings. The first column is left-aligned, the others right-aligned.
pub(crate) fn print(title: &str, headings: &[&str], rows: &[Vec<String>]) {
    println!("{title}");
    let headings: Vec<String> = headings.iter().map(ToString::to_string).collect();
    let all = || std::iter::once(&headings).chain(rows);
    let width = |column: usize| {
        all().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    for row in all() {
        let cells = row.iter().enumerate().map(|(column, cell)| match column {
            0 => format!("{cell:<0$}", width(column)),
            _ => format!("{cell:>0$}", width(column)),
        });
        println!("  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    println!();
}
