//! Formulas in words: C's operators, and `Σ … for j in 0..=63`.

use super::formula::{Affine, Formula, Many, Operator, Part, Range, Variable};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

/// Names of variables, in the order in which they are met.
const NAMES: &str = "ijklmnpqrstuvw";

/// How tightly operators bind: a choice, and what stands alone.
const CHOICE: u8 = 1;
const SUM: u8 = 10;
const PRODUCT: u8 = 11;
const PREFIX: u8 = 13;
const ALONE: u8 = 14;

/// What says of a constant that it is such a float.
fn suffix(ty: &str) -> Option<&'static str> {
    match ty {
        "float" => Some("f"),
        "double" => Some(""),
        _ => None,
    }
}

/// Writes formulas; a variable has one name in all that are written.
#[derive(Default)]
pub struct Writer {
    names: BTreeMap<Variable, String>,
    /// Those that the program has.
    taken: Vec<String>,
}

impl Writer {
    /// With names that stand for something else.
    pub fn new(taken: impl IntoIterator<Item = String>) -> Writer {
        Writer {
            names: BTreeMap::new(),
            taken: taken.into_iter().collect(),
        }
    }

    /// The name of a variable.
    pub fn name(&mut self, variable: Variable) -> String {
        if let Some(name) = self.names.get(&variable) {
            return name.clone();
        }
        let letters = NAMES.chars().map(|letter| letter.to_string());
        let numbered = (0..).map(|number| format!("i{number}"));
        let used: Vec<&String> = self.names.values().chain(&self.taken).collect();
        let name = letters.chain(numbered).find(|name| !used.contains(&name));
        let name = name.unwrap_or_default();
        self.names.insert(variable, name.clone());
        name
    }

    /// The formula.
    pub fn formula(&mut self, formula: &Formula) -> String {
        self.tight(formula).0
    }

    /// A number.
    pub fn affine(&mut self, affine: &Affine) -> String {
        self.number(affine).0
    }

    /// `for i in 0..=63`, once for each.
    pub fn ranges(&mut self, ranges: &[Range]) -> String {
        let mut text = String::new();
        for range in ranges {
            let name = self.name(range.variable);
            let last = range.count.plus(range.first - 1);
            let last = self.number(&last).0;
            let _ = write!(text, " for {name} in {}..={last}", range.first);
        }
        text
    }

