//! Goals that speak of other cells of inputs alone: where nothing is assumed, one that holds for all inputs holds of any
//! cells in their place, so that one of them is asked about. A launch has a goal for each cell that it writes.

use crate::terms::function::Function;
use crate::terms::term::{Node, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

/// Nodes of a goal above which it is not looked at.
const MOST_NODES: usize = 4_096;

/// The goals without those that are like one before; `cond` is what holds if a goal does.
pub(super) fn distinct<'g, T>(
    terms: &Terms,
    goals: &'g [T],
    cond: impl Fn(&T) -> TermId,
) -> Vec<&'g T> {
    let mut seen: FxHashSet<Vec<Node>> = FxHashSet::default();
    let is_new = |goal: &&T| match shape(terms, cond(goal)) {
        Some(shape) => seen.insert(shape),
        None => true,
    };
    goals.iter().filter(is_new).collect()
}

/// A term with its nodes numbered from the leaves on, and cells of each input by when they are first met. `None`: it is
/// too large, or asks which of its cells are the same.
fn shape(terms: &Terms, term: TermId) -> Option<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut numbers: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut n_cells = 0;
    let mut open = vec![(term, false)];
    while let Some((t, is_ready)) = open.pop() {
        if numbers.contains_key(&t) {
            continue;
        }
        let node = terms.node(t);
        if let Node::Apply {
            function: function @ Function::Input(_),
            result,
            args,
        } = node
        {
            let is_fixed = args.iter().all(|arg| terms.as_bits(*arg).is_some());
            if !is_fixed {
                return None;
            }
            numbers.insert(t, TermId(nodes.len() as u32));
            nodes.push(Node::Apply {
                function: function.clone(),
                result: *result,
                args: smallvec![TermId(n_cells)],
            });
            n_cells += 1;
            continue;
        }
        if !is_ready {
            open.push((t, true));
            // The first operand on top: numbers are those of the order in which a term is read.
            let children = terms.children(t).into_iter().rev();
            open.extend(children.map(|child| (child, false)));
            continue;
        }
        if nodes.len() >= MOST_NODES {
            return None;
        }
        numbers.insert(t, TermId(nodes.len() as u32));
        nodes.push(numbered(node, &numbers));
    }
    Some(nodes)
}

fn numbered(node: &Node, numbers: &FxHashMap<TermId, TermId>) -> Node {
    let of = |t: &TermId| numbers[t];
    match node {
        Node::Bool(_) | Node::Bits { .. } | Node::Symbol(_) => node.clone(),
        Node::Bit(op, a, b) => Node::Bit(*op, of(a), of(b)),
        Node::ZeroExt(width, a) => Node::ZeroExt(*width, of(a)),
        Node::SignExt(width, a) => Node::SignExt(*width, of(a)),
        Node::Low(width, a) => Node::Low(*width, of(a)),
        Node::Ite(c, a, b) => Node::Ite(of(c), of(a), of(b)),
        Node::Not(a) => Node::Not(of(a)),
        Node::And(a, b) => Node::And(of(a), of(b)),
        Node::Or(a, b) => Node::Or(of(a), of(b)),
        Node::Eq(a, b) => Node::Eq(of(a), of(b)),
        Node::Less(order, a, b) => Node::Less(*order, of(a), of(b)),
        Node::Apply {
            function,
            result,
            args,
        } => Node::Apply {
            function: function.clone(),
            result: *result,
            args: args.iter().map(of).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::term::{BitOp, Sort};

    fn cell(terms: &mut Terms, array: &str, number: u64) -> TermId {
        let number = terms.bits(64, number);
        terms.intern(Node::Apply {
            function: Function::Input(array.into()),
            result: Sort::Bits(32),
            args: smallvec![number],
        })
    }

    #[test]
    fn only_the_numbers_of_cells_may_differ() {
        let mut terms = Terms::default();
        let mut is = |(one, i): (&str, u64), (other, j): (&str, u64), by: u64, least: u64| {
            let (a, b) = (cell(&mut terms, one, i), cell(&mut terms, other, j));
            let by = terms.bits(32, by);
            let a = terms.intern(Node::Bit(BitOp::Mul, a, by));
            let least = terms.bits(32, least);
            let b = terms.intern(Node::Bit(BitOp::Xor, b, least));
            terms.intern(Node::Eq(a, b))
        };
        let goals = [
            is(("a", 0), ("b", 0), 3, 7),
            // Like the first.
            is(("a", 5), ("b", 9), 3, 7),
            is(("a", 5), ("b", 9), 5, 7),
            is(("a", 5), ("b", 9), 3, 8),
            is(("b", 5), ("a", 9), 3, 7),
            is(("a", 5), ("a", 9), 3, 7),
            // Like the one before.
            is(("a", 9), ("a", 5), 3, 7),
            // One cell in both places.
            is(("a", 5), ("a", 5), 3, 7),
            is(("a", 6), ("a", 6), 3, 7),
        ];
        let kept = distinct(&terms, &goals, |cond| *cond);
        let expected = [0, 2, 3, 4, 5, 7].map(|number: usize| &goals[number]);
        assert_eq!(kept, expected);
    }

    /// A cell whose number is no constant may be one of the others.
    #[test]
    fn cells_that_are_chosen_are_not_renamed() {
        let mut terms = Terms::default();
        let mut is = |number: u64| {
            let place = cell(&mut terms, "at", 0);
            let place = terms.zero_ext(64, place);
            let chosen = terms.intern(Node::Apply {
                function: Function::Input("a".into()),
                result: Sort::Bits(32),
                args: smallvec![place],
            });
            let other = cell(&mut terms, "a", number);
            terms.intern(Node::Eq(chosen, other))
        };
        let goals = [is(0), is(1)];
        assert_eq!(distinct(&terms, &goals, |cond| *cond).len(), 2);
    }
}
