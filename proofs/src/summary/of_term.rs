//! Terms as formulas.

use super::alike::Numbers;
use super::chain::{Chain, Operand, chain};
use super::formula::{Affine, Formula, Many, Operator, Order, Part, Range, Variable};
use super::grouped::{Ranged, grouped};
use super::kind::{Kind, Width, of_operation};
use crate::terms::function::Function;
use crate::terms::term::{self, BitOp, Node, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Operands from which on a sum is written with a range.
const LEAST_ALIKE: usize = 3;
/// Operations of a formula, each as often as it occurs in it, and how deep they nest.
const MOST_OPERATIONS: u64 = 20_000;
const MOST_DEEP: u32 = 200;

struct Made {
    formula: Rc<Formula>,
    operations: u64,
    deep: u32,
    /// One more than the largest number of a variable in it.
    variables: u32,
}

/// Makes formulas of terms.
pub struct Formulas<'t> {
    terms: &'t Terms,
    /// Names of inputs that are unsigned.
    unsigned: FxHashSet<String>,
    known: FxHashMap<(TermId, Kind), Rc<Made>>,
}

/// What a term is made of.
enum Shape {
    Chain(Chain),
    Own(Vec<(TermId, Kind)>),
}

impl Ranged for Part {
    fn within(mut self, range: Range) -> Part {
        self.ranges.insert(0, range);
        self
    }

    fn is_unrolled_at(&self, _: Variable, _: i64, _: &Part) -> bool {
        false
    }
}

