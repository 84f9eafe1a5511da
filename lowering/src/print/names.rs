//! Names: those of the source where the target language allows them, unique where they must be.

use crate::print::dialect::Dialect;
use crate::print::scope::Scopes;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::Procedure;
use std::collections::{BTreeMap, BTreeSet};

/// Words no name may be: keywords, and what the printed text itself uses.
const C_WORDS: &[&str] = &[
    "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double",
    "else", "enum", "extern", "false", "float", "for", "goto", "if", "inline", "int", "long",
    "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch",
    "true", "typedef", "union", "unsigned", "void", "volatile", "while", "asm", "NULL", "NAN",
    "INFINITY", "assert", "size_t", "abs", "llabs", "fabs", "fmin", "fmax", "sqrt", "floor",
    "ceil", "trunc", "fma", "fabsf", "fminf", "fmaxf", "sqrtf", "floorf", "ceilf", "truncf",
    "fmaf", "min", "max", "malloc", "free", "memcpy", "printf", "exit",
];

const CUDA_WORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "bitand",
    "bitor",
    "catch",
    "char8_t",
    "char16_t",
    "char32_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "consteval",
    "constexpr",
    "constinit",
    "const_cast",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "friend",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "static_assert",
    "static_cast",
    "template",
    "this",
    "thread_local",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "wchar_t",
    "xor",
    "xor_eq",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "dim3",
    "CHECK",
];

const OPENCL_WORDS: &[&str] = &[
    "kernel",
    "global",
    "local",
    "constant",
    "private",
    "generic",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "half",
    "quad",
    "complex",
    "imaginary",
    "uniform",
    "pipe",
    "barrier",
    "mem_fence",
    "event_t",
    "sampler_t",
    "image2d_t",
    "image3d_t",
    "read_only",
    "write_only",
    "read_write",
    "clamp",
    "mix",
    "step",
    "dot",
    "cross",
    "length",
    "distance",
    "sign",
    "mad",
    "select",
    "any",
    "all",
    "rotate",
    "vstore",
    "vload",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "fract",
    "hypot",
    "modf",
    "remainder",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "pow",
    "round",
];

const CSHARP_WORDS: &[&str] = &[
    "abstract",
    "as",
    "base",
    "byte",
    "catch",
    "checked",
    "class",
    "const",
    "decimal",
    "delegate",
    "event",
    "explicit",
    "finally",
    "fixed",
    "foreach",
    "implicit",
    "in",
    "interface",
    "internal",
    "is",
    "lock",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "sbyte",
    "sealed",
    "stackalloc",
    "string",
    "this",
    "throw",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "virtual",
    "var",
    "dynamic",
    "yield",
    "await",
    "async",
    "System",
];

fn is_reserved(dialect: Dialect, name: &str) -> bool {
    let own: &[&str] = match dialect {
        Dialect::Cuda => CUDA_WORDS,
        Dialect::OpenCl => OPENCL_WORDS,
        Dialect::C => &["main"],
        Dialect::CSharp => CSHARP_WORDS,
    };
    // Functions of the languages that share a prefix, and vector types.
    let prefixes: &[&str] = match dialect {
        Dialect::OpenCl => &[
            "atomic_", "atom_", "get_", "as_", "convert_", "native_", "half_",
        ],
        Dialect::Cuda => &["atomic", "cuda"],
        Dialect::C | Dialect::CSharp => &[],
    };
    let is_vector = [
        "char", "short", "int", "long", "float", "double", "uchar", "ushort", "uint", "ulong",
    ]
    .iter()
    .any(|base| {
        name.strip_prefix(base)
            .is_some_and(|n| matches!(n, "1" | "2" | "3" | "4" | "8" | "16"))
    });
    C_WORDS.contains(&name)
        || own.contains(&name)
        || name.starts_with("__")
        || prefixes.iter().any(|prefix| name.starts_with(prefix))
        || (dialect != Dialect::C && is_vector)
}

/// The nearest legal identifier.
fn legal(dialect: Dialect, name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, 'v');
    }
    while text.starts_with("__") {
        text.remove(0);
    }
    if is_reserved(dialect, &text) {
        text.push('_');
    }
    text
}

/// Gives out names at file scope.
pub(crate) struct FileNames {
    dialect: Dialect,
    taken: BTreeSet<String>,
}

impl FileNames {
    pub(crate) fn with(dialect: Dialect, taken: BTreeSet<String>) -> FileNames {
        FileNames { dialect, taken }
    }

    pub(crate) fn give(&mut self, wanted: &str) -> String {
        let name = fresh(&legal(self.dialect, wanted), |name| {
            self.taken.contains(name)
        });
        self.taken.insert(name.clone());
        name
    }

    pub(crate) fn taken(&self) -> &BTreeSet<String> {
        &self.taken
    }
}

fn fresh(base: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(base) {
        return base.to_owned();
    }
    let numbered = |n: u32| format!("{base}_{n}");
    (2..)
        .map(numbered)
        .find(|name| !taken(name))
        .unwrap_or_else(|| base.to_owned())
}

/// Names of a procedure's variables. Two whose lifetimes are apart may share one.
pub(crate) fn variable_names(
    dialect: Dialect,
    proc: &Procedure,
    scopes: &Scopes,
    taken: &BTreeSet<String>,
) -> BTreeMap<VarId, String> {
    let everywhere = vec![(0, u32::MAX)];
    let mut given: BTreeMap<VarId, String> = BTreeMap::new();
    for (index, decl) in proc.vars.iter().enumerate() {
        let var = VarId(index as u32);
        let lifetime = |var: &VarId| scopes.lifetimes.get(var).unwrap_or(&everywhere);
        let is_param = proc.params.contains(&var);
        if !is_param && !scopes.lifetimes.contains_key(&var) {
            continue;
        }
        let clashes = |other: &VarId| {
            let overlap = |a: &(u32, u32), b: &(u32, u32)| a.0 <= b.1 && b.0 <= a.1;
            lifetime(&var)
                .iter()
                .any(|a| lifetime(other).iter().any(|b| overlap(a, b)))
        };
        let name = fresh(&legal(dialect, &decl.name), |name| {
            taken.contains(name)
                || given
                    .iter()
                    .any(|(other, used)| used == name && clashes(other))
        });
        given.insert(var, name);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_in_the_target() {
        let check = |dialect, wanted, expected: &str| assert_eq!(legal(dialect, wanted), expected);
        check(Dialect::Cuda, "i", "i");
        check(Dialect::Cuda, "class", "class_");
        check(Dialect::C, "class", "class");
        check(Dialect::OpenCl, "local", "local_");
        check(Dialect::OpenCl, "get_local_id", "get_local_id_");
        check(Dialect::Cuda, "a.b$1", "a_b_1");
        check(Dialect::Cuda, "__t0", "_t0");
        check(Dialect::Cuda, "4x", "v4x");
        check(Dialect::Cuda, "int4", "int4_");
    }

    #[test]
    fn file_names_are_unique() {
        let mut names = FileNames::with(Dialect::Cuda, BTreeSet::new());
        assert_eq!(names.give("f"), "f");
        assert_eq!(names.give("f"), "f_2");
        assert_eq!(names.give("f"), "f_3");
    }
}
