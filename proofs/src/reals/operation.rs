//! Which operation of floats a function of terms is, by the name that a run on unknown inputs gives it.

use super::polynomial::Number;
use crate::terms::function::Function;

/// How floats are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Equal,
    Unequal,
}

/// What is done with real numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Fma,
    /// `least`: the smallest number of the type.
    Max {
        least: Number,
    },
    Min {
        least: Number,
    },
    Abs,
    Root,
    /// To a base; 0 stands for e.
    Exp {
        base: u32,
    },
    Log {
        base: u32,
    },
    Expm1,
    Log1p,
    Tanh,
    Pow,
    Fdim,
    Hypot,
    /// From one type of floats to another: the number stays.
    Convert,
    /// From a type of integers.
    OfInteger {
        signed: bool,
    },
    /// Of two floats: a condition.
    Compare(Comparison),
    /// Another function of floats.
    Other(String),
}

/// `None`: no operation of floats.
pub fn operation(function: &Function) -> Option<Operation> {
    let Function::Operation(name) = function else {
        return None;
    };
    if let Some((from, to)) = name.split_once(" to ") {
        return match (is_float(from), is_float(to)) {
            (true, true) => Some(Operation::Convert),
            (false, true) if from.starts_with(['I', 'U']) => Some(Operation::OfInteger {
                signed: from.starts_with('I'),
            }),
            _ => None,
        };
    }
    let (name, ty) = name.rsplit_once(' ').filter(|(_, ty)| is_float(ty))?;
    let least = || {
        let least = match ty {
            "F32" => f64::from(f32::MIN),
            _ => f64::MIN,
        };
        Number::from_float(least)
    };
    Some(match name {
        "Add" => Operation::Add,
        "Sub" => Operation::Sub,
        "Mul" => Operation::Mul,
        "Div" => Operation::Div,
        "Neg" => Operation::Neg,
        "Fma" => Operation::Fma,
        "Max" => Operation::Max { least: least()? },
        "Min" => Operation::Min { least: least()? },
        "Abs" => Operation::Abs,
        "Sqrt" => Operation::Root,
        "Lt" => Operation::Compare(Comparison::Less),
        "Le" => Operation::Compare(Comparison::LessEq),
        "Gt" => Operation::Compare(Comparison::Greater),
        "Ge" => Operation::Compare(Comparison::GreaterEq),
        "Eq" => Operation::Compare(Comparison::Equal),
        "Ne" => Operation::Compare(Comparison::Unequal),
        "Elementary(Exp)" => Operation::Exp { base: 0 },
        "Elementary(Exp2)" => Operation::Exp { base: 2 },
        "Elementary(Exp10)" => Operation::Exp { base: 10 },
        "Elementary(Log)" => Operation::Log { base: 0 },
        "Elementary(Log2)" => Operation::Log { base: 2 },
        "Elementary(Log10)" => Operation::Log { base: 10 },
        "Elementary(Expm1)" => Operation::Expm1,
        "Elementary(Log1p)" => Operation::Log1p,
        "Elementary(Tanh)" => Operation::Tanh,
        "Elementary(Pow)" => Operation::Pow,
        "Elementary(Fdim)" => Operation::Fdim,
        "Elementary(Hypot)" => Operation::Hypot,
        _ => Operation::Other(name.to_owned()),
    })
}

fn is_float(ty: &str) -> bool {
    matches!(ty, "F32" | "F64")
}
