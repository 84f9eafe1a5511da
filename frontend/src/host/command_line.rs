//! `main`'s arguments: the command line that the caller gave (`ParseOptions::argv`), else the program's name alone.
//! Calls of the C library on an argument (`atoi`) are computed while the program is read.

use crate::assumed::Assumed;
use crate::body::Body;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::casts::is_null;
use crate::syntax::expression::Expression;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;

/// The number in a base at the beginning of a text, as `strtol` reads it; 0 if the text does not begin with one.
fn leading_integer(text: &str, base: u32) -> i128 {
    let text = text.trim_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    let (base, digits) = match (base, hex) {
        (0 | 16, Some(hex)) => (16, hex),
        (0, None) if digits.starts_with('0') => (8, digits),
        (0, None) => (10, digits),
        (base, _) => (base, digits),
    };
    let mut value: i128 = 0;
    for digit in digits.chars().map_while(|c| c.to_digit(base)) {
        value = value
            .saturating_mul(i128::from(base))
            .saturating_add(i128::from(digit));
    }
    if negative { -value } else { value }
}

/// The decimal number at the beginning of a text, as `strtod` reads it; 0 if the text does not begin with one.
fn leading_number(text: &str) -> f64 {
    let text = text.trim_start();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    (0..=end)
        .rev()
        .find_map(|end| text.get(..end)?.parse().ok())
        .unwrap_or(0.0)
}

/// The text of a literal, as clang prints it; `None` where it has escapes.
fn literal(node: &Node) -> Option<String> {
    let value = node.kind.value.as_ref()?.as_str()?;
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    (!inside.contains('\\')).then(|| inside.to_owned())
}

impl Source<'_, '_> {
    /// The text behind `-flag=` or `--flag=` on the command line; empty for `-flag` alone.
    fn flag(&self, flag: &str) -> Option<String> {
        self.unit.argv.iter().find_map(|given| {
            let given = given.trim_start_matches('-');
            match given.strip_prefix(flag)? {
                "" => Some(String::new()),
                rest => rest.strip_prefix('=').map(str::to_owned),
            }
        })
    }
}

impl Code<'_, '_> {
    /// The value of a parameter of `main`: the number of arguments, or the arguments.
    pub(crate) fn main_parameter(
        &mut self,
        position: usize,
        is_used: bool,
        scalar: Option<ScalarType>,
    ) -> Binding {
        if position < 2 && is_used && self.unit.argv.is_empty() {
            self.assume(Assumed::BareCommandLine);
        }
        match (position, scalar) {
            (0, Some(scalar)) => {
                let n_arguments = self.unit.argv.len() as i64 + 1;
                Binding::Constant(Expr::int(scalar, n_arguments))
            }
            (1, _) => Binding::CommandLine,
            _ => Binding::Text,
        }
    }

    /// Whether an expression is a literal text, or one that came from there or the command line.
    pub(crate) fn is_text(&self, node: &Node) -> bool {
        let node = node.without_casts();
        match node.expression() {
            Expression::Text => true,
            Expression::Subscript { left, .. } => self.is_command_line(left),
            Expression::Name(decl) => {
                matches!(self.bindings.get(&decl.id), Some(Binding::Known(_)))
            }
            _ => false,
        }
    }

    /// Whether an expression is `main`'s `argv`.
    pub(crate) fn is_command_line(&self, node: &Node) -> bool {
        let named = node.without_casts().kind.referenced_decl.as_ref();
        let binding = named.and_then(|decl| self.bindings.get(&decl.id));
        matches!(binding, Some(Binding::CommandLine))
    }
}

