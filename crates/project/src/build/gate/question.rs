//! A build's request as the extension writes it (`java/tamis/ask/Question.java`), read with every length
//! checked.

use std::path::PathBuf;
use tamis_catalog::builds::gradle;

/// Maximum length, more than any configuration and class path: four hundred bytes for each of ten thousand
/// jars.
pub(super) const LONGEST: usize = 8 << 20;

const VERSION: u32 = 1;

/// One execution of a build that is about to run tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateRequest {
    /// The directory of the module, absolute.
    pub directory: PathBuf,
    /// `test`, `integration-test`, the goal of another plugin, or the name of a Gradle task.
    pub goal: String,
    /// The name of the execution: `default-test`, or the path of a Gradle task.
    pub execution: String,
    /// The plugin that runs the tests, `group:artifact:version`, or `gradle:version`.
    pub plugin: String,
    /// The class path of the test JVM, in order, absolute.
    pub class_path: Vec<PathBuf>,
    /// The environment of the build, from which the test JVM's is made, sorted by name.
    pub environment: Vec<(String, String)>,
    /// Everything that decides which tests run and how their JVM is started. Equal texts mean equal
    /// configurations. A value that the extension could not read is `unknown:` and a random word, so it
    /// equals nothing.
    pub configuration: String,
}

impl GateRequest {
    /// Whether Gradle asks. Its tasks get the agent from the answer.
    pub fn is_gradles(&self) -> bool {
        self.plugin.split_once(':').is_some_and(|(name, _)| name == gradle::ASKING)
    }

    /// The name of the module, for a directory of this name. Test tasks of a project share its directory, and run
    /// other tests in another way, so those with names of their own are modules of their own.
    pub fn module_in(&self, directory: &str) -> String {
        if self.is_gradles() && self.goal != gradle::TEST_TASK {
            format!("{directory}:{}", self.goal)
        } else {
            directory.to_owned()
        }
    }

    /// The configuration in the form that is the same in every copy of the project: paths below `root` begin
    /// with `${root}`.
    pub fn configuration_in(&self, root: &std::path::Path) -> String {
        let Some(root) = root.to_str().filter(|root| root.len() > 1) else {
            return self.configuration.clone();
        };
        let mut text = String::with_capacity(self.configuration.len());
        let mut rest = self.configuration.as_str();
        while let Some((before, after)) = rest.split_once(root) {
            let goes_on = after.chars().next().is_some_and(|c| c.is_alphanumeric() || "-_.~+".contains(c));
            text.push_str(before);
            text.push_str(if goes_on { root } else { "${root}" });
            rest = after;
        }
        text.push_str(rest);
        text
    }

    /// `None` if the bytes are not a request of this version.
    pub(super) fn read(bytes: &[u8]) -> Option<GateRequest> {
        let mut body = RequestBody(bytes);
        if body.number()? != VERSION {
            return None;
        }
        let asked = GateRequest {
            directory: body.text()?.into(),
            goal: body.text()?,
            execution: body.text()?,
            plugin: body.text()?,
            class_path: body.list(|body| body.text().map(PathBuf::from))?,
            environment: body.list(|body| Some((body.text()?, body.text()?)))?,
            configuration: body.text()?,
        };
        body.0.is_empty().then_some(asked)
    }
}

struct RequestBody<'a>(&'a [u8]);

impl RequestBody<'_> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*number))
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        // Every item takes at least four bytes, so a wrong count ends with the bytes.
        (0..self.number()?).map(|_| item(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &mut Vec<u8>, text: &str) {
        bytes.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
        bytes.extend(text.as_bytes());
    }

    fn question() -> Vec<u8> {
        let mut bytes = 1u32.to_be_bytes().to_vec();
        for word in ["/p/core", "test", "default-test", "g:a:1"] {
            text(&mut bytes, word);
        }
        bytes.extend(2u32.to_be_bytes());
        for word in ["/p/core/target/classes", "/r/ü.jar"] {
            text(&mut bytes, word);
        }
        bytes.extend(1u32.to_be_bytes());
        for word in ["HOME", "/home/x", "forkCount 1\n"] {
            text(&mut bytes, word);
        }
        bytes
    }

    #[test]
    fn all_parts_of_a_request_are_read() {
        let asked = GateRequest::read(&question()).unwrap();
        assert_eq!(asked.directory, PathBuf::from("/p/core"));
        assert_eq!((asked.goal.as_str(), asked.execution.as_str()), ("test", "default-test"));
        assert_eq!(asked.plugin, "g:a:1");
        assert_eq!(asked.class_path, [PathBuf::from("/p/core/target/classes"), PathBuf::from("/r/ü.jar")]);
        assert_eq!(asked.environment, [("HOME".to_owned(), "/home/x".to_owned())]);
        assert_eq!(asked.configuration, "forkCount 1\n");
    }

    #[test]
    fn a_truncated_or_extended_request_is_rejected() {
        let whole = question();
        for length in 0..whole.len() {
            assert_eq!(GateRequest::read(&whole[..length]), None, "{length}");
        }
        assert_eq!(GateRequest::read(&[&whole[..], b"x"].concat()), None);
    }

    #[test]
    fn impossible_lengths_and_versions_are_rejected() {
        for at in [0, 4, 36] {
            let mut bytes = question();
            bytes[at] = 0xff;
            assert_eq!(GateRequest::read(&bytes), None, "{at}");
        }
        let endless = [&question()[..41], &u32::MAX.to_be_bytes()].concat();
        assert_eq!(GateRequest::read(&endless), None);
    }

    #[test]
    fn a_copy_of_the_project_has_the_same_configuration() {
        let asked = |root: &str| {
            let configuration = format!("a \"{root}\"\nb \"-Dx={root}/core/y;{root}-old;{root}2\"\n");
            let shown = GateRequest { configuration, ..GateRequest::read(&question()).unwrap() };
            shown.configuration_in(root.as_ref())
        };
        assert_eq!(asked("/p"), "a \"${root}\"\nb \"-Dx=${root}/core/y;/p-old;/p2\"\n");
        assert_eq!(asked("/"), "a \"/\"\nb \"-Dx=//core/y;/-old;/2\"\n");
    }
}
