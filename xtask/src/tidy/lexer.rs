//! Splits Rust source into words, literals, comments and marks, and flags those of tests and attributes.
//!
//! Enough for rules about names and texts. Does not parse or expand macros, and knows no other file.

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// An identifier or a keyword.
    Word,
    Number,
    /// A string or byte string of any kind; its text is the part between the quotes.
    Text,
    /// A character or a byte.
    Char,
    Lifetime,
    /// One character of punctuation.
    Mark,
    /// A comment, with its slashes.
    Comment,
}

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) text: String,
    /// The line of its first character, from 1.
    pub(super) line: usize,
    /// Part of an item that is compiled only for tests.
    pub(super) is_test: bool,
    /// Part of `#[...]` or `#![...]`.
    pub(super) is_attribute: bool,
}

impl Token {
    pub(super) fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Word && self.text == text
    }

    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.kind == TokenKind::Mark && self.text.starts_with(mark)
    }
}

/// All tokens of a file, in order.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    let mut lexer = Lexer { rest: source, line: 1, tokens: Vec::new() };
    while lexer.step() {}
    let mut tokens = lexer.tokens;
    mark_attributes(&mut tokens);
    mark_tests(&mut tokens);
    tokens
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    /// Takes one token or space. Returns false at the end.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else { return false };
        let rest = self.rest;
        if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if rest.starts_with("//") {
            self.take(TokenKind::Comment, rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.take(TokenKind::Comment, block_comment(rest));
        } else if let Some(literal) = string(rest) {
            self.push(TokenKind::Text, literal.text, literal.length);
        } else if let Some(length) = character(rest) {
            self.take(TokenKind::Char, length);
        } else if first == '\'' {
            self.take(TokenKind::Lifetime, 1 + word(&rest[1..]));
        } else if first.is_ascii_digit() {
            self.take(TokenKind::Number, number(rest));
        } else if is_word(first) {
            let raw = rest.strip_prefix("r#").map_or(0, |_| 2);
            let length = raw + word(&rest[raw..]);
            self.push(TokenKind::Word, &rest[raw..length], length);
        } else {
            self.take(TokenKind::Mark, first.len_utf8());
        }
        true
    }

    fn take(&mut self, kind: TokenKind, length: usize) {
        self.push(kind, &self.rest[..length], length);
    }

    fn push(&mut self, kind: TokenKind, text: &str, length: usize) {
        let text = text.to_owned();
        self.tokens.push(Token { kind, text, line: self.line, is_test: false, is_attribute: false });
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        let (done, rest) = self.rest.split_at(length);
        self.line += done.matches('\n').count();
        self.rest = rest;
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn word(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// `1.5e-3` is one number; `1..5` and `1.max(2)` begin with one. The sign of an exponent does not matter
/// here.
fn number(text: &str) -> usize {
    let whole = word(text);
    match text[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|c: char| c.is_ascii_digit()) => whole + 1 + word(fraction),
        _ => whole,
    }
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

struct Literal<'a> {
    text: &'a str,
    /// With prefix and quotes.
    length: usize,
}

/// A string at the beginning of the text: `"…"`, `b"…"`, `c"…"`, `r"…"`, `br#"…"#`.
fn string(text: &str) -> Option<Literal<'_>> {
    let letters = text.strip_prefix(['b', 'c']).unwrap_or(text);
    if let Some(raw) = letters.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = body.find(&close).unwrap_or(body.len());
        let length = text.len() - body.len() + (end + close.len()).min(body.len());
        return Some(Literal { text: &body[..end], length });
    }
    let body = letters.strip_prefix('"')?;
    let end = escaped(body, '"');
    Some(Literal { text: &body[..end], length: text.len() - body.len() + (end + 1).min(body.len()) })
}

/// The position of the closing quote.
fn escaped(body: &str, quote: char) -> usize {
    let mut after_backslash = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if after_backslash => after_backslash = false,
            '\\' => after_backslash = true,
            _ if c == quote => return at,
            _ => {}
        }
    }
    body.len()
}

