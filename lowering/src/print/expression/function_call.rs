//! Calls of mathematical functions.

use super::Printer;
use super::text::{Printed, Text, Unprintable, level};
use crate::print::c_type::{promoted, unsigned_of};
use crate::print::dialect::Dialect;
use crate::print::range::Range;
use gridlock_semantics::algebra::elementary::Elementary;
use gridlock_semantics::algebra::expr::{Expr, MathFn};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// Whether a dialect has an elementary function under its usual name.
fn is_known(function: Elementary, dialect: Dialect) -> bool {
    match function {
        Elementary::Fraction | Elementary::Exponent => false,
        // Its second operand is an integer there.
        Elementary::Scale => false,
        Elementary::Exp10 | Elementary::SinPi | Elementary::CosPi => dialect != Dialect::C,
        _ => true,
    }
}

impl Printer<'_> {
    pub(super) fn math(&self, function: MathFn, args: &[Expr], whole: &Expr) -> Printed {
        match (function, args) {
            (MathFn::BitsAs(to), [arg]) => return self.bits_as(arg, to),
            (MathFn::Aligned(n), [pointer]) => return self.aligned(pointer, n),
            _ => {}
        }
        let ty = whole.scalar_type();
        // Functions of narrow integers are those of `int`.
        let computed = Type::Scalar(promoted(ty));
        let mut texts = Vec::with_capacity(args.len());
        for arg in args {
            let exact = self.exact(arg)?;
            texts.push(self.to_type(exact, computed));
        }
        let list = || {
            let args: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
            args.join(", ")
        };
        let call = |name: &str| Text::new(format!("{name}({})", list()), level::PRIMARY, computed);
        if ty.is_float() {
            let base = match function {
                MathFn::Min => "fmin",
                MathFn::Max => "fmax",
                MathFn::Abs => "fabs",
                MathFn::Sqrt => "sqrt",
                MathFn::Floor => "floor",
                MathFn::Ceil => "ceil",
                MathFn::Trunc => "trunc",
                MathFn::Fma => "fma",
                MathFn::Elementary(function) if is_known(function, self.dialect) => function.name(),
                _ => return Err(Unprintable(format!("{function:?} of floats"))),
            };
            let suffix = if ty == ScalarType::F32 && self.dialect != Dialect::OpenCl {
                "f"
            } else {
                ""
            };
            return Ok(call(&format!("{base}{suffix}")));
        }
        match (function, texts.as_slice()) {
            (MathFn::Min | MathFn::Max, [a, b]) => {
                if self.dialect == Dialect::C {
                    let op = if function == MathFn::Min { "<" } else { ">" };
                    let (a, b) = (a.at(level::SHIFT), b.at(level::SHIFT));
                    let text = format!("{a} {op} {b} ? {a} : {b}");
                    return Ok(Text::new(text, level::CONDITIONAL, computed));
                }
                Ok(call(if function == MathFn::Min {
                    "min"
                } else {
                    "max"
                }))
            }
            (MathFn::Abs, [arg]) => {
                if !ty.is_signed() {
                    return Ok(arg.clone());
                }
                let whole_range = args.first().map(|a| self.known.range(a));
                let safe = whole_range.is_some_and(|r| r.lo > Range::of(promoted(ty)).lo);
                if self.dialect == Dialect::OpenCl {
                    // `abs` gives the unsigned type, and is defined for the least value too.
                    let text = Text::new(
                        format!("abs({})", list()),
                        level::PRIMARY,
                        Type::Scalar(unsigned_of(promoted(ty))),
                    );
                    return Ok(self.to_type(text, whole.ty));
                }
                let text = if safe {
                    let name = match (self.dialect, ty) {
                        (_, ScalarType::I64) => "llabs",
                        _ => "abs",
                    };
                    call(name)
                } else {
                    let operand = arg.at(level::SHIFT);
                    let negated = self.wrapped_negation(arg.clone(), promoted(ty));
                    let negated = self.to_type(negated, computed);
                    let text = format!("{operand} < 0 ? {} : {operand}", negated.text);
                    Text::new(text, level::CONDITIONAL, computed)
                };
                // `abs` of the least `char` is no `char`.
                Ok(if ty.bits() < 32 {
                    self.to_type(text, whole.ty)
                } else {
                    text
                })
            }
            (_, [arg]) => self.bit_function(function, arg, ty, whole.ty),
            _ => Err(Unprintable(format!("{function:?} of integers"))),
        }
    }

    /// The bits of a float as an integer, or of an integer as a float.
    fn bits_as(&self, arg: &Expr, to: ScalarType) -> Printed {
        let from = arg.ty.scalar().unwrap_or(to);
        let ty = Type::Scalar(to);
        let exact = self.exact(arg)?;
        let (name, taken, given) = match self.dialect {
            Dialect::OpenCl => {
                let name = format!("as_{}", self.dialect.scalar(to));
                (name, from, to)
            }
            Dialect::Cuda => match (from, to) {
                (ScalarType::F32, ScalarType::I32) => ("__float_as_int".to_owned(), from, to),
                (ScalarType::F32, _) => ("__float_as_uint".to_owned(), from, to),
                (ScalarType::I32, _) => ("__int_as_float".to_owned(), from, to),
                (ScalarType::U32, _) => ("__uint_as_float".to_owned(), from, to),
                (ScalarType::F64, _) => ("__double_as_longlong".to_owned(), from, ScalarType::I64),
                _ => ("__longlong_as_double".to_owned(), ScalarType::I64, to),
            },
            Dialect::C | Dialect::CSharp => {
                return Err(Unprintable(format!("{:?} in C", MathFn::BitsAs(to))));
            }
        };
        let arg = self.to_type(exact, Type::Scalar(taken));
        let text = format!("{name}({})", arg.text);
        let text = Text::new(text, level::PRIMARY, Type::Scalar(given));
        Ok(self.to_type(text, ty))
    }

    /// Whether an address is a multiple of `n` elements: arrays begin at such addresses.
    fn aligned(&self, pointer: &Expr, n: u32) -> Printed {
        let Some(elem) = pointer.ty.pointer().map(|p| p.elem.size()) else {
            let number = self.exact(pointer)?.at(level::UNARY);
            return Ok(Text::new(
                format!("{number} % {n} == 0"),
                level::EQUALITY,
                Type::BOOL,
            ));
        };
        let number = self.dialect.scalar(ScalarType::U64);
        let address = self.exact(pointer)?.at(level::UNARY);
        let bytes = elem.saturating_mul(u64::from(n));
        let text = format!("({number}){address} % {bytes} == 0");
        Ok(Text::new(text, level::EQUALITY, Type::BOOL))
    }

    /// Functions of the bits of an integer of 32 or 64 bits. The operand may be printed twice: it
    /// is pure.
    fn bit_function(&self, function: MathFn, arg: &Text, ty: ScalarType, whole: Type) -> Printed {
        let unsigned = Type::Scalar(unsigned_of(ty));
        let bits = self.to_type(arg.clone(), unsigned);
        let wide = ty.bits() == 64;
        let ll = if wide { "ll" } else { "" };
        let x = bits.at(level::PRIMARY);
        let int = Type::I32;
        let (text, level, given) = match (self.dialect, function) {
            (Dialect::Cuda, MathFn::PopCount) => {
                (format!("__popc{ll}({})", bits.text), level::PRIMARY, int)
            }
            (Dialect::C, MathFn::PopCount) => (
                format!("__builtin_popcount{ll}({})", bits.text),
                level::PRIMARY,
                int,
            ),
            (Dialect::OpenCl, MathFn::PopCount) => {
                (format!("popcount({})", bits.text), level::PRIMARY, unsigned)
            }
            (Dialect::Cuda, MathFn::FindFirstSet) => {
                (format!("__ffs{ll}({})", arg.text), level::PRIMARY, int)
            }
            (Dialect::C, MathFn::FindFirstSet) => (
                format!("__builtin_ffs{ll}({})", arg.text),
                level::PRIMARY,
                int,
            ),
            (Dialect::OpenCl, MathFn::FindFirstSet) => (
                format!("{x} == 0 ? 0 : popcount({x} ^ ({x} - 1))"),
                level::CONDITIONAL,
                unsigned,
            ),
            (Dialect::Cuda, MathFn::CountLeadingZeros) => {
                (format!("__clz{ll}({})", arg.text), level::PRIMARY, int)
            }
            (Dialect::C, MathFn::CountLeadingZeros) => (
                format!(
                    "{x} == 0 ? {} : __builtin_clz{ll}({})",
                    ty.bits(),
                    bits.text
                ),
                level::CONDITIONAL,
                int,
            ),
            (Dialect::OpenCl, MathFn::CountLeadingZeros) => {
                (format!("clz({})", bits.text), level::PRIMARY, unsigned)
            }
            (Dialect::Cuda, MathFn::ReverseBits) => (
                format!("__brev{ll}({})", bits.text),
                level::PRIMARY,
                unsigned,
            ),
            (dialect, _) => {
                return Err(Unprintable(format!("{function:?} in {dialect:?}")));
            }
        };
        Ok(self.to_type(Text::new(text, level, given), whole))
    }
}
