//! Terms as real numbers. What a float is by its bits alone, and integers, are left as they are: unknown numbers, the same
//! where their exact normal forms are.

use super::field::{Atom, Cond, CondId, Field, Formed, Stop};
use super::operation::{Comparison, Operation, operation};
use super::polynomial::{Number, Poly};
use crate::terms::normal::Normal;
use crate::terms::term::{Node, TermId, Terms};
use num_traits::{One, Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Instant;

/// Conditions one inside the other.
pub const DEEPEST: u32 = 1_000;

/// A real number, or what lies beyond all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Real {
    Finite(Rc<Poly>),
    /// -∞, which a running maximum begins with and whose exponential is 0.
    MinusInfinity,
    /// ∞
    Infinity,
}

impl Real {
    fn of(poly: Poly) -> Real {
        Real::Finite(Rc::new(poly))
    }

    /// The number, if it is one.
    pub fn finite(&self) -> Formed<&Poly> {
        match self {
            Real::Finite(poly) => Ok(poly),
            _ => Err(Stop::NoNumber),
        }
    }

    fn negated(&self) -> Real {
        match self {
            Real::Finite(poly) => Real::of(poly.negated()),
            Real::MinusInfinity => Real::Infinity,
            Real::Infinity => Real::MinusInfinity,
        }
    }
}

/// A condition that is decided, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    Known(bool),
    Open(CondId),
}

/// The forms of terms, of both sides of a comparison.
pub struct Forms {
    pub field: Field,
    pub normal: Normal,
    reals: FxHashMap<TermId, Formed<Real>>,
    conds: FxHashMap<TermId, Formed<Decided>>,
    /// Of conditions one inside the other.
    depth: u32,
}

impl Forms {
    /// No form is made after `until`.
    pub fn new(until: Instant) -> Forms {
        Forms {
            field: Field::new(until),
            normal: Normal::new(false),
            reals: FxHashMap::default(),
            conds: FxHashMap::default(),
            depth: 0,
        }
    }

    /// The form of a float.
    pub fn real(&mut self, terms: &mut Terms, term: TermId) -> Formed<Real> {
        // Operands first, on a stack of our own: sums of thousands of terms nest deeply.
        let mut stack = vec![(term, false)];
        while let Some((t, is_ready)) = stack.pop() {
            if self.reals.contains_key(&t) {
                continue;
            }
            if !is_ready {
                stack.push((t, true));
                stack.extend(floats_in(terms, t).into_iter().map(|c| (c, false)));
                continue;
            }
            let form = self.built(terms, t);
            self.reals.insert(t, form);
        }
        self.reals[&term].clone()
    }

    /// The form of a term whose operands have theirs.
    fn built(&mut self, terms: &mut Terms, term: TermId) -> Formed<Real> {
        match terms.node(term).clone() {
            Node::Bits { width, value } => constant(width, value),
            Node::Ite(cond, a, b) => {
                let cond = match self.cond(terms, cond)? {
                    Decided::Known(true) => return self.reals[&a].clone(),
                    Decided::Known(false) => return self.reals[&b].clone(),
                    Decided::Open(cond) => cond,
                };
                let (a, b) = (self.reals[&a].clone()?, self.reals[&b].clone()?);
                if a == b {
                    return Ok(a);
                }
                let chosen = self.field.choice(cond, a.finite()?, b.finite()?)?;
                Ok(Real::of(chosen))
            }
            Node::Apply { function, args, .. } => match operation(&function) {
                Some(Operation::OfInteger { signed, .. }) => match terms.as_bits(args[0]) {
                    Some(bits) => Ok(Real::of(Poly::constant(whole(
                        bits,
                        terms.width(args[0]),
                        signed,
                    )))),
                    None => Ok(self.unknown(terms, term)),
                },
                Some(operation) => {
                    let args: Vec<Real> = args
                        .iter()
                        .map(|arg| self.reals[arg].clone())
                        .collect::<Formed<_>>()?;
                    self.applied(&operation, &args)
                }
                None => Ok(self.unknown(terms, term)),
            },
            _ => Ok(self.unknown(terms, term)),
        }
    }

    fn unknown(&mut self, terms: &mut Terms, term: TermId) -> Real {
        let exact = self.normal.of(terms, term);
        Real::of(self.field.atom(Atom::Term(exact)))
    }

