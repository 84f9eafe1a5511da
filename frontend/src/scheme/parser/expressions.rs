//! Expressions. From weakest to strongest: `?:`, OR, AND, NOT, comparisons, `|`, `^`, `&`, shifts,
//! sums, products, prefixes, subscripts.

use super::super::problem::{Problem, Reading};
use super::super::token::Lexeme;
use super::super::tree::{Tree, TreeKind};
use super::super::words;
use super::declarations::proc_kind;
use super::{DEEPEST, Parser};
use crate::scheme::strength;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, UnaryOp};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;

fn binary_operator(lexeme: &Lexeme) -> Option<BinaryOp> {
    use BinaryOp::*;
    let (Lexeme::Symbol(text) | Lexeme::Word(text)) = lexeme else {
        return None;
    };
    Some(match *text {
        "OR" => Or,
        "AND" => And,
        "==" => Eq,
        "!=" => Ne,
        "<" => Lt,
        "<=" => Le,
        ">" => Gt,
        ">=" => Ge,
        "|" => BitOr,
        "^" => BitXor,
        "&" => BitAnd,
        "<<" => Shl,
        ">>" => Shr,
        "+" => Add,
        "-" => Sub,
        "*" => Mul,
        "/" => Div,
        "%" => Rem,
        _ => return None,
    })
}