impl<'t> Formulas<'t> {
    pub fn new(terms: &'t Terms, unsigned: FxHashSet<String>) -> Formulas<'t> {
        Formulas {
            terms,
            unsigned,
            known: FxHashMap::default(),
        }
    }

    /// The formula of a term, and one more than the largest number of a variable in it.
    pub fn of(&mut self, term: TermId, kind: Kind) -> (Rc<Formula>, u32) {
        // Operands first, on a stack of our own: terms nest deeply.
        let mut stack = vec![((term, kind), false)];
        while let Some((key, ready)) = stack.pop() {
            if self.known.contains_key(&key) {
                continue;
            }
            let shape = self.shape(key.0, key.1);
            if ready {
                let made = self.made(key.0, key.1, shape);
                self.known.insert(key, Rc::new(made));
                continue;
            }
            stack.push((key, true));
            let children = match shape {
                Shape::Own(children) => children,
                Shape::Chain(chain) => chain
                    .operands
                    .iter()
                    .flat_map(|operand| match *operand {
                        Operand::Term(t) => vec![(t, chain.kind)],
                        Operand::Product(a, b) => vec![(a, chain.kind), (b, chain.kind)],
                    })
                    .collect(),
            };
            stack.extend(children.into_iter().map(|child| (child, false)));
        }
        let made = &self.known[&(term, kind)];
        (made.formula.clone(), made.variables)
    }

    fn shape(&self, term: TermId, kind: Kind) -> Shape {
        if let Some(chain) = chain(self.terms, term, kind) {
            return Shape::Chain(chain);
        }
        let signed = |terms: &[TermId]| terms.iter().map(|t| (*t, Kind::Signed)).collect();
        Shape::Own(match self.terms.node(term) {
            Node::Bool(_) | Node::Bits { .. } | Node::Symbol(_) => vec![],
            Node::Bit(op, a, b) => {
                let kind = match op {
                    BitOp::UDiv | BitOp::URem | BitOp::LShr => Kind::Unsigned,
                    _ => Kind::Signed,
                };
                vec![(*a, kind), (*b, kind)]
            }
            Node::ZeroExt(_, a) => vec![(*a, Kind::Unsigned)],
            Node::SignExt(_, a) | Node::Low(_, a) => vec![(*a, Kind::Signed)],
            Node::Ite(cond, a, b) => {
                let [cond, a, b] = self.choice(*cond, *a, *b);
                vec![(cond, Kind::Truth), (a, kind), (b, kind)]
            }
            Node::Not(a) => match self.terms.node(*a) {
                Node::Eq(a, b) => signed(&[*a, *b]),
                _ => vec![(*a, Kind::Truth)],
            },
            Node::And(a, b) | Node::Or(a, b) => vec![(*a, Kind::Truth), (*b, Kind::Truth)],
            Node::Eq(a, b) => signed(&[*a, *b]),
            Node::Less(order, a, b) => {
                let kind = match order {
                    term::Order::SignedLess | term::Order::SignedLessEq => Kind::Signed,
                    term::Order::UnsignedLess | term::Order::UnsignedLessEq => Kind::Unsigned,
                };
                vec![(*a, kind), (*b, kind)]
            }
            Node::Apply { function, args, .. } => match function {
                Function::Operation(name) => {
                    let (_, kind) = of_operation(name);
                    args.iter().map(|t| (*t, kind)).collect()
                }
                _ => signed(args),
            },
        })
    }

    fn get(&self, term: TermId, kind: Kind) -> &Made {
        &self.known[&(term, kind)]
    }

    fn made(&self, term: TermId, kind: Kind, shape: Shape) -> Made {
        let operands: Vec<&Made> = match &shape {
            Shape::Own(children) => children.iter().map(|(t, k)| self.get(*t, *k)).collect(),
            Shape::Chain(chain) => chain
                .operands
                .iter()
                .flat_map(|operand| match *operand {
                    Operand::Term(t) => vec![self.get(t, chain.kind)],
                    Operand::Product(a, b) => {
                        vec![self.get(a, chain.kind), self.get(b, chain.kind)]
                    }
                })
                .collect(),
        };
        let n_own = match &shape {
            Shape::Own(children) => u64::from(!children.is_empty()),
            Shape::Chain(chain) => chain.operands.len() as u64,
        };
        let operations = operands
            .iter()
            .fold(n_own, |sum, made| sum.saturating_add(made.operations));
        let deep = 1 + operands.iter().map(|made| made.deep).max().unwrap_or(0);
        let variables = operands
            .iter()
            .map(|made| made.variables)
            .max()
            .unwrap_or(0);
        let large = |operations| Made {
            formula: Rc::new(Formula::Large { operations }),
            operations,
            deep: 1,
            variables: 0,
        };
        if operations > MOST_OPERATIONS || deep > MOST_DEEP {
            return large(operations);
        }
        let (formula, variables) = match shape {
            Shape::Chain(chain) => match self.chained(term, &chain, variables) {
                Some(made) => made,
                None => return large(operations),
            },
            Shape::Own(_) => (self.own(term, kind, &operands, operations), variables),
        };
        Made {
            formula: Rc::new(formula),
            operations,
            deep,
            variables,
        }
    }

    /// A chain, with ranges where operands are alike. `None`: it nests too deeply.
    fn chained(&self, term: TermId, chain: &Chain, variables: u32) -> Option<(Formula, u32)> {
        let parts: Vec<Part> = chain
            .operands
            .iter()
            .map(|operand| Part {
                ranges: vec![],
                of: match *operand {
                    Operand::Term(t) => self.get(t, chain.kind).formula.clone(),
                    Operand::Product(a, b) => Rc::new(Formula::Sum {
                        how: Many::Product,
                        order: Order::FromLeft,
                        parts: [a, b]
                            .map(|t| Part {
                                ranges: vec![],
                                of: self.get(t, chain.kind).formula.clone(),
                            })
                            .into(),
                    }),
                },
            })
            .collect();
        let n = parts.len();
        let first = Variable(variables);
        let mut found = grouped(parts.clone(), first, LEAST_ALIKE);
        if chain.order != Order::FromLeft {
            let mut sorted = parts.clone();
            sorted.sort_by(|a, b| a.of.cmp(&b.of));
            let sorted = grouped(sorted, first, LEAST_ALIKE);
            if sorted.len() < found.len() || chain.order == Order::Other {
                found = sorted;
            }
        }
        let is_shorter = found.len() < n && (found.len() * 2 <= n || found.len() <= 2);
        if !is_shorter && chain.order == Order::Other {
            return Some((self.as_it_is(term, chain, 0)?, variables));
        }
        let mut parts = if is_shorter { found } else { parts };
        if chain.how.is_idempotent() {
            parts.iter_mut().for_each(once);
        }
        let most = parts.iter().flat_map(|part| &part.ranges);
        let most = most.map(|range| range.variable.0 + 1).max().unwrap_or(0);
        let formula = Formula::Sum {
            how: chain.how.clone(),
            order: chain.order,
            parts,
        };
        Some((formula, variables.max(most)))
    }

    /// Two by two, where the order matters and operands are few or unlike.
    fn as_it_is(&self, term: TermId, of: &Chain, deep: u32) -> Option<Formula> {
        let (Node::Apply { args, .. }, true) = (self.terms.node(term), deep < MOST_DEEP) else {
            return None;
        };
        let mut parts = Vec::new();
        for arg in args {
            let inner = chain(self.terms, *arg, of.kind);
            let is_link = inner.is_some_and(|inner| inner.how == of.how && inner.kind == of.kind);
            parts.push(Part {
                ranges: vec![],
                of: match is_link {
                    true => Rc::new(self.as_it_is(*arg, of, deep + 1)?),
                    false => self.get(*arg, of.kind).formula.clone(),
                },
            });
        }
        Some(Formula::Sum {
            how: of.how.clone(),
            order: Order::FromLeft,
            parts,
        })
    }

    /// An operation that takes its operands for unsigned numbers.
    fn unsigned(&self, text: &'static str, binds: u8, operands: &[Rc<Formula>]) -> Formula {
        let operands = operands.iter().map(|operand| match &**operand {
            Formula::Number(_) | Formula::Constant(_) => operand.clone(),
            of if self.is_unsigned(of) => operand.clone(),
            _ => Rc::new(Formula::Applied {
                operator: Operator::Cast("unsigned".to_owned()),
                operands: vec![operand.clone()],
            }),
        });
        Formula::Applied {
            operator: Operator::Infix(text, binds),
            operands: operands.collect(),
        }
    }

    /// Whether C takes it for an unsigned number.
    fn is_unsigned(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Argument(name) | Formula::Cell { array: name, .. } => {
                self.unsigned.contains(name)
            }
            Formula::Applied { operator, operands } => match operator {
                Operator::Cast(ty) => ty.starts_with('u'),
                // What shifts does not count.
                Operator::Infix("<<" | ">>", _) => self.is_unsigned(&operands[0]),
                Operator::Infix("-" | "/" | "%", _) => {
                    operands.iter().any(|of| self.is_unsigned(of))
                }
                Operator::Choice => operands[1..].iter().any(|of| self.is_unsigned(of)),
                _ => false,
            },
            Formula::Sum { parts, .. } => parts.iter().any(|part| self.is_unsigned(&part.of)),
            _ => false,
        }
    }

