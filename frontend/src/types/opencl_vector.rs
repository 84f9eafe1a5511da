//! OpenCL C's vector types: structs of their elements (OpenCL C 3.0, 6.3.2).

use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::{Field, Record};
use gridlock_semantics::algebra::types::ScalarType;
use std::sync::Arc;

/// OpenCL's name of a scalar type.
fn opencl_name(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::I8 => "char",
        ScalarType::I64 => "long",
        ScalarType::U8 => "uchar",
        ScalarType::U16 => "ushort",
        ScalarType::U32 => "uint",
        ScalarType::U64 => "ulong",
        other => other.c_name(),
    }
}

/// OpenCL's vector of a number of elements: a struct of them, called `int4` and so on.
pub(crate) fn vector(elem: ScalarType, n: u64) -> Option<QualifiedType> {
    let names: Vec<String> = match n {
        2..=4 => ["x", "y", "z", "w"][..n as usize]
            .iter()
            .map(ToString::to_string)
            .collect(),
        8 | 16 => (0..n).map(|i| format!("s{i:x}")).collect(),
        _ => return None,
    };
    let field = |name: String| Field {
        id: None,
        name,
        ty: QualifiedType::plain(CType::Scalar(elem)),
        bits: None,
        gaps: vec![],
    };
    let record = Record {
        name: format!("{}{n}", opencl_name(elem)),
        fields: names.into_iter().map(field).collect(),
        gaps: vec![],
        align: n.next_power_of_two() * elem.size(),
        trouble: None,
        is_union: false,
        is_vector: true,
        destructor: None,
    };
    Some(QualifiedType::plain(CType::Record(Arc::new(record))))
}
