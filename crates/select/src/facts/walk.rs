//! Walks: what the part of a method that a test ran meets in another version of the method.
//!
//! A *shape* has the blocks that ran, numbered breadth-first, with the labels of the edges between them and the handlers that
//! exceptions were offered to. It has nothing of the code. A *walk* follows a shape in a method; its answer is the digest of the
//! contents that it meets. `docs/techniques.md` says why an execution takes the same way as long as the answer is the same.
//!
//! As text: `F>1,T>2|3,-!;…` is a node with edges to nodes 1 and 2, which offers exceptions to the handler in node 3 and to
//! another that did not run, and then lets them leave the method.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt::Write;
use tamis_classfile::flow::{ControlFlow, EdgeLabel};
use tamis_program::bitset::BitSet;
use tamis_program::blocks::MethodBlocks;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};

/// The method and the shape of a question.
pub fn parts(subject: &str) -> Option<(&str, &str)> {
    subject.rsplit_once(' ')
}

/// The shape of the blocks that were entered, with all edges between them and all handlers of those that may throw. `None` if
/// that is the whole method, or if a block was entered and no way leads to it: the method may have begun for an earlier part.
/// Then its body counts.
pub fn shape_of_blocks(flow: &ControlFlow, entered: &BitSet<u32>) -> Option<String> {
    let is_entered = |block: usize| block == flow.entry || entered.contains(block as u32);
    if (0..flow.blocks.len()).all(is_entered) {
        return None;
    }
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::from_iter([(flow.entry, 0)]);
    let mut order = VecDeque::from([flow.entry]);
    let mut shape = String::new();
    while let Some(at) = order.pop_front() {
        let block = flow.blocks.get(at)?;
        let mut number = |target: usize, order: &mut VecDeque<usize>| {
            let next = numbers.len();
            *numbers.entry(target).or_insert_with(|| {
                order.push_back(target);
                next
            })
        };
        if at != flow.entry || !shape.is_empty() {
            shape.push(';');
        }
        let mut is_first = true;
        for edge in block.edges.iter().filter(|edge| is_entered(edge.target)) {
            if !std::mem::take(&mut is_first) {
                shape.push(',');
            }
            let _ = write!(shape, "{}>{}", edge.label, number(edge.target, &mut order));
        }
        if block.can_throw {
            shape.push('|');
            for (rank, row) in block.chain.iter().enumerate() {
                if rank > 0 {
                    shape.push(',');
                }
                let _ = match is_entered(row.handler) {
                    true => write!(shape, "{}", number(row.handler, &mut order)),
                    false => write!(shape, "-"),
                };
            }
            shape.push('!');
        }
    }
    entered.iter().all(|block| numbers.contains_key(&(block as usize))).then_some(shape)
}

/// A node of a shape.
#[derive(Debug, Default)]
struct ShapeNode {
    edges: Vec<(EdgeLabel, usize)>,
    /// The handlers that exceptions were offered to, with the nodes of those that ran.
    handlers: Vec<Option<usize>>,
    /// Whether exceptions may have left the method.
    leaves: bool,
}

fn parse(shape: &str) -> Option<Vec<ShapeNode>> {
    let node = |text: &str| {
        let (edges, chain) = text.split_once('|').map_or((text, None), |(edges, chain)| (edges, Some(chain)));
        let mut node = ShapeNode::default();
        for edge in edges.split(',').filter(|edge| !edge.is_empty()) {
            let (label, target) = edge.split_once('>')?;
            node.edges.push((label_of(label)?, target.parse().ok()?));
        }
        if let Some(chain) = chain {
            let rows = chain.strip_suffix('!');
            node.leaves = rows.is_some();
            for row in rows.unwrap_or(chain).split(',').filter(|row| !row.is_empty()) {
                node.handlers.push(if row == "-" { None } else { Some(row.parse().ok()?) });
            }
        }
        Some(node)
    };
    shape.split(';').map(node).collect()
}

fn label_of(text: &str) -> Option<EdgeLabel> {
    Some(match text {
        "" => EdgeLabel::Always,
        "F" => EdgeLabel::False,
        "T" => EdgeLabel::True,
        "d" => EdgeLabel::Default,
        key => EdgeLabel::Case(key.parse().ok()?),
    })
}

/// What a walk of a shape meets in a method; `None` if the method has no such walk.
pub fn walk(blocks: &MethodBlocks, shape: &str) -> Option<Digest> {
    let nodes = parse(shape)?;
    let flow = &blocks.flow;
    let mut met: Vec<Option<Digest>> = vec![None; nodes.len()];
    let mut seen: FxHashMap<(usize, usize), ()> = FxHashMap::default();
    let mut open = vec![(0, flow.entry)];
    while let Some((number, at)) = open.pop() {
        if seen.insert((number, at), ()).is_some() {
            continue;
        }
        let (node, block) = (nodes.get(number)?, flow.blocks.get(at)?);
        for (label, target) in &node.edges {
            let edge = block.edges.iter().find(|edge| edge.label == *label)?;
            open.push((*target, edge.target));
        }
        for (rank, handler) in node.handlers.iter().enumerate() {
            let row = block.chain.get(rank)?;
            if let Some(handler) = handler {
                open.push((*handler, row.handler));
            }
        }
        let content = content_for(blocks, at, node)?;
        match met.get_mut(number)? {
            Some(known) if *known == content => {}
            Some(_) => return None,
            place => *place = Some(content),
        }
    }
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Walk);
    for content in met {
        out.digest(&content?);
    }
    Some(out.finish())
}

/// What a node meets in a block: its content, the types that were compared with exceptions, and what decides about the
/// edges that were taken.
fn content_for(blocks: &MethodBlocks, at: usize, node: &ShapeNode) -> Option<Digest> {
    let block = blocks.flow.blocks.get(at)?;
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Walk).digest(&blocks.content(at)?);
    for caught in blocks.caught(at).iter().take(node.handlers.len()) {
        out.digest(caught);
    }
    if node.leaves {
        out.num(block.chain.len() as i64);
    }
    // Which values lead to the default depends on all keys.
    if node.edges.iter().any(|(label, _)| *label == EdgeLabel::Default) {
        for edge in &block.edges {
            if let EdgeLabel::Case(key) = edge.label {
                out.num(i64::from(key));
            }
        }
    }
    Some(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_that_is_not_one_is_refused() {
        for text in ["x>1", "F>", "F>1|x", "99999999999>1", ">-1"] {
            assert!(parse(text).is_none(), "{text}");
        }
        let nodes = parse("F>1,T>2|3,-!;;7>1,d>2|").unwrap();
        assert_eq!(nodes.len(), 3);
        assert_eq!(nodes[0].edges, [(EdgeLabel::False, 1), (EdgeLabel::True, 2)]);
        assert_eq!((nodes[0].handlers.clone(), nodes[0].leaves), (vec![Some(3), None], true));
        assert_eq!((nodes[2].edges.len(), nodes[2].handlers.len(), nodes[2].leaves), (2, 0, false));
    }

    #[test]
    fn parts_are_split_at_the_last_space() {
        assert_eq!(parts("a/B$f()V~new x/Y.g()V F>1"), Some(("a/B$f()V~new x/Y.g()V", "F>1")));
    }
}
