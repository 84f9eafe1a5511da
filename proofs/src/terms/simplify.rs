//! Constructors of terms. Each rewrite is an identity of SMT-LIB's bit vectors, but for the known
//! products, which lean on the launch assumptions ([`crate::machine::launch`]).

use crate::terms::term::{BitOp, Node, Order, Sort, TermId, Terms};

/// The low `width` bits of a word.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The word `value` of `width` bits read as a signed number.
pub(crate) fn as_signed(value: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

/// Numbers below are found without a look at the index.
const SMALL: u64 = 4_096;

impl Terms {
    pub fn bool(&mut self, value: bool) -> TermId {
        if let Some(known) = self.truth[usize::from(value)] {
            return known;
        }
        let term = self.intern(Node::Bool(value));
        self.truth[usize::from(value)] = Some(term);
        term
    }

    pub fn bits(&mut self, width: u32, value: u64) -> TermId {
        let value = value & mask(width);
        let kept = match width {
            32 => &mut self.small[0],
            64 => &mut self.small[1],
            _ => return self.intern(Node::Bits { width, value }),
        };
        if value >= SMALL {
            return self.intern(Node::Bits { width, value });
        }
        kept.resize(SMALL as usize, None);
        if let Some(known) = kept[value as usize] {
            return known;
        }
        let term = self.intern(Node::Bits { width, value });
        self.small[usize::from(width == 64)][value as usize] = Some(term);
        term
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match *self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => a,
            (_, Some(false)) => b,
            _ if a == b => a,
            _ if self.not(a) == b => self.bool(false),
            _ => self.intern(Node::And(a, b)),
        }
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) => a,
            (_, Some(true)) => b,
            _ if a == b => a,
            _ if not_a == b || not_b == a => self.bool(true),
            _ => self.intern(Node::Or(a, b)),
        }
    }

    pub fn all(&mut self, terms: &[TermId]) -> TermId {
        let mut result = self.bool(true);
        for &term in terms {
            result = self.and(result, term);
        }
        result
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    pub fn ite(&mut self, cond: TermId, then: TermId, otherwise: TermId) -> TermId {
        match self.as_bool(cond) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None => {}
        }
        // What was chosen before by the same condition is chosen by this one.
        let then = match *self.node(then) {
            Node::Ite(inner, a, _) if inner == cond => a,
            _ => then,
        };
        let otherwise = match *self.node(otherwise) {
            Node::Ite(inner, _, b) if inner == cond => b,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), Some(false)) => cond,
            (Some(false), Some(true)) => self.not(cond),
            _ => self.intern(Node::Ite(cond, then, otherwise)),
        }
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool(true);
        }
        if self.sort(a) == Sort::Bool {
            return match (self.as_bool(a), self.as_bool(b)) {
                (Some(true), _) => b,
                (_, Some(true)) => a,
                (Some(false), _) => self.not(b),
                (_, Some(false)) => self.not(a),
                _ => self.intern(Node::Eq(a.min(b), a.max(b))),
            };
        }
        if self.as_bits(a).is_some() && self.as_bits(b).is_some() {
            return self.bool(false);
        }
        if let Some((a, b)) = self.both_narrower(a, b) {
            return self.eq(a, b);
        }
        if let Some(chosen) = self.compared_by_choice(a, b, Terms::eq) {
            return chosen;
        }
        self.intern(Node::Eq(a.min(b), a.max(b)))
    }

    /// Two extensions of one kind from one width: what they extend.
    fn both_narrower(&self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        match (self.node(a), self.node(b)) {
            (Node::ZeroExt(_, x), Node::ZeroExt(_, y))
            | (Node::SignExt(_, x), Node::SignExt(_, y))
                if self.width(*x) == self.width(*y) =>
            {
                Some((*x, *y))
            }
            _ => None,
        }
    }

    /// A number compared with a choice between two: one is chosen, and that decides.
    fn compared_by_choice(
        &mut self,
        a: TermId,
        b: TermId,
        compare: impl Fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> Option<TermId> {
        let choice = |terms: &Terms, choice: TermId, other: TermId| match *terms.node(choice) {
            Node::Ite(cond, x, y) => {
                let all = [x, y, other].iter().all(|t| terms.as_bits(*t).is_some());
                all.then_some((cond, x, y))
            }
            _ => None,
        };
        let (cond, [p, q]) = if let Some((cond, x, y)) = choice(self, a, b) {
            (cond, [compare(self, x, b), compare(self, y, b)])
        } else {
            let (cond, x, y) = choice(self, b, a)?;
            (cond, [compare(self, a, x), compare(self, a, y)])
        };
        Some(self.ite(cond, p, q))
    }

    pub fn less(&mut self, order: Order, a: TermId, b: TermId) -> TermId {
        if a == b {
            let reflexive = matches!(order, Order::UnsignedLessEq | Order::SignedLessEq);
            return self.bool(reflexive);
        }
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            let (p, q) = (as_signed(x, width), as_signed(y, width));
            return self.bool(match order {
                Order::UnsignedLess => x < y,
                Order::UnsignedLessEq => x <= y,
                Order::SignedLess => p < q,
                Order::SignedLessEq => p <= q,
            });
        }
        // Numbers that are not negative compare alike either way.
        let unsigned = match order {
            Order::SignedLess => Order::UnsignedLess,
            Order::SignedLessEq => Order::UnsignedLessEq,
            other => other,
        };
        if unsigned != order && self.is_not_negative(a) && self.is_not_negative(b) {
            return self.less(unsigned, a, b);
        }
        if unsigned == order
            && let (Node::ZeroExt(_, x), Node::ZeroExt(_, y)) = (self.node(a), self.node(b))
            && self.width(*x) == self.width(*y)
        {
            return self.less(order, *x, *y);
        }
        if let Some(chosen) = self.compared_by_choice(a, b, |terms, a, b| terms.less(order, a, b)) {
            return chosen;
        }
        self.intern(Node::Less(order, a, b))
    }

    pub fn zero_ext(&mut self, width: u32, a: TermId) -> TermId {
        let from = self.width(a);
        if from == width {
            return a;
        }
        match *self.node(a) {
            Node::Bits { value, .. } => self.bits(width, value),
            Node::ZeroExt(_, inner) => self.intern(Node::ZeroExt(width, inner)),
            _ => self.intern(Node::ZeroExt(width, a)),
        }
    }

    pub fn sign_ext(&mut self, width: u32, a: TermId) -> TermId {
        let from = self.width(a);
        if from == width {
            return a;
        }
        match *self.node(a) {
            Node::Bits { value, .. } => self.bits(width, as_signed(value, from) as u64),
            Node::SignExt(_, inner) => self.intern(Node::SignExt(width, inner)),
            _ if self.is_not_negative(a) => self.zero_ext(width, a),
            _ => self.intern(Node::SignExt(width, a)),
        }
    }

    /// The low `width` bits.
    pub fn low(&mut self, width: u32, a: TermId) -> TermId {
        let from = self.width(a);
        if from == width {
            return a;
        }
        match *self.node(a) {
            Node::Bits { value, .. } => self.bits(width, value),
            Node::Low(_, inner) => self.intern(Node::Low(width, inner)),
            Node::ZeroExt(_, inner) | Node::SignExt(_, inner) if self.width(inner) == width => {
                inner
            }
            Node::ZeroExt(_, inner) if self.width(inner) < width => self.zero_ext(width, inner),
            Node::SignExt(_, inner) if self.width(inner) < width => self.sign_ext(width, inner),
            _ => self.intern(Node::Low(width, a)),
        }
    }

    pub fn bit(&mut self, op: BitOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            return self.bits(width, fold(op, x, y, width));
        }
        let (a, b) = match op {
            // Constants to the right.
            BitOp::Add | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor
                if self.as_bits(a).is_some() =>
            {
                (b, a)
            }
            _ => (a, b),
        };
        let constant = self.as_bits(b);
        match (op, constant) {
            (BitOp::Sub, Some(y)) => {
                let minus = self.bits(width, y.wrapping_neg());
                return self.bit(BitOp::Add, a, minus);
            }
            (BitOp::Add | BitOp::Or | BitOp::Xor, Some(0))
            | (BitOp::Shl | BitOp::LShr | BitOp::AShr, Some(0))
            | (BitOp::Mul | BitOp::UDiv | BitOp::SDiv, Some(1)) => return a,
            (BitOp::Mul | BitOp::And, Some(0)) => return b,
            (BitOp::And, Some(y)) if y == mask(width) => return a,
            (BitOp::Add, Some(y)) => {
                if let Node::Bit(BitOp::Add, inner, more) = *self.node(a)
                    && let Some(x) = self.as_bits(more)
                {
                    let sum = self.bits(width, x.wrapping_add(y));
                    return self.bit(BitOp::Add, inner, sum);
                }
            }
            (BitOp::Mul, Some(y)) if y.is_power_of_two() => {
                let by = self.bits(width, y.trailing_zeros() as u64);
                return self.bit(BitOp::Shl, a, by);
            }
            (BitOp::UDiv, Some(y)) if y.is_power_of_two() => {
                let by = self.bits(width, y.trailing_zeros() as u64);
                return self.bit(BitOp::LShr, a, by);
            }
            (BitOp::SDiv, Some(y))
                if y.is_power_of_two() && as_signed(y, width) > 0 && self.is_not_negative(a) =>
            {
                let by = self.bits(width, y.trailing_zeros() as u64);
                return self.bit(BitOp::LShr, a, by);
            }
            (BitOp::Shl, Some(by)) => {
                if by >= width as u64 {
                    return self.bits(width, 0);
                }
                // (c << m) << by = (c << by) << m
                if let Node::Bit(BitOp::Shl, base, m) = *self.node(a) {
                    if let Some(c) = self.as_bits(base) {
                        let base = self.bits(width, c << by);
                        return self.bit(BitOp::Shl, base, m);
                    }
                    if let Some(m) = self.as_bits(m)
                        && m + by < width as u64
                    {
                        let sum = self.bits(width, m + by);
                        return self.bit(BitOp::Shl, base, sum);
                    }
                }
            }
            (BitOp::LShr, Some(by)) => {
                if by >= width as u64 {
                    return self.bits(width, 0);
                }
                if let Node::Bit(BitOp::LShr, base, m) = *self.node(a)
                    && let Some(m) = self.as_bits(m)
                    && m + by < width as u64
                {
                    let sum = self.bits(width, m + by);
                    return self.bit(BitOp::LShr, base, sum);
                }
            }
            (BitOp::AShr, Some(_)) if self.is_not_negative(a) => {
                return self.bit(BitOp::LShr, a, b);
            }
            _ => {}
        }
        match op {
            BitOp::Sub | BitOp::Xor if a == b => return self.bits(width, 0),
            BitOp::And | BitOp::Or if a == b => return a,
            BitOp::Add if a == b => {
                let one = self.bits(width, 1);
                return self.bit(BitOp::Shl, a, one);
            }
            BitOp::Mul => {
                if let Some(product) = self.known_product(a, b) {
                    return product;
                }
            }
            BitOp::URem | BitOp::SRem => {
                let unsigned = op == BitOp::URem || self.is_not_negative(a);
                if unsigned && self.is_power_of_two_or_zero(b, op) {
                    // x mod 2^k = x & (2^k - 1), and both are x where 2^k has wrapped to zero
                    // (for a signed remainder of x ≥ 0 also where it has wrapped to the minimum).
                    let minus_one = self.bits(width, u64::MAX);
                    let low_bits = self.bit(BitOp::Add, b, minus_one);
                    return self.bit(BitOp::And, a, low_bits);
                }
                if op == BitOp::SRem && self.is_not_negative(a) && self.is_not_negative(b) {
                    return self.bit(BitOp::URem, a, b);
                }
            }
            BitOp::SDiv if self.is_not_negative(a) && self.is_not_negative(b) => {
                return self.bit(BitOp::UDiv, a, b);
            }
            _ => {}
        }
        // One name for either order of the operands.
        let (a, b) = match op {
            BitOp::Add | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor
                if self.as_bits(b).is_none() =>
            {
                (a.min(b), a.max(b))
            }
            _ => (a, b),
        };
        self.intern(Node::Bit(op, a, b))
    }

    fn is_power_of_two_or_zero(&self, a: TermId, op: BitOp) -> bool {
        match *self.node(a) {
            // As a divisor 2^(w-1) is positive for `URem` only.
            Node::Bits { value, width } => {
                value.is_power_of_two() && (op == BitOp::URem || as_signed(value, width) > 0)
            }
            Node::Bit(BitOp::Shl, base, _) => {
                self.as_bits(base).is_some_and(|c| c.is_power_of_two())
            }
            _ => false,
        }
    }

    /// Rewrites a product that contains both factors of a known product.
    fn known_product(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if width < 32 || self.known_products.is_empty() {
            return None;
        }
        let mut factors = Vec::new();
        self.factors(a, &mut factors);
        self.factors(b, &mut factors);
        for known in self.known_products.clone() {
            let place = |terms: &Terms, factors: &[TermId], symbol| {
                factors.iter().position(|&f| {
                    matches!(*terms.node(f), Node::ZeroExt(_, x)
                        if terms.as_symbol(x) == Some(symbol))
                })
            };
            let (Some(i), Some(j)) = (
                place(self, &factors, known.factors[0]),
                place(self, &factors, known.factors[1]),
            ) else {
                continue;
            };
            let mut result = self.zero_ext(width, known.product);
            for (k, &factor) in factors.iter().enumerate() {
                if k != i && k != j {
                    result = self.bit(BitOp::Mul, result, factor);
                }
            }
            return Some(result);
        }
        None
    }

    /// The factors of a product of this width.
    fn factors(&mut self, a: TermId, found: &mut Vec<TermId>) {
        let width = self.width(a);
        match *self.node(a) {
            Node::Bit(BitOp::Mul, x, y) => {
                self.factors(x, found);
                self.factors(y, found);
            }
            Node::Bit(BitOp::Shl, x, by) if self.as_bits(by).is_some() => {
                let by = self.as_bits(by).unwrap_or(0);
                self.factors(x, found);
                let power = self.bits(width, if by < 64 { 1 << by } else { 0 });
                found.push(power);
            }
            _ => found.push(a),
        }
    }
}

/// Arithmetic on constants, as SMT-LIB defines it.
fn fold(op: BitOp, x: u64, y: u64, width: u32) -> u64 {
    let (p, q) = (as_signed(x, width), as_signed(y, width));
    match op {
        BitOp::Add => x.wrapping_add(y),
        BitOp::Sub => x.wrapping_sub(y),
        BitOp::Mul => x.wrapping_mul(y),
        BitOp::UDiv => x.checked_div(y).unwrap_or(u64::MAX),
        BitOp::URem => x.checked_rem(y).unwrap_or(x),
        BitOp::SDiv if q == 0 => {
            if p < 0 {
                1
            } else {
                u64::MAX
            }
        }
        BitOp::SDiv => p.wrapping_div(q) as u64,
        BitOp::SRem if q == 0 => x,
        BitOp::SRem => p.wrapping_rem(q) as u64,
        BitOp::Shl if y >= width as u64 => 0,
        BitOp::Shl => x << y,
        BitOp::LShr if y >= width as u64 => 0,
        BitOp::LShr => x >> y,
        BitOp::AShr => (p >> y.min(width as u64 - 1).min(63)) as u64,
        BitOp::And => x & y,
        BitOp::Or => x | y,
        BitOp::Xor => x ^ y,
    }
}
