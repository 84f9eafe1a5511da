//! The reserved words of the notation. What stands here cannot be the plain name of anything; a
//! name that is spelled so is written between backquotes.

use gridlock_semantics::algebra::elementary::Elementary;
use gridlock_semantics::algebra::expr::MathFn;
use gridlock_semantics::algebra::operator::{
    AllocSpace, AtomicFn, BARRIER_ANYWHERE, CopyKind, Head, Orders, ShuffleMode, WarpFn,
};
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of control and of declarations: in capitals, as SAA-M schemes write them.
pub const CONTROL: &[&str] = &[
    "ABOVE",
    "AND",
    "ARRAY",
    "ASSERT",
    "ASSUME",
    "ATOMIC",
    "BEGIN",
    "BELOW",
    "BLOCK",
    "BRANCH",
    "BY",
    "CALL",
    "CONSTANT",
    "COOPERATIVE",
    "DEVICE",
    "DOWN",
    "ELSE",
    "ELSIF",
    "END",
    "EXTENT",
    "FOR",
    "FORM",
    "FROM",
    "GLOBAL",
    "GRID",
    "HOST",
    "IF",
    "KERNEL",
    "LAUNCH",
    "LOAD",
    "LOOP",
    "MANAGED",
    "NEXT",
    "NON_BLOCKING",
    "NOT",
    "OF",
    "OR",
    "PARALLEL",
    "PRIVATE",
    "RESULT",
    "SCOPE",
    "SHARED",
    "SKIP",
    "STREAM",
    "SYSTEM",
    "THEN",
    "TO",
    "VAR",
    "WAIT",
    "WHILE",
];

/// Basic operators with attributes that their own functions do not spell, and the launch.
const OPERATORS: &[&str] = &[
    BARRIER_ANYWHERE,
    "call_gpu",
    "fence",
    "named_barrier",
    "named_barrier_arrive",
    "stream_create",
];

/// Basic operators of the domain, in small letters, as the paper's `init_gpu`: those that the table of operators names,
/// and a word for each of the others with each of its attributes.
pub fn operators() -> impl Iterator<Item = &'static str> {
    (Head::NAMED.iter().map(|(word, _)| *word))
        .chain(OPERATORS.iter().copied())
        .chain(BARRIERS.iter().map(|orders| orders.barrier_name()))
        .chain(ATOMICS.iter().map(|function| atomic_word(*function)))
        .chain(WARP.iter().map(|function| warp_word(*function)))
        .chain(COPIES.iter().map(|kind| copy_word(*kind)))
        .chain(SPACES.iter().map(|space| allocation_word(*space)))
        .chain(SPACES.iter().map(|space| release_word(*space)))
}

/// Whether a reserved word is that of a basic operator.
pub fn is_operator(word: &str) -> bool {
    operators().any(|operator| operator == word)
}

/// Functions of expressions.
const FUNCTIONS: &[MathFn] = &[
    MathFn::Abs,
    MathFn::ReverseBits,
    MathFn::Ceil,
    MathFn::CountLeadingZeros,
    MathFn::FindFirstSet,
    MathFn::Floor,
    MathFn::Fma,
    MathFn::Max,
    MathFn::Min,
    MathFn::PopCount,
    MathFn::Sqrt,
    MathFn::Trunc,
    MathFn::BitsAs(ScalarType::I32),
    MathFn::BitsAs(ScalarType::U32),
    MathFn::BitsAs(ScalarType::I64),
    MathFn::BitsAs(ScalarType::U64),
    MathFn::BitsAs(ScalarType::F32),
    MathFn::BitsAs(ScalarType::F64),
    MathFn::Aligned(2),
    MathFn::Aligned(4),
    MathFn::Aligned(8),
    MathFn::Aligned(16),
];

const TYPES: &[ScalarType] = &[
    ScalarType::Bool,
    ScalarType::I8,
    ScalarType::I16,
    ScalarType::I32,
    ScalarType::I64,
    ScalarType::U8,
    ScalarType::U16,
    ScalarType::U32,
    ScalarType::U64,
    ScalarType::F32,
    ScalarType::F64,
];

/// What else expressions and types are made of.
pub const VALUES: &[&str] = &[
    "blockDim",
    "blockIdx",
    "const",
    "f32_bits",
    "f64_bits",
    "false",
    "gridDim",
    "inf",
    "nan",
    "null",
    "threadIdx",
    "true",
    "undef",
    "volatile",
    "warpSize",
];

/// All reserved words.
pub fn all() -> impl Iterator<Item = &'static str> {
    CONTROL
        .iter()
        .chain(VALUES)
        .copied()
        .chain(operators())
        .chain(FUNCTIONS.iter().map(|f| function_word(*f)))
        .chain(Elementary::ALL.iter().map(|f| f.name()))
        .chain(type_words())
}