impl Parser<'_> {
    /// What was read since `start`. A chain `a + b + …` nests to the left without being read so.
    fn tree(&self, start: Span, kind: TreeKind) -> Reading<Tree> {
        let height = 1 + kind.height();
        if height > DEEPEST {
            return self.too_deep();
        }
        let at = self.since(start);
        Ok(Tree { at, height, kind })
    }

    pub(super) fn expression(&mut self) -> Reading<Tree> {
        self.nested(Self::conditional)
    }

    /// `binary [ "?" conditional ":" conditional ]`
    fn conditional(&mut self) -> Reading<Tree> {
        let start = self.at();
        let cond = self.binary(strength::OR)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let then = self.expression()?;
        self.expect(":")?;
        let otherwise = self.expression()?;
        let kind = TreeKind::Select(Box::new(cond), Box::new(then), Box::new(otherwise));
        self.tree(start, kind)
    }

    fn binary(&mut self, weakest: u8) -> Reading<Tree> {
        let start = self.at();
        let mut left = match weakest <= strength::NOT && self.is("NOT") {
            true => self.negation()?,
            false => self.prefix()?,
        };
        let mut compared = false;
        loop {
            let Some(op) = binary_operator(self.peek()) else {
                return Ok(left);
            };
            if strength::of(op) < weakest {
                return Ok(left);
            }
            if op.is_comparison() {
                if compared {
                    let message = "comparisons do not chain: join them by `AND`";
                    return Problem::at(self.at(), message);
                }
                compared = true;
            }
            self.advance();
            // Strengths only go up: that far, and no further, this goes down without counting.
            let right = self.binary(strength::of(op) + 1)?;
            let kind = TreeKind::Binary(op, Box::new(left), Box::new(right));
            left = self.tree(start, kind)?;
        }
    }

    /// `"NOT" …`, which holds a whole comparison.
    fn negation(&mut self) -> Reading<Tree> {
        let start = self.at();
        self.expect("NOT")?;
        let operand = self.nested(|parser| match parser.is("NOT") {
            true => parser.negation(),
            false => parser.binary(strength::NOT + 1),
        })?;
        self.tree(start, TreeKind::Unary(UnaryOp::Not, Box::new(operand)))
    }

    fn prefix(&mut self) -> Reading<Tree> {
        let start = self.at();
        if self.eat("-") {
            // A number with its sign is one constant; `-(1)` is the negation of 1.
            let negative = match self.peek().clone() {
                Lexeme::Int(value, suffix) => TreeKind::Int {
                    value,
                    is_negative: true,
                    suffix,
                },
                Lexeme::Float(digits, suffix) => TreeKind::Float {
                    digits,
                    is_negative: true,
                    suffix,
                },
                Lexeme::Word("inf") => TreeKind::Infinity { is_negative: true },
                _ => {
                    let operand = self.nested(Self::prefix)?;
                    return self.tree(start, TreeKind::Unary(UnaryOp::Neg, Box::new(operand)));
                }
            };
            self.advance();
            return self.tree(start, negative);
        }
        if self.eat("~") {
            let operand = self.nested(Self::prefix)?;
            return self.tree(start, TreeKind::Unary(UnaryOp::BitNot, Box::new(operand)));
        }
        if self.eat("*") {
            let pointer = self.nested(Self::prefix)?;
            return self.tree(start, TreeKind::Target(Box::new(pointer)));
        }
        if self.is("&") {
            let message = "there is no address-of: `a + i` points to `a[i]`";
            return Problem::at(start, message);
        }
        self.subscripted()
    }

    /// What may be assigned to: `*p`, or something with subscripts.
    pub(super) fn postfix(&mut self) -> Reading<Tree> {
        match self.is("*") {
            true => self.prefix(),
            false => self.subscripted(),
        }
    }

    fn subscripted(&mut self) -> Reading<Tree> {
        let start = self.at();
        let mut inside = self.primary()?;
        while self.eat("[") {
            let index = self.expression()?;
            self.expect("]")?;
            let kind = TreeKind::Cell(Box::new(inside), Box::new(index));
            inside = self.tree(start, kind)?;
        }
        Ok(inside)
    }

    fn primary(&mut self) -> Reading<Tree> {
        let start = self.at();
        if self.starts_type() {
            let ty = self.type_name()?;
            if !self.is("(") {
                return self.expected("`(`, as in a conversion `f32(x)`", &[]);
            }
            self.advance();
            let operand = self.expression()?;
            self.expect(")")?;
            return self.tree(start, TreeKind::Cast(ty, Box::new(operand)));
        }
        let kind = match self.peek().clone() {
            Lexeme::Name(name) => {
                self.advance();
                TreeKind::Name(name)
            }
            Lexeme::Int(value, suffix) => {
                self.advance();
                TreeKind::Int {
                    value,
                    is_negative: false,
                    suffix,
                }
            }
            Lexeme::Float(digits, suffix) => {
                self.advance();
                TreeKind::Float {
                    digits,
                    is_negative: false,
                    suffix,
                }
            }
            Lexeme::Symbol("(") => return self.parenthesised(),
            Lexeme::Symbol("::") => {
                self.advance();
                TreeKind::OfFile(self.name()?.0)
            }
            Lexeme::Word(word) => match proc_kind(word) {
                Some(kind) => self.of_procedure(kind)?,
                None => self.word_value(word)?,
            },
            _ => return self.expected("an expression", &[]),
        };
        self.tree(start, kind)
    }

    /// `"(" expression [ ":" type ] ")"`
    fn parenthesised(&mut self) -> Reading<Tree> {
        let start = self.at();
        self.expect("(")?;
        let inside = self.expression()?;
        if self.eat(":") {
            let ty = self.type_name()?;
            self.expect(")")?;
            return self.tree(start, TreeKind::Ascribed(Box::new(inside), ty));
        }
        if !self.is(")") && binary_operator(self.peek()).is_none() {
            return self.expected("`)`", &[]);
        }
        self.expect(")")?;
        // The place of the inside is more telling than that with the parentheses.
        Ok(inside)
    }

    /// `KERNEL k::array`
    fn of_procedure(&mut self, kind: ProcKind) -> Reading<TreeKind> {
        self.advance();
        let (proc, _) = self.name()?;
        self.expect("::")?;
        let (array, _) = self.name()?;
        Ok(TreeKind::OfProc(kind, proc, array))
    }

    /// An expression that starts with a reserved word.
    fn word_value(&mut self, word: &'static str) -> Reading<TreeKind> {
        if let Some(function) = words::math_function(word) {
            self.advance();
            let args = self.in_parentheses(|parser| parser.expression())?;
            return Ok(TreeKind::Math(function, args));
        }
        let kind = match word {
            "true" => TreeKind::Bool(true),
            "false" => TreeKind::Bool(false),
            "inf" => TreeKind::Infinity { is_negative: false },
            "nan" => TreeKind::NotANumber,
            "undef" => TreeKind::Undef,
            "null" => return self.null(),
            "f32_bits" => return self.bits(ScalarType::F32),
            "f64_bits" => return self.bits(ScalarType::F64),
            "warpSize" => TreeKind::Builtin(Builtin::WarpSize),
            "threadIdx" => return self.coordinate(Builtin::ThreadIdx),
            "blockIdx" => return self.coordinate(Builtin::BlockIdx),
            "blockDim" => return self.coordinate(Builtin::BlockDim),
            "gridDim" => return self.coordinate(Builtin::GridDim),
            _ if words::is_operator(word) => {
                let message = format!(
                    "`{word}` is an operator, no expression: it stands alone or right of `:=`"
                );
                return Problem::at(self.at(), message);
            }
            _ => return self.expected("an expression", &[]),
        };
        self.advance();
        Ok(kind)
    }

    fn coordinate(&mut self, builtin: fn(Axis) -> Builtin) -> Reading<TreeKind> {
        self.advance();
        self.expect(".")?;
        let axis = match self.peek() {
            Lexeme::Name(name) if name.number == 1 => match &*name.text {
                "x" => Some(Axis::X),
                "y" => Some(Axis::Y),
                "z" => Some(Axis::Z),
                _ => None,
            },
            _ => None,
        };
        let Some(axis) = axis else {
            return self.expected("`x`, `y` or `z`", &[]);
        };
        self.advance();
        Ok(TreeKind::Builtin(builtin(axis)))
    }

    /// `null [ "(" [ "-" ] number ")" ]`
    fn null(&mut self) -> Reading<TreeKind> {
        self.advance();
        if !self.eat("(") {
            return Ok(TreeKind::Null(0));
        }
        let is_negative = self.eat("-");
        let at = self.at();
        let Lexeme::Int(value, None) = *self.peek() else {
            return self.expected("a number of elements", &[]);
        };
        self.advance();
        self.expect(")")?;
        let signed = i128::try_from(value).unwrap_or(i128::MAX);
        match i64::try_from(if is_negative { -signed } else { signed }) {
            Ok(offset) => Ok(TreeKind::Null(offset)),
            Err(_) => Problem::at(at, format!("{value} does not fit in i64")),
        }
    }

    /// `f32_bits(0x…)`
    fn bits(&mut self, ty: ScalarType) -> Reading<TreeKind> {
        self.advance();
        self.expect("(")?;
        let Lexeme::Int(bits, None) = *self.peek() else {
            return self.expected("the bits as a number without type", &[]);
        };
        if bits >> ty.bits() != 0 {
            let message = format!("more than {} bits", ty.bits());
            return Problem::at(self.at(), message);
        }
        self.advance();
        self.expect(")")?;
        Ok(TreeKind::Bits(ty, bits))
    }
}
