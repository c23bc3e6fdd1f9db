//! The answer to a build's request, as the extension reads it (`java/tamis/ask/Line.java`).

use super::{Gate, SECRET};

/// Whether an execution has anything to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateAnswer {
    /// No JVM has to start.
    Nothing,
    /// A JVM starts. A build tool that starts its test JVMs itself starts it like this.
    Run(TestJvmOrder),
    /// A JVM starts as it would without us.
    Untouched,
}

/// How a test JVM is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestJvmOrder {
    /// The argument that loads the agent.
    pub argument: String,
    /// Whether tests may be skipped inside the JVM, possibly all of them.
    pub is_partial: bool,
}

impl GateAnswer {
    /// The bytes on the wire.
    pub(super) fn bytes(&self, gate: &Gate) -> Vec<u8> {
        match self {
            GateAnswer::Nothing => gate.nothing.to_vec(),
            GateAnswer::Untouched => vec![0; SECRET],
            GateAnswer::Run(order) => {
                let length = u32::try_from(order.argument.len()).unwrap_or(u32::MAX).to_be_bytes();
                [&gate.run[..], &[u8::from(order.is_partial)], &length, order.argument.as_bytes()].concat()
            }
        }
    }
}
