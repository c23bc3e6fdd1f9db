//! Inputs that runners of builds and test frameworks use for themselves, outside of tests: reports, notes, connections.
//!
//! They differ from run to run, and no test depends on them. Settings that a framework looks up do count. So does everything that
//! is used while code of the project or of a library is on the stack.

use crate::probes::map::FrameOrigin;
use std::path::Path;
use tamis_wire::Input;

/// Whether an input can be a runner's own: files, properties, variables, and the world outside.
pub(super) fn may_be_own(what: &Input) -> bool {
    path_of(what).is_some()
        || matches!(
            what,
            Input::Environment(_)
                | Input::Property(_)
                | Input::Machine(_)
                | Input::Network(_)
                | Input::Process(_)
        )
}

/// Whether an input that code of this origin used outside of tests is its own. The class path counts for everybody.
pub(super) fn is_own(what: &Input, origin: FrameOrigin, is_on_class_path: impl Fn(&str) -> bool) -> bool {
    if path_of(what).is_some_and(is_on_class_path) {
        return false;
    }
    match origin {
        FrameOrigin::Program | FrameOrigin::Jdk => false,
        FrameOrigin::Runner => may_be_own(what),
        FrameOrigin::Framework => {
            matches!(what, Input::Written(_) | Input::Machine(_) | Input::Network(_) | Input::Process(_))
        }
    }
}

/// The inputs that are a framework's own because it writes this file: it looks first whether the file and its folder exist.
pub(super) fn around(written: &Input) -> Vec<Input> {
    let Input::Written(path) = written else { return Vec::new() };
    let folder = Path::new(path).parent().map(|folder| folder.to_string_lossy().into_owned());
    let both = folder.into_iter().chain([path.clone()]);
    both.flat_map(|path| [Input::Missing(path.clone()), Input::Examined(path.clone()), Input::Read(path)])
        .collect()
}

fn path_of(what: &Input) -> Option<&str> {
    match what {
        Input::Read(path)
        | Input::Examined(path)
        | Input::Missing(path)
        | Input::Listed(path)
        | Input::Written(path) => Some(path),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_owns_what_it_uses_and_a_framework_what_it_writes() {
        let path = || "/p/target/x".to_owned();
        let property = Input::Property(Some("a".to_owned()));
        let owned = |what: &Input| {
            use FrameOrigin::{Framework, Jdk, Program, Runner};
            [Program, Jdk, Framework, Runner].map(|origin| is_own(what, origin, |_| false))
        };
        assert_eq!(owned(&Input::Written(path())), [false, false, true, true]);
        assert_eq!(owned(&Input::Network("127.0.0.1:1".to_owned())), [false, false, true, true]);
        assert_eq!(owned(&Input::Read(path())), [false, false, false, true]);
        assert_eq!(owned(&property), [false, false, false, true]);
        assert_eq!(owned(&Input::Stack), [false; 4]);
    }

    #[test]
    fn a_file_that_is_written_owns_what_was_asked_of_it_and_of_its_folder() {
        let around = around(&Input::Written("/p/ids/x".to_owned()));
        for path in ["/p/ids", "/p/ids/x"] {
            assert!(around.contains(&Input::Missing(path.to_owned())), "{path}");
        }
        assert_eq!(around.len(), 6);
    }
}
