//! A small runner of tests (`crates/project/java/tamis/runner`), for JVMs that are started without a build.

/// Its main class.
pub const MAIN: &str = "tamis.runner.Main";

/// The runner, compiled. `tests/runner` compares it with its source and says how to renew it.
pub const JAR: &[u8] = include_bytes!("../java/runner.jar");

/// One line of what it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunnerLine<'l> {
    /// A test has begun: `org.x.ParserTest#flatten`.
    Start(&'l str),
    /// A test, or a class as a whole, has ended: how.
    End(&'l str, &'l str),
    /// All have.
    Done,
}

/// What it wrote, as far as it came; a line that was broken off is not there.
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
    fn what_was_broken_off_is_not_read() {
        let told: Vec<RunnerLine<'_>> = read("start\ta.B#c\nend\ta.B#c\tpassed\nnoise\ndone").collect();
        assert_eq!(told, [RunnerLine::Start("a.B#c"), RunnerLine::End("a.B#c", "passed")]);
        assert_eq!(read("done\n").collect::<Vec<_>>(), [RunnerLine::Done]);
        assert_eq!(read("").count(), 0);
    }
}
