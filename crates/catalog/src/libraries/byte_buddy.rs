//! ByteBuddy, with which Mockito and others change classes.

use super::LibraryRow;
use crate::name::is_class;

/// The row.
pub const BYTE_BUDDY: LibraryRow = LibraryRow {
    name: "ByteBuddy",
    why: "JVMs may not attach to themselves, so it has another JVM of the same JDK give this one an agent. That JVM runs \
          nothing but a class of its own, and is no reason to run a test always.",
    cases: &["attacher.md", "made_by_a_library_and_kept.md", "beside.rs"],
    ..LibraryRow::EMPTY
};

/// The main class of its helper.
pub const ATTACHER: &str = "net/bytebuddy/agent/Attacher";

/// How the options begin with which it sets properties of its own.
const OPTIONS: &str = "-Dnet.bytebuddy.";

/// Whether a JVM with these arguments runs the helper, given nothing but a class path: any other option could name code.
pub fn is_attacher(arguments: &[String]) -> bool {
    match arguments {
        [option, _, class, ..] if option == "-cp" && is_class(ATTACHER, class) => true,
        [property, option, _, class, ..] => {
            property.starts_with(OPTIONS) && option == "-cp" && is_class(ATTACHER, class)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_attacher;

    #[test]
    fn only_bytebuddys_own_class_attaches() {
        let runs = |command: &str| is_attacher(&command.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert!(runs("-cp a.jar net.bytebuddy.agent.Attacher x 1"));
        assert!(runs("-Dnet.bytebuddy.agent.attacher.dump=f -cp a.jar net.bytebuddy.agent.Attacher x 1"));
        assert!(!runs("-cp a.jar my.Main net.bytebuddy.agent.Attacher"));
        assert!(!runs("-javaagent:mine.jar -cp a.jar net.bytebuddy.agent.Attacher"));
    }
}
