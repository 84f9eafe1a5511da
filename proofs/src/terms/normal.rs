//! Normal forms: two terms with one normal form have one value.
//!
//! - Integers: sums of products modulo 2^width. The low bits of a sum are the sum of the low bits; a shift to the left
//!   by a constant is a product.
//! - Bitwise `and`, `or`, `xor`: operands in one order, each once (`xor`: in pairs none).
//! - Floats, exactly: `a + b`, `a * b` and `fma(a, b, c)` do not depend on the order of `a` and `b`, `a - b` is `a + (-b)`,
//!   `a * 2` is `a + a`, a quotient by a power of two is a product, and the largest and the smallest of several are those
//!   of a set.
//! - Floats modulo associativity and commutativity, where asked for: sums and products as multisets, without zeros and
//!   ones.

use crate::terms::function::Function;
use crate::terms::simplify::mask;
use crate::terms::term::{BitOp, Node, Sort, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Sums of more products than this are left as they are.
const MOST_PRODUCTS: usize = 4_096;

/// A sum: products of terms, sorted, each with its factor.
pub type Sum = BTreeMap<Vec<TermId>, u64>;

pub struct Normal {
    /// Whether sums and products of floats are multisets.
    floats_commute: bool,
    known: FxHashMap<TermId, TermId>,
}

impl Normal {
    pub fn new(floats_commute: bool) -> Normal {
        Normal {
            floats_commute,
            known: FxHashMap::default(),
        }
    }

    /// The normal form.
    pub fn of(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        // Operands first, on a stack of our own: sums of thousands of terms nest deeply.
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            if !ready {
                stack.push((t, true));
                stack.extend(terms.children(t).into_iter().map(|c| (c, false)));
                continue;
            }
            let normal = self.built(terms, t);
            self.known.insert(t, normal);
            self.known.insert(normal, normal);
        }
        self.known[&term]
    }

    /// The normal form of a term whose operands have theirs.
    fn built(&self, terms: &mut Terms, term: TermId) -> TermId {
        let get = |t: &TermId| self.known[t];
        match terms.node(term).clone() {
            Node::Bool(_) | Node::Bits { .. } | Node::Symbol(_) => term,
            Node::Bit(op, a, b) => {
                let (a, b) = (get(&a), get(&b));
                match op {
                    BitOp::Add | BitOp::Sub | BitOp::Mul => ring(terms, op, a, b),
                    BitOp::Shl => match terms.as_bits(b) {
                        Some(by) if by < u64::from(terms.width(a)) => {
                            let factor = terms.bits(terms.width(a), 1 << by);
                            ring(terms, BitOp::Mul, a, factor)
                        }
                        _ => terms.bit(op, a, b),
                    },
                    BitOp::And | BitOp::Or | BitOp::Xor => bitwise(terms, op, a, b),
                    _ => terms.bit(op, a, b),
                }
            }
            Node::ZeroExt(width, a) => terms.zero_ext(width, get(&a)),
            Node::SignExt(width, a) => terms.sign_ext(width, get(&a)),
            Node::Low(width, a) => low(terms, width, get(&a)),
            Node::Ite(c, a, b) => {
                let (c, a, b) = (get(&c), get(&a), get(&b));
                // `if not c then a else b` is `if c then b else a`.
                match *terms.node(c) {
                    Node::Not(inner) => terms.ite(inner, b, a),
                    _ => terms.ite(c, a, b),
                }
            }
            Node::Not(a) => terms.not(get(&a)),
            Node::And(a, b) => {
                let (a, b) = ordered(get(&a), get(&b));
                terms.and(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = ordered(get(&a), get(&b));
                terms.or(a, b)
            }
            Node::Eq(a, b) => terms.eq(get(&a), get(&b)),
            Node::Less(order, a, b) => terms.less(order, get(&a), get(&b)),
            Node::Apply {
                function,
                result,
                args,
            } => {
                let args: Vec<TermId> = args.iter().map(get).collect();
                self.applied(terms, function, result, args)
            }
        }
    }

    fn applied(
        &self,
        terms: &mut Terms,
        function: Function,
        result: Sort,
        args: Vec<TermId>,
    ) -> TermId {
        let apply = |terms: &mut Terms, function: Function, args: Vec<TermId>| {
            terms.intern(Node::Apply {
                function,
                result,
                args: args.into(),
            })
        };
        let of_floats = match &function {
            Function::Operation(name) => name.split_once(' ').filter(|(_, ty)| is_float(ty)),
            _ => None,
        };
        let Some((name, ty)) = of_floats else {
            return apply(terms, function, args);
        };
        match (name, args.as_slice()) {
            ("Sub", &[a, b]) => {
                let minus = apply(
                    terms,
                    Function::Operation(format!("Neg {ty}").into()),
                    vec![b],
                );
                self.sum(terms, "Add", ty, result, [a, minus])
            }
            ("Mul", &[a, b]) => match (is_two(terms, a, ty), is_two(terms, b, ty)) {
                (true, _) => self.sum(terms, "Add", ty, result, [b, b]),
                (_, true) => self.sum(terms, "Add", ty, result, [a, a]),
                _ => self.sum(terms, "Mul", ty, result, [a, b]),
            },
            ("Add", &[a, b]) => self.sum(terms, "Add", ty, result, [a, b]),
            ("Div", &[a, b]) => match inverse(terms, b, ty) {
                Some(inverse) if is_two(terms, inverse, ty) => {
                    self.sum(terms, "Add", ty, result, [a, a])
                }
                Some(inverse) => self.sum(terms, "Mul", ty, result, [a, inverse]),
                None => apply(terms, function.clone(), args),
            },
            ("Max" | "Min", &[a, b]) => extreme(terms, function.clone(), result, [a, b]),
            ("Fma", &[a, b, c]) => {
                let (a, b) = ordered(a, b);
                apply(terms, function.clone(), vec![a, b, c])
            }
            _ => apply(terms, function.clone(), args),
        }
    }

    /// A sum or product of two floats; of those that both are, where order does not matter.
    fn sum(
        &self,
        terms: &mut Terms,
        name: &str,
        ty: &str,
        result: Sort,
        operands: [TermId; 2],
    ) -> TermId {
        let function = Function::Operation(format!("{name} {ty}").into());
        let mut args = Vec::new();
        for operand in operands {
            match terms.node(operand) {
                Node::Apply {
                    function: inner,
                    args: parts,
                    ..
                } if self.floats_commute && *inner == function => args.extend_from_slice(parts),
                _ => args.push(operand),
            }
        }
        if self.floats_commute {
            // One of them stays, if there is nothing else.
            let unit = args
                .iter()
                .copied()
                .find(|arg| is_unit(terms, *arg, name, ty));
            args.retain(|arg| !is_unit(terms, *arg, name, ty));
            match (args.as_slice(), unit) {
                (&[], Some(unit)) => return unit,
                (&[only], _) => return only,
                _ => {}
            }
        }
        args.sort_unstable();
        terms.intern(Node::Apply {
            function,
            result,
            args: args.into(),
        })
    }
}

/// The largest, or the smallest, of floats: a number where one is, and 0 above -0, so that neither order nor repetition
/// matters. Two at least stay, as what is no number is made one of its kind.
fn extreme(terms: &mut Terms, function: Function, result: Sort, operands: [TermId; 2]) -> TermId {
    let mut args = Vec::new();
    for operand in operands {
        match terms.node(operand) {
            Node::Apply {
                function: inner,
                args: parts,
                ..
            } if *inner == function => args.extend_from_slice(parts),
            _ => args.push(operand),
        }
    }
    args.sort_unstable();
    args.dedup();
    if let &[only] = args.as_slice() {
        args.push(only);
    }
    terms.intern(Node::Apply {
        function,
        result,
        args: args.into(),
    })
}

/// What a sum, or a product, is the same without, but for the sign of a zero.
fn is_unit(terms: &Terms, term: TermId, name: &str, ty: &str) -> bool {
    let is = |single: f32, double: f64| match ty {
        "F32" => u64::from(single.to_bits()),
        _ => double.to_bits(),
    };
    let units = match name {
        "Add" => [is(0.0, 0.0), is(-0.0, -0.0)],
        _ => [is(1.0, 1.0); 2],
    };
    terms
        .as_bits(term)
        .is_some_and(|bits| units.contains(&bits))
}

/// One by a power of two, where both are normal numbers: then a quotient and a product round the same number.
fn inverse(terms: &mut Terms, term: TermId, ty: &str) -> Option<TermId> {
    let bits = terms.as_bits(term)?;
    match ty {
        "F32" => {
            let value = f32::from_bits(u32::try_from(bits).ok()?);
            let inverse = 1.0 / value;
            let is_power = bits & u64::from(u32::MAX >> 9) == 0;
            let fits = is_power && value.is_normal() && inverse.is_normal();
            fits.then(|| terms.bits(32, u64::from(inverse.to_bits())))
        }
        _ => {
            let value = f64::from_bits(bits);
            let inverse = 1.0 / value;
            let is_power = bits & (u64::MAX >> 12) == 0;
            let fits = is_power && value.is_normal() && inverse.is_normal();
            fits.then(|| terms.bits(64, inverse.to_bits()))
        }
    }
}

fn is_float(ty: &str) -> bool {
    matches!(ty, "F32" | "F64")
}

fn is_two(terms: &Terms, term: TermId, ty: &str) -> bool {
    let two = match ty {
        "F32" => u64::from(2f32.to_bits()),
        _ => 2f64.to_bits(),
    };
    terms.as_bits(term) == Some(two)
}

fn ordered(a: TermId, b: TermId) -> (TermId, TermId) {
    (a.min(b), a.max(b))
}

/// The products of a term in normal form.
pub fn products(terms: &Terms, term: TermId) -> Sum {
    let modulus = mask(terms.width(term));
    let mut sum = Sum::new();
    let mut open = vec![(term, 1u64)];
    while let Some((t, factor)) = open.pop() {
        match terms.node(t) {
            Node::Bit(BitOp::Add, a, b) => open.extend([(*a, factor), (*b, factor)]),
            Node::Bit(BitOp::Sub, a, b) => {
                open.extend([(*a, factor), (*b, factor.wrapping_neg())]);
            }
            Node::Bits { value, .. } => add(&mut sum, vec![], factor.wrapping_mul(*value), modulus),
            Node::Bit(BitOp::Shl, a, by) if terms.as_bits(*by).is_some_and(|by| by < 64) => {
                let by = terms.as_bits(*by).unwrap_or(0);
                open.push((*a, factor.wrapping_shl(by as u32)));
            }
            Node::Bit(BitOp::Mul, a, b) => match (terms.as_bits(*a), terms.as_bits(*b)) {
                (Some(x), _) => open.push((*b, factor.wrapping_mul(x))),
                (_, Some(y)) => open.push((*a, factor.wrapping_mul(y))),
                _ => {
                    let mut factors = factors(terms, t);
                    factors.sort_unstable();
                    add(&mut sum, factors, factor, modulus);
                }
            },
            _ => add(&mut sum, vec![t], factor, modulus),
        }
    }
    sum
}

/// A word in normal form as a sum: products of terms, each with its factor. What is extended without loss counts as
/// what it is extended from: right where nothing wraps around, which is to be shown.
pub fn linear(terms: &Terms, term: TermId) -> Option<Sum> {
    let inner = match terms.node(term) {
        Node::SignExt(_, inner) => *inner,
        Node::ZeroExt(_, inner) if !matches!(terms.node(*inner), Node::Symbol(_)) => *inner,
        _ => term,
    };
    if terms.width(inner) > 64 {
        return None;
    }
    let width = terms.width(inner);
    let mut sum = Sum::new();
    for (product, factor) in products(terms, inner) {
        // As a signed number.
        let factor = match width < 64 && factor >> (width - 1) & 1 == 1 {
            true => factor | !mask(width),
            false => factor,
        };
        sum.insert(product, factor);
    }
    sum.retain(|_, factor| *factor != 0);
    Some(sum)
}

/// The factors of a product in normal form, which are no sums.
fn factors(terms: &Terms, term: TermId) -> Vec<TermId> {
    match terms.node(term) {
        Node::Bit(BitOp::Mul, a, b) => [factors(terms, *a), factors(terms, *b)].concat(),
        _ => vec![term],
    }
}

fn add(sum: &mut Sum, product: Vec<TermId>, factor: u64, modulus: u64) {
    let entry = sum.entry(product).or_insert(0);
    *entry = entry.wrapping_add(factor) & modulus;
}

/// A sum, difference or product of integers.
fn ring(terms: &mut Terms, op: BitOp, a: TermId, b: TermId) -> TermId {
    let width = terms.width(a);
    let modulus = mask(width);
    let (x, y) = (products(terms, a), products(terms, b));
    let mut sum = Sum::new();
    if op == BitOp::Mul {
        if x.len().saturating_mul(y.len()) > MOST_PRODUCTS {
            let (a, b) = ordered(a, b);
            return terms.intern(Node::Bit(op, a, b));
        }
        for (p, m) in &x {
            for (q, n) in &y {
                let mut product = [&p[..], &q[..]].concat();
                product.sort_unstable();
                add(&mut sum, product, m.wrapping_mul(*n), modulus);
            }
        }
    } else {
        sum = x;
        for (product, factor) in y {
            let factor = match op {
                BitOp::Sub => factor.wrapping_neg(),
                _ => factor,
            };
            add(&mut sum, product, factor, modulus);
        }
    }
    sum.retain(|_, factor| *factor != 0);
    made(terms, width, &sum)
}

/// The term of a sum: always the same for the same sum.
pub fn made(terms: &mut Terms, width: u32, sum: &Sum) -> TermId {
    let mut total: Option<TermId> = None;
    for (product, factor) in sum {
        let constant = terms.bits(width, *factor);
        let mut term: Option<TermId> = None;
        for part in product {
            term = Some(match term {
                None => *part,
                Some(term) => terms.intern(Node::Bit(BitOp::Mul, term, *part)),
            });
        }
        let term = match term {
            None => constant,
            Some(term) if *factor == 1 => term,
            Some(term) => terms.intern(Node::Bit(BitOp::Mul, term, constant)),
        };
        total = Some(match total {
            None => term,
            Some(total) => terms.intern(Node::Bit(BitOp::Add, total, term)),
        });
    }
    total.unwrap_or_else(|| terms.bits(width, 0))
}

/// The low bits of a term in normal form.
fn low(terms: &mut Terms, width: u32, term: TermId) -> TermId {
    let is_ring = matches!(
        terms.node(term),
        Node::Bit(BitOp::Add | BitOp::Sub | BitOp::Mul, ..)
    );
    if !is_ring {
        return terms.low(width, term);
    }
    let mut sum = Sum::new();
    for (product, factor) in products(terms, term) {
        let mut parts = Vec::new();
        let mut factor = factor;
        for part in product {
            let part = terms.low(width, part);
            match terms.as_bits(part) {
                Some(value) => factor = factor.wrapping_mul(value),
                None => parts.push(part),
            }
        }
        parts.sort_unstable();
        add(&mut sum, parts, factor, mask(width));
    }
    sum.retain(|_, factor| *factor != 0);
    made(terms, width, &sum)
}

/// `and`, `or` or `xor` of terms in normal form.
fn bitwise(terms: &mut Terms, op: BitOp, a: TermId, b: TermId) -> TermId {
    let mut parts = Vec::new();
    let mut open = vec![a, b];
    while let Some(t) = open.pop() {
        match terms.node(t) {
            Node::Bit(inner, x, y) if *inner == op => open.extend([*x, *y]),
            _ => parts.push(t),
        }
    }
    parts.sort_unstable();
    if op == BitOp::Xor {
        let mut odd: Vec<TermId> = Vec::new();
        for part in parts {
            match odd.last() == Some(&part) {
                true => drop(odd.pop()),
                false => odd.push(part),
            }
        }
        parts = odd;
    } else {
        parts.dedup();
    }
    let mut parts = parts.into_iter();
    match parts.next() {
        None => terms.bits(terms.width(a), 0),
        Some(first) => parts.fold(first, |all, part| terms.bit(op, all, part)),
    }
}
