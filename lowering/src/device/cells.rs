//! Cells as bytes, in the layout of the machine (little-endian on all we run on).

use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;

/// What cells never written are filled with: no value a program is likely to mean.
pub const PATTERN: u8 = 0xcd;

/// Appends the bytes of a cell.
pub fn encode(value: Value, elem: ScalarType, bytes: &mut Vec<u8>) {
    let size = elem.size() as usize;
    let bits = match value {
        Value::Bool(b) => u64::from(b),
        Value::Int(_, bits) | Value::F64(bits) => bits,
        Value::F32(bits) => u64::from(bits),
        Value::Pointer(_) | Value::Undef => u64::from_ne_bytes([PATTERN; 8]),
    };
    bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
}

/// The bytes of all cells, one after another.
pub fn encode_all(values: &[Value], elem: ScalarType) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() * elem.size() as usize);
    for value in values {
        encode(*value, elem, &mut bytes);
    }
    bytes
}

/// Reads cells; bytes left over at the end are ignored.
pub fn decode_all(bytes: &[u8], elem: ScalarType) -> Vec<Value> {
    bytes
        .chunks_exact(elem.size() as usize)
        .map(|chunk| {
            let mut all = [0; 8];
            all[..chunk.len()].copy_from_slice(chunk);
            let bits = u64::from_le_bytes(all);
            match elem {
                ScalarType::Bool => Value::Bool(bits != 0),
                ScalarType::F32 => Value::f32(f32::from_bits(bits as u32)),
                ScalarType::F64 => Value::f64(f64::from_bits(bits)),
                integer => Value::Int(integer, bits),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back() {
        let check = |value: Value, elem: ScalarType| {
            let bytes = encode_all(&[value], elem);
            assert_eq!(bytes.len() as u64, elem.size());
            assert_eq!(decode_all(&bytes, elem), [value]);
        };
        check(Value::Bool(true), ScalarType::Bool);
        check(Value::int(ScalarType::I8, -3), ScalarType::I8);
        check(Value::int(ScalarType::U16, 65535), ScalarType::U16);
        check(Value::i32(i32::MIN), ScalarType::I32);
        check(Value::int(ScalarType::I64, -1), ScalarType::I64);
        check(Value::f32(-0.0), ScalarType::F32);
        check(Value::f64(f64::INFINITY), ScalarType::F64);
        check(Value::f32(f32::NAN), ScalarType::F32);
    }
}
