//! Stand-ins for the headers that a program may include. They declare the functions that the front
//! end knows by name, so neither a C library nor a CUDA toolkit is needed on the machine.

use std::sync::LazyLock;

const CUDA: &str = include_str!("../../stand-ins/gridlock_cuda.h");
const OPENCL: &str = include_str!("../../stand-ins/gridlock_opencl.h");
const INTEGER: &str = include_str!("../../stand-ins/gridlock_integer.h");
const INTRINSICS: &str = include_str!("../../stand-ins/gridlock_intrinsics.h");
const RUNTIME: &str = include_str!("../../stand-ins/gridlock_runtime.h");
const LIBC: &str = include_str!("../../stand-ins/gridlock_libc.h");
const CUDA_RUNTIME: &str = include_str!("../../stand-ins/cuda_runtime.h");
const CUDA_DRIVER: &str = include_str!("../../stand-ins/cuda.h");
const ASSERT: &str = include_str!("../../stand-ins/assert.h");
const COOPERATIVE_GROUPS: &str = include_str!("../../stand-ins/cooperative_groups.h");
const CURAND: &str = include_str!("../../stand-ins/curand_kernel.h");
const TEXTURES: &str = include_str!("../../stand-ins/texture_reference.h");
const TEXTURE_FUNCTIONS: &str = include_str!("../../stand-ins/gridlock_texture.h");
const WARP_MATRICES: &str = include_str!("../../stand-ins/mma.h");
const MACHINE: &str = include_str!("../../stand-ins/gridlock_machine.h");
const NEAREST: &str = include_str!("../../stand-ins/gridlock_nearest.h");
const FLOAT: &str = include_str!("../../stand-ins/float.h");
const IOSTREAM: &str = include_str!("../../stand-ins/iostream.h");
const LIMITS: &str = include_str!("../../stand-ins/limits.h");
const MATH: &str = include_str!("../../stand-ins/math.h");
const CL_HOST: &str = include_str!("../../stand-ins/gridlock_cl_host.h");
const COMPLEX: &str = include_str!("../../stand-ins/cuComplex.h");
const LIBRARIES: &str = include_str!("../../stand-ins/gridlock_libraries.h");
const THRUST: &str = include_str!("../../stand-ins/gridlock_thrust.h");
const SCOPE: &str = include_str!("../../stand-ins/gridlock_scope.h");
const ATOMIC: &str = include_str!("../../stand-ins/gridlock_atomic.h");
const COPY: &str = include_str!("../../stand-ins/gridlock_copy.h");
const BARRIER: &str = include_str!("../../stand-ins/gridlock_barrier.h");
const PIPELINE: &str = include_str!("../../stand-ins/gridlock_pipeline.h");
const CUB: &str = include_str!("../../stand-ins/gridlock_cub.h");
const CUDA_STD: &str = include_str!("../../stand-ins/gridlock_cuda_std.h");
const OF_BFLOAT: &str = include_str!("../../stand-ins/cuda_bf16.h");
const BFLOAT: &str = include_str!("../../stand-ins/gridlock_bf16.h");
const OF_HALF: &str = include_str!("../../stand-ins/cuda_fp16.h");
const HALF: &str = include_str!("../../stand-ins/gridlock_fp16.h");
const SIXTEEN_BITS: &str = include_str!("../../stand-ins/gridlock_sixteen.h");
const MEMBERS_OF_SIXTEEN_BITS: &str = include_str!("../../stand-ins/gridlock_sixteen_members.h");
const REST_OF_SIXTEEN_BITS: &str = include_str!("../../stand-ins/gridlock_sixteen_rest.h");
const EIGHT_BITS: &str = include_str!("../../stand-ins/gridlock_eight.h");
const SCALES: &str = include_str!("../../stand-ins/gridlock_scale.h");
const OF_FP8: &str = include_str!("../../stand-ins/cuda_fp8.h");
const FP8: &str = include_str!("../../stand-ins/gridlock_fp8.h");
const HELPERS: &str = include_str!("../../stand-ins/helper_cuda.h");
const MATH_CONSTANTS: &str = include_str!("../../stand-ins/math_constants.h");
const POSIX: &str = include_str!("../../stand-ins/gridlock_posix.h");
const STD: &str = include_str!("../../stand-ins/gridlock_std.h");
const STDARG: &str = include_str!("../../stand-ins/stdarg.h");
const STDBOOL: &str = include_str!("../../stand-ins/stdbool.h");
const STDDEF: &str = include_str!("../../stand-ins/stddef.h");
const STDINT: &str = include_str!("../../stand-ins/stdint.h");
const STDIO: &str = include_str!("../../stand-ins/stdio.h");
const STDLIB: &str = include_str!("../../stand-ins/stdlib.h");

