//! The symbols of C's operators.

use crate::syntax::kind::Named;
use gridlock_semantics::algebra::expr::BinaryOp;
use serde::de::{Deserialize, Deserializer};

/// Declares the symbols, each with its text.
macro_rules! symbols {
    ($($name:ident = $text:literal,)*) => {
        /// The symbol of an operator. Some stand for an operator with one operand and for another with two: which of
        /// them is meant, [`super::expression::Expression`] says.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Symbol {
            $($name,)*
            /// Any other operator.
            Other(Box<str>),
        }

        impl Symbol {
            /// As it is written.
            pub(crate) fn text(&self) -> &str {
                match self {
                    $(Symbol::$name => $text,)*
                    Symbol::Other(text) => text,
                }
            }

            /// The symbol that is written so.
            pub(crate) fn written(text: &str) -> Symbol {
                match text {
                    $($text => Symbol::$name,)*
                    other => Symbol::Other(other.into()),
                }
            }
        }

        #[cfg(test)]
        const SYMBOLS: &[&str] = &[$($text),*];
    };
}

symbols! {
    Plus = "+",
    Minus = "-",
    Star = "*",
    Slash = "/",
    Percent = "%",
    ShiftLeft = "<<",
    ShiftRight = ">>",
    Ampersand = "&",
    Bar = "|",
    Caret = "^",
    Less = "<",
    LessOrEqual = "<=",
    Greater = ">",
    GreaterOrEqual = ">=",
    Equal = "==",
    NotEqual = "!=",
    And = "&&",
    Or = "||",
    Comma = ",",
    Assign = "=",
    PlusAssign = "+=",
    MinusAssign = "-=",
    StarAssign = "*=",
    SlashAssign = "/=",
    PercentAssign = "%=",
    ShiftLeftAssign = "<<=",
    ShiftRightAssign = ">>=",
    AmpersandAssign = "&=",
    BarAssign = "|=",
    CaretAssign = "^=",
    Increment = "++",
    Decrement = "--",
    Tilde = "~",
    Exclamation = "!",
    Extension = "__extension__",
}

impl Symbol {
    /// The operator of the algebra that it stands for between two operands, or before the `=` of an assignment.
    pub(crate) fn operator(&self) -> Option<BinaryOp> {
        use BinaryOp::*;
        Some(match self {
            Symbol::Plus | Symbol::PlusAssign => Add,
            Symbol::Minus | Symbol::MinusAssign => Sub,
            Symbol::Star | Symbol::StarAssign => Mul,
            Symbol::Slash | Symbol::SlashAssign => Div,
            Symbol::Percent | Symbol::PercentAssign => Rem,
            Symbol::ShiftLeft | Symbol::ShiftLeftAssign => Shl,
            Symbol::ShiftRight | Symbol::ShiftRightAssign => Shr,
            Symbol::Ampersand | Symbol::AmpersandAssign => BitAnd,
            Symbol::Bar | Symbol::BarAssign => BitOr,
            Symbol::Caret | Symbol::CaretAssign => BitXor,
            Symbol::Less => Lt,
            Symbol::LessOrEqual => Le,
            Symbol::Greater => Gt,
            Symbol::GreaterOrEqual => Ge,
            Symbol::Equal => Eq,
            Symbol::NotEqual => Ne,
            _ => return None,
        })
    }
}

impl<'de> Deserialize<'de> for Symbol {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Symbol, D::Error> {
        deserializer.deserialize_str(Named(Symbol::written))
    }
}

#[cfg(test)]
mod tests {
    use super::{SYMBOLS, Symbol};

    #[test]
    fn every_symbol_is_read_back() {
        for text in SYMBOLS {
            let symbol = Symbol::written(text);
            assert_eq!(symbol.text(), *text);
            assert!(!matches!(symbol, Symbol::Other(_)), "{text}");
        }
        assert_eq!(Symbol::written("<=>").text(), "<=>");
    }

    #[test]
    fn a_compound_assignment_computes_what_its_operator_does() {
        let compound = SYMBOLS.iter().filter(|text| {
            text.len() > 1 && text.ends_with('=') && !matches!(**text, "==" | "!=" | "<=" | ">=")
        });
        let mut n = 0;
        for text in compound {
            let plain = Symbol::written(text.trim_end_matches('='));
            assert_eq!(Symbol::written(text).operator(), plain.operator(), "{text}");
            assert!(plain.operator().is_some(), "{text}");
            n += 1;
        }
        assert_eq!(n, 10);
    }
}
