//! Laws of real numbers one by one.

mod random;

use super::*;
use crate::terms::sort::Sort;
use smallvec::smallvec;
use std::time::Duration;

/// Terms over inputs `x[0]`, `x[1]`, … of 32 bits.
struct Made {
    terms: Terms,
}

impl Made {
    fn new() -> Made {
        Made {
            terms: Terms::default(),
        }
    }

    fn x(&mut self, cell: u64) -> TermId {
        let cell = self.terms.bits(64, cell);
        self.apply(Function::Input("x".into()), vec![cell])
    }

    fn number(&mut self, number: f32) -> TermId {
        self.terms.bits(32, u64::from(number.to_bits()))
    }

    fn apply(&mut self, function: Function, args: Vec<TermId>) -> TermId {
        self.terms.intern(Node::Apply {
            function,
            result: Sort::Bits(32),
            args: args.into(),
        })
    }

    fn op(&mut self, name: &str, args: &[TermId]) -> TermId {
        self.apply(
            Function::Operation(format!("{name} F32").into()),
            args.to_vec(),
        )
    }

    fn exp(&mut self, a: TermId) -> TermId {
        self.op("Elementary(Exp)", &[a])
    }

    /// `if a > b then a else b`
    fn larger(&mut self, a: TermId, b: TermId) -> TermId {
        self.choice([a, b], a, b)
    }

    /// `if a > b then x else y`
    fn choice(&mut self, [a, b]: [TermId; 2], x: TermId, y: TermId) -> TermId {
        let is_larger = self.terms.intern(Node::Apply {
            function: Function::Operation("Gt F32".into()),
            result: Sort::Bool,
            args: smallvec![a, b],
        });
        self.terms.ite(is_larger, x, y)
    }

    fn compared(&mut self, old: TermId, new: TermId) -> Compared {
        let mut reals = Reals::new(Instant::now() + Duration::from_secs(60));
        reals.take_for_granted(&mut self.terms, old);
        reals.compared(&mut self.terms, old, new)
    }

    #[track_caller]
    fn is_same(&mut self, old: TermId, new: TermId) {
        match self.compared(old, new) {
            Compared::Same => {}
            Compared::Apart(inputs) => panic!("apart at {inputs:?}"),
            Compared::Open(why) => panic!("{why}"),
        }
    }

    #[track_caller]
    fn is_apart(&mut self, old: TermId, new: TermId) {
        assert!(matches!(self.compared(old, new), Compared::Apart(_)));
    }

    #[track_caller]
    fn is_open(&mut self, old: TermId, new: TermId, why: &str) {
        match self.compared(old, new) {
            Compared::Open(said) => assert!(said.contains(why), "{said}"),
            Compared::Same => panic!("the same"),
            Compared::Apart(inputs) => panic!("apart at {inputs:?}"),
        }
    }
}

/// Of `n` numbers: in three passes, and in one that corrects its sum whenever the maximum grows.
fn softmax(m: &mut Made, n: u64, corrects: bool, of: u64) -> [TermId; 2] {
    let x: Vec<TermId> = (0..n).map(|cell| m.x(cell)).collect();
    let mut most = x[0];
    for &x in &x[1..] {
        most = m.op("Max", &[most, x]);
    }
    let mut sum = m.number(0.0);
    for &x in &x {
        let apart = m.op("Sub", &[x, most]);
        let power = m.exp(apart);
        sum = m.op("Add", &[sum, power]);
    }
    let apart = m.op("Sub", &[x[of as usize], most]);
    let power = m.exp(apart);
    let old = m.op("Div", &[power, sum]);
    let one = m.number(1.0);
    let (mut running, mut total) = (m.number(f32::NEG_INFINITY), m.number(0.0));
    for &x in &x {
        let next = m.larger(x, running);
        let down = m.op("Sub", &[running, next]);
        let factor = m.exp(down);
        let scaled = match corrects {
            true => m.op("Mul", &[total, factor]),
            false => total,
        };
        let apart = m.op("Sub", &[x, next]);
        let power = m.exp(apart);
        total = m.op("Fma", &[one, power, scaled]);
        running = next;
    }
    let apart = m.op("Sub", &[x[of as usize], running]);
    let power = m.exp(apart);
    let new = m.op("Div", &[power, total]);
    [old, new]
}