/// The header every CUDA translation unit gets without asking.
pub(crate) const CUDA_PRELUDE: &str = "gridlock_cuda.h";

/// The header of those that may name a function of textures or surfaces.
pub(crate) const TEXTURE_FETCHES: &str = "gridlock_texture.h";
/// What is declared of the C++ library.
pub(crate) const LIBRARY: &str = "gridlock_std.h";

/// The header every OpenCL C translation unit gets without asking.
pub(crate) const OPENCL_PRELUDE: &str = "gridlock_opencl.h";

/// Name as included, text.
const HEADERS: &[(&str, &str)] = &[
    (CUDA_PRELUDE, CUDA),
    (OPENCL_PRELUDE, OPENCL),
    ("gridlock_integer.h", INTEGER),
    ("gridlock_intrinsics.h", INTRINSICS),
    ("gridlock_runtime.h", RUNTIME),
    (TEXTURE_FETCHES, TEXTURE_FUNCTIONS),
    ("gridlock_machine.h", MACHINE),
    ("gridlock_nearest.h", NEAREST),
    ("gridlock_libc.h", LIBC),
    ("gridlock_libraries.h", LIBRARIES),
    ("gridlock_cl_host.h", CL_HOST),
    ("gridlock_cub.h", CUB),
    ("gridlock_cuda_std.h", CUDA_STD),
    ("gridlock_thrust.h", THRUST),
    ("gridlock_scope.h", SCOPE),
    ("gridlock_atomic.h", ATOMIC),
    ("cuda/atomic", ATOMIC),
    ("cuda/std/atomic", ATOMIC),
    ("gridlock_copy.h", COPY),
    ("cuda_pipeline.h", COPY),
    ("cuda_pipeline_primitives.h", COPY),
    ("gridlock_barrier.h", BARRIER),
    ("cuda/barrier", BARRIER),
    ("cuda/std/barrier", BARRIER),
    ("cuda/pipeline", PIPELINE),
    ("CL/cl.h", CL_HOST),
    ("CL/opencl.h", CL_HOST),
    ("cuComplex.h", COMPLEX),
    ("cuda_bf16.h", OF_BFLOAT),
    ("cuda_bf16.hpp", OF_BFLOAT),
    ("cuda_fp8.h", OF_FP8),
    ("cuda_fp8.hpp", OF_FP8),
    ("gridlock_bf16.h", BFLOAT),
    ("gridlock_fp16.h", HALF),
    ("gridlock_fp8.h", FP8),
    ("gridlock_eight.h", EIGHT_BITS),
    ("gridlock_scale.h", SCALES),
    ("cuda_fp16.hpp", OF_HALF),
    ("cuda_fp16.h", OF_HALF),
    ("helper_cuda.h", HELPERS),
    ("helper_functions.h", HELPERS),
    ("helper_string.h", HELPERS),
    ("helper_timer.h", HELPERS),
    ("math_constants.h", MATH_CONSTANTS),
    ("gridlock_posix.h", POSIX),
    ("stdarg.h", STDARG),
    (LIBRARY, STD),
    ("cuda_runtime.h", CUDA_RUNTIME),
    ("cuda_runtime_api.h", CUDA_RUNTIME),
    ("cuda.h", CUDA_DRIVER),
    ("algorithm", CUDA_RUNTIME),
    ("device_launch_parameters.h", CUDA_RUNTIME),
    ("device_functions.h", CUDA_RUNTIME),
    ("cooperative_groups.h", COOPERATIVE_GROUPS),
    ("mma.h", WARP_MATRICES),
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

/// Headers of the C++ library; each of them declares everything of the library that is declared here.
const OF_CPP: &[&str] = &[
    "array",
    "atomic",
    "bitset",
    "chrono",
    "complex",
    "condition_variable",
    "deque",
    "exception",
    "fstream",
    "functional",
    "future",
    "initializer_list",
    "ios",
    "istream",
    "iterator",
    "limits",
    "list",
    "locale",
    "map",
    "memory",
    "mutex",
    "new",
    "numeric",
    "optional",
    "ostream",
    "queue",
    "random",
    "ratio",
    "regex",
    "set",
    "sstream",
    "stack",
    "stdexcept",
    "streambuf",
    "string",
    "string_view",
    "thread",
    "tuple",
    "type_traits",
    "typeinfo",
    "unordered_map",
    "unordered_set",
    "utility",
    "valarray",
    "variant",
    "vector",
];

/// Headers of C and Unix, likewise.
const OF_UNIX: &[&str] = &[
    "arpa/inet.h",
    "cctype",
    "cerrno",
    "clocale",
    "csignal",
    "cstdarg",
    "ctime",
    "ctype.h",
    "dirent.h",
    "errno.h",
    "fcntl.h",
    "getopt.h",
    "glob.h",
    "libgen.h",
    "locale.h",
    "malloc.h",
    "memory.h",
    "netdb.h",
    "netinet/in.h",
    "omp.h",
    "pthread.h",
    "sched.h",
    "signal.h",
    "strings.h",
    "sys/mman.h",
    "sys/resource.h",
    "sys/ioctl.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/times.h",
    "sys/types.h",
    "sys/un.h",
    "sys/utsname.h",
    "sys/wait.h",
    "time.h",
    "unistd.h",
];

/// Headers of the toolkit whose declarations are always present.
const OF_CUDA: &[&str] = &[
    "builtin_types.h",
    "channel_descriptor.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cuda_texture_types.h",
    "driver_functions.h",
    "driver_types.h",
    "host_defines.h",
    "math_functions.h",
    "math_functions.hpp",
    "nvToolsExt.h",
    "nvToolsExtCudaRt.h",
    "nvtx3/nvToolsExt.h",
    "nvtx3/nvToolsExtCudaRt.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_intrinsics.h",
    "sm_35_intrinsics.h",
    "texture_types.h",
    "vector_functions.h",
    "vector_types.h",
];

/// Headers of CUDA's libraries, of which host code needs the types.
const OF_LIBRARIES: &[&str] = &[
    "cublas.h",
    "cublasLt.h",
    "cublas_api.h",
    "cublas_v2.h",
    "cufft.h",
    "cusparse.h",
    "cusparse_v2.h",
    "library_types.h",
];

/// Headers of Thrust.
const OF_THRUST: &[&str] = &[
    "thrust/adjacent_difference.h",
    "thrust/binary_search.h",
    "thrust/complex.h",
    "thrust/copy.h",
    "thrust/count.h",
    "thrust/device_free.h",
    "thrust/device_malloc.h",
    "thrust/device_ptr.h",
    "thrust/device_vector.h",
    "thrust/distance.h",
    "thrust/equal.h",
    "thrust/execution_policy.h",
    "thrust/extrema.h",
    "thrust/fill.h",
    "thrust/find.h",
    "thrust/for_each.h",
    "thrust/functional.h",
    "thrust/gather.h",
    "thrust/generate.h",
    "thrust/host_vector.h",
    "thrust/inner_product.h",
    "thrust/iterator/constant_iterator.h",
    "thrust/iterator/counting_iterator.h",
    "thrust/iterator/discard_iterator.h",
    "thrust/iterator/permutation_iterator.h",
    "thrust/iterator/transform_iterator.h",
    "thrust/iterator/zip_iterator.h",
    "thrust/logical.h",
    "thrust/merge.h",
    "thrust/pair.h",
    "thrust/partition.h",
    "thrust/random.h",
    "thrust/random/linear_congruential_engine.h",
    "thrust/random/uniform_int_distribution.h",
    "thrust/random/uniform_real_distribution.h",
    "thrust/reduce.h",
    "thrust/remove.h",
    "thrust/replace.h",
    "thrust/reverse.h",
    "thrust/scan.h",
    "thrust/scatter.h",
    "thrust/sequence.h",
    "thrust/set_operations.h",
    "thrust/sort.h",
    "thrust/swap.h",
    "thrust/system/cuda/execution_policy.h",
    "thrust/tabulate.h",
    "thrust/transform.h",
    "thrust/transform_reduce.h",
    "thrust/transform_scan.h",
    "thrust/tuple.h",
    "thrust/unique.h",
];

/// Headers of CUB.
const OF_CUB: &[&str] = &[
    "cub/block/block_adjacent_difference.cuh",
    "cub/block/block_discontinuity.cuh",
    "cub/block/block_exchange.cuh",
    "cub/block/block_histogram.cuh",
    "cub/block/block_load.cuh",
    "cub/block/block_radix_sort.cuh",
    "cub/block/block_reduce.cuh",
    "cub/block/block_scan.cuh",
    "cub/block/block_store.cuh",
    "cub/cub.cuh",
    "cub/device/device_radix_sort.cuh",
    "cub/device/device_reduce.cuh",
    "cub/device/device_scan.cuh",
    "cub/warp/warp_exchange.cuh",
    "cub/warp/warp_reduce.cuh",
    "cub/warp/warp_scan.cuh",
];

/// What `cuda::std` has of the C++ library.
const OF_CUDA_STD: &[&str] = &[
    "cuda/std/array",
    "cuda/std/cassert",
    "cuda/std/cfloat",
    "cuda/std/climits",
    "cuda/std/cmath",
    "cuda/std/cstddef",
    "cuda/std/cstdint",
    "cuda/std/functional",
    "cuda/std/limits",
    "cuda/std/type_traits",
    "cuda/std/utility",
];

const OF_GROUPS: &[&str] = &[
    "cooperative_groups/memcpy_async.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
];

/// All of them: name in the folder, text.
pub(crate) fn files() -> &'static [(String, String)] {
    static FILES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let file = |name: &str, text: &str| (name.to_string(), text.to_string());
        let mut all: Vec<_> = HEADERS
            .iter()
            .map(|(name, text)| file(name, text))
            .collect();
        for (names, stands_for) in [
            (OF_GROUPS, "cooperative_groups.h"),
            (OF_CUDA, "cuda_runtime.h"),
            (OF_CPP, LIBRARY),
            (OF_THRUST, "gridlock_thrust.h"),
            (OF_CUB, "gridlock_cub.h"),
            (OF_CUDA_STD, "gridlock_cuda_std.h"),
            (OF_LIBRARIES, "gridlock_libraries.h"),
            (OF_UNIX, "gridlock_posix.h"),
        ] {
            let text = format!("#include <{stands_for}>\n");
            all.extend(names.iter().map(|name| file(name, &text)));
        }
        for (name, text, words) in [
            ("gridlock_half.h", SIXTEEN_BITS, WORDS_OF_HALF),
            (
                "gridlock_half_members.h",
                MEMBERS_OF_SIXTEEN_BITS,
                WORDS_OF_HALF,
            ),
            (
                "gridlock_bfloat_members.h",
                MEMBERS_OF_SIXTEEN_BITS,
                WORDS_OF_BFLOAT,
            ),
            ("gridlock_half_rest.h", REST_OF_SIXTEEN_BITS, WORDS_OF_HALF),
            ("gridlock_bfloat.h", SIXTEEN_BITS, WORDS_OF_BFLOAT),
            (
                "gridlock_bfloat_rest.h",
                REST_OF_SIXTEEN_BITS,
                WORDS_OF_BFLOAT,
            ),
        ] {
            all.push(file(name, &of_format(text, words)));
        }
        all.push(file("gridlock_vectors.h", &vectors()));
        all.push(file("gridlock_atomics.h", &atomics()));
        all.push(file("gridlock_overloads.h", &overloads()));
        all.push(file("gridlock_opencl_vectors.h", &opencl_vectors()));
        all.push(file("gridlock_math.h", &mathematics()));
        all
    });
    &FILES
}

