//! Terms as formulas.

use super::alike::Numbers;
use super::chain::{Chain, Operand, chain};
use super::formula::{Affine, Formula, Many, Operator, Order, Part, Range, Variable};
use super::grouped::{Ranged, grouped};
use super::kind::{Kind, Width, of_operation, result_of};
use crate::terms::function::Function;
use crate::terms::term::{self, BitOp, Node, Sort, TermId, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Operands from which on a sum is written with a range.
const LEAST_ALIKE: usize = 3;
/// Operations of a formula, each as often as it occurs in it, and how deep they nest.
const MOST_OPERATIONS: u64 = 20_000;
const MOST_DEEP: u32 = 200;

/// Bits of an `int`.
const INT: u32 = 32;

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
    /// How inputs are read, by name.
    inputs: FxHashMap<String, Kind>,
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

    fn is_ranged(&self) -> bool {
        !self.ranges.is_empty()
    }

    fn is_unrolled_at(&self, _: Variable, _: i64, _: &Part) -> bool {
        false
    }
}

impl<'t> Formulas<'t> {
    pub fn new(terms: &'t Terms, inputs: FxHashMap<String, Kind>) -> Formulas<'t> {
        Formulas {
            terms,
            inputs,
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
                Node::Eq(a, b) => self.of_equality(*a, *b),
                _ => vec![(*a, Kind::Truth)],
            },
            Node::And(a, b) | Node::Or(a, b) => vec![(*a, Kind::Truth), (*b, Kind::Truth)],
            Node::Eq(a, b) => self.of_equality(*a, *b),
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

    fn of_equality(&self, a: TermId, b: TermId) -> Vec<(TermId, Kind)> {
        let kind = match self.terms.sort(a) {
            Sort::Bool => Kind::Truth,
            Sort::Bits(width) if width < INT => Kind::Unsigned,
            Sort::Bits(_) => Kind::Signed,
        };
        vec![(a, kind), (b, kind)]
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
        let of_chain = match &shape {
            Shape::Chain(chain) => Some(chain.kind),
            Shape::Own(_) => None,
        };
        let (formula, variables) = match shape {
            Shape::Chain(chain) => match self.chained(term, &chain, variables) {
                Some(made) => made,
                None => return large(operations),
            },
            Shape::Own(_) => (self.own(term, kind, &operands, operations), variables),
        };
        let is_float = match &of_chain {
            Some(of) => Some(matches!(of, Kind::Float(_))),
            None => self.is_float(term),
        };
        let as_bits = match (is_float, kind) {
            (Some(true), Kind::Signed | Kind::Unsigned) => Some("bits"),
            (Some(false), Kind::Float(_)) => Some("of_bits"),
            _ => None,
        };
        let formula = match as_bits {
            None => formula,
            Some(name) => Formula::Applied {
                operator: Operator::Call(name.to_owned()),
                operands: vec![Rc::new(formula)],
            },
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
                    Operand::Term(t) => self.operand(t, chain),
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

    /// An operand of a chain; whether it is signed matters to the larger and the smaller of two.
    fn operand(&self, term: TermId, chain: &Chain) -> Rc<Formula> {
        let of = self.get(term, chain.kind).formula.clone();
        let is_unsigned = match (&chain.how, chain.kind) {
            (Many::Max | Many::Min, Kind::Unsigned) => true,
            (Many::Max | Many::Min, Kind::Signed) => false,
            _ => return of,
        };
        self.read_as(&of, self.terms.width(term), is_unsigned)
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

    /// An operand of so many bits, as a number that C takes for an unsigned one, or for a signed one.
    fn read_as(&self, of: &Rc<Formula>, width: u32, is_unsigned: bool) -> Rc<Formula> {
        let is_plain = matches!(**of, Formula::Number(_) | Formula::Constant(_));
        let is_cast = |operator: &Operator| matches!(operator, Operator::Cast(_));
        // In C what is narrower than an `int` is computed as one: a sum that wraps around before has to be cast.
        let is_whole = match &**of {
            Formula::Cell { .. } | Formula::Argument(_) => true,
            Formula::Applied { operator, .. } => is_cast(operator) || width >= INT,
            _ => width >= INT,
        };
        if is_plain || is_whole && self.is_unsigned(of) == is_unsigned {
            return of.clone();
        }
        let name = match (is_unsigned, width) {
            (true, INT) => "unsigned".to_owned(),
            (false, INT) => "int".to_owned(),
            (true, _) => word("u", width),
            (false, _) => word("", width),
        };
        Rc::new(Formula::Applied {
            operator: Operator::Cast(name),
            operands: vec![of.clone()],
        })
    }

    /// An operation that takes its operands, of so many bits, for unsigned numbers, or for signed ones.
    fn reading(
        &self,
        (text, binds): (&'static str, u8),
        operands: &[Rc<Formula>],
        width: u32,
        is_unsigned: bool,
    ) -> Formula {
        // By how much is shifted is no matter of signs.
        let n = if matches!(text, "<<" | ">>") {
            1
        } else {
            operands.len()
        };
        let read = |(at, of): (usize, &Rc<Formula>)| match (at < n, &**of) {
            (false, _) => of.clone(),
            // The type of what is shifted is that of the result.
            (true, Formula::Number(_)) if n < operands.len() && width > INT => {
                Rc::new(Formula::Applied {
                    operator: Operator::Cast(word(if is_unsigned { "u" } else { "" }, width)),
                    operands: vec![of.clone()],
                })
            }
            (true, _) => self.read_as(of, width, is_unsigned),
        };
        Formula::Applied {
            operator: Operator::Infix(text, binds),
            operands: operands.iter().enumerate().map(read).collect(),
        }
    }

    /// Whether the bits of a term are those of a float: what it is made of says so. `None`: of a constant, and of a choice,
    /// they are what they are read as.
    fn is_float(&self, term: TermId) -> Option<bool> {
        let of_kind = |kind: Kind| matches!(kind, Kind::Float(_));
        match self.terms.node(term) {
            Node::Bool(_) | Node::Bits { .. } | Node::Ite(..) => None,
            Node::Apply { function, .. } => Some(match function {
                Function::Input(name) | Function::Argument(name) => {
                    self.inputs.get(&**name).copied().is_some_and(of_kind)
                }
                Function::Operation(name) => of_kind(result_of(name)),
                _ => false,
            }),
            _ => Some(false),
        }
    }

    /// Whether two are the same, a number on the right. What is narrower than an `int` becomes one in C, and has to be read
    /// as its constants are.
    fn compared(&self, text: &'static str, a: TermId, mut operands: Vec<Rc<Formula>>) -> Formula {
        if matches!(*operands[0], Formula::Number(_)) {
            operands.reverse();
        }
        match self.terms.sort(a) {
            Sort::Bits(width) if width < INT => self.reading((text, 7), &operands, width, true),
            _ => Formula::Applied {
                operator: Operator::Infix(text, 7),
                operands,
            },
        }
    }

    /// Whether C takes it for an unsigned number.
    fn is_unsigned(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Argument(name) | Formula::Cell { array: name, .. } => {
                self.inputs.get(&**name) == Some(&Kind::Unsigned)
            }
            Formula::Applied { operator, operands } => match operator {
                Operator::Cast(ty) => ty.starts_with('u'),
                // What shifts does not count.
                Operator::Infix("<<" | ">>", _) | Operator::Prefix("-") => {
                    self.is_unsigned(&operands[0])
                }
                Operator::Infix("-" | "/" | "%", _) => {
                    operands.iter().any(|of| self.is_unsigned(of))
                }
                Operator::Choice => operands[1..].iter().any(|of| self.is_unsigned(of)),
                _ => false,
            },
            Formula::Sum { parts, .. } => parts.iter().any(|part| self.is_unsigned(&part.of)),
            Formula::Constant(text) => text.ends_with('u'),
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
                BitOp::SDiv => self.reading(("/", 11), &operands, width, false),
                BitOp::SRem => self.reading(("%", 11), &operands, width, false),
                BitOp::UDiv => self.reading(("/", 11), &operands, width, true),
                BitOp::URem => self.reading(("%", 11), &operands, width, true),
                BitOp::Shl => {
                    let is_unsigned = self.is_unsigned(&operands[0]);
                    self.reading(("<<", 9), &operands, width, is_unsigned)
                }
                BitOp::AShr => self.reading((">>", 9), &operands, width, false),
                BitOp::LShr => self.reading((">>", 9), &operands, width, true),
                // More operands than a chain has.
                BitOp::Add | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor => beyond,
            },
            Node::ZeroExt(_, a) | Node::SignExt(_, a) => {
                let is_unsigned = matches!(self.terms.node(term), Node::ZeroExt(..));
                let sign = if is_unsigned { "u" } else { "" };
                Formula::Applied {
                    operator: Operator::Cast(word(sign, width)),
                    operands: vec![self.read_as(&operands[0], self.terms.width(*a), is_unsigned)],
                }
            }
            Node::Low(..) => {
                let sign = if kind == Kind::Unsigned { "u" } else { "" };
                applied(Operator::Cast(word(sign, width)))
            }
            Node::Ite(..) => applied(Operator::Choice),
            Node::Not(a) => match self.terms.node(*a) {
                Node::Eq(a, _) => self.compared("!=", *a, operands),
                _ => applied(Operator::Prefix("!")),
            },
            Node::And(..) | Node::Or(..) => beyond,
            Node::Eq(a, _) => self.compared("==", *a, operands),
            Node::Less(order, a, _) => {
                let (text, is_unsigned) = match order {
                    term::Order::SignedLess => ("<", false),
                    term::Order::SignedLessEq => ("<=", false),
                    term::Order::UnsignedLess => ("<", true),
                    term::Order::UnsignedLessEq => ("<=", true),
                };
                self.reading((text, 8), &operands, self.terms.width(*a), is_unsigned)
            }
            Node::Apply { function, .. } => match function {
                Function::Operation(name) => {
                    let from = of_operation(name).1;
                    let is_conversion = name.contains(" to ");
                    let is_integer = matches!(from, Kind::Signed | Kind::Unsigned);
                    let operands = match (self.terms.node(term), is_conversion && is_integer) {
                        (Node::Apply { args, .. }, true) => {
                            let width = self.terms.width(args[0]);
                            let is_unsigned = from == Kind::Unsigned;
                            vec![self.read_as(&operands[0], width, is_unsigned)]
                        }
                        _ => operands,
                    };
                    operation(name, operands)
                }
                Function::Input(name) => Formula::Cell {
                    array: name.to_string(),
                    index: operands[0].clone(),
                },
                Function::Argument(name) => Formula::Argument(name.to_string()),
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

/// A constant as C has it: with the suffix that says its type, where it has no other.
fn constant(width: u32, value: u64, kind: Kind) -> Formula {
    let signed = |value: u64| ((value << (64 - width)) as i64) >> (64 - width);
    match kind {
        Kind::Float(Width::Single) => {
            let value = f32::from_bits(value as u32);
            float(f64::from(value), "float", &format!("{value:?}f"))
        }
        Kind::Float(Width::Double) => {
            let value = f64::from_bits(value);
            float(value, "double", &format!("{value:?}"))
        }
        Kind::Unsigned if value > i64::MAX as u64 || width == INT && value > i32::MAX as u64 => {
            Formula::Constant(format!("{value}u"))
        }
        Kind::Unsigned => Formula::Number(Affine::of(value as i64)),
        // The least number is none of its own type: what stands behind the sign is too large.
        _ if width == INT && signed(value) == i64::from(i32::MIN) => {
            Formula::Constant("INT_MIN".to_owned())
        }
        _ if signed(value) == i64::MIN => Formula::Constant("INT64_MIN".to_owned()),
        _ => Formula::Number(Affine::of(signed(value))),
    }
}

/// A float. One that is a small integer is the cast of that, so that floats that vary evenly are seen to.
fn float(value: f64, ty: &str, text: &str) -> Formula {
    /// All integers up to it are floats.
    const MOST: f64 = 16_777_216.0;
    let is_integer = value.fract() == 0.0 && value.abs() <= MOST;
    if is_integer && !(value == 0.0 && value.is_sign_negative()) {
        return Formula::Applied {
            operator: Operator::Cast(ty.to_owned()),
            operands: vec![Rc::new(Formula::Number(Affine::of(value as i64)))],
        };
    }
    Formula::Constant(match value {
        _ if value.is_nan() => "NAN".to_owned(),
        f64::INFINITY => "INFINITY".to_owned(),
        f64::NEG_INFINITY => "-INFINITY".to_owned(),
        _ => text.to_owned(),
    })
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
