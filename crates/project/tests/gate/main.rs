//! The gate, from both sides: what comes over the wire, and what real Maven builds ask and obey.

mod asking;
mod configured;
mod jar;
mod versions;
mod wire;