    /// A choice whose condition is no negation, and not chosen by again.
    fn choice(&self, cond: TermId, a: TermId, b: TermId) -> [TermId; 3] {
        let (cond, a, b) = match *self.terms.node(cond) {
            Node::Not(inner) => (inner, b, a),
            _ => (cond, a, b),
        };
        let under = |mut term: TermId, holds: bool| {
            while let Node::Ite(c, yes, no) = *self.terms.node(term) {
                term = match *self.terms.node(c) {
                    _ if c == cond => {
                        if holds {
                            yes
                        } else {
                            no
                        }
                    }
                    Node::Not(inner) if inner == cond => {
                        if holds {
                            no
                        } else {
                            yes
                        }
                    }
                    _ => break,
                };
            }
            term
        };
        [cond, under(a, true), under(b, false)]
    }

    fn own(&self, term: TermId, kind: Kind, operands: &[&Made], operations: u64) -> Formula {
        let operands: Vec<Rc<Formula>> = operands.iter().map(|made| made.formula.clone()).collect();
        let infix = |text, binds| Formula::Applied {
            operator: Operator::Infix(text, binds),
            operands: operands.clone(),
        };
        let applied = |operator| Formula::Applied {
            operator,
            operands: operands.clone(),
        };
        let width = self.terms.width(term);
        let beyond = Formula::Large { operations };
        match self.terms.node(term) {
            Node::Bool(value) => Formula::Constant(value.to_string()),
            Node::Bits { width, value } => constant(*width, *value, kind),
            Node::Symbol(symbol) => {
                Formula::Argument(self.terms.symbols[symbol.0 as usize].name.clone())
            }
            Node::Bit(op, ..) => match op {
                BitOp::Sub if is_zero(&operands[0]) => Formula::Applied {
                    operator: Operator::Prefix("-"),
                    operands: operands[1..].to_vec(),
                },
                BitOp::Sub => infix("-", 10),
                BitOp::SDiv => infix("/", 11),
                BitOp::SRem => infix("%", 11),
                BitOp::UDiv => self.unsigned("/", 11, &operands),
                BitOp::URem => self.unsigned("%", 11, &operands),
                BitOp::Shl => infix("<<", 9),
                BitOp::AShr => infix(">>", 9),
                BitOp::LShr => self.unsigned(">>", 9, &operands),
                // More operands than a chain has.
                BitOp::Add | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor => beyond,
            },
            Node::ZeroExt(..) => applied(Operator::Cast(word("u", width))),
            Node::SignExt(..) => applied(Operator::Cast(word("", width))),
            Node::Low(..) => {
                let sign = if kind == Kind::Unsigned { "u" } else { "" };
                applied(Operator::Cast(word(sign, width)))
            }
            Node::Ite(..) => applied(Operator::Choice),
            Node::Not(a) => match self.terms.node(*a) {
                Node::Eq(..) => compared("!=", operands),
                _ => applied(Operator::Prefix("!")),
            },
            Node::And(..) | Node::Or(..) => beyond,
            Node::Eq(..) => compared("==", operands),
            Node::Less(order, ..) => match order {
                term::Order::SignedLess => infix("<", 8),
                term::Order::SignedLessEq => infix("<=", 8),
                term::Order::UnsignedLess => self.unsigned("<", 8, &operands),
                term::Order::UnsignedLessEq => self.unsigned("<=", 8, &operands),
            },
            Node::Apply { function, .. } => match function {
                Function::Operation(name) => operation(name, operands),
                Function::Input(name) => Formula::Cell {
                    array: name.clone(),
                    index: operands[0].clone(),
                },
                Function::Argument(name) => Formula::Argument(name.clone()),
                other => applied(Operator::Call(other.to_string())),
            },
        }
    }
}