#[test]
fn softmax_in_one_pass() {
    let mut m = Made::new();
    for n in [1, 2, 7, 24] {
        let [old, new] = softmax(&mut m, n, true, n / 2);
        m.is_same(old, new);
        if n > 1 {
            let [old, wrong] = softmax(&mut m, n, false, n / 2);
            m.is_apart(old, wrong);
        }
    }
}

/// The variance by two passes, and Welford's.
#[test]
fn variance_in_one_pass() {
    let n = 9u16;
    let mut m = Made::new();
    let x: Vec<TermId> = (0..u64::from(n)).map(|cell| m.x(cell)).collect();
    let count = m.number(f32::from(n));
    let mut sum = m.number(0.0);
    for &x in &x {
        sum = m.op("Add", &[sum, x]);
    }
    let mean = m.op("Div", &[sum, count]);
    let mut squares = m.number(0.0);
    for &x in &x {
        let apart = m.op("Sub", &[x, mean]);
        let square = m.op("Mul", &[apart, apart]);
        squares = m.op("Add", &[squares, square]);
    }
    let mut welford = |of_new_mean: bool| {
        let (mut mean, mut squares) = (m.number(0.0), m.number(0.0));
        for (k, &x) in x.iter().enumerate() {
            let k = m.number(k as f32 + 1.0);
            let apart = m.op("Sub", &[x, mean]);
            let step = m.op("Div", &[apart, k]);
            mean = m.op("Add", &[mean, step]);
            let other = match of_new_mean {
                true => m.op("Sub", &[x, mean]),
                false => apart,
            };
            let square = m.op("Mul", &[apart, other]);
            squares = m.op("Add", &[squares, square]);
        }
        squares
    };
    let (right, wrong) = (welford(true), welford(false));
    m.is_same(squares, right);
    m.is_apart(squares, wrong);
    // One by the root: both need that what is under it is positive, and say the same of it.
    let inverse = |m: &mut Made, of: TermId| {
        let small = m.number(0.001);
        let of = m.op("Add", &[of, small]);
        let root = m.op("Sqrt", &[of]);
        let one = m.number(1.0);
        m.op("Div", &[one, root])
    };
    let (old, new) = (inverse(&mut m, squares), inverse(&mut m, right));
    m.is_same(old, new);
}

/// Nothing is claimed where the old program is not defined; the new one has to be defined where the old one is.
#[test]
fn what_is_divided_by() {
    let mut m = Made::new();
    let (x, y) = (m.x(0), m.x(1));
    let product = m.op("Mul", &[x, y]);
    let back = m.op("Div", &[product, y]);
    m.is_same(back, x);
    m.is_open(x, back, "divide by 0");
    // A sum is not 0 where one of its parts may be.
    let (sum, one) = (m.op("Add", &[x, y]), m.number(1.0));
    let inverse = m.op("Div", &[one, sum]);
    for part in [x, y] {
        let (above, below) = (m.op("Mul", &[inverse, part]), m.op("Div", &[inverse, part]));
        let back = m.op("Div", &[above, part]);
        m.is_open(inverse, back, "divide by 0");
        m.is_same(back, inverse);
        let back = m.op("Mul", &[below, part]);
        m.is_open(inverse, back, "divide by 0");
    }
    // One that may be 0, although it is one over a sum of squares.
    let (xx, yy) = (m.op("Mul", &[x, x]), m.op("Mul", &[y, y]));
    let squares = m.op("Add", &[xx, yy]);
    let part = m.op("Div", &[xx, squares]);
    let old = m.op("Mul", &[y, squares]);
    let old = m.op("Div", &[old, squares]);
    let product = m.op("Mul", &[old, part]);
    let back = m.op("Div", &[product, part]);
    m.is_open(old, back, "divide by 0");
    m.is_same(back, old);
    let power = m.exp(y);
    let product = m.op("Mul", &[x, power]);
    let back = m.op("Div", &[product, power]);
    m.is_same(x, back);
    let log = m.op("Elementary(Log)", &[x]);
    let back = m.exp(log);
    m.is_same(back, x);
    m.is_open(x, back, "logarithm");
    let root = m.op("Sqrt", &[x]);
    let square = m.op("Mul", &[root, root]);
    m.is_same(square, x);
    m.is_open(x, square, "root");
    // Under a condition that the other program does not ask.
    let zero = m.number(0.0);
    let is_zero = m.terms.intern(Node::Apply {
        function: Function::Operation("Eq F32".into()),
        result: Sort::Bool,
        args: smallvec![y, zero],
    });
    let quotient = m.op("Div", &[x, y]);
    let guarded = m.terms.ite(is_zero, zero, quotient);
    m.is_same(guarded, guarded);
    let one = m.number(1.0);
    let inverse = m.op("Div", &[one, y]);
    let other = m.op("Mul", &[x, inverse]);
    let other = m.terms.ite(is_zero, zero, other);
    m.is_same(guarded, other);
    let twice = m.op("Div", &[other, quotient]);
    let shown = m.op("Mul", &[twice, quotient]);
    m.is_open(guarded, shown, "");
}

