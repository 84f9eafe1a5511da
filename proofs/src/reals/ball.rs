//! Terms at given inputs, as real numbers: each is a number with a bound on its error. Two that lie apart by more than their
//! errors are different, whatever is rounded.

use super::forms::{DEEPEST, floats_in};
use super::operation::{Comparison, Operation, operation};
use crate::terms::function::Function;
use crate::terms::term::{Node, TermId, Terms};
use gridlock_semantics::algebra::elementary::Elementary;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// Relative error of one operation of doubles, those of the library too.
const STEP: f64 = 1e-14;

/// Real numbers at most `error` away from `middle`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    pub middle: f64,
    pub error: f64,
}

impl Ball {
    fn exact(middle: f64) -> Ball {
        Ball { middle, error: 0.0 }
    }

    /// Of an operation of doubles whose operands alone make this error. `None`: nothing is known.
    fn rounded(middle: f64, error: f64) -> Option<Ball> {
        let error = error + middle.abs() * STEP + f64::MIN_POSITIVE;
        (middle.is_finite() && error.is_finite()).then_some(Ball { middle, error })
    }

    /// By how much two are apart at least, as a part of the larger; 0 where they may be the same.
    pub fn apart(self, other: Ball) -> f64 {
        let gap = (self.middle - other.middle).abs() - self.error - other.error;
        let size = self.middle.abs().max(other.middle.abs()).max(1.0);
        (gap / size).max(0.0)
    }

    fn least(self) -> f64 {
        self.middle - self.error
    }

    fn most(self) -> f64 {
        self.middle + self.error
    }
}

/// What an input holds, by its name and cell, and the width of its float.
pub type Given<'g> = dyn Fn(&str, Option<i64>, u32) -> f64 + 'g;

/// Values of terms at given inputs.
pub struct Balls<'g> {
    given: &'g Given<'g>,
    known: FxHashMap<TermId, Option<Ball>>,
}