/// The length of a character literal; `'a` without a second quote is a lifetime.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix('b').unwrap_or(text).strip_prefix('\'')?;
    let before = text.len() - body.len();
    if body.starts_with('\\') {
        return Some(before + (escaped(body, '\'') + 1).min(body.len()));
    }
    let first = body.chars().next()?.len_utf8();
    body[first..].starts_with('\'').then_some(before + first + 1)
}

/// Flags `#[…]` and `#![…]`.
fn mark_attributes(tokens: &mut [Token]) {
    let mut at = 0;
    while at < tokens.len() {
        let end = attribute(tokens, at);
        for token in &mut tokens[at..end] {
            token.is_attribute = true;
        }
        at = end.max(at + 1);
    }
}

/// The end of the attribute that begins here; `start` if there is none.
fn attribute(tokens: &[Token], start: usize) -> usize {
    let is = |at: usize, mark: char| tokens.get(at).is_some_and(|token| token.is_mark(mark));
    let open = start + 1 + usize::from(is(start + 1, '!'));
    if is(start, '#') && is(open, '[') { item(tokens, open) } else { start }
}

/// The end of the item that begins here: after a `;`, or after the bracket that closes the first one opened.
/// The bracket must be a brace, or be opened at the start.
pub(super) fn item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.text.as_str() {
            _ if token.kind != TokenKind::Mark => {}
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                let begins = tokens[start].is_mark('[') || tokens[start].is_mark('(');
                if depth == 0 && (token.is_mark('}') || begins) {
                    let is_closed = tokens.get(at + 1).is_some_and(|next| next.is_mark(';'));
                    return at + 1 + usize::from(is_closed && !begins);
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Flags the items after `#[cfg(test)]`, `#[cfg(all(test, …))]` and `#[test]`; a whole file after
/// `#![cfg(test)]`.
fn mark_tests(tokens: &mut [Token]) {
    let mut at = 0;
    while at < tokens.len() {
        let end = attribute(tokens, at);
        if !is_for_tests(&tokens[at..end]) {
            at = end.max(at + 1);
            continue;
        }
        let is_inner = tokens[at + 1].is_mark('!');
        let mut start = end;
        // More attributes and comments may precede the item.
        while start < tokens.len() {
            let next = attribute(tokens, start);
            let is_comment = tokens[start].kind == TokenKind::Comment;
            if next == start && !is_comment {
                break;
            }
            start = next.max(start + 1);
        }
        let end = if is_inner { tokens.len() } else { item(tokens, start) };
        for token in &mut tokens[at..end] {
            token.is_test = true;
        }
        at = end;
    }
}

fn is_for_tests(attribute: &[Token]) -> bool {
    let mut words = attribute.iter().filter(|token| token.kind == TokenKind::Word);
    match words.next() {
        Some(word) if word.text == "test" => true,
        Some(word) if word.text == "cfg" => {
            let names: Vec<&str> = words.map(|word| word.text.as_str()).collect();
            names.contains(&"test") && !names.contains(&"not") && !names.contains(&"any")
        }
        _ => false,
    }
}

/// The text of a literal as people read it: continued lines joined, escapes for white space replaced by a
/// space.
pub(super) fn plain(literal: &str) -> String {
    let mut text = String::new();
    let mut chars = literal.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\n')) => while chars.next_if(|c| c.is_whitespace()).is_some() {},
            ('\\', Some('n' | 't' | 'r')) => {
                chars.next();
                text.push(' ');
            }
            ('\\', Some(_)) => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(TokenKind, String)> {
        tokens(source).into_iter().map(|token| (token.kind, token.text)).collect()
    }

    fn of_kind(source: &str, kind: TokenKind) -> Vec<String> {
        kinds(source).into_iter().filter(|token| token.0 == kind).map(|token| token.1).collect()
    }

    #[test]
    fn comments_end_with_the_line_or_where_their_nesting_ends() {
        let source = "a // b \"c\"\n/* d /* e */ f */ g /// h";
        assert_eq!(of_kind(source, TokenKind::Comment), ["// b \"c\"", "/* d /* e */ f */", "/// h"]);
        assert_eq!(of_kind(source, TokenKind::Word), ["a", "g"]);
    }

    #[test]
    fn strings_of_every_kind_are_texts() {
        let source = r####"f("a // \" b", b"c\\", r"d\", r#"e "f" g"#, br##"h"# "##, c"i") j"####;
        let texts = ["a // \\\" b", "c\\\\", "d\\", "e \"f\" g", "h\"# ", "i"];
        assert_eq!(of_kind(source, TokenKind::Text), texts);
        assert_eq!(of_kind(source, TokenKind::Word), ["f", "j"]);
    }

    #[test]
    fn characters_and_lifetimes_are_distinguished() {
        let source = r"fn f<'a>(x: &'a str) { ['x', '\'', b'\\', '\u{1f}', 'ü', '\n'] } 'outer: loop {}";
        assert_eq!(of_kind(source, TokenKind::Char), ["'x'", r"'\''", r"b'\\'", r"'\u{1f}'", "'ü'", r"'\n'"]);
        assert_eq!(of_kind(source, TokenKind::Lifetime), ["'a", "'a", "'outer"]);
    }

    #[test]
    fn numbers_and_raw_words_are_whole() {
        assert_eq!(
            of_kind("1.5e3 0xff_u8 1..5 x.0 2.max(3)", TokenKind::Number),
            ["1.5e3", "0xff_u8", "1", "5", "0", "2", "3"]
        );
        assert_eq!(of_kind("r#type radius br b", TokenKind::Word), ["type", "radius", "br", "b"]);
    }

    #[test]
    fn a_token_has_the_line_of_its_first_character() {
        let lines: Vec<usize> =
            tokens("a\n\"b\nc\" d\n\n/* \n */ e").iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 3, 5, 6]);
    }

    #[test]
    fn an_unclosed_token_ends_with_the_file() {
        for source in ["\"a", "r#\"a\"", "/* a", "'\\", "b\"", "#[cfg(test", "#"] {
            tokens(source);
        }
    }

    #[test]
    fn items_of_tests_are_marked_and_their_neighbours_are_not() {
        for item in [
            "#[cfg(test)] mod tests { fn a() { [1; 2]; } }",
            "#[cfg(test)]\n/// Text.\n#[allow(x)]\nfn a(x: [u8; 3]) -> u8 { 1 }",
            "#[cfg(all(test, unix))] mod tests;",
            "#[test] fn a() { { } }",
            "#[cfg(test)] use a::{b, c};",
            "#[cfg(test)] impl A { fn b() {} }",
        ] {
            let tokens = tokens(&format!("fn before() {{}} {item} fn after() {{}}"));
            let (is_test, product): (Vec<&Token>, Vec<&Token>) = tokens.iter().partition(|t| t.is_test);
            assert_eq!(product.len(), 12, "{item}");
            assert!(
                is_test.iter().all(|token| !token.is_word("before") && !token.is_word("after")),
                "{item}"
            );
        }
        for item in ["#[cfg(not(test))] fn a() {}", "#[cfg(unix)] fn test() {}"] {
            assert!(tokens(item).iter().all(|token| !token.is_test), "{item}");
        }
        assert!(tokens("//! A.\n#![cfg(test)]\nfn a() {}\nfn b() {}").iter().skip(1).all(|t| t.is_test));
    }

    #[test]
    fn attributes_are_marked() {
        let tokens = tokens("#![a(\"b\")] #[c = \"d\"] fn e() { f[1]; \"g\" }");
        let marked = |token: &&Token| token.is_attribute && token.kind == TokenKind::Text;
        let texts: Vec<&str> = tokens.iter().filter(marked).map(|token| token.text.as_str()).collect();
        assert_eq!(texts, ["b", "d"]);
        assert!(tokens.iter().all(|token| !token.is_word("f") || !token.is_attribute));
    }

    #[test]
    fn the_text_of_a_literal_is_joined_over_lines() {
        assert_eq!(plain("a \\\n      b\\n\\\"c\\\""), "a b \"c\"");
    }
}