    fn number(&mut self, affine: &Affine) -> (String, u8) {
        let mut text = String::new();
        let mut n = 0;
        // Rows before columns.
        let mut factors: Vec<(&Variable, &i64)> = affine.factors.iter().collect();
        factors.sort_by_key(|(variable, factor)| {
            (Reverse(factor.unsigned_abs()), Reverse(**variable))
        });
        for (variable, factor) in factors {
            let name = self.name(*variable);
            let size = factor.unsigned_abs();
            let sign = match (n, *factor < 0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            n += 1;
            let _ = match size {
                1 => write!(text, "{sign}{name}"),
                _ => write!(text, "{sign}{size} * {name}"),
            };
        }
        let constant = affine.constant;
        match (n, constant) {
            (0, _) => {
                let binds = if constant < 0 { PREFIX } else { ALONE };
                return (constant.to_string(), binds);
            }
            (_, 0) => {}
            _ => {
                n += 1;
                let sign = if constant < 0 { "-" } else { "+" };
                let _ = write!(text, " {sign} {}", constant.unsigned_abs());
            }
        }
        let is_plain = n == 1 && affine.factors.values().all(|factor| *factor == 1);
        let binds = match (n, is_plain) {
            (_, true) => ALONE,
            (1, _) => PRODUCT,
            _ => SUM,
        };
        (text, binds)
    }

    /// In parentheses where it binds less than `least`.
    fn within(&mut self, formula: &Formula, least: u8) -> String {
        let (text, binds) = self.tight(formula);
        match binds < least {
            true => format!("({text})"),
            false => text,
        }
    }

    fn tight(&mut self, formula: &Formula) -> (String, u8) {
        match formula {
            Formula::Number(number) => self.number(number),
            Formula::Constant(text) => {
                let binds = if text.starts_with('-') { PREFIX } else { ALONE };
                (text.clone(), binds)
            }
            Formula::Argument(name) => (name.clone(), ALONE),
            Formula::Cell { array, index } => (format!("{array}[{}]", self.formula(index)), ALONE),
            Formula::Applied { operator, operands } => self.applied(operator, operands),
            Formula::Sum { how, parts, .. } => self.sum(how, parts),
            Formula::NoValue => ("no value".to_owned(), ALONE),
            Formula::Large { operations } => (format!("[{operations} operations]"), ALONE),
        }
    }

    fn applied(&mut self, operator: &Operator, operands: &[Rc<Formula>]) -> (String, u8) {
        match (operator, operands) {
            (Operator::Infix(text, binds), [a, b]) => {
                // From left to right; comparisons of comparisons are hard to read.
                let least = if (7..=8).contains(binds) {
                    binds + 1
                } else {
                    *binds
                };
                let a = self.within(a, least);
                let b = self.within(b, binds + 1);
                (format!("{a} {text} {b}"), *binds)
            }
            (Operator::Prefix(text), [a]) => (format!("{text}{}", self.within(a, ALONE)), PREFIX),
            (Operator::Cast(ty), [a])
                if let Some(suffix) = suffix(ty)
                    && let Formula::Number(number) = &**a
                    && let Some(number) = number.number() =>
            {
                let binds = if number < 0 { PREFIX } else { ALONE };
                (format!("{number}.0{suffix}"), binds)
            }
            (Operator::Cast(ty), [a]) => (format!("({ty}){}", self.within(a, PREFIX)), PREFIX),
            (Operator::Choice, [cond, a, b]) => {
                let cond = self.within(cond, CHOICE + 1);
                let a = self.within(a, CHOICE + 1);
                let b = self.within(b, CHOICE);
                (format!("{cond} ? {a} : {b}"), CHOICE)
            }
            (Operator::Call(name), _) => (format!("{name}({})", self.list(operands)), ALONE),
            (Operator::Infix(name, _) | Operator::Prefix(name), _) => {
                (format!("`{name}`({})", self.list(operands)), ALONE)
            }
            _ => (format!("?({})", self.list(operands)), ALONE),
        }
    }

    fn list(&mut self, operands: &[Rc<Formula>]) -> String {
        let texts: Vec<String> = operands.iter().map(|of| self.formula(of)).collect();
        texts.join(", ")
    }

    fn sum(&mut self, how: &Many, parts: &[Part]) -> (String, u8) {
        let (joined, binds, sign) = match how {
            Many::Sum => (" + ", SUM, "Σ"),
            Many::Product => (" * ", PRODUCT, "Π"),
            Many::BitAnd => (" & ", 6, "AND"),
            Many::BitXor => (" ^ ", 5, "XOR"),
            Many::BitOr => (" | ", 4, "OR"),
            Many::All => (" && ", 3, "ALL"),
            Many::Any => (" || ", 2, "ANY"),
            Many::Max | Many::Min | Many::FusedSum => return (self.called(how, parts), ALONE),
        };
        let [only] = parts else {
            let n = parts.len();
            let texts: Vec<String> = parts
                .iter()
                .zip(1..)
                .map(|(part, number)| match part.ranges.is_empty() {
                    // The first may be a chain itself; the others stand behind an operator that begins with them.
                    true if number == 1 => self.within(&part.of, binds),
                    true => self.within(&part.of, binds + 1),
                    // What follows a range would seem to belong to it.
                    false if number < n => format!("({})", self.ranged(sign, part)),
                    false => self.ranged(sign, part),
                })
                .collect();
            // The range at the end reaches to the end.
            let is_open = parts.last().is_some_and(|part| !part.ranges.is_empty());
            return (texts.join(joined), if is_open { 0 } else { binds });
        };
        match only.ranges.is_empty() {
            true => self.tight(&only.of),
            false => (self.ranged(sign, only), 0),
        }
    }

    fn ranged(&mut self, sign: &str, part: &Part) -> String {
        let ranges = self.ranges(&part.ranges);
        let of = self.within(&part.of, SUM + 1);
        format!("{sign} {of}{ranges}")
    }

    /// `max(a, b for i in 0..=3)`; `fma(a, b, c)` is written from the inside: `fma(c; a * b for i in 0..=3)`.
    fn called(&mut self, how: &Many, parts: &[Part]) -> String {
        let name = match how {
            Many::Max => "max",
            Many::Min => "min",
            _ => "fma",
        };
        let texts: Vec<String> = parts
            .iter()
            .map(|part| {
                let ranges = self.ranges(&part.ranges);
                format!("{}{ranges}", self.formula(&part.of))
            })
            .collect();
        let between = if *how == Many::FusedSum { "; " } else { ", " };
        format!("{name}({})", texts.join(between))
    }
}
