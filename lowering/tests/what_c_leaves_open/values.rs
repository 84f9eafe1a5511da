//! Values of C types worth trying, and how C text gets them.

use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;

pub fn scalar(c_type: &str) -> ScalarType {
    match c_type {
        "char" | "signed char" => ScalarType::I8,
        "unsigned char" => ScalarType::U8,
        "short" => ScalarType::I16,
        "unsigned short" => ScalarType::U16,
        "int" => ScalarType::I32,
        "unsigned" => ScalarType::U32,
        "long long" => ScalarType::I64,
        "unsigned long long" => ScalarType::U64,
        "float" => ScalarType::F32,
        "double" => ScalarType::F64,
        other => panic!("no values of {other}"),
    }
}

/// Small, at an edge of this or another type, in between.
pub fn grid(c_type: &str) -> Vec<Value> {
    let ty = scalar(c_type);
    if ty.is_float() {
        let mut values = vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            -1.5,
            2.5,
            127.9,
            -129.0,
            16_777_217.0,
            2_147_483_520.0,
            2_147_483_648.0,
            -2_147_483_648.0,
            -2_147_483_904.0,
            1e19,
            1e38,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        if ty == ScalarType::F64 {
            values.extend([1e-310, 3.5e38, -1e300, 4_294_967_295.5, 2_147_483_647.9]);
            return values.into_iter().map(Value::f64).collect();
        }
        values.push(1e-40);
        return values.into_iter().map(|v| Value::f32(v as f32)).collect();
    }
    let (least, greatest) = ty.range();
    let mut values: Vec<i128> = vec![
        0,
        1,
        -1,
        2,
        -2,
        3,
        7,
        -7,
        8,
        31,
        32,
        63,
        64,
        100,
        -100,
        127,
        -128,
        255,
        0x1_0001,
        16_777_217,
        i128::from(i32::MAX),
        i128::from(i32::MIN),
        i128::from(u32::MAX),
        least,
        least + 1,
        greatest,
    ];
    values.retain(|v| (least..=greatest).contains(v));
    values.sort_unstable();
    values.dedup();
    values.into_iter().map(|v| Value::int(ty, v)).collect()
}

pub fn bits(value: Value) -> u64 {
    match value {
        Value::Bool(b) => u64::from(b),
        Value::Int(ty, bits) => bits & (u64::MAX >> (64 - ty.bits())),
        Value::F64(bits) => bits,
        Value::F32(bits) => u64::from(bits),
        Value::Pointer(_) | Value::Undef => panic!("no bits of {value}"),
    }
}
