//! C expressions as texts that know their precedence and their C type.

use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// Precedence levels of C, higher binds tighter.
pub(super) mod level {
    pub const PRIMARY: u8 = 16;
    pub const UNARY: u8 = 15;
    pub const MULTIPLICATIVE: u8 = 13;
    pub const ADDITIVE: u8 = 12;
    pub const SHIFT: u8 = 11;
    pub const RELATIONAL: u8 = 10;
    pub const EQUALITY: u8 = 9;
    pub const BIT_AND: u8 = 8;
    pub const BIT_XOR: u8 = 7;
    pub const BIT_OR: u8 = 6;
    pub const AND: u8 = 5;
    pub const OR: u8 = 4;
    pub const CONDITIONAL: u8 = 3;
}

pub(super) const fn level_of(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Mul | Div | Rem => level::MULTIPLICATIVE,
        Add | Sub | PtrDiff => level::ADDITIVE,
        Shl | Shr => level::SHIFT,
        Lt | Le | Gt | Ge => level::RELATIONAL,
        Eq | Ne => level::EQUALITY,
        BitAnd => level::BIT_AND,
        BitXor => level::BIT_XOR,
        BitOr => level::BIT_OR,
        And => level::AND,
        Or => level::OR,
    }
}

/// A construct the dialect has no honest spelling for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unprintable(pub String);

pub(crate) type Printed = Result<Text, Unprintable>;

/// A C expression.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub text: String,
    pub(super) level: u8,
    /// The type C gives it.
    pub(super) ty: Type,
    /// For `left op right`: to make `left op= right` of it.
    pub(super) parts: Option<(String, &'static str, String)>,
}

impl Text {
    pub(super) fn new(text: impl Into<String>, level: u8, ty: Type) -> Text {
        Text {
            text: text.into(),
            level,
            ty,
            parts: None,
        }
    }

    /// The digits of an integer literal.
    pub(super) fn digits(&self) -> Option<&str> {
        let digits = self.text.trim_end_matches(['u', 'U', 'L']);
        let is_literal = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is_literal.then_some(digits)
    }

    pub(super) fn scalar(&self) -> ScalarType {
        self.ty.scalar().unwrap_or(ScalarType::U64)
    }

    /// The text after a cast.
    pub(crate) fn as_operand_of_cast(&self) -> String {
        self.at(level::UNARY)
    }

    /// The text where at least `level` is needed.
    pub(super) fn at(&self, level: u8) -> String {
        if self.level >= level {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// `-text`, and never `--text`.
    pub(super) fn negated(&self) -> String {
        let operand = self.at(level::UNARY);
        if operand.starts_with('-') {
            format!("-({operand})")
        } else {
            format!("-{operand}")
        }
    }

    /// The text as an operand of a binary operator: in parentheses as well where C needs none
    /// but readers (and compilers' warnings) do.
    pub(super) fn operand(&self, of: u8, is_right: bool) -> String {
        let needed = self.level < of || (self.level == of && is_right);
        let confusing = match of {
            level::SHIFT | level::BIT_AND | level::BIT_XOR | level::BIT_OR => {
                self.level < level::UNARY && self.level != of
            }
            level::EQUALITY => self.level == level::RELATIONAL || self.level == level::EQUALITY,
            level::RELATIONAL => self.level == level::SHIFT || self.level == level::RELATIONAL,
            level::OR => self.level == level::AND,
            _ => false,
        };
        if needed || confusing {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}