#[test]
fn laws_of_numbers() {
    let mut m = Made::new();
    let (x, y, z) = (m.x(0), m.x(1), m.x(2));
    let sum = m.op("Add", &[y, z]);
    let (a, b) = (m.op("Mul", &[x, y]), m.op("Mul", &[x, z]));
    let (left, right) = (m.op("Mul", &[x, sum]), m.op("Add", &[a, b]));
    m.is_same(left, right);
    // Sums of fractions.
    let (p, q) = (m.exp(x), m.exp(y));
    let (over_p, over_q) = (m.op("Div", &[z, p]), m.op("Div", &[z, q]));
    let fractions = m.op("Add", &[over_p, over_q]);
    let both = m.op("Add", &[p, q]);
    let numerator = m.op("Mul", &[z, both]);
    let denominator = m.op("Mul", &[p, q]);
    let one_fraction = m.op("Div", &[numerator, denominator]);
    m.is_same(fractions, one_fraction);
    // A sum under the line, twice.
    let one = m.number(1.0);
    let under = m.op("Add", &[one, p]);
    let inverse = m.op("Div", &[one, under]);
    let other = m.op("Mul", &[p, inverse]);
    let whole = m.op("Add", &[inverse, other]);
    m.is_same(one, whole);
    // The logistic function by a hyperbolic tangent.
    let minus = m.op("Neg", &[x]);
    let power = m.exp(minus);
    let under = m.op("Add", &[one, power]);
    let logistic = m.op("Div", &[one, under]);
    let half = m.number(0.5);
    let inner = m.op("Mul", &[half, x]);
    let tangent = m.op("Elementary(Tanh)", &[inner]);
    let outer = m.op("Mul", &[half, tangent]);
    let by_tangent = m.op("Add", &[half, outer]);
    m.is_same(logistic, by_tangent);
    let wrong = m.op("Add", &[half, tangent]);
    m.is_apart(logistic, wrong);
    // What is not negative, in two ways.
    let zero = m.number(0.0);
    let chosen = m.larger(x, zero);
    let largest = m.op("Max", &[zero, x]);
    m.is_same(chosen, largest);
    let absolute = m.op("Abs", &[x]);
    let (minus, square) = (m.op("Neg", &[x]), m.op("Mul", &[x, x]));
    let (chosen, root) = (m.larger(x, minus), m.op("Sqrt", &[square]));
    m.is_same(absolute, chosen);
    m.is_same(absolute, root);
    m.is_apart(x, absolute);
}

/// Nothing is the same by a law that holds for some numbers only.
#[test]
fn what_is_not_the_same() {
    let mut m = Made::new();
    let (x, y) = (m.x(0), m.x(1));
    for (name, same) in [
        ("Max", false),
        ("Min", false),
        ("Add", false),
        ("Mul", false),
    ] {
        let both = m.op(name, &[x, y]);
        assert!(
            matches!(m.compared(both, x), Compared::Same) == same,
            "{name}"
        );
    }
    let (infinite, one) = (m.number(f32::INFINITY), m.number(1.0));
    let beyond = m.op("Mul", &[x, infinite]);
    m.is_open(beyond, beyond, "no real number");
    let none = m.number(f32::NAN);
    let sum = m.op("Add", &[one, none]);
    m.is_open(sum, sum, "no real number");
}

#[test]
fn logarithm_of_softmax() {
    let mut m = Made::new();
    let x: Vec<TermId> = (0..3).map(|cell| m.x(cell)).collect();
    let mut most = x[0];
    for &x in &x[1..] {
        most = m.op("Max", &[most, x]);
    }
    let mut sum = m.number(0.0);
    for &x in &x {
        let apart = m.op("Sub", &[x, most]);
        let power = m.exp(apart);
        sum = m.op("Add", &[sum, power]);
    }
    let apart = m.op("Sub", &[x[1], most]);
    let power = m.exp(apart);
    let part = m.op("Div", &[power, sum]);
    let log = m.op("Elementary(Log)", &[part]);
    let old = m.op("Neg", &[log]);
    let log = m.op("Elementary(Log)", &[sum]);
    let with = m.op("Add", &[log, most]);
    let new = m.op("Sub", &[with, x[1]]);
    m.is_same(old, new);
    m.is_same(new, old);
    let wrong = m.op("Sub", &[log, x[1]]);
    m.is_apart(old, wrong);
}

