//! Floats that are close enough: how far two values lie apart, and how far they may.

use gridlock_semantics::algebra::value::Value;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// How far floats of the new program may lie from those of the old one: within `absolute + relative * |old|`, or
/// within `ulps`. Infinities and NaN are near to themselves only; of integers nothing is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// Floats of the type that lie between the two, one of them counted; `None`: not asked about.
    pub ulps: Option<u64>,
    /// Of the old value.
    pub relative: f64,
    /// In the unit of the values.
    pub absolute: f64,
}

impl Tolerance {
    /// Whether the new value may stand for the old one.
    pub fn admits(&self, new: Value, old: Value) -> bool {
        if new == old {
            return true;
        }
        let (Some(distance), Some((_, old))) = (Distance::between(new, old), numbers(new, old))
        else {
            return false;
        };
        distance.absolute <= self.absolute + self.relative * old.abs()
            || self.ulps.is_some_and(|most| distance.ulps <= most)
    }

    /// A difference in parts of what is allowed: above 1 it is not.
    fn size(&self, of: &Distance, old: f64) -> f64 {
        let part = |of: f64, allowed: f64| match allowed > 0.0 {
            true => of / allowed,
            false if of > 0.0 => f64::INFINITY,
            false => 0.0,
        };
        let amount = part(of.absolute, self.absolute + self.relative * old.abs());
        match self.ulps {
            Some(most) => amount.min(part(of.ulps as f64, most as f64)),
            None => amount,
        }
    }
}

impl Display for Tolerance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(ulps) = self.ulps {
            parts.push(format!("{ulps} ulps"));
        }
        if self.relative > 0.0 {
            parts.push(format!("rtol {}", self.relative));
        }
        if self.absolute > 0.0 {
            parts.push(format!("atol {}", self.absolute));
        }
        match parts.is_empty() {
            true => f.write_str("no difference"),
            false => f.write_str(&parts.join(", ")),
        }
    }
}

/// How far two floats of one type lie apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    /// The absolute value of their difference.
    pub absolute: f64,
    /// The same, divided by the absolute value of the old one; infinite where that is 0.
    pub relative: f64,
    /// How many steps from a float to the next lie between them.
    pub ulps: u64,
}

impl Distance {
    /// `None`: they are no floats of one type, or one is an infinity or NaN.
    pub fn between(new: Value, old: Value) -> Option<Distance> {
        let (a, b) = numbers(new, old)?;
        if !a.is_finite() || !b.is_finite() {
            return None;
        }
        let absolute = (a - b).abs();
        let relative = match absolute > 0.0 {
            true => absolute / b.abs(),
            false => 0.0,
        };
        Some(Distance {
            absolute,
            relative,
            ulps: order(new)?.abs_diff(order(old)?),
        })
    }
}

impl Display for Distance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let s = if self.ulps == 1 { "" } else { "s" };
        write!(
            f,
            "{:.3e}, {:.3e} of the old value, {} ulp{s}",
            self.absolute, self.relative, self.ulps
        )
    }
}

pub(crate) fn numbers(new: Value, old: Value) -> Option<(f64, f64)> {
    match (new, old) {
        (Value::F32(a), Value::F32(b)) => {
            Some((f32::from_bits(a).into(), f32::from_bits(b).into()))
        }
        (Value::F64(a), Value::F64(b)) => Some((f64::from_bits(a), f64::from_bits(b))),
        _ => None,
    }
}

/// The number of a float among those of its type, in order; both zeros have 0.
fn order(value: Value) -> Option<i64> {
    let (bits, sign) = match value {
        Value::F32(bits) => (i64::from(bits & 0x7fff_ffff), bits >> 31 != 0),
        Value::F64(bits) => ((bits & (u64::MAX >> 1)) as i64, bits >> 63 != 0),
        _ => return None,
    };
    Some(if sign { -bits } else { bits })
}

/// The largest difference of floats, and where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LargestDifference {
    /// The two cells: `new.out[3] == old.out[3]`.
    pub relation: String,
    /// What the new program leaves there.
    pub new_value: Value,
    /// What the old one leaves.
    pub old_value: Value,
    /// How far these lie apart; `None` where one is an infinity or NaN and the other is not: further than any.
    pub distance: Option<Distance>,
}

/// Whether a difference is larger than another, or than none, in parts of what a tolerance allows; without one, in ulps.
pub(crate) fn is_larger(
    one: &LargestDifference,
    other: Option<&LargestDifference>,
    tolerance: Option<&Tolerance>,
) -> bool {
    let size = |d: &LargestDifference| match (&d.distance, tolerance) {
        (None, _) => f64::INFINITY,
        (Some(distance), Some(tolerance)) => {
            let old = numbers(d.new_value, d.old_value).map_or(0.0, |(_, old)| old);
            tolerance.size(distance, old)
        }
        (Some(distance), None) => distance.ulps as f64,
    };
    other.is_none_or(|other| size(one) > size(other))
}

/// The larger of two differences.
pub fn larger(
    one: Option<LargestDifference>,
    other: Option<LargestDifference>,
    tolerance: Option<&Tolerance>,
) -> Option<LargestDifference> {
    match (one, other) {
        (Some(one), Some(other)) => match is_larger(&one, Some(&other), tolerance) {
            true => Some(one),
            false => Some(other),
        },
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tolerance: Tolerance, new: f32, old: f32, expected: bool) {
        let admits = tolerance.admits(Value::f32(new), Value::f32(old));
        assert_eq!(admits, expected, "{tolerance}: {new} for {old}");
    }

    const NONE: Tolerance = Tolerance {
        ulps: None,
        relative: 0.0,
        absolute: 0.0,
    };

    #[test]
    fn near_and_far() {
        let ulps = |n| Tolerance {
            ulps: Some(n),
            ..NONE
        };
        let next = 1.0 + f32::EPSILON;
        check(ulps(1), next, 1.0, true);
        check(ulps(1), next + f32::EPSILON, 1.0, false);
        check(ulps(2), -f32::from_bits(1), f32::from_bits(1), true);
        check(ulps(1), -f32::from_bits(1), f32::from_bits(1), false);
        check(ulps(0), -0.0, 0.0, true);
        let relative = Tolerance {
            relative: 0.01,
            ..NONE
        };
        check(relative, 100.9, 100.0, true);
        check(relative, 101.1, 100.0, false);
        check(relative, 1e-30, 0.0, false);
        let absolute = Tolerance {
            absolute: 0.5,
            ..NONE
        };
        check(absolute, 0.5, 0.0, true);
        check(absolute, 0.6, 0.0, false);
    }

    #[test]
    fn what_is_no_number_is_near_to_itself_only() {
        let wide = Tolerance {
            ulps: Some(u64::MAX),
            relative: 1.0,
            absolute: f64::MAX,
        };
        check(wide, f32::NAN, f32::NAN, true);
        check(wide, f32::INFINITY, f32::INFINITY, true);
        check(wide, f32::INFINITY, f32::MAX, false);
        check(wide, f32::NAN, 1.0, false);
        check(wide, f32::INFINITY, f32::NEG_INFINITY, false);
        assert!(!wide.admits(Value::i32(3), Value::i32(4)));
        assert!(!wide.admits(Value::f32(1.0), Value::f64(1.0)));
    }
}