    fn applied(&mut self, operation: &Operation, args: &[Real]) -> Formed<Real> {
        use Operation::*;
        let field = &mut self.field;
        match (operation, args) {
            (Convert, [a]) => Ok(a.clone()),
            (Neg, [a]) => Ok(a.negated()),
            (Add, [a, b]) => add(field, a, b),
            (Sub, [a, b]) => add(field, a, &b.negated()),
            (Mul, [a, b]) => multiply(field, a, b),
            (Fma, [a, b, c]) => {
                let product = multiply(field, a, b)?;
                add(field, &product, c)
            }
            (Div, [a, Real::Finite(b)]) => {
                let inverse = Real::of(field.inverse(b)?);
                multiply(field, a, &inverse)
            }
            (Div, [Real::Finite(_), _]) => Ok(Real::of(Poly::zero())),
            (Max { least }, [a, b]) => match (a, b) {
                (Real::MinusInfinity, other) | (other, Real::MinusInfinity) => Ok(other.clone()),
                (Real::Infinity, _) | (_, Real::Infinity) => Ok(Real::Infinity),
                (Real::Finite(a), Real::Finite(b)) => {
                    // No number of the type is less.
                    let is_least = |poly: &Poly| poly.as_constant().as_ref() == Some(least);
                    match (is_least(a), is_least(b)) {
                        (true, _) => Ok(Real::Finite(b.clone())),
                        (_, true) => Ok(Real::Finite(a.clone())),
                        _ => Ok(Real::of(field.largest(&[Poly::clone(a), Poly::clone(b)])?)),
                    }
                }
            },
            (Min { least }, [a, b]) => {
                let max = Max {
                    least: least.clone(),
                };
                Ok(self.applied(&max, &[a.negated(), b.negated()])?.negated())
            }
            (Abs, [Real::Finite(a)]) => {
                let both = [Poly::clone(a), a.negated()];
                Ok(Real::of(field.largest(&both)?))
            }
            (Abs, [_]) => Ok(Real::Infinity),
            (Root, [Real::Finite(a)]) => Ok(Real::of(field.root(a)?)),
            (Log { base }, [Real::Finite(a)]) => {
                let log = field.log(a)?;
                Ok(Real::of(over_log_of(field, &log, *base)?))
            }
            (Log1p, [Real::Finite(a)]) => {
                let sum = field.plus(a, &Poly::one())?;
                Ok(Real::of(field.log(&sum)?))
            }
            (Root | Log { .. } | Log1p, [Real::Infinity]) => Ok(Real::Infinity),
            (Exp { base }, [Real::Finite(a)]) => {
                let exponent = times_log_of(field, a, *base)?;
                Ok(Real::of(field.exp(&exponent)?))
            }
            (Exp { .. }, [Real::MinusInfinity]) => Ok(Real::of(Poly::zero())),
            (Exp { .. }, [_]) => Ok(Real::Infinity),
            (Expm1, [Real::Finite(a)]) => {
                let power = field.exp(a)?;
                Ok(Real::of(power.minus(&Poly::one())))
            }
            // 1 - 2 / (exp 2x + 1)
            (Tanh, [Real::Finite(a)]) => {
                let two = Number::from_integer(2.into());
                let power = field.exp(&a.scaled(&two))?;
                let under = field.plus(&power, &Poly::one())?;
                let part = field.inverse(&under)?.scaled(&two);
                Ok(Real::of(Poly::one().minus(&part)))
            }
            (Pow, [Real::Finite(a), Real::Finite(b)]) => {
                let power = b.as_constant().filter(Number::is_integer);
                match power.and_then(|power| power.to_integer().to_i32()) {
                    Some(power) => Ok(Real::of(field.power(a, power)?)),
                    None => other(field, "pow", args),
                }
            }
            (Fdim, [Real::Finite(a), Real::Finite(b)]) => {
                let apart = a.minus(b);
                Ok(Real::of(field.largest(&[apart, Poly::zero()])?))
            }
            (Hypot, [Real::Finite(a), Real::Finite(b)]) => {
                let (a, b) = (field.times(a, a)?, field.times(b, b)?);
                let sum = field.plus(&a, &b)?;
                Ok(Real::of(field.root(&sum)?))
            }
            (Other(name), args) => other(field, name, args),
            _ => Err(Stop::NoNumber),
        }
    }