#[test]
fn choices_by_comparisons() {
    let mut m = Made::new();
    let (x, y, z) = (m.x(0), m.x(1), m.x(2));
    let largest = m.op("Max", &[x, y]);
    let smallest = m.op("Min", &[x, y]);
    for (name, expected) in [
        ("Lt", smallest),
        ("Le", smallest),
        ("Gt", largest),
        ("Ge", largest),
    ] {
        let cond = m.terms.intern(Node::Apply {
            function: Function::Operation(format!("{name} F32").into()),
            result: Sort::Bool,
            args: smallvec![x, y],
        });
        let chosen = m.terms.ite(cond, x, y);
        m.is_same(chosen, expected);
        let cond = m.terms.not(cond);
        let chosen = m.terms.ite(cond, y, x);
        m.is_same(chosen, expected);
    }
    // A sum that is corrected when a maximum grows, and one that is corrected always.
    let down = m.op("Sub", &[y, x]);
    let factor = m.exp(down);
    let scaled = m.op("Mul", &[z, factor]);
    let chosen = m.choice([x, y], scaled, z);
    let down = m.op("Sub", &[y, largest]);
    let factor = m.exp(down);
    let always = m.op("Mul", &[z, factor]);
    m.is_same(chosen, always);
    let other = m.choice([y, x], scaled, z);
    m.is_apart(other, always);
}

/// A running maximum and its sum, corrected in either branch of a loop, and merged from two halves.
#[test]
fn sums_corrected_by_branches() {
    let mut m = Made::new();
    let x: Vec<TermId> = (0..6).map(|cell| m.x(cell)).collect();
    let mut most = x[0];
    for &x in &x[1..] {
        most = m.op("Max", &[most, x]);
    }
    let mut old = m.number(0.0);
    for &x in &x {
        let apart = m.op("Sub", &[x, most]);
        let power = m.exp(apart);
        old = m.op("Add", &[old, power]);
    }
    let scaled = |m: &mut Made, sum: TermId, from: TermId, to: TermId| {
        let down = m.op("Sub", &[from, to]);
        let factor = m.exp(down);
        m.op("Mul", &[sum, factor])
    };
    // As `if (x > most) { most = x; sum = …; } else sum = …;`, the maximum chosen before the sum or after it.
    for (chosen_first, begins_empty) in [(false, false), (true, false), (false, true), (true, true)]
    {
        let one = m.number(1.0);
        let (mut most, mut sum, mut rest) = (x[0], one, &x[1..]);
        if begins_empty {
            (most, sum, rest) = (m.number(f32::NEG_INFINITY), m.number(0.0), &x);
        }
        for &x in rest {
            let next = m.larger(x, most);
            let (of_x, of_most) = match chosen_first {
                true => (next, next),
                false => (x, most),
            };
            let (down, up) = (
                scaled(&mut m, sum, most, of_x),
                scaled(&mut m, one, x, of_x),
            );
            let then = m.op("Add", &[down, up]);
            let up = scaled(&mut m, one, x, of_most);
            let otherwise = m.op("Add", &[sum, up]);
            sum = m.choice([x, most], then, otherwise);
            most = next;
        }
        m.is_same(old, sum);
    }
    // As a machine with guards leaves it: the second branch sees what the first one has left.
    let one = m.number(1.0);
    let (mut most, mut sum) = (x[0], one);
    for &x in &x[1..] {
        let next = m.larger(x, most);
        let (down, up) = (
            scaled(&mut m, sum, most, next),
            scaled(&mut m, one, x, next),
        );
        let then = m.op("Add", &[down, up]);
        let first = m.choice([x, most], then, sum);
        let otherwise = m.op("Add", &[first, up]);
        sum = m.choice([x, most], first, otherwise);
        most = next;
    }
    m.is_same(old, sum);
    let half = |m: &mut Made, of: &[TermId]| {
        let (mut most, mut sum) = (of[0], m.number(1.0));
        for &x in &of[1..] {
            let next = m.op("Max", &[most, x]);
            let one = m.number(1.0);
            let (down, up) = (scaled(m, sum, most, next), scaled(m, one, x, next));
            sum = m.op("Add", &[down, up]);
            most = next;
        }
        (most, sum)
    };
    let ((a, s), (b, t)) = (half(&mut m, &x[..3]), half(&mut m, &x[3..]));
    let (of_s, of_t) = (scaled(&mut m, s, a, b), scaled(&mut m, t, b, a));
    let (left, right) = (m.choice([b, a], of_s, s), m.choice([b, a], t, of_t));
    let merged = m.op("Add", &[left, right]);
    m.is_same(old, merged);
    let right = m.choice([b, a], of_t, t);
    let wrong = m.op("Add", &[left, right]);
    m.is_apart(old, wrong);
}

