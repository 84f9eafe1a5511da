//! A step that does one thing several times, as that one thing: an unrolled loop as the loop it was.
//!
//! The step of iteration k is `g(… g(g(x, T·k), T·k + 1) …, T·k + T - 1)`. Then N iterations of it are T·N of `g(x, i)`:
//! a fold over a range is one over its parts. `g` is read off the innermost part, where `T·k` becomes `i`; that the
//! others are `g` too is compared in normal form.

use crate::terms::normal::{Normal, Sum, made, products};
use crate::terms::simplify::mask;
use crate::terms::substitute::Substitution;
use crate::terms::term::{BitOp, Node, TermId, Terms};

/// Parts of a step, at most.
const MOST_PARTS: usize = 64;

/// How often the step, a term of what there is `before` it and of the `iteration`, does one thing, and that.
pub fn rolled(
    terms: &mut Terms,
    step: TermId,
    before: TermId,
    iteration: TermId,
) -> Option<(u64, TermId)> {
    let path = path(terms, step, before)?;
    let length = path.len();
    // The smallest part first.
    (1..=length / 2)
        .filter(|part| length % part == 0 && length / part <= MOST_PARTS)
        .find_map(|part| {
            let times = length / part;
            let one = of_parts(terms, &path, part, before, iteration)?;
            Some((times as u64, one))
        })
}

/// The terms from `step` down to `before`, without that, if each has it in one operand only.
fn path(terms: &Terms, step: TermId, before: TermId) -> Option<Vec<TermId>> {
    let mut path = Vec::new();
    let mut at = step;
    while at != before {
        path.push(at);
        let children = terms.children(at);
        let mut with = children
            .into_iter()
            .filter(|child| terms.mentions(*child, &[before]));
        let next = with.next()?;
        if with.next().is_some() || path.len() > 4 * MOST_PARTS {
            return None;
        }
        at = next;
    }
    Some(path)
}

fn of_parts(
    terms: &mut Terms,
    path: &[TermId],
    part: usize,
    before: TermId,
    iteration: TermId,
) -> Option<TermId> {
    let times = path.len() / part;
    let mut normal = Normal::new(false);
    let first = path[path.len() - part];
    let one = shared_out(terms, first, iteration, times as u64)?;
    let one = normal.of(terms, one);
    for number in 0..times {
        let top = path[path.len() - part * (number + 1)];
        let inner = match number {
            0 => before,
            _ => path[path.len() - part * number],
        };
        let own = Substitution::new([(inner, before)]).of(terms, top);
        let own = normal.of(terms, own);
        // `i` is `times * k + number` here.
        let factor = terms.bits(64, times as u64);
        let scaled = terms.bit(BitOp::Mul, iteration, factor);
        let number = terms.bits(64, number as u64);
        let index = terms.bit(BitOp::Add, scaled, number);
        let expected = Substitution::new([(iteration, index)]).of(terms, one);
        if normal.of(terms, expected) != own {
            return None;
        }
    }
    Some(one)
}

/// The term with `times · iteration` as the iteration; `None` where that does not occur as such.
fn shared_out(terms: &mut Terms, term: TermId, iteration: TermId, times: u64) -> Option<TermId> {
    if !terms.mentions(term, &[iteration]) {
        return Some(term);
    }
    let is_word = match terms.node(term) {
        Node::Bit(BitOp::Add | BitOp::Sub | BitOp::Mul, ..) => true,
        Node::Low(_, inner) => *inner == iteration,
        _ => term == iteration,
    };
    if is_word {
        let width = terms.width(term);
        let counted = match width {
            64 => iteration,
            _ => terms.low(width, iteration),
        };
        let mut sum = Sum::new();
        for (product, factor) in products(terms, term) {
            let n = product.iter().filter(|part| **part == counted).count();
            let elsewhere = product
                .iter()
                .any(|part| *part != counted && terms.mentions(*part, &[iteration]));
            let factor = match (n, elsewhere) {
                (0, false) => factor,
                (1, false) => {
                    // As a signed number.
                    let signed = match width < 64 && factor >> (width - 1) & 1 == 1 {
                        true => (factor | !mask(width)) as i64,
                        false => factor as i64,
                    };
                    if signed % times as i64 != 0 {
                        return None;
                    }
                    (signed / times as i64) as u64 & mask(width)
                }
                _ => return None,
            };
            sum.insert(product, factor);
        }
        return Some(made(terms, width, &sum));
    }
    let children = terms.children(term);
    let mut pairs = Vec::new();
    for child in children {
        pairs.push((child, shared_out(terms, child, iteration, times)?));
    }
    // Operands alone: what is inside of them is done.
    Some(Substitution::operands(terms, term, pairs))
}
