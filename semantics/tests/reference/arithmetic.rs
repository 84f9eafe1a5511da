//! Arithmetic against exact integers: 8-bit types exhaustively, wider ones at their edges.

use gridlock_semantics::algebra::expr::{BinaryOp, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::evaluation::arithmetic::{binary, cast, math, unary};
use gridlock_semantics::transition::fault::FaultKind;

const INTEGERS: [ScalarType; 8] = [
    ScalarType::I8,
    ScalarType::I16,
    ScalarType::I32,
    ScalarType::I64,
    ScalarType::U8,
    ScalarType::U16,
    ScalarType::U32,
    ScalarType::U64,
];

/// The number that `n` wraps to in `ty`: the one in the type's range that differs from it by a
/// multiple of 2^bits. Written with remainders, not masks.
fn wrapped(ty: ScalarType, n: i128) -> i128 {
    let modulus = 1i128 << ty.bits();
    let (least, _) = ty.range();
    (n - least).rem_euclid(modulus) + least
}

/// What `a op b` is in `ty`, from the definition.
fn expected(op: BinaryOp, ty: ScalarType, a: i128, b: i128) -> Result<i128, FaultKind> {
    use BinaryOp::*;
    // Bits by repeated halving of the value without sign.
    let bits = |n: i128| n.rem_euclid(1i128 << ty.bits());
    let bitwise = |f: fn(bool, bool) -> bool| {
        (0..ty.bits())
            .filter(|i| f(bits(a) >> i & 1 == 1, bits(b) >> i & 1 == 1))
            .map(|i| 1i128 << i)
            .sum::<i128>()
    };
    let exact = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div | Rem if b == 0 => return Err(FaultKind::DivisionByZero),
        Div | Rem if !(ty.range().0..=ty.range().1).contains(&(a / b)) => {
            return Err(FaultKind::UndefinedArithmetic);
        }
        Div => a / b,
        Rem => a - a / b * b,
        Shl | Shr if b < 0 || b >= ty.bits() as i128 => {
            return Err(FaultKind::UndefinedArithmetic);
        }
        Shl => a * (1 << b),
        Shr => a.div_euclid(1 << b),
        BitAnd => bitwise(|x, y| x && y),
        BitOr => bitwise(|x, y| x || y),
        BitXor => bitwise(|x, y| x != y),
        _ => panic!("no number"),
    };
    Ok(wrapped(ty, exact))
}

fn check_pair(ty: ScalarType, a: i128, b: i128) {
    use BinaryOp::*;
    let (x, y) = (Value::int(ty, a), Value::int(ty, b));
    assert_eq!(x.as_integer(), Some(a));
    for op in [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor] {
        let got = binary(op, x, y).map(|value| {
            assert_eq!(value.scalar_type(), Some(ty));
            value.as_integer().expect("an integer")
        });
        assert_eq!(got, expected(op, ty, a, b), "{a} {op:?} {b} in {ty:?}");
    }
    for (op, holds) in [
        (Lt, a < b),
        (Le, a <= b),
        (Gt, a > b),
        (Ge, a >= b),
        (Eq, a == b),
        (Ne, a != b),
    ] {
        assert_eq!(
            binary(op, x, y),
            Ok(Value::Bool(holds)),
            "{a} {op:?} {b} in {ty:?}"
        );
    }
    assert_eq!(math(MathFn::Min, &[x, y]), Ok(Value::int(ty, a.min(b))));
    assert_eq!(math(MathFn::Max, &[x, y]), Ok(Value::int(ty, a.max(b))));
}

fn check_one(ty: ScalarType, a: i128) {
    let x = Value::int(ty, a);
    let of = |value: Result<Value, FaultKind>| value.expect("total").as_integer();
    assert_eq!(of(unary(UnaryOp::Neg, x)), Some(wrapped(ty, -a)));
    assert_eq!(of(unary(UnaryOp::BitNot, x)), Some(wrapped(ty, -a - 1)));
    assert_eq!(of(math(MathFn::Abs, &[x])), Some(wrapped(ty, a.abs())));
    if ty.bits() >= 32 {
        check_bits(ty, a);
    }
    for to in INTEGERS {
        assert_eq!(
            of(cast(x, Type::Scalar(to))),
            Some(wrapped(to, a)),
            "{a} to {to:?}"
        );
    }
    assert_eq!(cast(x, Type::BOOL), Ok(Value::Bool(a != 0)));
    assert_eq!(cast(x, Type::F64), Ok(Value::f64(a as f64)));
    assert_eq!(cast(x, Type::F32), Ok(Value::f32(a as f32)));
}

