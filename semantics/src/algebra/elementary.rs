//! Elementary functions: those of `math.h` for which IEEE 754 recommends correctly rounded results, which no device
//! guarantees. CUDA documents the maximum error of each in units in the last place.
//!
//! The reference has one result, the same on every machine: for doubles that of `libm` (with an error below one unit
//! in the last place), for singles the same rounded. A proof only uses that equal operands give equal results, so it
//! holds on every device. A run computes with the reference's results; a defect that depends on their last bits may
//! not show on a device.

use serde::{Deserialize, Serialize};

macro_rules! elementary {
    ($($(#[$doc:meta])* $name:ident $text:literal $arity:literal $compute:expr;)*) => {
        /// An elementary function of floating point operands of one type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Elementary {
            $(
                #[doc = concat!("`", $text, "`")]
                #[doc = ""]
                $(#[$doc])*
                $name,
            )*
        }

        impl Elementary {
            /// All of them.
            pub const ALL: &[Elementary] = &[$(Elementary::$name,)*];

            /// As C calls the function of doubles, where C has it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Elementary::$name => $text,)*
                }
            }

            /// Number of operands.
            pub const fn arity(self) -> usize {
                match self {
                    $(Elementary::$name => $arity,)*
                }
            }

            /// The result for doubles; operands beyond the function's arity are ignored.
            pub fn of_doubles(self, x: f64, y: f64) -> f64 {
                let function: fn(f64, f64) -> f64 = match self {
                    $(Elementary::$name => $compute,)*
                };
                function(x, y)
            }
        }
    };
}

elementary! {
    Exp "exp" 1 |x, _| libm::exp(x);
    Exp2 "exp2" 1 |x, _| libm::exp2(x);
    Exp10 "exp10" 1 |x, _| libm::exp10(x);
    Expm1 "expm1" 1 |x, _| libm::expm1(x);
    Log "log" 1 |x, _| libm::log(x);
    Log2 "log2" 1 |x, _| libm::log2(x);
    Log10 "log10" 1 |x, _| libm::log10(x);
    Log1p "log1p" 1 |x, _| libm::log1p(x);
    Sin "sin" 1 |x, _| libm::sin(x);
    Cos "cos" 1 |x, _| libm::cos(x);
    Tan "tan" 1 |x, _| libm::tan(x);
    /// `sin(πx)`
    SinPi "sinpi" 1 |x, _| sin_pi(x);
    /// `cos(πx)`
    CosPi "cospi" 1 |x, _| cos_pi(x);
    Asin "asin" 1 |x, _| libm::asin(x);
    Acos "acos" 1 |x, _| libm::acos(x);
    Atan "atan" 1 |x, _| libm::atan(x);
    Atan2 "atan2" 2 libm::atan2;
    Sinh "sinh" 1 |x, _| libm::sinh(x);
    Cosh "cosh" 1 |x, _| libm::cosh(x);
    Tanh "tanh" 1 |x, _| libm::tanh(x);
    Asinh "asinh" 1 |x, _| libm::asinh(x);
    Acosh "acosh" 1 |x, _| libm::acosh(x);
    Atanh "atanh" 1 |x, _| libm::atanh(x);
    Pow "pow" 2 libm::pow;
    Hypot "hypot" 2 libm::hypot;
    Cbrt "cbrt" 1 |x, _| libm::cbrt(x);
    Erf "erf" 1 |x, _| libm::erf(x);
    Erfc "erfc" 1 |x, _| libm::erfc(x);
    Gamma "tgamma" 1 |x, _| libm::tgamma(x);
    LogGamma "lgamma" 1 |x, _| libm::lgamma(x);
    /// The remainder of a division that rounds towards zero; exact.
    Fmod "fmod" 2 libm::fmod;
    /// The remainder of a division that rounds to nearest; exact.
    Remainder "remainder" 2 libm::remainder;
    /// To the nearest whole number, halves away from zero; exact.
    Round "round" 1 |x, _| libm::round(x);
    /// To the nearest whole number, halves to the even one; exact.
    Rint "rint" 1 |x, _| libm::rint(x);
    /// The first operand with the second's sign; exact.
    Copysign "copysign" 2 libm::copysign;
    Fdim "fdim" 2 libm::fdim;
    /// The first operand times two to the power of the second, a whole number; exact but for its range.
    Scale "ldexp" 2 |x, n| libm::ldexp(x, n as i32);
    /// What `frexp` gives: a fraction of at least ½ and less than 1; exact.
    Fraction "frexp_fraction" 1 |x, _| libm::frexp(x).0;
    /// The power of two that `frexp` stores; exact.
    Exponent "frexp_exponent" 1 |x, _| f64::from(libm::frexp(x).1);
}

impl Elementary {
    /// The result for singles: that for doubles, rounded.
    pub fn of_singles(self, x: f32, y: f32) -> f32 {
        self.of_doubles(f64::from(x), f64::from(y)) as f32
    }
}

/// Where in a turn `x` half turns are, between -1 and 1.
fn half_turns(x: f64) -> f64 {
    libm::remainder(x, 2.0)
}

fn sin_pi(x: f64) -> f64 {
    let x = half_turns(x);
    match x.abs() {
        0.0 | 1.0 => libm::copysign(0.0, x),
        _ => libm::sin(std::f64::consts::PI * x),
    }
}

fn cos_pi(x: f64) -> f64 {
    let x = half_turns(x);
    match x.abs() {
        0.5 => 0.0,
        _ => libm::cos(std::f64::consts::PI * x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let cases = [
            (Elementary::Exp, 0.0, 0.0, 1.0),
            (Elementary::Exp10, 3.0, 0.0, 1000.0),
            (Elementary::Log2, 8.0, 0.0, 3.0),
            (Elementary::Pow, 2.0, 10.0, 1024.0),
            (Elementary::Fmod, -7.5, 2.0, -1.5),
            (Elementary::Remainder, 7.5, 2.0, -0.5),
            (Elementary::Round, 2.5, 0.0, 3.0),
            (Elementary::Rint, 2.5, 0.0, 2.0),
            (Elementary::Scale, 0.75, 4.0, 12.0),
            (Elementary::Fraction, 12.0, 0.0, 0.75),
            (Elementary::Exponent, 12.0, 0.0, 4.0),
            (Elementary::SinPi, 3.0, 0.0, 0.0),
            (Elementary::CosPi, 2.5, 0.0, 0.0),
            (Elementary::Hypot, 3.0, 4.0, 5.0),
            (Elementary::Copysign, 3.0, -0.0, -3.0),
        ];
        for (function, x, y, expected) in cases {
            assert_eq!(function.of_doubles(x, y), expected, "{function:?}");
            assert_eq!(
                f64::from(function.of_singles(x as f32, y as f32)),
                expected,
                "{function:?}"
            );
        }
    }

    #[test]
    fn names_are_unlike() {
        for one in Elementary::ALL {
            let n = Elementary::ALL.iter().filter(|f| f.name() == one.name());
            assert_eq!(n.count(), 1, "{one:?}");
        }
    }
}
