//! A small test runner (`crates/project/java/tamis/runner`) for JVMs that are started without a build.

/// Its main class.
pub const MAIN: &str = "tamis.runner.Main";

/// The compiled runner. `tests/runner` compares it with its source, and names the command that updates it.
pub const JAR: &[u8] = include_bytes!("../java/runner.jar");

/// One line of its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunnerLine<'l> {
    /// A test has begun: `org.x.ParserTest#flatten`.
    Start(&'l str),
    /// A test or a class has ended, with this outcome.
    End(&'l str, &'l str),
    /// All tests have ended.
    Done,
}

/// The lines of its results. An incomplete last line is left out.
pub fn read(text: &str) -> impl Iterator<Item = RunnerLine<'_>> {
    let whole = text.rfind('\n').map_or("", |end| text.get(..end).unwrap_or_default());
    whole.split('\n').filter_map(|line| {
        let mut parts = line.split('\t');
        match (parts.next()?, parts.next(), parts.next()) {
            ("start", Some(name), None) => Some(RunnerLine::Start(name)),
            ("end", Some(name), Some(outcome)) => Some(RunnerLine::End(name, outcome)),
            ("done", None, None) => Some(RunnerLine::Done),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_last_line_is_not_read() {
        let told: Vec<RunnerLine<'_>> = read("start\ta.B#c\nend\ta.B#c\tpassed\nnoise\ndone").collect();
        assert_eq!(told, [RunnerLine::Start("a.B#c"), RunnerLine::End("a.B#c", "passed")]);
        assert_eq!(read("done\n").collect::<Vec<_>>(), [RunnerLine::Done]);
        assert_eq!(read("").count(), 0);
    }
}
