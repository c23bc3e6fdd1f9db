//! Parses the subset of Markdown in cases: one kind of title, one kind of fenced block.
//!
//! It is stricter than Markdown, because an overlooked block is a missing check. It does not know the meaning
//! of blocks.

/// The content of a file without prose.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// Line and text of each `# Title`.
    pub(super) titles: Vec<(usize, String)>,
    pub(super) blocks: Vec<Block>,
}

/// One fenced block.
#[derive(Debug)]
pub(super) struct Block {
    /// The line of the opening fence, starting at 1.
    pub(super) line: usize,
    /// The rest of the fence's line, trimmed.
    pub(super) info: String,
    pub(super) lines: Vec<String>,
}

/// CR LF line ends are read as LF. An error is a line number and a problem.
pub(super) fn read(text: &str) -> Result<Document, (usize, String)> {
    let mut document = Document::default();
    let mut open: Option<(usize, Block)> = None; // The length of its fence, and the block so far.
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        match open.take() {
            Some((fence, block)) if closes(line, fence) => document.blocks.push(block),
            Some((fence, mut block)) => {
                block.lines.push(line.to_owned());
                open = Some((fence, block));
            }
            None => {
                let fence = line.chars().take_while(|&c| c == '`').count();
                if fence >= 3 {
                    let info = line.get(fence..).unwrap_or_default().trim().to_owned();
                    open = Some((fence, Block { line: number, info, lines: Vec::new() }));
                } else if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
                    return Err((
                        number,
                        "a fence is at least three backticks at the start of its line".to_owned(),
                    ));
                } else if let Some(title) = line.strip_prefix("# ") {
                    document.titles.push((number, title.trim().to_owned()));
                }
            }
        }
    }
    match open {
        Some((_, block)) => Err((block.line, "this fenced block is never closed".to_owned())),
        None => Ok(document),
    }
}

/// A closing fence is at least as long as the opening one, so that a block can contain shorter fences.
fn closes(line: &str, fence: usize) -> bool {
    let line = line.trim_end();
    line.len() >= fence && line.chars().all(|c| c == '`')
}