/// As many ways through branches as subsets of them: they are not gone one by one.
#[test]
fn many_branches() {
    let mut m = Made::new();
    for divides in [false, true] {
        let (mut sum, one) = (m.number(1.0), m.number(1.0));
        for cell in 0..60 {
            let (x, y) = (m.x(cell), m.x(cell + 1));
            let more = match divides {
                true => m.op("Div", &[sum, x]),
                false => m.op("Add", &[sum, x]),
            };
            sum = m.choice([x, y], more, sum);
        }
        let new = m.op("Mul", &[sum, one]);
        match divides {
            true => assert!(matches!(m.compared(sum, new), Compared::Open(_))),
            false => m.is_same(sum, new),
        }
    }
}

#[test]
fn powers_of_roots() {
    let mut m = Made::new();
    let (x, one) = (m.x(0), m.number(1.0));
    let root = m.op("Sqrt", &[x]);
    let inverse = m.op("Div", &[one, root]);
    let part = m.op("Div", &[root, x]);
    m.is_same(inverse, part);
    let square = m.op("Mul", &[inverse, inverse]);
    let of_square = m.op("Div", &[one, x]);
    m.is_same(square, of_square);
    let back = m.op("Div", &[x, root]);
    m.is_same(back, root);
    m.is_apart(root, inverse);
}

/// Of sums of exponentials what does not depend on a common factor.
#[test]
fn sums_with_a_common_factor() {
    let mut m = Made::new();
    for n in 2..9 {
        let x: Vec<TermId> = (0..n).map(|cell| m.x(cell)).collect();
        let common = m.x(n);
        let [mut plain, mut other] = [m.number(0.0); 2];
        for &x in &x {
            let power = m.exp(x);
            plain = m.op("Add", &[plain, power]);
            let apart = m.op("Sub", &[x, common]);
            let power = m.exp(apart);
            other = m.op("Add", &[power, other]);
        }
        let power = m.exp(x[1]);
        let old = m.op("Div", &[power, plain]);
        let apart = m.op("Sub", &[x[1], common]);
        let power = m.exp(apart);
        let new = m.op("Div", &[power, other]);
        m.is_same(old, new);
        // And under a function of which nothing is known.
        let [old, new] = [old, new].map(|of| m.op("Elementary(Erf)", &[of]));
        m.is_same(old, new);
    }
}

/// A function of which nothing else is known has no value somewhere: only the old program may say that it has one.
#[test]
fn where_functions_have_values() {
    let mut m = Made::new();
    let (x, y, zero) = (m.x(0), m.x(1), m.number(0.0));
    for (name, args, is_total) in [
        ("Elementary(Asin)", vec![x], false),
        ("Elementary(Acosh)", vec![x], false),
        ("Elementary(Gamma)", vec![x], false),
        ("Elementary(Fmod)", vec![x, y], false),
        ("Elementary(Pow)", vec![x, y], false),
        ("Elementary(Sin)", vec![x], true),
        ("Elementary(Atan2)", vec![x, y], true),
        ("Floor", vec![x], true),
    ] {
        let of = m.op(name, &args);
        let nothing = m.op("Mul", &[of, zero]);
        let new = m.op("Add", &[y, nothing]);
        match is_total {
            true => m.is_same(y, new),
            false => m.is_open(y, new, "where it has no value"),
        }
        m.is_same(new, y);
        let old = m.op("Add", &[y, of]);
        let new = m.op("Add", &[of, new]);
        m.is_same(old, new);
    }
    // Of 0 it has a value, so that this says nothing of 0.
    let power = m.op("Elementary(Pow)", &[x, y]);
    let product = m.op("Mul", &[power, x]);
    let back = m.op("Div", &[product, x]);
    m.is_open(power, back, "divide by 0");
}
