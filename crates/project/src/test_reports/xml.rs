//! Elements and attributes of an XML document. Text, comments and declarations are passed over.

/// The beginning or the end of an element.
pub(super) enum XmlEvent<'x> {
    Start(XmlElement<'x>),
    End(&'x str),
}

/// The beginning of an element.
pub(super) struct XmlElement<'x> {
    pub(super) name: &'x str,
    attributes: Vec<(&'x str, String)>,
}

impl XmlElement<'_> {
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }
}

pub(super) struct XmlReader<'x> {
    rest: &'x str,
    open: Vec<&'x str>,
    /// The end of an element without content.
    ended: Option<&'x str>,
}

impl<'x> XmlReader<'x> {
    pub(super) fn new(text: &'x str) -> XmlReader<'x> {
        XmlReader { rest: text, open: Vec::new(), ended: None }
    }

    /// The next event; nothing at the end of the document. `None` if it is not well formed.
    pub(super) fn next_event(&mut self) -> Option<Option<XmlEvent<'x>>> {
        if let Some(name) = self.ended.take() {
            return Some(Some(XmlEvent::End(name)));
        }
        loop {
            let Some(at) = self.rest.find('<') else {
                return self.open.is_empty().then_some(None);
            };
            self.rest = self.rest.get(at + 1..)?;
            let (mark, end) = match self.rest.as_bytes() {
                [b'?', ..] => ("?", "?>"),
                [b'!', b'-', b'-', ..] => ("!--", "-->"),
                [b'!', b'[', ..] => ("![", "]]>"),
                [b'!', ..] => ("!", ">"),
                [b'/', ..] => return self.end().map(Some),
                _ => return self.start().map(Some),
            };
            self.rest = self.rest.get(mark.len()..)?;
            let at = self.rest.find(end)?;
            self.rest = self.rest.get(at + end.len()..)?;
        }
    }

    fn end(&mut self) -> Option<XmlEvent<'x>> {
        let at = self.rest.find('>')?;
        let name = self.rest.get(1..at)?.trim_end();
        self.rest = self.rest.get(at + 1..)?;
        (self.open.pop()? == name).then_some(XmlEvent::End(name))
    }

    fn start(&mut self) -> Option<XmlEvent<'x>> {
        let name = self.word()?;
        let mut attributes = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                self.ended = Some(name);
                break;
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                self.open.push(name);
                break;
            }
            let key = self.word()?;
            self.rest = self.rest.trim_start().strip_prefix('=')?.trim_start();
            let quote = self.rest.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
            let value = self.rest.get(1..)?;
            let at = value.find(quote)?;
            attributes.push((key, unescaped(value.get(..at)?)?));
            self.rest = value.get(at + 1..)?;
        }
        Some(XmlEvent::Start(XmlElement { name, attributes }))
    }

    fn word(&mut self) -> Option<&'x str> {
        let end = self.rest.find(|letter: char| letter.is_whitespace() || "=/><\"'".contains(letter))?;
        let word = self.rest.get(..end).filter(|word| !word.is_empty())?;
        self.rest = self.rest.get(end..)?;
        Some(word)
    }
}

/// The text with its five named entities and its numbers replaced.
fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('&');
    let mut found = parts.next()?.to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        let letter = match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let number = name.strip_prefix('#')?;
                let code = match number.strip_prefix('x') {
                    Some(number) => u32::from_str_radix(number, 16),
                    None => number.parse(),
                };
                char::from_u32(code.ok()?)?
            }
        };
        found.push(letter);
        found.push_str(rest);
    }
    Some(found)
}