/// The word as it is kept in this table, if it is reserved.
pub fn reserved(text: &str) -> Option<&'static str> {
    static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| all().collect());
    WORDS.get(text).copied()
}

/// Whether a word names an elementary function.
pub fn is_elementary(word: &str) -> bool {
    Elementary::ALL.iter().any(|f| f.name() == word)
}

/// The one of `all` that is written `word`.
fn meant<T: Copy>(word: &str, all: &[T], written: fn(T) -> &'static str) -> Option<T> {
    all.iter().copied().find(|one| written(*one) == word)
}

pub const fn type_word(of: ScalarType) -> &'static str {
    match of {
        ScalarType::Bool => "bool",
        ScalarType::I8 => "i8",
        ScalarType::I16 => "i16",
        ScalarType::I32 => "i32",
        ScalarType::I64 => "i64",
        ScalarType::U8 => "u8",
        ScalarType::U16 => "u16",
        ScalarType::U32 => "u32",
        ScalarType::U64 => "u64",
        ScalarType::F32 => "f32",
        ScalarType::F64 => "f64",
    }
}

pub fn type_words() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|ty| type_word(*ty))
}

pub fn scalar_type(word: &str) -> Option<ScalarType> {
    meant(word, TYPES, type_word)
}

pub const fn function_word(of: MathFn) -> &'static str {
    match of {
        MathFn::Min => "min",
        MathFn::Max => "max",
        MathFn::Abs => "abs",
        MathFn::Sqrt => "sqrt",
        MathFn::Floor => "floor",
        MathFn::Ceil => "ceil",
        MathFn::Trunc => "trunc",
        MathFn::Fma => "fma",
        MathFn::PopCount => "popc",
        MathFn::FindFirstSet => "ffs",
        MathFn::CountLeadingZeros => "clz",
        MathFn::ReverseBits => "brev",
        MathFn::BitsAs(ScalarType::I32) => "as_i32",
        MathFn::BitsAs(ScalarType::U32) => "as_u32",
        MathFn::BitsAs(ScalarType::I64) => "as_i64",
        MathFn::BitsAs(ScalarType::U64) => "as_u64",
        MathFn::BitsAs(ScalarType::F32) => "as_f32",
        MathFn::BitsAs(ScalarType::F64) => "as_f64",
        // No other type has the size of a float.
        MathFn::BitsAs(_) => "as_bits",
        MathFn::Aligned(2) => "aligned_2",
        MathFn::Aligned(4) => "aligned_4",
        MathFn::Aligned(8) => "aligned_8",
        // Nothing the front ends read asks for more than the 16 bytes of a `float4`.
        MathFn::Aligned(_) => "aligned_16",
        MathFn::Elementary(function) => function.name(),
    }
}

pub fn math_function(word: &str) -> Option<MathFn> {
    let elementary = || {
        let found = meant(word, Elementary::ALL, Elementary::name);
        found.map(MathFn::Elementary)
    };
    meant(word, FUNCTIONS, function_word).or_else(elementary)
}

const BARRIERS: &[Orders] = &[Orders::All, Orders::Shared, Orders::Global, Orders::Nothing];

/// What the barrier of the block with this word orders.
pub fn barrier(word: &str) -> Option<Orders> {
    meant(word, BARRIERS, Orders::barrier_name)
}

const ATOMICS: &[AtomicFn] = &[
    AtomicFn::Add,
    AtomicFn::Sub,
    AtomicFn::Min,
    AtomicFn::Max,
    AtomicFn::And,
    AtomicFn::Or,
    AtomicFn::Xor,
    AtomicFn::Exch,
    AtomicFn::Cas,
    AtomicFn::Inc,
    AtomicFn::Dec,
    AtomicFn::AddHalf,
    AtomicFn::AddBfloat,
];

pub const fn atomic_word(of: AtomicFn) -> &'static str {
    match of {
        AtomicFn::Add => "atomic_add",
        AtomicFn::Sub => "atomic_sub",
        AtomicFn::Min => "atomic_min",
        AtomicFn::Max => "atomic_max",
        AtomicFn::And => "atomic_and",
        AtomicFn::Or => "atomic_or",
        AtomicFn::Xor => "atomic_xor",
        AtomicFn::Exch => "atomic_exch",
        AtomicFn::Cas => "atomic_cas",
        AtomicFn::Inc => "atomic_inc",
        AtomicFn::Dec => "atomic_dec",
        AtomicFn::AddHalf => "atomic_add_half",
        AtomicFn::AddBfloat => "atomic_add_bfloat",
    }
}

pub fn atomic_function(word: &str) -> Option<AtomicFn> {
    meant(word, ATOMICS, atomic_word)
}

