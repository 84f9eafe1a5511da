//! What a run starts from: an entry procedure, its launch and its arguments.

use crate::arbitrary::arbitrary_cell;
use crate::device_limits::DeviceLimits;
use crate::program::{ArrayDecl, ArrayId, ProcId};
use crate::types::ScalarType;
use crate::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Extents of a grid or a block, in blocks or threads, `[x, y, z]`.
pub type Dim3 = [u32; 3];

/// Shape of a kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Launch {
    pub grid: Dim3,
    pub block: Dim3,
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
}

impl Launch {
    /// Blocks in the grid; saturates where no device goes.
    pub fn n_blocks(&self) -> u64 {
        self.grid
            .iter()
            .fold(1, |n, &d| d as u64 * n.min(u32::MAX as u64 + 1))
    }

    /// Threads in one block; saturates where no device goes.
    pub fn n_threads(&self) -> u64 {
        self.block
            .iter()
            .fold(1, |n, &d| d as u64 * n.min(u32::MAX as u64 + 1))
    }

    /// Coordinates of the block or thread with linear number `linear` (x runs fastest).
    pub fn coordinates(extents: Dim3, linear: u32) -> Dim3 {
        let [x, y, _] = extents;
        [linear % x, linear / x % y, linear / x / y]
    }
}

/// First contents of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contents {
    /// Every cell is uninitialised; reading one is a defect.
    Undef,
    Zero,
    /// Exactly these cells; those beyond, up to the extent, are zero.
    Values(Vec<Value>),
    /// The same value everywhere.
    Fill(Value),
    /// Cell number `i` holds `first + i * step`, in the arithmetic of the element type.
    Range {
        first: Value,
        step: Value,
    },
    /// The reproducible pseudo-random contents of [`random_cell`].
    Random {
        seed: u64,
    },
    /// Reproducible pseudo-random numbers from 0 up to, but not with, `bound`: indices into an array of
    /// so many elements ([`cell_below`]).
    Below {
        seed: u64,
        bound: u64,
    },
    /// What a run takes for values nobody knows: [`crate::arbitrary::arbitrary_cell`].
    Arbitrary {
        seed: u64,
    },
    /// One cell in `one_in`, which ones being reproducibly random, holds one of `values`, in turn as random;
    /// the others hold what `rest` says, as all do where there are no values.
    Sprinkled {
        seed: u64,
        one_in: u64,
        values: Vec<Value>,
        rest: Box<Contents>,
    },
}

impl Contents {
    /// What cell `index` of an array of such elements holds.
    pub fn cell(&self, elem: ScalarType, index: u64) -> Value {
        match self {
            Contents::Undef => Value::Undef,
            Contents::Zero => Value::zero(elem),
            Contents::Values(values) => usize::try_from(index)
                .ok()
                .and_then(|index| values.get(index).copied())
                .unwrap_or(Value::zero(elem)),
            Contents::Fill(value) => *value,
            Contents::Range { first, step } => nth(elem, *first, *step, index),
            Contents::Random { seed } => random_cell(*seed, index, elem),
            Contents::Below { seed, bound } => cell_below(*seed, *bound, index, elem),
            Contents::Arbitrary { seed } => arbitrary_cell(*seed, index, elem),
            Contents::Sprinkled {
                seed,
                one_in,
                values,
                rest,
            } => {
                let place = mixed(*seed, index);
                let which = mixed(place, index) % (values.len() as u64).max(1);
                match values.get(which as usize) {
                    Some(value) if place.is_multiple_of((*one_in).max(1)) => *value,
                    _ => rest.cell(elem, index),
                }
            }
        }
    }
}

/// `first + index * step`.
fn nth(elem: ScalarType, first: Value, step: Value, index: u64) -> Value {
    match (first, step) {
        (Value::F32(first), Value::F32(step)) => {
            Value::f32(f32::from_bits(first) + index as f32 * f32::from_bits(step))
        }
        (Value::F64(first), Value::F64(step)) => {
            Value::f64(f64::from_bits(first) + index as f64 * f64::from_bits(step))
        }
        _ => {
            let number = |value: Value| value.as_integer().unwrap_or(0);
            Value::int(elem, number(first) + index as i128 * number(step))
        }
    }
}

/// An array bound to a pointer parameter of the entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayArg {
    /// Name in reports: the parameter's.
    pub name: Arc<str>,
    pub elem: ScalarType,
    /// Number of elements; `None` when nobody said: then the array reaches as far as it is used
    /// (upwards from 0), and bounds are not judged.
    pub extent: Option<u64>,
    pub contents: Contents,
    /// Whether its final contents are observed.
    pub observed: bool,
}

/// An argument of the entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arg {
    Scalar(Value),
    /// A fresh array, not aliasing any other argument; index into [`Setup::arrays`]. Two
    /// parameters with the same index alias.
    Array(usize),
    Null,
}

/// A closed configuration: everything a run depends on but the schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setup {
    /// A kernel (with a launch) or a host procedure (without).
    pub entry: ProcId,
    pub launch: Option<Launch>,
    /// In the order of the entry's parameters.
    pub args: Vec<Arg>,
    /// Numbering of the arrays of a run: `Global(0..)` are the declared arrays of spaces `Global`
    /// and `Constant` and `Host(0..)` those of space `Host`, in order of declaration; then follow
    /// these, as `Global` for a kernel entry and as `Host` for a host entry; then allocations.
    pub arrays: Vec<ArrayArg>,
    /// Of a kernel entry, what declared arrays of spaces `Global` and `Constant` hold when it starts,
    /// where that is not what their declarations say: a host may have filled them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub declared: BTreeMap<ArrayId, Contents>,
    /// What launches by host code must keep, and the setup's own is meant for. A file names the device instead.
    #[serde(skip)]
    pub device: DeviceLimits,
}

impl Setup {
    /// What the declared array `id` holds when the run starts.
    pub fn first_contents(&self, id: ArrayId, decl: &ArrayDecl) -> Contents {
        match (self.declared.get(&id), &decl.init) {
            (Some(given), _) => given.clone(),
            (None, None) => Contents::Undef,
            (None, Some(values)) => Contents::Values(values.clone()),
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
fn mixed(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Pseudo-random contents of cell `index` of an array with `seed`: a number from 0 up to, but not with,
/// `bound`, as far as the type has it. The same on every machine.
pub fn cell_below(seed: u64, bound: u64, index: u64, elem: ScalarType) -> Value {
    let number = mixed(seed, index) % bound.max(1);
    match elem {
        ScalarType::Bool => Value::Bool(number & 1 == 1),
        ScalarType::F32 => Value::f32(number as f32),
        ScalarType::F64 => Value::f64(number as f64),
        int => {
            let most = (1i128 << (int.bits() - u32::from(int.is_signed()))) - 1;
            Value::int(int, i128::from(number) % (most + 1))
        }
    }
}

/// Pseudo-random contents of cell `index` of an array with `seed`: the same on every machine.
/// Integers are small (−100..=99, or 0..=199 unsigned) so that sums do not overflow and equal
/// values do occur; floats are multiples of 1/8 in −16..16.
pub fn random_cell(seed: u64, index: u64, elem: ScalarType) -> Value {
    let z = mixed(seed, index);
    match elem {
        ScalarType::Bool => Value::Bool(z & 1 == 1),
        ScalarType::F32 => Value::f32((z % 256) as f32 / 8.0 - 16.0),
        ScalarType::F64 => Value::f64((z % 256) as f64 / 8.0 - 16.0),
        int if int.is_signed() => Value::int(int, (z % 200) as i128 - 100),
        int => Value::int(int, (z % 200) as i128),
    }
}
