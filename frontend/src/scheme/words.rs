//! The reserved words of the notation. What stands here cannot be the plain name of anything; a
//! name that is spelled so is written between backquotes.

use gridlock_semantics::expr::MathFn;
use gridlock_semantics::operator::{AllocSpace, AtomicFn, CopyKind, ShuffleMode, WarpFn};
use gridlock_semantics::types::ScalarType;

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

/// Basic operators of the domain, in small letters, as the paper's `init_gpu`.
pub const OPERATORS: &[&str] = &[
    "active_mask",
    "alloc_global",
    "alloc_host",
    "alloc_pinned",
    "atomic_add",
    "atomic_and",
    "atomic_cas",
    "atomic_dec",
    "atomic_exch",
    "atomic_inc",
    "atomic_max",
    "atomic_min",
    "atomic_or",
    "atomic_sub",
    "atomic_xor",
    "ballot",
    "barrier",
    "call_gpu",
    "copy_back",
    "copy_device",
    "copy_gpu",
    "copy_host",
    "device_sync",
    "event_create",
    "event_destroy",
    "event_record",
    "event_sync",
    "exit",
    "fence",
    "free_global",
    "free_host",
    "free_pinned",
    "grid_barrier",
    "init_gpu",
    "match_any",
    "named_barrier",
    "named_barrier_arrive",
    "reduce_add",
    "reduce_and",
    "reduce_max",
    "reduce_min",
    "reduce_or",
    "reduce_xor",
    "set_device",
    "shuffle",
    "shuffle_down",
    "shuffle_up",
    "shuffle_xor",
    "stream_create",
    "stream_destroy",
    "stream_sync",
    "stream_wait",
    "sync_warp",
    "warp_all",
    "warp_any",
];

/// Functions of expressions.
pub const FUNCTIONS: &[(&str, MathFn)] = &[
    ("abs", MathFn::Abs),
    ("ceil", MathFn::Ceil),
    ("floor", MathFn::Floor),
    ("fma", MathFn::Fma),
    ("max", MathFn::Max),
    ("min", MathFn::Min),
    ("sqrt", MathFn::Sqrt),
    ("trunc", MathFn::Trunc),
];

pub const TYPES: &[(&str, ScalarType)] = &[
    ("bool", ScalarType::Bool),
    ("i8", ScalarType::I8),
    ("i16", ScalarType::I16),
    ("i32", ScalarType::I32),
    ("i64", ScalarType::I64),
    ("u8", ScalarType::U8),
    ("u16", ScalarType::U16),
    ("u32", ScalarType::U32),
    ("u64", ScalarType::U64),
    ("f32", ScalarType::F32),
    ("f64", ScalarType::F64),
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
    "volatile",
    "warpSize",
];

/// All reserved words.
pub fn all() -> impl Iterator<Item = &'static str> {
    CONTROL
        .iter()
        .chain(OPERATORS)
        .chain(VALUES)
        .copied()
        .chain(FUNCTIONS.iter().map(|(word, _)| *word))
        .chain(TYPES.iter().map(|(word, _)| *word))
}

/// The word as it is kept in this table, if it is reserved.
pub fn reserved(text: &str) -> Option<&'static str> {
    all().find(|word| *word == text)
}

pub fn scalar_type(word: &str) -> Option<ScalarType> {
    meant(TYPES, word)
}

pub fn type_word(ty: ScalarType) -> &'static str {
    spelled(TYPES, &ty)
}

pub fn math_function(word: &str) -> Option<MathFn> {
    meant(FUNCTIONS, word)
}

pub fn function_word(function: MathFn) -> &'static str {
    spelled(FUNCTIONS, &function)
}

const ATOMICS: &[(&str, AtomicFn)] = &[
    ("atomic_add", AtomicFn::Add),
    ("atomic_sub", AtomicFn::Sub),
    ("atomic_min", AtomicFn::Min),
    ("atomic_max", AtomicFn::Max),
    ("atomic_and", AtomicFn::And),
    ("atomic_or", AtomicFn::Or),
    ("atomic_xor", AtomicFn::Xor),
    ("atomic_exch", AtomicFn::Exch),
    ("atomic_cas", AtomicFn::Cas),
    ("atomic_inc", AtomicFn::Inc),
    ("atomic_dec", AtomicFn::Dec),
];

const WARP: &[(&str, WarpFn)] = &[
    ("shuffle", WarpFn::Shuffle(ShuffleMode::Index)),
    ("shuffle_up", WarpFn::Shuffle(ShuffleMode::Up)),
    ("shuffle_down", WarpFn::Shuffle(ShuffleMode::Down)),
    ("shuffle_xor", WarpFn::Shuffle(ShuffleMode::Xor)),
    ("ballot", WarpFn::Ballot),
    ("warp_all", WarpFn::All),
    ("warp_any", WarpFn::Any),
    ("match_any", WarpFn::MatchAny),
    ("reduce_add", WarpFn::ReduceAdd),
    ("reduce_min", WarpFn::ReduceMin),
    ("reduce_max", WarpFn::ReduceMax),
    ("reduce_and", WarpFn::ReduceAnd),
    ("reduce_or", WarpFn::ReduceOr),
    ("reduce_xor", WarpFn::ReduceXor),
];

const COPIES: &[(&str, CopyKind)] = &[
    ("copy_gpu", CopyKind::HostToDevice),
    ("copy_back", CopyKind::DeviceToHost),
    ("copy_device", CopyKind::DeviceToDevice),
    ("copy_host", CopyKind::HostToHost),
];

const ALLOCATIONS: &[(&str, AllocSpace)] = &[
    ("alloc_host", AllocSpace::Host),
    ("alloc_pinned", AllocSpace::Pinned),
    ("alloc_global", AllocSpace::Global),
];

const RELEASES: &[(&str, AllocSpace)] = &[
    ("free_host", AllocSpace::Host),
    ("free_pinned", AllocSpace::Pinned),
    ("free_global", AllocSpace::Global),
];

fn meant<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(w, _)| *w == word).map(|(_, t)| *t)
}

fn spelled<T: PartialEq>(table: &[(&'static str, T)], thing: &T) -> &'static str {
    let found = table.iter().find(|(_, t)| t == thing);
    found.map_or("", |(word, _)| word)
}

pub fn atomic_function(word: &str) -> Option<AtomicFn> {
    meant(ATOMICS, word)
}

pub fn atomic_word(function: AtomicFn) -> &'static str {
    spelled(ATOMICS, &function)
}

pub fn warp_function(word: &str) -> Option<WarpFn> {
    meant(WARP, word)
}

pub fn warp_word(function: WarpFn) -> &'static str {
    spelled(WARP, &function)
}

pub fn copy_kind(word: &str) -> Option<CopyKind> {
    meant(COPIES, word)
}

pub fn copy_word(kind: CopyKind) -> &'static str {
    spelled(COPIES, &kind)
}

/// The memory `alloc_…` makes an array in.
pub fn allocation(word: &str) -> Option<AllocSpace> {
    meant(ALLOCATIONS, word)
}

pub fn allocation_word(space: AllocSpace) -> &'static str {
    spelled(ALLOCATIONS, &space)
}

/// The memory `free_…` gives back.
pub fn release(word: &str) -> Option<AllocSpace> {
    meant(RELEASES, word)
}

pub fn release_word(space: AllocSpace) -> &'static str {
    spelled(RELEASES, &space)
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