/// The functions of bits, from the places of the bits that are 1.
fn check_bits(ty: ScalarType, a: i128) {
    let bits = a.rem_euclid(1i128 << ty.bits());
    let places: Vec<u32> = (0..ty.bits()).filter(|i| bits >> i & 1 == 1).collect();
    let of = |function| math(function, &[Value::int(ty, a)]).expect("total");
    let expected = |n: u32| Value::int(ty, n as i128);
    assert_eq!(of(MathFn::PopCount), expected(places.len() as u32));
    let first = places.first().map_or(0, |place| place + 1);
    assert_eq!(of(MathFn::FindFirstSet), expected(first));
    let above = places
        .last()
        .map_or(ty.bits(), |place| ty.bits() - 1 - place);
    assert_eq!(of(MathFn::CountLeadingZeros), expected(above));
    let turned = places.iter().map(|place| 1i128 << (ty.bits() - 1 - place));
    assert_eq!(of(MathFn::ReverseBits), Value::int(ty, turned.sum()));
}

/// Floats as the integers with their bits, and back: nothing is lost, a NaN's bits neither.
#[test]
fn bits_of_floats() {
    let bits = |to, value| math(MathFn::BitsAs(to), &[value]);
    for n in [0, 1, 0x3f80_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff_u32] {
        let int = Value::int(ScalarType::U32, n.into());
        let float = bits(ScalarType::F32, int).expect("total");
        assert_eq!(float, Value::F32(n));
        assert_eq!(bits(ScalarType::U32, float), Ok(int));
        let signed = Value::i32(n as i32);
        assert_eq!(bits(ScalarType::I32, float), Ok(signed));
    }
    let one = Value::int(ScalarType::U64, 0x3ff0_0000_0000_0000);
    assert_eq!(bits(ScalarType::F64, one), Ok(Value::f64(1.0)));
    assert_eq!(
        bits(ScalarType::I32, one),
        Ok(Value::Undef),
        "of another size"
    );
}

#[test]
fn alignment_counts_from_the_start_of_the_array() {
    let at = |offset| {
        let array = ArrayRef::Global(0);
        math(
            MathFn::Aligned(4),
            &[Value::Pointer(Pointer { array, offset })],
        )
    };
    for (offset, expected) in [(0, true), (3, false), (8, true), (-4, true), (-1, false)] {
        assert_eq!(at(offset), Ok(Value::Bool(expected)), "{offset}");
    }
}

#[test]
fn eight_bits_exhaustively() {
    for ty in [ScalarType::I8, ScalarType::U8] {
        let (least, greatest) = ty.range();
        for a in least..=greatest {
            check_one(ty, a);
            for b in least..=greatest {
                check_pair(ty, a, b);
            }
        }
    }
}

#[test]
fn every_width_at_its_edges() {
    for ty in INTEGERS {
        let (least, greatest) = ty.range();
        let mut edges = vec![0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100];
        edges.extend([-1, -2, -100, least, least + 1, least / 2]);
        edges.extend([greatest, greatest - 1, greatest / 2, greatest / 2 + 1]);
        edges.retain(|n| (least..=greatest).contains(n));
        for &a in &edges {
            check_one(ty, a);
            for &b in &edges {
                // Products of 64-bit numbers do not always fit the exact arithmetic used here.
                if a.checked_mul(b).is_some() {
                    check_pair(ty, a, b);
                }
            }
        }
    }
    let most = Value::int(ScalarType::U64, u64::MAX as i128);
    assert_eq!(
        binary(BinaryOp::Mul, most, most),
        Ok(Value::int(ScalarType::U64, 1))
    );
}

