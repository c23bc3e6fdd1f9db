//! Reads the two attributes of a jar's manifest that decide which classes are found: `Multi-Release` and
//! `Class-Path`.

use std::path::{Component, Path, PathBuf};

/// The two attributes of a manifest's main section.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) multi_release: bool,
    /// URLs in their original form and order.
    pub(super) class_path: Vec<String>,
}

impl Manifest {
    pub(super) fn parse(bytes: &[u8]) -> Manifest {
        let mut manifest = Manifest::default();
        let mut lines = ManifestLines { rest: bytes }.take_while(|line| !line.bytes.is_empty()).peekable();
        while let Some(line) = lines.next() {
            let mut attribute = line.bytes.to_vec();
            while let Some(more) = lines.next_if(|next| next.bytes.starts_with(b" ")) {
                attribute.extend_from_slice(more.bytes.get(1..).unwrap_or_default());
            }
            // The JVM compares exactly these bytes: no other spacing, no continuation line, and the line must
            // end.
            let whole = line.ended && line.bytes.len() == attribute.len();
            manifest.multi_release |= whole && attribute.eq_ignore_ascii_case(b"Multi-Release: true");
            if let Some(urls) = value(&attribute, b"Class-Path") {
                let urls = String::from_utf8_lossy(urls);
                manifest.class_path = urls.split_ascii_whitespace().map(str::to_owned).collect();
            }
        }
        manifest
    }
}

/// The target of an element of `Class-Path`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ManifestTarget {
    pub(super) path: PathBuf,
    /// Ends in `/` or in a dot segment: the JVM treats it as a directory, and everything else as a jar.
    pub(super) is_directory: bool,
}

/// Resolves a URL of `Class-Path` against the directory of the jar; the error is the reason why the JVM
/// ignores it.
///
/// `..` is resolved within the path as written, as in any URL, not relative to the target of a symbolic link.
/// A fragment is removed, as in JDK 17 and later; JDK 8 and 11 ignore such a URL.
pub(super) fn resolve(url: &str, directory: &Path) -> Result<ManifestTarget, &'static str> {
    let mut reference = url.split('#').next().unwrap_or_default();
    if let Some((scheme, rest)) = reference.split_once(':') {
        if !scheme.eq_ignore_ascii_case("file") {
            return Err("it is not a file");
        }
        reference = match rest.strip_prefix("//") {
            None => rest,
            Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        };
        if rest.starts_with("//") && !reference.starts_with('/') {
            return Err("it is on another machine");
        }
    }
    let reference = percent_decoded(reference).ok_or("it is not a well-formed URL")?;
    let mut path = if reference.starts_with('/') { PathBuf::from("/") } else { directory.to_owned() };
    for component in Path::new(&reference).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::ParentDir if path.file_name().is_some() => drop(path.pop()),
            Component::ParentDir if !path.has_root() => path.push(".."),
            Component::ParentDir | Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    let last = reference.rsplit('/').next().unwrap_or_default();
    Ok(ManifestTarget { path, is_directory: matches!(last, "" | "." | "..") })
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |b: u8| char::from(b).to_digit(16);
                u8::try_from(digit(rest.next()?)? * 16 + digit(rest.next()?)?).ok().filter(|b| *b != 0)?
            }
            0 => return None,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn value<'a>(attribute: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (key, rest) = attribute.split_at_checked(name.len())?;
    if key.eq_ignore_ascii_case(name) { rest.strip_prefix(b": ") } else { None }
}

struct ManifestLines<'a> {
    rest: &'a [u8],
}

struct ManifestLine<'a> {
    bytes: &'a [u8],
    /// False for a last line without line break.
    ended: bool,
}

impl<'a> Iterator for ManifestLines<'a> {
    type Item = ManifestLine<'a>;

    fn next(&mut self) -> Option<ManifestLine<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|b| matches!(b, b'\r' | b'\n'));
        let (bytes, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.strip_prefix(b"\r\n").or(rest.get(1..)).unwrap_or_default();
        Some(ManifestLine { bytes, ended: end.is_some() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> String {
        match resolve(url, Path::new("/x/lib")) {
            Ok(target) => {
                format!("{}{}", target.path.display(), if target.is_directory { " dir" } else { "" })
            }
            Err(why) => format!("! {why}"),
        }
    }

    #[test]
    fn a_long_class_path_is_joined_from_its_continuation_lines() {
        let text = b"Manifest-Version: 1.0\r\nclass-path: a.jar lib/lo\r\n ng.jar  b.jar\r\nX: y\r\n\r\nClass-Path: no.jar\r\n";
        assert_eq!(Manifest::parse(text).class_path, ["a.jar", "lib/long.jar", "b.jar"]);
    }

    #[test]
    fn multi_release_is_recognised_as_in_the_jvm() {
        let says = |text: &[u8]| Manifest::parse(text).multi_release;
        assert!(says(b"Multi-Release: true\n"));
        assert!(says(b"Manifest-Version: 1.0\rmulti-release: TRUE\r\n\n"));
        assert!(!says(b"Multi-Release: true"));
        assert!(!says(b"Multi-Release: true \n"));
        assert!(!says(b"Multi-Release:  true\n"));
        assert!(!says(b"Multi-Release: tr\n ue\n"));
        assert!(says(b"Multi-Release: true\n \n"));
        assert!(!says(b"Multi-Release: true\n x\n"));
        assert!(!says(b"Manifest-Version: 1.0\n\nName: x\nMulti-Release: true\n"));
    }

    #[test]
    fn class_path_urls_resolve_against_the_jar() {
        assert_eq!(target("a.jar"), "/x/lib/a.jar");
        assert_eq!(target("./../a%20b.jar#part"), "/x/a b.jar");
        assert_eq!(target("../../../../a.jar"), "/a.jar");
        assert_eq!(target("/opt/classes/"), "/opt/classes dir");
        assert_eq!(target("."), "/x/lib dir");
        assert_eq!(target("a/.."), "/x/lib dir");
        assert_eq!(target("file:/opt/a.jar"), "/opt/a.jar");
        assert_eq!(target("FILE:///opt/a.jar"), "/opt/a.jar");
        assert_eq!(target("file://localhost/opt/a.jar"), "/opt/a.jar");
        assert_eq!(target("file:b.jar"), "/x/lib/b.jar");
        assert_eq!(target("file://host/a.jar"), "! it is on another machine");
        assert_eq!(target("https://repo.example/a.jar"), "! it is not a file");
        assert_eq!(target("a%2"), "! it is not a well-formed URL");
        assert_eq!(target("a%ff.jar"), "! it is not a well-formed URL");
        assert_eq!(target("a%00.jar"), "! it is not a well-formed URL");
        assert_eq!(resolve("../a.jar", Path::new("lib")).unwrap().path, Path::new("a.jar"));
        assert_eq!(resolve("../a.jar", Path::new("")).unwrap().path, Path::new("../a.jar"));
    }
}