const WARP: &[WarpFn] = &[
    WarpFn::Shuffle(ShuffleMode::Index),
    WarpFn::Shuffle(ShuffleMode::Up),
    WarpFn::Shuffle(ShuffleMode::Down),
    WarpFn::Shuffle(ShuffleMode::Xor),
    WarpFn::Ballot,
    WarpFn::All,
    WarpFn::Any,
    WarpFn::MatchAny,
    WarpFn::ReduceAdd,
    WarpFn::ReduceMin,
    WarpFn::ReduceMax,
    WarpFn::ReduceAnd,
    WarpFn::ReduceOr,
    WarpFn::ReduceXor,
];

pub const fn warp_word(of: WarpFn) -> &'static str {
    match of {
        WarpFn::Shuffle(ShuffleMode::Index) => "shuffle",
        WarpFn::Shuffle(ShuffleMode::Up) => "shuffle_up",
        WarpFn::Shuffle(ShuffleMode::Down) => "shuffle_down",
        WarpFn::Shuffle(ShuffleMode::Xor) => "shuffle_xor",
        WarpFn::Ballot => "ballot",
        WarpFn::All => "warp_all",
        WarpFn::Any => "warp_any",
        WarpFn::MatchAny => "match_any",
        WarpFn::ReduceAdd => "reduce_add",
        WarpFn::ReduceMin => "reduce_min",
        WarpFn::ReduceMax => "reduce_max",
        WarpFn::ReduceAnd => "reduce_and",
        WarpFn::ReduceOr => "reduce_or",
        WarpFn::ReduceXor => "reduce_xor",
    }
}

pub fn warp_function(word: &str) -> Option<WarpFn> {
    meant(word, WARP, warp_word)
}

const COPIES: &[CopyKind] = &[
    CopyKind::HostToDevice,
    CopyKind::DeviceToHost,
    CopyKind::DeviceToDevice,
    CopyKind::HostToHost,
    CopyKind::Default,
];

pub const fn copy_word(of: CopyKind) -> &'static str {
    match of {
        CopyKind::HostToDevice => "copy_gpu",
        CopyKind::DeviceToHost => "copy_back",
        CopyKind::DeviceToDevice => "copy_device",
        CopyKind::HostToHost => "copy_host",
        CopyKind::Default => "copy_default",
    }
}

pub fn copy_kind(word: &str) -> Option<CopyKind> {
    meant(word, COPIES, copy_word)
}

const SPACES: &[AllocSpace] = &[
    AllocSpace::Host,
    AllocSpace::Pinned,
    AllocSpace::Global,
    AllocSpace::Managed,
    AllocSpace::New,
    AllocSpace::Owned,
    AllocSpace::OwnedGlobal,
];

/// The operator that makes an array in a memory.
pub const fn allocation_word(of: AllocSpace) -> &'static str {
    match of {
        AllocSpace::Host => "alloc_host",
        AllocSpace::Pinned => "alloc_pinned",
        AllocSpace::Global => "alloc_global",
        AllocSpace::Managed => "alloc_managed",
        AllocSpace::New => "alloc_new",
        AllocSpace::Owned => "alloc_owned",
        AllocSpace::OwnedGlobal => "alloc_owned_global",
    }
}

pub fn allocation(word: &str) -> Option<AllocSpace> {
    meant(word, SPACES, allocation_word)
}

/// The operator that gives one back.
pub const fn release_word(of: AllocSpace) -> &'static str {
    match of {
        AllocSpace::Host => "free_host",
        AllocSpace::Pinned => "free_pinned",
        AllocSpace::Global => "free_global",
        AllocSpace::Managed => "free_managed",
        AllocSpace::New => "free_new",
        AllocSpace::Owned => "free_owned",
        AllocSpace::OwnedGlobal => "free_owned_global",
    }
}

pub fn release(word: &str) -> Option<AllocSpace> {
    meant(word, SPACES, release_word)
}

/// The word most like `given`, near enough to be what was meant.
pub fn nearest<'a>(given: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = 1 + given.chars().count() / 4;
    among
        .filter(|word| *word != given)
        .map(|word| {
            let folded = word.eq_ignore_ascii_case(given);
            let distance = match folded {
                true => 0,
                false => strsim::damerau_levenshtein(given, word),
            };
            (distance, word)
        })
        .filter(|(distance, word)| *distance <= allowed && *distance < word.chars().count())
        .min()
        .map(|(_, word)| word)
}

/// Length in bytes of the word at the start of `text`.
pub fn word_length(text: &str) -> usize {
    text.bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count()
}

/// Whether `text` is a name that needs no backquotes.
pub fn is_plain_name(text: &str) -> bool {
    let starts_well = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(starts_well) && word_length(text) == text.len() && reserved(text).is_none()
}
