//! The parts of the prelude, and of headers that are as long.

use crate::clang::stand_ins;

/// A part: the macro that leaves it out, and its headers.
pub(super) struct Part {
    pub without: &'static str,
    pub headers: &'static [&'static str],
}

pub(super) const PARTS: &[Part] = &[
    Part {
        without: "GRIDLOCK_WITHOUT_VECTORS",
        headers: &["gridlock_vectors.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_ATOMICS",
        headers: &["gridlock_atomics.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_MATH",
        headers: &["gridlock_overloads.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_INTRINSICS",
        headers: &["gridlock_intrinsics.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_RUNTIME",
        headers: &["gridlock_runtime.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_LIBC",
        headers: &[
            "gridlock_libc.h",
            "gridlock_math.h",
            "stdlib.h",
            "assert.h",
            "math.h",
        ],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_MACHINE",
        headers: &["gridlock_machine.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_TEXTURES",
        headers: &["texture_reference.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_INTEGER",
        headers: &["gridlock_integer.h"],
    },
    // Of headers that a file includes itself: each has a type of numbers, and functions of them.
    Part {
        without: "GRIDLOCK_WITHOUT_HALF",
        headers: &[
            "gridlock_fp16.h",
            "gridlock_half.h",
            "gridlock_half_members.h",
            "gridlock_nearest.h",
        ],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_BFLOAT",
        headers: &[
            "gridlock_bf16.h",
            "gridlock_bfloat.h",
            "gridlock_bfloat_members.h",
        ],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_EIGHT",
        headers: &["gridlock_fp8.h", "gridlock_eight.h", "gridlock_scale.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_REST_OF_HALF",
        headers: &["gridlock_half_rest.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_REST_OF_BFLOAT",
        headers: &["gridlock_bfloat_rest.h"],
    },
];

/// What is always there, and declares names of its own.
pub(super) const ALWAYS: &[&str] = &[stand_ins::CUDA_PRELUDE, "stddef.h", "stdint.h", "limits.h"];

/// Words of the language, which stand where names do.
pub(super) const WORDS: &[&str] = &["__attribute__", "bool", "class", "int", "using"];

/// A set of parts: a bit for each.
pub(super) type Set = u32;

pub(super) const ALL: Set = (1 << PARTS.len()) - 1;

/// Those that have types of numbers with the functions of them, and those that have only more of such functions. A
/// function that an earlier part has for other types, too, is chosen there for a number of this type alone, and then
/// the file has such a number from a name that no other part has.
pub(super) const HALF: Set = of_macro("GRIDLOCK_WITHOUT_HALF");
pub(super) const BFLOAT: Set = of_macro("GRIDLOCK_WITHOUT_BFLOAT");
pub(super) const EIGHT: Set = of_macro("GRIDLOCK_WITHOUT_EIGHT");
pub(super) const REST_OF_HALF: Set = of_macro("GRIDLOCK_WITHOUT_REST_OF_HALF");
pub(super) const REST_OF_BFLOAT: Set = of_macro("GRIDLOCK_WITHOUT_REST_OF_BFLOAT");
pub(super) const TYPES: Set = HALF | BFLOAT | EIGHT;
pub(super) const RESTS: Set = REST_OF_HALF | REST_OF_BFLOAT;

/// The part that a macro leaves out.
const fn of_macro(without: &str) -> Set {
    let mut number = 0;
    while !is_same(PARTS[number].without.as_bytes(), without.as_bytes()) {
        number += 1;
    }
    1 << number
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The macros that leave these parts out.
pub(super) fn macros_of(left_out: Set) -> Vec<&'static str> {
    let parts = PARTS.iter().enumerate();
    parts
        .filter(|(number, _)| left_out >> number & 1 == 1)
        .map(|(_, part)| part.without)
        .collect()
}

/// Of the parts that declare a name, of which there is one, those that a file which names it asks for.
pub(super) fn asked_for(parts: Set) -> Set {
    if parts & !(TYPES | RESTS) != 0 {
        parts & !TYPES
    } else if parts & HALF != 0 {
        parts & !BFLOAT
    } else if parts & TYPES != 0 {
        parts
    } else if parts & REST_OF_HALF != 0 {
        parts | HALF
    } else {
        parts | BFLOAT
    }
}

pub(super) fn part_of(header: &str) -> Option<usize> {
    PARTS.iter().position(|part| part.headers.contains(&header))
}
