//! The headers a program may include, in our own words: declarations of what the front end knows
//! by name, so that nothing of the machine's C library or CUDA toolkit is needed.

use std::io;
use std::path::Path;

const CUDA: &str = include_str!("../stand-ins/gridlock_cuda.h");
const OPENCL: &str = include_str!("../stand-ins/gridlock_opencl.h");
const LIBC: &str = include_str!("../stand-ins/gridlock_libc.h");
const CUDA_RUNTIME: &str = include_str!("../stand-ins/cuda_runtime.h");
const CUDA_DRIVER: &str = include_str!("../stand-ins/cuda.h");
const ASSERT: &str = include_str!("../stand-ins/assert.h");
const COOPERATIVE_GROUPS: &str = include_str!("../stand-ins/cooperative_groups.h");
const CURAND: &str = include_str!("../stand-ins/curand_kernel.h");
const TEXTURES: &str = include_str!("../stand-ins/texture_reference.h");
const FLOAT: &str = include_str!("../stand-ins/float.h");
const IOSTREAM: &str = include_str!("../stand-ins/iostream.h");
const LIMITS: &str = include_str!("../stand-ins/limits.h");
const MATH: &str = include_str!("../stand-ins/math.h");
const STDBOOL: &str = include_str!("../stand-ins/stdbool.h");
const STDDEF: &str = include_str!("../stand-ins/stddef.h");
const STDINT: &str = include_str!("../stand-ins/stdint.h");
const STDIO: &str = include_str!("../stand-ins/stdio.h");
const STDLIB: &str = include_str!("../stand-ins/stdlib.h");

/// The header every CUDA translation unit gets without asking.
pub(crate) const CUDA_PRELUDE: &str = "gridlock_cuda.h";

/// The header every OpenCL C translation unit gets without asking.
pub(crate) const OPENCL_PRELUDE: &str = "gridlock_opencl.h";

/// Name as included, text.
const HEADERS: &[(&str, &str)] = &[
    (CUDA_PRELUDE, CUDA),
    (OPENCL_PRELUDE, OPENCL),
    ("gridlock_libc.h", LIBC),
    ("cuda_runtime.h", CUDA_RUNTIME),
    ("cuda_runtime_api.h", CUDA_RUNTIME),
    ("cuda.h", CUDA_DRIVER),
    ("algorithm", CUDA_RUNTIME),
    ("device_launch_parameters.h", CUDA_RUNTIME),
    ("device_functions.h", CUDA_RUNTIME),
    ("cooperative_groups.h", COOPERATIVE_GROUPS),
    ("curand_kernel.h", CURAND),
    ("curand.h", CURAND),
    ("texture_reference.h", TEXTURES),
    ("assert.h", ASSERT),
    ("cassert", ASSERT),
    ("float.h", FLOAT),
    ("cfloat", FLOAT),
    ("iostream", IOSTREAM),
    ("iomanip", IOSTREAM),
    ("limits.h", LIMITS),
    ("climits", LIMITS),
    ("math.h", MATH),
    ("cmath", MATH),
    ("stdbool.h", STDBOOL),
    ("stddef.h", STDDEF),
    ("cstddef", STDDEF),
    ("stdint.h", STDINT),
    ("cstdint", STDINT),
    ("inttypes.h", STDINT),
    ("stdio.h", STDIO),
    ("cstdio", STDIO),
    ("stdlib.h", STDLIB),
    ("cstdlib", STDLIB),
    ("string.h", STDLIB),
    ("cstring", STDLIB),
];

/// Writes the headers into folder `dir`.
pub(crate) fn write_into(dir: &Path) -> io::Result<()> {
    for (name, text) in HEADERS {
        std::fs::write(dir.join(name), text)?;
    }
    std::fs::write(dir.join("gridlock_families.h"), families())?;
    std::fs::write(dir.join("gridlock_opencl_vectors.h"), opencl_vectors())?;
    std::fs::write(dir.join("gridlock_math.h"), mathematics())
}

/// OpenCL C's vector types, and `as_type` for each type.
fn opencl_vectors() -> String {
    let mut text = String::from("#pragma once\n");
    for elem in [
        "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double",
    ] {
        text += &format!("#define as_{elem}(x) __builtin_astype((x), {elem})\n");
        for n in [2, 3, 4, 8, 16] {
            let attribute = format!("__attribute__((ext_vector_type({n})))");
            text += &format!("typedef {elem} {elem}{n} {attribute};\n");
            text += &format!("#define as_{elem}{n}(x) __builtin_astype((x), {elem}{n})\n");
        }
    }
    text
}

/// Declarations of one shape for many types. Written out, because clang's dump of what a macro
/// made is several times as long, and reading the dump is what takes the time.
fn families() -> String {
    let mut text = String::from("#pragma once\n");
    for (elem, name) in [
        ("char", "char"),
        ("unsigned char", "uchar"),
        ("int", "int"),
        ("unsigned int", "uint"),
        ("float", "float"),
        ("double", "double"),
    ] {
        for fields in ["x", "x, y", "x, y, z", "x, y, z, w"] {
            let n = fields.split(',').count();
            let params = vec![elem; n].join(", ");
            // CUDA C++ Programming Guide, alignment of the built-in vector types.
            let size = match elem {
                "char" | "unsigned char" => 1,
                "double" => 8,
                _ => 4,
            };
            let align = match n {
                3 => String::new(),
                n => format!("__attribute__((aligned({}))) ", (n * size).min(16)),
            };
            text += &format!("struct {align}{name}{n} {{ {elem} {fields}; }};\n");
            text += &format!("{name}{n} make_{name}{n}({params});\n");
        }
    }
    // The operand takes no part in deduction: `atomicAdd(&an_unsigned, 1)`.
    text += "template <class T> struct gridlock_same { typedef T type; };\n";
    for name in [
        "Add", "Sub", "Exch", "Min", "Max", "And", "Or", "Xor", "Inc", "Dec", "CAS",
    ] {
        for scope in ["", "_block", "_system"] {
            let operand = "typename gridlock_same<T>::type";
            let operands = match name {
                "CAS" => format!("{operand}, {operand}"),
                _ => operand.to_string(),
            };
            text += &format!("template <class T> T atomic{name}{scope}(T *, {operands});\n");
        }
    }
    for ty in [
        "int",
        "unsigned int",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "float",
        "double",
    ] {
        text += &format!("{ty} min({ty}, {ty});\n{ty} max({ty}, {ty});\n");
    }
    for ty in ["long", "long long", "float", "double"] {
        text += &format!("{ty} abs({ty});\n");
    }
    for name in ["sqrt", "fabs", "floor", "ceil", "trunc"] {
        text += &format!("float {name}(float);\n");
    }
    text += "namespace std { using ::min; using ::max; using ::abs; }\n";
    text
}

/// The functions of `math.h`, for `double` and for `float`.
fn mathematics() -> String {
    let mut text = String::from("#pragma once\n");
    for name in [
        "fabs", "sqrt", "floor", "ceil", "trunc", "round", "sin", "cos", "tan", "exp", "log",
        "log2", "log10", "exp2", "tanh",
    ] {
        text += &format!("double {name}(double);\nfloat {name}f(float);\n");
    }
    for name in ["pow", "fmod", "fmin", "fmax", "atan2"] {
        text += &format!("double {name}(double, double);\nfloat {name}f(float, float);\n");
    }
    text
}