/// Without ranges that the operand does not hang on.
fn once(part: &mut Part) {
    let of = part.of.clone();
    let hangs_on = |range: &Range| of.moved(range.variable, 1).is_none_or(|moved| moved != of);
    if !part.ranges.iter().any(hangs_on) {
        part.ranges.clear();
    }
}

fn is_zero(formula: &Formula) -> bool {
    matches!(formula, Formula::Number(number) if number.number() == Some(0))
}

/// The name of a type of integers.
fn word(sign: &str, width: u32) -> String {
    format!("{sign}int{width}_t")
}

fn constant(width: u32, value: u64, kind: Kind) -> Formula {
    match kind {
        Kind::Float(Width::Single) => {
            Formula::Constant(format!("{:?}", f32::from_bits(value as u32)))
        }
        Kind::Float(Width::Double) => Formula::Constant(format!("{:?}", f64::from_bits(value))),
        Kind::Unsigned if value > i64::MAX as u64 => Formula::Constant(value.to_string()),
        Kind::Unsigned => Formula::Number(Affine::of(value as i64)),
        _ => {
            let unused = 64 - width;
            Formula::Number(Affine::of(((value << unused) as i64) >> unused))
        }
    }
}

/// Whether two are the same, a number on the right.
fn compared(text: &'static str, mut operands: Vec<Rc<Formula>>) -> Formula {
    if matches!(*operands[0], Formula::Number(_)) {
        operands.reverse();
    }
    Formula::Applied {
        operator: Operator::Infix(text, 7),
        operands,
    }
}

/// An operation on floats, or between them and integers, as C writes it.
fn operation(name: &str, operands: Vec<Rc<Formula>>) -> Formula {
    let operator = match of_operation(name).0 {
        "Sub" => Operator::Infix("-", 10),
        "Div" => Operator::Infix("/", 11),
        "Lt" => Operator::Infix("<", 8),
        "Le" => Operator::Infix("<=", 8),
        "Gt" => Operator::Infix(">", 8),
        "Ge" => Operator::Infix(">=", 8),
        "Eq" => Operator::Infix("==", 7),
        "Ne" => Operator::Infix("!=", 7),
        "Neg" => Operator::Prefix("-"),
        other => match other.split_once(" to ") {
            Some((_, to)) => Operator::Cast(match to {
                "F32" => "float".to_owned(),
                "F64" => "double".to_owned(),
                "Bool" => "bool".to_owned(),
                other => other.to_lowercase(),
            }),
            None => {
                let inner = other.strip_prefix("Elementary(");
                let inner = inner.and_then(|rest| rest.strip_suffix(')'));
                Operator::Call(inner.unwrap_or(other).to_lowercase())
            }
        },
    };
    Formula::Applied { operator, operands }
}
