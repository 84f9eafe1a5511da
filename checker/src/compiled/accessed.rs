//! Which arrays the threads of a launch may read, and which they may write: on an array that none
//! writes no thread can race.
//!
//! Pointers are traced back from loads, stores and atomics to where they come from, whatever the
//! order of instructions: through copies and offsets to what registers hold at the start. One that
//! comes from anywhere else may be a pointer to anything.

use super::Code;
use super::instruction::{Instr, Reg};
use super::raw;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Some of the arrays there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrays {
    Any,
    /// Array registers ([`raw::from_array`]), in order.
    Only(Vec<u64>),
}

/// The arrays that threads of a launch may access; those of atomics are both read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accessed {
    pub read: Arrays,
    pub written: Arrays,
}

impl Arrays {
    /// Whether the global array of this number is among them.
    pub fn has_global(&self, number: usize) -> bool {
        match self {
            Arrays::Any => true,
            Arrays::Only(arrays) => {
                let array = (raw::GLOBAL as u64) << 32 | number as u64;
                arrays.binary_search(&array).is_ok()
            }
        }
    }
}

/// Where the registers that name arrays come from.
struct Pointers {
    /// By register: those it is a copy of, or is made of by an offset.
    sources: FxHashMap<Reg, Vec<Reg>>,
    /// Registers that something else is written to.
    made_otherwise: FixedBitSet,
}

impl Pointers {
    fn of(code: &Code, n_regs: usize) -> Pointers {
        let mut sources: FxHashMap<Reg, Vec<Reg>> = FxHashMap::default();
        let mut made_otherwise = FixedBitSet::with_capacity(n_regs);
        for instr in &code.instrs {
            match *instr {
                Instr::MovePointer { dst, src } | Instr::Offset { dst, ptr: src, .. } => {
                    sources.entry(dst).or_default().push(src);
                    made_otherwise.insert(dst as usize + 1);
                }
                _ => code.written(instr, |reg| made_otherwise.insert(reg as usize)),
            }
        }
        Pointers {
            sources,
            made_otherwise,
        }
    }

    /// The arrays that these registers may name.
    fn arrays(&self, mut pointers: Vec<Reg>, image: &[u64]) -> Arrays {
        let mut seen = FixedBitSet::with_capacity(image.len());
        let mut arrays = Vec::new();
        while let Some(pointer) = pointers.pop() {
            if self.made_otherwise.contains(pointer as usize) {
                return Arrays::Any;
            }
            if !seen.put(pointer as usize) {
                arrays.push(image[pointer as usize]);
                pointers.extend(self.sources.get(&pointer).into_iter().flatten());
            }
        }
        arrays.sort_unstable();
        arrays.dedup();
        Arrays::Only(arrays)
    }
}

impl Accessed {
    /// What threads may access that start with the registers of `image`.
    pub fn by(code: &Code, image: &[u64]) -> Accessed {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for instr in &code.instrs {
            match *instr {
                Instr::Load { ptr, .. } => read.push(ptr),
                Instr::Store { ptr, .. }
                | Instr::StoreNothing { ptr, .. }
                | Instr::WriteBack { ptr, .. } => written.push(ptr),
                Instr::Atomic { site } => {
                    let ptr = code.atomics[site as usize].ptr;
                    read.push(ptr);
                    written.push(ptr);
                }
                Instr::Host { .. } => {
                    return Accessed {
                        read: Arrays::Any,
                        written: Arrays::Any,
                    };
                }
                _ => {}
            }
        }
        let pointers = Pointers::of(code, image.len());
        Accessed {
            read: pointers.arrays(read, image),
            written: pointers.arrays(written, image),
        }
    }
}