impl<'g> Balls<'g> {
    pub fn new(given: &'g Given<'g>) -> Balls<'g> {
        Balls {
            given,
            known: FxHashMap::default(),
        }
    }

    /// `None`: not known, or no number.
    pub fn of(&mut self, terms: &Terms, term: TermId) -> Option<Ball> {
        let mut stack = vec![(term, false)];
        while let Some((t, is_ready)) = stack.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            if !is_ready {
                stack.push((t, true));
                stack.extend(floats_in(terms, t).into_iter().map(|c| (c, false)));
                continue;
            }
            let value = self.built(terms, t);
            self.known.insert(t, value);
        }
        self.known[&term]
    }

    fn built(&self, terms: &Terms, term: TermId) -> Option<Ball> {
        let width = terms.width(term);
        match terms.node(term) {
            Node::Bits { value, .. } => {
                let number = match width {
                    32 => f64::from(f32::from_bits(*value as u32)),
                    64 => f64::from_bits(*value),
                    _ => return None,
                };
                // A running maximum may begin with an infinity.
                (!number.is_nan()).then_some(Ball::exact(number))
            }
            Node::Ite(cond, a, b) => match self.cond(terms, *cond)? {
                true => self.known[a],
                false => self.known[b],
            },
            Node::Apply { function, args, .. } => {
                if let Some(operation) = operation(function) {
                    if let Operation::OfInteger { signed } = operation {
                        let bits = terms.as_bits(args[0])?;
                        let number = match signed {
                            true => {
                                let unused = 64 - terms.width(args[0]);
                                ((bits << unused) as i64 >> unused) as f64
                            }
                            false => bits as f64,
                        };
                        return Ball::rounded(number, 0.0);
                    }
                    let args = args.iter().map(|arg| self.known[arg]);
                    let args: Vec<Ball> = args.collect::<Option<_>>()?;
                    return applied(&operation, &args);
                }
                match (function, args.as_slice()) {
                    (Function::Input(name), [cell]) => {
                        let cell = terms.as_bits(*cell)? as i64;
                        Some(Ball::exact((self.given)(name, Some(cell), width)))
                    }
                    (Function::Argument(name), []) => {
                        Some(Ball::exact((self.given)(name, None, width)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a condition holds.
    pub fn cond(&self, terms: &Terms, cond: TermId) -> Option<bool> {
        self.cond_at(terms, cond, 0)
    }

    fn cond_at(&self, terms: &Terms, cond: TermId, depth: u32) -> Option<bool> {
        if depth > DEEPEST {
            return None;
        }
        let inner = |cond: &TermId| self.cond_at(terms, *cond, depth + 1);
        match terms.node(cond) {
            Node::Bool(known) => Some(*known),
            Node::Not(a) => Some(!inner(a)?),
            Node::And(a, b) => Some(inner(a)? && inner(b)?),
            Node::Or(a, b) => Some(inner(a)? || inner(b)?),
            Node::Apply { function, args, .. } => {
                let Operation::Compare(comparison) = operation(function)? else {
                    return None;
                };
                let value = |t: &TermId| self.known.get(t).copied().flatten();
                let (a, b) = (value(&args[0])?, value(&args[1])?);
                let is_exact = a.error == 0.0 && b.error == 0.0;
                let order = match () {
                    _ if is_exact => a.middle.partial_cmp(&b.middle)?,
                    _ if a.most() < b.least() => std::cmp::Ordering::Less,
                    _ if b.most() < a.least() => std::cmp::Ordering::Greater,
                    _ => return None,
                };
                Some(match comparison {
                    Comparison::Less => order.is_lt(),
                    Comparison::LessEq => order.is_le(),
                    Comparison::Greater => order.is_gt(),
                    Comparison::GreaterEq => order.is_ge(),
                    Comparison::Equal => order.is_eq(),
                    Comparison::Unequal => order.is_ne(),
                })
            }
            _ => None,
        }
    }
}

fn applied(operation: &Operation, args: &[Ball]) -> Option<Ball> {
    use Operation::*;
    match (operation, args) {
        (Convert, [a]) => Some(*a),
        (Neg, [a]) => Some(Ball {
            middle: -a.middle,
            ..*a
        }),
        (Add, [a, b]) => sum(*a, *b),
        (Sub, [a, b]) => sum(
            *a,
            Ball {
                middle: -b.middle,
                ..*b
            },
        ),
        (Mul, [a, b]) => product(*a, *b),
        (Fma, [a, b, c]) => sum(product(*a, *b)?, *c),
        (Div, [a, b]) => {
            let smallest = b.middle.abs() - b.error;
            if smallest <= 0.0 || b.middle.is_infinite() {
                return None;
            }
            let middle = a.middle / b.middle;
            let error = (a.error + middle.abs() * b.error) / smallest;
            Ball::rounded(middle, error)
        }
        (Max { .. }, [a, b]) => extreme(*a, *b, f64::max),
        (Min { .. }, [a, b]) => extreme(*a, *b, f64::min),
        (Abs, [a]) => Some(Ball {
            middle: a.middle.abs(),
            ..*a
        }),
        (Root, [a]) => monotone(*a, f64::sqrt),
        (Exp { base: 0 }, [a]) => monotone(*a, f64::exp),
        (Exp { base: 2 }, [a]) => monotone(*a, f64::exp2),
        (Exp { .. }, [a]) => monotone(*a, |x| 10f64.powf(x)),
        (Log { base: 0 }, [a]) => monotone(*a, f64::ln),
        (Log { base: 2 }, [a]) => monotone(*a, f64::log2),
        (Log { .. }, [a]) => monotone(*a, f64::log10),
        (Expm1, [a]) => monotone(*a, f64::exp_m1),
        (Log1p, [a]) => monotone(*a, f64::ln_1p),
        (Tanh, [a]) => monotone(*a, f64::tanh),
        (Hypot, [a, b]) => {
            let (a, b) = (product(*a, *a)?, product(*b, *b)?);
            monotone(sum(a, b)?, f64::sqrt)
        }
        (Fdim, [a, b]) => {
            let apart = applied(&Sub, &[*a, *b])?;
            extreme(apart, Ball::exact(0.0), f64::max)
        }
        (Pow, [a, b]) if b.error == 0.0 && b.middle.fract() == 0.0 => {
            let power = b.middle.to_i32().filter(|power| (0..=16).contains(power))?;
            let mut result = Ball::exact(1.0);
            for _ in 0..power {
                result = product(result, *a)?;
            }
            Some(result)
        }
        // It grows with its base, or falls.
        (Pow, [a, b]) if b.error == 0.0 && a.least() > 0.0 => {
            let power = monotone(*a, |x| x.powf(b.middle.abs()))?;
            match b.middle < 0.0 {
                true => applied(&Div, &[Ball::exact(1.0), power]),
                false => Some(power),
            }
        }
        (Other(name), [a]) => other(name, *a),
        _ => None,
    }
}

/// Other functions of one number, by their names in terms.
fn other(name: &str, a: Ball) -> Option<Ball> {
    let name = name.strip_prefix("Elementary(")?.strip_suffix(')')?;
    let mut all = Elementary::ALL.iter();
    let function = *all.find(|function| format!("{function:?}") == name)?;
    let of = |x: f64| function.of_doubles(x, 0.0);
    match function {
        Elementary::Asin
        | Elementary::Atan
        | Elementary::Sinh
        | Elementary::Asinh
        | Elementary::Acosh
        | Elementary::Atanh
        | Elementary::Cbrt
        | Elementary::Erf => monotone(a, of),
        Elementary::Acos | Elementary::Erfc => {
            let negated = |x: f64| -of(x);
            let ball = monotone(a, negated)?;
            Some(Ball {
                middle: -ball.middle,
                ..ball
            })
        }
        // They move by no more than their operand.
        Elementary::Sin | Elementary::Cos => Ball::rounded(of(a.middle), a.error),
        _ => None,
    }
}

fn sum(a: Ball, b: Ball) -> Option<Ball> {
    if a.middle.is_infinite() || b.middle.is_infinite() {
        let middle = a.middle + b.middle;
        return (!middle.is_nan()).then_some(Ball::exact(middle));
    }
    Ball::rounded(a.middle + b.middle, a.error + b.error)
}

fn product(a: Ball, b: Ball) -> Option<Ball> {
    let error = a.middle.abs() * b.error + b.middle.abs() * a.error + a.error * b.error;
    Ball::rounded(a.middle * b.middle, error)
}

/// Moves by no more than either operand.
fn extreme(a: Ball, b: Ball, of: impl Fn(f64, f64) -> f64) -> Option<Ball> {
    let middle = of(a.middle, b.middle);
    let error = a.error.max(b.error);
    (!middle.is_nan()).then_some(Ball { middle, error })
}

/// A function that grows with its operand, at both ends.
fn monotone(a: Ball, of: impl Fn(f64) -> f64) -> Option<Ball> {
    let (least, middle, most) = (of(a.least()), of(a.middle), of(a.most()));
    if least.is_nan() || most.is_nan() {
        return None;
    }
    Ball::rounded(middle, (middle - least).max(most - middle))
}