    /// A condition.
    pub fn cond(&mut self, terms: &mut Terms, term: TermId) -> Formed<Decided> {
        if let Some(known) = self.conds.get(&term) {
            return *known;
        }
        if self.depth > DEEPEST {
            return Err(Stop::TooLarge);
        }
        self.depth += 1;
        let decided = self.decided(terms, term);
        self.depth -= 1;
        self.conds.insert(term, decided);
        decided
    }

    fn decided(&mut self, terms: &mut Terms, term: TermId) -> Formed<Decided> {
        use Decided::{Known, Open};
        match terms.node(term).clone() {
            Node::Bool(known) => Ok(Known(known)),
            Node::Not(a) => Ok(match self.cond(terms, a)? {
                Known(known) => Known(!known),
                Open(a) => Open(self.field.cond(Cond::Not(a))),
            }),
            Node::And(a, b) | Node::Or(a, b) => {
                let is_and = matches!(terms.node(term), Node::And(..));
                Ok(match (self.cond(terms, a)?, self.cond(terms, b)?) {
                    (Known(known), other) | (other, Known(known)) => match known == is_and {
                        true => other,
                        false => Known(known),
                    },
                    (Open(a), Open(b)) => {
                        let (a, b) = (a.min(b), a.max(b));
                        Open(self.field.cond(match is_and {
                            true => Cond::And(a, b),
                            false => Cond::Or(a, b),
                        }))
                    }
                })
            }
            Node::Apply { function, args, .. } => match operation(&function) {
                Some(Operation::Compare(name)) => {
                    let (a, b) = (self.real(terms, args[0])?, self.real(terms, args[1])?);
                    self.compared(name, &a, &b)
                }
                _ => Ok(Open(self.of_words(terms, term))),
            },
            _ => Ok(Open(self.of_words(terms, term))),
        }
    }

    fn of_words(&mut self, terms: &mut Terms, term: TermId) -> CondId {
        let exact = self.normal.of(terms, term);
        self.field.cond(Cond::Term(exact))
    }

    fn compared(&mut self, name: Comparison, a: &Real, b: &Real) -> Formed<Decided> {
        let (name, a, b) = match name {
            Comparison::Greater => (Comparison::Less, b, a),
            Comparison::GreaterEq => (Comparison::LessEq, b, a),
            name => (name, a, b),
        };
        let (Real::Finite(x), Real::Finite(y)) = (a, b) else {
            let place = |real: &Real| match real {
                Real::MinusInfinity => -1,
                Real::Finite(_) => 0,
                Real::Infinity => 1,
            };
            let (x, y) = (place(a), place(b));
            return Ok(Decided::Known(match name {
                Comparison::Less | Comparison::Greater => x < y,
                Comparison::LessEq | Comparison::GreaterEq => x <= y,
                Comparison::Equal => x == y,
                Comparison::Unequal => x != y,
            }));
        };
        let apart = y.minus(x);
        if let Some(number) = apart.as_constant() {
            return Ok(Decided::Known(match name {
                Comparison::Less | Comparison::Greater => number.is_positive(),
                Comparison::LessEq | Comparison::GreaterEq => !number.is_negative(),
                Comparison::Equal => number.is_zero(),
                Comparison::Unequal => !number.is_zero(),
            }));
        }
        let field = &mut self.field;
        Ok(Decided::Open(match name {
            Comparison::Less | Comparison::Greater => {
                let apart = unscaled(field, &apart);
                let apart = field.named(apart);
                field.cond(Cond::Positive(apart))
            }
            // Not `y < x`.
            Comparison::LessEq | Comparison::GreaterEq => {
                let apart = unscaled(field, &apart.negated());
                let apart = field.named(apart);
                let less = field.cond(Cond::Positive(apart));
                field.cond(Cond::Not(less))
            }
            Comparison::Equal | Comparison::Unequal => {
                let factor = field
                    .lead(&apart)
                    .map_or_else(Number::one, |(_, factor)| factor);
                let apart = field.named(apart.scaled(&factor.recip()));
                let is_zero = field.cond(Cond::Zero(apart));
                match name {
                    Comparison::Equal => is_zero,
                    _ => field.cond(Cond::Not(is_zero)),
                }
            }
        }))
    }
}