/// What stands for a format of 16 bits in the headers that all of them share: its type, that of pairs, and what the names
/// of its functions and macros have.
type WordsOfFormat = [(&'static str, &'static str); 5];

const WORDS_OF_HALF: WordsOfFormat = [
    ("NUMBER", "__half"),
    ("PAIR", "__half2"),
    ("KIND", "half"),
    ("CAPITALS", "HALF"),
    ("BOTH", "__host__ __device__ inline"),
];
const WORDS_OF_BFLOAT: WordsOfFormat = [
    ("NUMBER", "__nv_bfloat16"),
    ("PAIR", "__nv_bfloat162"),
    ("KIND", "bfloat16"),
    ("CAPITALS", "BFLOAT16"),
    ("BOTH", "__host__ __device__ inline"),
];

fn of_format(text: &str, words: WordsOfFormat) -> String {
    let replaced = |text: String, (word, with): (&str, &str)| text.replace(word, with);
    words.into_iter().fold(text.to_owned(), replaced)
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

// Declarations of one shape for many types. They are written out, because clang's dump is several
// times as long for declarations made by a macro, and reading the dump takes most of the time.

/// The vector types.
fn vectors() -> String {
    let mut text = String::from("#pragma once\n");
    for (elem, name) in [
        ("char", "char"),
        ("unsigned char", "uchar"),
        ("int", "int"),
        ("unsigned int", "uint"),
        ("float", "float"),
        ("double", "double"),
        ("short", "short"),
        ("unsigned short", "ushort"),
        ("long", "long"),
        ("unsigned long", "ulong"),
        ("long long", "longlong"),
        ("unsigned long long", "ulonglong"),
    ] {
        for fields in ["x", "x, y", "x, y, z", "x, y, z, w"] {
            let n = fields.split(',').count();
            let params = vec![elem; n].join(", ");
            // CUDA C++ Programming Guide, alignment of the built-in vector types.
            let size = match elem {
                "char" | "unsigned char" => 1,
                "short" | "unsigned short" => 2,
                "int" | "unsigned int" | "float" => 4,
                _ => 8,
            };
            let align = match n {
                3 => String::new(),
                n => format!("__attribute__((aligned({}))) ", (n * size).min(16)),
            };
            // The prelude has the type of `threadIdx`.
            if (name, n) != ("uint", 3) {
                text += &format!("struct {align}{name}{n} {{ {elem} {fields}; }};\n");
            }
            text += &format!("{name}{n} make_{name}{n}({params});\n");
        }
    }
    text
}

/// The atomic functions.
fn atomics() -> String {
    let mut text = String::from("#pragma once\n");
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
    text
}

/// What C++ overloads of C's mathematics, and CUDA's `min` and `max`.
fn overloads() -> String {
    let mut text = String::from("#pragma once\n");
    // Names must be declared before `std` can use them.
    text += "extern \"C\" {\nint abs(int);\n";
    for name in OF_ONE {
        text += &format!("double {name}(double);\n");
    }
    for name in OF_TWO {
        text += &format!("double {name}(double, double);\n");
    }
    text += "double fma(double, double, double);\ndouble ldexp(double, int);\nlong lround(double);\n}\n";
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
    // Two types: the result has the one that C's arithmetic gives.
    for (one, other) in [
        ("int", "unsigned int"),
        ("long", "unsigned long"),
        ("long long", "unsigned long long"),
        ("float", "double"),
    ] {
        for name in ["min", "max"] {
            text += &format!("{other} {name}({one}, {other});\n{other} {name}({other}, {one});\n");
        }
    }
    for ty in ["long", "long long", "float", "double"] {
        text += &format!("{ty} abs({ty});\n");
    }
    text += "template <class T, bool = __is_integral(T)> struct gridlock_whole {};\n";
    text += "template <class T> struct gridlock_whole<T, true> { typedef double type; };\n";
    let mut names = vec!["min", "max", "abs", "isnan", "isinf", "isfinite", "signbit"];
    for name in OF_ONE {
        text += &format!("float {name}(float);\n");
        text += &format!(
            "template <class T, class = typename gridlock_whole<T>::type> double {name}(T x) {{ return {name}((double)x); }}\n"
        );
        names.push(name);
    }
    for name in OF_TWO {
        text += &format!("float {name}(float, float);\n");
        names.push(name);
    }
    text +=
        "float fma(float, float, float);\nfloat frexp(float, int *);\nfloat ldexp(float, int);\n";
    text += "float modf(float, float *);\nlong lround(float);\nlong lrint(float);\nfloat pow(float, int);\n";
    text += "double pow(double, int);\ndouble pow(float, double);\ndouble pow(double, float);\n";
    text += "template <class A, class B, class = typename gridlock_whole<decltype(A() + B()), \
             __is_integral(A) || __is_integral(B)>::type> double pow(A a, B b) { return pow((double)a, (double)b); }\n";
    text += "double pow(int, int);\ndouble fmax(float, double);\ndouble fmin(float, double);\n";
    text += "double fmax(double, float);\ndouble fmin(double, float);\n";
    for name in ["isnan", "isinf", "isfinite", "signbit"] {
        text += &format!("bool {name}(float);\nbool {name}(double);\n");
    }
    let using: String = names.iter().map(|n| format!("using ::{n}; ")).collect();
    text += &format!("namespace std {{ {using}using ::fma; using ::ldexp; using ::lround;\n");
    for name in ["min", "max"] {
        let less = if name == "min" { "b < a" } else { "a < b" };
        text += &format!(
            "template <class T> constexpr T {name}(T a, T b) {{ return {less} ? b : a; }}\n"
        );
    }
    text += "}\n";
    text
}

/// Functions of one number of either floating point type, or of a whole one as a double.
const OF_ONE: &[&str] = &[
    "fabs",
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "cbrt",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
];

/// CUDA's own.
const OF_ONE_REAL: &[&str] = &["exp10", "rsqrt", "rcbrt", "sinpi", "cospi", "normcdf"];

const OF_TWO: &[&str] = &[
    "pow",
    "fmod",
    "fmin",
    "fmax",
    "atan2",
    "hypot",
    "remainder",
    "copysign",
    "fdim",
];

/// The functions of `math.h`, for `double` and for `float`.
fn mathematics() -> String {
    let mut text = String::from("#pragma once\n");
    for name in OF_ONE.iter().chain(OF_ONE_REAL) {
        text += &format!("double {name}(double);\nfloat {name}f(float);\n");
    }
    for name in OF_TWO.iter().chain(&["rhypot"]) {
        text += &format!("double {name}(double, double);\nfloat {name}f(float, float);\n");
    }
    for (ty, names) in [
        ("long", ["lround", "lrint"]),
        ("long long", ["llround", "llrint"]),
    ] {
        for name in names {
            text += &format!("{ty} {name}(double);\n{ty} {name}f(float);\n");
        }
    }
    for (ty, f) in [("double", ""), ("float", "f")] {
        text += &format!("{ty} frexp{f}({ty}, int *);\n{ty} modf{f}({ty}, {ty} *);\n");
        text += &format!(
            "{ty} ldexp{f}({ty}, int);\n{ty} scalbn{f}({ty}, int);\n{ty} nan{f}(const char *);\n"
        );
    }
    text
}