#[test]
fn a_shift_has_the_type_of_its_left_operand() {
    let amount = Value::int(ScalarType::U8, 3);
    let shifted = binary(BinaryOp::Shl, Value::int(ScalarType::I64, -1), amount);
    assert_eq!(shifted, Ok(Value::int(ScalarType::I64, -8)));
}

#[test]
fn floats_follow_ieee_754() {
    use BinaryOp::*;
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let f = Value::f32;
    for (op, a, b, expected) in [
        (Add, 0.1, 0.2, 0.1f32 + 0.2),
        (Add, inf, -inf, nan),
        (Sub, -0.0, 0.0, -0.0),
        (Mul, 1e-38, 1e-7, 1e-45),
        (Mul, f32::MAX, 2.0, inf),
        (Div, 1.0, 0.0, inf),
        (Div, 1.0, -0.0, -inf),
        (Div, 0.0, 0.0, nan),
    ] {
        assert_eq!(binary(op, f(a), f(b)), Ok(f(expected)), "{a} {op:?} {b}");
    }
    // One NaN, and it is unordered.
    let other = Value::F32(0xffc0_1234);
    assert_eq!(binary(Add, other, f(1.0)), Ok(f(nan)));
    for op in [Lt, Le, Gt, Ge, Eq] {
        assert_eq!(binary(op, f(nan), f(nan)), Ok(Value::Bool(false)));
    }
    assert_eq!(binary(Ne, f(nan), f(nan)), Ok(Value::Bool(true)));
    assert_eq!(binary(Eq, f(-0.0), f(0.0)), Ok(Value::Bool(true)));
    assert_eq!(unary(UnaryOp::Neg, f(0.0)), Ok(f(-0.0)));
    // Single precision is not computed in double: 2^24 + 1 is no single.
    let (big, one) = (f(16_777_216.0), f(1.0));
    assert_eq!(binary(Add, big, one), Ok(big));
}

#[test]
fn minimum_and_maximum_of_floats_prefer_numbers_and_order_zeros() {
    for (a, b, least, greatest) in [
        (f64::NAN, 1.0, 1.0, 1.0),
        (1.0, f64::NAN, 1.0, 1.0),
        (f64::NAN, f64::NAN, f64::NAN, f64::NAN),
        (-0.0, 0.0, -0.0, 0.0),
        (0.0, -0.0, -0.0, 0.0),
        (-1.0, 2.0, -1.0, 2.0),
    ] {
        let d = Value::f64;
        assert_eq!(
            math(MathFn::Min, &[d(a), d(b)]),
            Ok(d(least)),
            "min {a} {b}"
        );
        assert_eq!(
            math(MathFn::Max, &[d(a), d(b)]),
            Ok(d(greatest)),
            "max {a} {b}"
        );
        let f = |x: f64| Value::f32(x as f32);
        assert_eq!(
            math(MathFn::Min, &[f(a), f(b)]),
            Ok(f(least)),
            "min {a} {b}"
        );
        assert_eq!(
            math(MathFn::Max, &[f(a), f(b)]),
            Ok(f(greatest)),
            "max {a} {b}"
        );
    }
}

#[test]
fn exact_functions() {
    let d = Value::f64;
    for (function, a, expected) in [
        (MathFn::Sqrt, 2.0, 2f64.sqrt()),
        (MathFn::Sqrt, -1.0, f64::NAN),
        (MathFn::Floor, -0.5, -1.0),
        (MathFn::Ceil, 0.2, 1.0),
        (MathFn::Trunc, -1.7, -1.0),
        (MathFn::Abs, -0.0, 0.0),
    ] {
        assert_eq!(math(function, &[d(a)]), Ok(d(expected)), "{function:?} {a}");
        let single = math(function, &[Value::f32(a as f32)]);
        assert_eq!(single.map(|v| v.scalar_type()), Ok(Some(ScalarType::F32)));
    }
    // Rounded once: the product alone would round to 1.
    let (x, y) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
    let fused = math(MathFn::Fma, &[d(x), d(y), d(-1.0)]);
    assert_eq!(fused, Ok(d(-f64::EPSILON * f64::EPSILON)));
    assert_eq!(binary(BinaryOp::Mul, d(x), d(y)), Ok(d(1.0)));
}