/// The operands that are floats, those of a condition too.
pub fn floats_in(terms: &Terms, term: TermId) -> Vec<TermId> {
    match terms.node(term) {
        Node::Ite(cond, a, b) => {
            let mut found = vec![*a, *b];
            let mut open = vec![*cond];
            while let Some(cond) = open.pop() {
                match terms.node(cond) {
                    Node::Not(a) => open.push(*a),
                    Node::And(a, b) | Node::Or(a, b) => open.extend([*a, *b]),
                    Node::Apply { .. } => found.extend(floats_in(terms, cond)),
                    _ => {}
                }
            }
            found
        }
        Node::Apply { function, args, .. } => match operation(function) {
            None | Some(Operation::OfInteger { .. }) => Vec::new(),
            Some(_) => args.to_vec(),
        },
        _ => Vec::new(),
    }
}

/// Divided by the size of the factor of its lead, which changes no sign.
fn unscaled(field: &Field, poly: &Poly) -> Poly {
    match field.lead(poly) {
        Some((_, factor)) => poly.scaled(&factor.abs().recip()),
        None => poly.clone(),
    }
}

fn constant(width: u32, value: u64) -> Formed<Real> {
    let number = match width {
        32 => f64::from(f32::from_bits(value as u32)),
        64 => f64::from_bits(value),
        _ => return Err(Stop::NoNumber),
    };
    match Number::from_float(number) {
        Some(number) => Ok(Real::of(Poly::constant(number))),
        None if number.is_nan() => Err(Stop::NoNumber),
        None if number < 0.0 => Ok(Real::MinusInfinity),
        None => Ok(Real::Infinity),
    }
}

/// The integer that a word is.
fn whole(bits: u64, width: u32, signed: bool) -> Number {
    let is_negative = signed && bits >> (width - 1) & 1 == 1;
    let value = i128::from(bits) - if is_negative { 1i128 << width } else { 0 };
    Number::from_integer(value.into())
}

fn add(field: &mut Field, a: &Real, b: &Real) -> Formed<Real> {
    match (a, b) {
        (Real::Finite(a), Real::Finite(b)) => Ok(Real::of(field.plus(a, b)?)),
        (Real::Finite(_), infinite) | (infinite, Real::Finite(_)) => Ok(infinite.clone()),
        (a, b) if a == b => Ok(a.clone()),
        _ => Err(Stop::NoNumber),
    }
}

fn multiply(field: &mut Field, a: &Real, b: &Real) -> Formed<Real> {
    use super::field::sign::Sign::Positive;
    match (a, b) {
        (Real::Finite(a), Real::Finite(b)) => Ok(Real::of(field.times(a, b)?)),
        (Real::Finite(a), infinite) | (infinite, Real::Finite(a)) => {
            match (field.sign(a), field.sign(&a.negated())) {
                (Positive, _) => Ok(infinite.clone()),
                (_, Positive) => Ok(infinite.negated()),
                _ => Err(Stop::NoNumber),
            }
        }
        (a, b) if a == b => Ok(Real::Infinity),
        _ => Ok(Real::MinusInfinity),
    }
}

/// A function of which nothing is known but that it is one.
fn other(field: &mut Field, name: &str, args: &[Real]) -> Formed<Real> {
    let mut of = Vec::with_capacity(args.len());
    for arg in args {
        of.push(field.named(arg.finite()?.clone()));
    }
    Ok(Real::of(field.atom(Atom::Function(name.to_owned(), of))))
}

fn log_of(field: &mut Field, base: u32) -> Formed<Poly> {
    field.log(&Poly::constant(Number::from_integer(base.into())))
}

/// `poly · log base`; 0 stands for e.
fn times_log_of(field: &mut Field, poly: &Poly, base: u32) -> Formed<Poly> {
    match base {
        0 => Ok(poly.clone()),
        _ => {
            let log = log_of(field, base)?;
            field.times(poly, &log)
        }
    }
}

/// `poly / log base`; 0 stands for e.
fn over_log_of(field: &mut Field, poly: &Poly, base: u32) -> Formed<Poly> {
    match base {
        0 => Ok(poly.clone()),
        _ => {
            let log = log_of(field, base)?;
            let inverse = field.inverse(&log)?;
            field.times(poly, &inverse)
        }
    }
}
