//! Programs with one literal or operator replaced.

use crate::check::unnumbered;
use crate::programs::{Program, Site};

/// A program with one literal or operator replaced.
pub(crate) struct Mutant {
    pub(crate) text: String,
    /// The edit, for messages.
    pub(crate) edit: String,
    members: Option<Vec<String>>,
}

/// All mutants of a program.
pub(crate) fn of(program: &Program) -> Vec<Mutant> {
    program.sites.iter().filter_map(|site| mutant(program, site)).collect()
}

fn mutant(program: &Program, site: &Site) -> Option<Mutant> {
    let text = &program.text;
    let old = &text[site.start..site.end];
    let new = replacement(&site.what, old)?;
    let line = text[..site.start].matches('\n').count() + 1;
    Some(Mutant {
        text: format!("{}{new}{}", &text[..site.start], &text[site.end..]),
        edit: format!("line {line}: {old} becomes {new}"),
        members: site.members.clone(),
    })
}

/// Another literal or operator that fits in the same place.
fn replacement(what: &str, old: &str) -> Option<String> {
    let operator = match what {
        "INT_LITERAL" | "LONG_LITERAL" | "FLOAT_LITERAL" | "DOUBLE_LITERAL" => {
            return Some(format!("({old} + 1)"));
        }
        "CHAR_LITERAL" => return Some(format!("(char) ({old} + 1)")),
        "STRING_LITERAL" => return Some(format!("({old} + \"x\")")),
        "BOOLEAN_LITERAL" => return Some(format!("(!{old})")),
        "NULL_LITERAL" => return None,
        "+" => "-",
        "-" => "+",
        "*" => "+",
        "/" => "*",
        "%" => "/",
        "<<" => ">>",
        ">>" => ">>>",
        ">>>" => "<<",
        "&" => "|",
        "|" => "^",
        "^" => "&",
        "&&" => "||",
        "||" => "&&",
        "<" => "<=",
        "<=" => "<",
        ">" => ">=",
        ">=" => ">",
        "==" => "!=",
        "!=" => "==",
        "+=" => "-=",
        "-=" => "+=",
        "<<=" => ">>=",
        "++" => "--",
        "--" => "++",
        "!" => "",
        "~" => "-",
        other => panic!("no other operator for {other}"),
    };
    Some(operator.to_owned())
}

impl Mutant {
    /// Checks that these changes are the mutant's own: the code of its members, if these are known.
    pub(crate) fn check(&self, lines: &[String]) -> Result<(), String> {
        let Some(members) = &self.members else {
            return if lines.is_empty() { Err("no change is seen".to_owned()) } else { Ok(()) };
        };
        let mut expected: Vec<String> =
            members.iter().map(|member| format!("{} code", unnumbered(member))).collect();
        let mut found: Vec<String> = lines.iter().map(|line| without_parameters(&unnumbered(line))).collect();
        expected.sort();
        found.sort();
        if expected == found {
            return Ok(());
        }
        Err(format!("expected\n  {}\nfound\n  {}", expected.join("\n  "), found.join("\n  ")))
    }
}

/// A constructor without its parameters: the compiler adds parameters that are not in the source.
fn without_parameters(line: &str) -> String {
    match line.split_once("<init>(") {
        Some((before, after)) => {
            format!("{before}<init>{}", after.split_once(")V").map_or("", |(_, after)| after))
        }
        None => line.to_owned(),
    }
}