impl Body<'_, '_> {
    /// The text an expression is, where that is known.
    ///
    /// # Errors
    /// An argument of the command line that was not given, or whose index is not known.
    pub(crate) fn text(&mut self, node: &Node) -> Result<Option<String>> {
        let mut node = node.without_casts();
        while let Expression::Construct([inner, ..]) = node.expression() {
            node = inner.without_casts();
        }
        match node.expression() {
            Expression::Text => Ok(literal(node)),
            Expression::Name(decl) => match self.bindings.get(&decl.id) {
                Some(Binding::Known(text)) => Ok(Some(text.clone())),
                _ => Ok(None),
            },
            Expression::Subscript { left, right } if self.is_command_line(left) => {
                let index = self.value(right)?;
                let index = constant::evaluate(&index).and_then(Value::as_integer);
                match index {
                    Some(0) => Ok(Some("program".to_owned())),
                    Some(n) => match self.unit.argv.get((n - 1) as usize) {
                        Some(text) if n > 0 => Ok(Some(text.clone())),
                        _ => {
                            let what = format!("`argv[{n}]`, which is not given (--argv '…')");
                            self.refuse(node, what)
                        }
                    },
                    None => self.refuse(node, "an argument of the command line that varies"),
                }
            }
            _ => Ok(None),
        }
    }

    /// The text that is bound to a name.
    pub(crate) fn text_binding(&mut self, node: &Node) -> Result<Binding> {
        Ok(match self.text(node)? {
            Some(text) => Binding::Known(text),
            None => Binding::Text,
        })
    }

    /// A call of a function of strings with known arguments; `None` for any other call.
    pub(crate) fn text_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        let value = match (name, arguments) {
            ("atoi" | "atol" | "atoll", [text]) => {
                self.text(text)?.map(|t| integer(leading_integer(&t, 10)))
            }
            ("stoi" | "stol" | "stoul" | "stoll", [text, ..]) => {
                self.text(text)?.map(|t| integer(leading_integer(&t, 10)))
            }
            ("strtol" | "strtoul" | "strtoll" | "strtoull", [text, end, base]) if is_null(end) => {
                let base = self.value(base)?;
                let base = constant::evaluate(&base).and_then(Value::as_integer);
                match (self.text(text)?, base) {
                    (Some(text), Some(base @ (0 | 2..=36))) => {
                        Some(integer(leading_integer(&text, base as u32)))
                    }
                    _ => None,
                }
            }
            ("atof" | "stof" | "stod", [text, ..]) => self.text(text)?.map(|t| number(&t)),
            ("strtod" | "strtof", [text, end]) if is_null(end) => {
                self.text(text)?.map(|t| number(&t))
            }
            ("strlen", [text]) => self.text(text)?.map(|t| integer(t.len() as i128)),
            ("strcmp" | "strcasecmp", [a, b]) => match (self.text(a)?, self.text(b)?) {
                (Some(a), Some(b)) => Some(integer(compared(name, &a, &b))),
                _ => None,
            },
            ("checkCmdLineFlag", [_, _, flag]) => {
                let flag = self.text(flag)?;
                flag.map(|flag| integer(i128::from(self.flag(&flag).is_some())))
            }
            ("getCmdLineArgumentInt", [_, _, flag]) => {
                let flag = self.text(flag)?;
                let given = |flag: String| self.flag(&flag).unwrap_or_default();
                flag.map(given).map(|t| integer(leading_integer(&t, 10)))
            }
            ("getCmdLineArgumentFloat", [_, _, flag]) => {
                let flag = self.text(flag)?;
                let given = |flag: String| self.flag(&flag).unwrap_or_default();
                flag.map(given).map(|t| number(&t))
            }
            _ => None,
        };
        let Some(value) = value else {
            return Ok(None);
        };
        let ty = self.value_type(node)?;
        Ok(Some(constant::convert(value, ty)))
    }
}

fn integer(value: i128) -> Expr {
    Expr::constant(Value::int(ScalarType::I64, value))
}

fn number(text: &str) -> Expr {
    Expr::constant(Value::f64(leading_number(text)))
}

fn compared(name: &str, a: &str, b: &str) -> i128 {
    let order = match name {
        "strcasecmp" => a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()),
        _ => a.cmp(b),
    };
    order as i128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_head_of_a_text() {
        for (text, base, expected) in [
            ("12", 10, 12),
            (" -7x", 10, -7),
            ("0x1f", 0, 31),
            ("1f", 16, 31),
            ("010", 0, 8),
            ("ab", 10, 0),
        ] {
            assert_eq!(leading_integer(text, base), expected, "{text}");
        }
        for (text, expected) in [("1.5e2x", 150.0), ("-2", -2.0), ("e", 0.0), ("3e", 3.0)] {
            assert_eq!(leading_number(text), expected, "{text}");
        }
    }
}