#[test]
fn floats_become_integers_only_inside_the_range() {
    let ok = |x: f64, ty| cast(Value::f64(x), Type::Scalar(ty));
    for ty in INTEGERS {
        let (least, greatest) = ty.range();
        assert_eq!(ok(1.99, ty), Ok(Value::int(ty, 1)));
        assert_eq!(ok(-0.99, ty), Ok(Value::int(ty, 0)));
        assert_eq!(ok(least as f64, ty), Ok(Value::int(ty, least)));
        for out in [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            greatest as f64 * 2.0 + 2.0,
            least as f64 * 2.0 - 2.0,
        ] {
            assert_eq!(
                ok(out, ty),
                Err(FaultKind::UndefinedArithmetic),
                "{out} to {ty:?}"
            );
        }
        // Just beyond the end, where a double can say it.
        if ty.bits() < 64 {
            assert_eq!(ok(greatest as f64 + 0.5, ty), Ok(Value::int(ty, greatest)));
            assert!(ok(greatest as f64 + 1.0, ty).is_err());
        } else {
            assert!(
                ok(greatest as f64, ty).is_err(),
                "rounds up to 2^63 or 2^64"
            );
        }
    }
    assert_eq!(
        cast(Value::f64(f64::NAN), Type::BOOL),
        Ok(Value::Bool(true))
    );
    assert_eq!(cast(Value::f32(-0.0), Type::BOOL), Ok(Value::Bool(false)));
    assert_eq!(
        cast(Value::f64(1e300), Type::F32),
        Ok(Value::f32(f32::INFINITY))
    );
    assert_eq!(cast(Value::f32(0.5), Type::F64), Ok(Value::f64(0.5)));
}

#[test]
fn booleans() {
    use BinaryOp::*;
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        let of = |op| binary(op, Value::Bool(a), Value::Bool(b));
        for op in [And, BitAnd] {
            assert_eq!(of(op), Ok(Value::Bool(a && b)));
        }
        for op in [Or, BitOr] {
            assert_eq!(of(op), Ok(Value::Bool(a || b)));
        }
        assert_eq!(of(BitXor), Ok(Value::Bool(a != b)));
        assert_eq!(of(Lt), Ok(Value::Bool(!a & b)));
        assert_eq!(unary(UnaryOp::Not, Value::Bool(a)), Ok(Value::Bool(!a)));
        assert_eq!(
            cast(Value::Bool(a), Type::I64),
            Ok(Value::int(ScalarType::I64, a as i128))
        );
    }
}

#[test]
fn pointers_compare_within_their_array() {
    use BinaryOp::*;
    let pointer = |n, offset| {
        Value::Pointer(Pointer {
            array: ArrayRef::Global(n),
            offset,
        })
    };
    assert_eq!(
        binary(Lt, pointer(0, 1), pointer(0, 2)),
        Ok(Value::Bool(true))
    );
    assert_eq!(
        binary(Eq, pointer(0, 1), pointer(1, 1)),
        Ok(Value::Bool(false))
    );
    let difference = binary(PtrDiff, pointer(0, 1), pointer(0, 4));
    assert_eq!(difference, Ok(Value::int(ScalarType::I64, -3)));
    for op in [Lt, Ge, PtrDiff] {
        let apart = binary(op, pointer(0, 0), pointer(1, 0));
        assert_eq!(apart, Err(FaultKind::UndefinedArithmetic));
    }
    let null = cast(Value::i32(0), Type::pointer_to(ScalarType::I32)).expect("null");
    assert_eq!(cast(null, Type::BOOL), Ok(Value::Bool(false)));
    assert_eq!(cast(pointer(0, 0), Type::BOOL), Ok(Value::Bool(true)));
}

#[test]
fn undef_stays_undef() {
    let (undef, one) = (Value::Undef, Value::i32(1));
    assert_eq!(binary(BinaryOp::Add, undef, one), Ok(Value::Undef));
    assert_eq!(unary(UnaryOp::Neg, undef), Ok(Value::Undef));
    assert_eq!(cast(undef, Type::F32), Ok(Value::Undef));
    assert_eq!(math(MathFn::Min, &[one, undef]), Ok(Value::Undef));
}
