//! The headers a program may include, in our own words: declarations of what the front end knows
//! by name, so that nothing of the machine's C library or CUDA toolkit is needed.

use std::io;
use std::path::Path;

const CUDA: &str = include_str!("../stand-ins/gridlock_cuda.h");
const LIBC: &str = include_str!("../stand-ins/gridlock_libc.h");
const CUDA_RUNTIME: &str = include_str!("../stand-ins/cuda_runtime.h");
const ASSERT: &str = include_str!("../stand-ins/assert.h");
const FLOAT: &str = include_str!("../stand-ins/float.h");
const LIMITS: &str = include_str!("../stand-ins/limits.h");
const MATH: &str = include_str!("../stand-ins/math.h");
const STDBOOL: &str = include_str!("../stand-ins/stdbool.h");
const STDDEF: &str = include_str!("../stand-ins/stddef.h");
const STDINT: &str = include_str!("../stand-ins/stdint.h");
const STDIO: &str = include_str!("../stand-ins/stdio.h");
const STDLIB: &str = include_str!("../stand-ins/stdlib.h");

/// The header every CUDA translation unit gets without asking.
pub(crate) const CUDA_PRELUDE: &str = "gridlock_cuda.h";

/// Name as included, text.
const HEADERS: &[(&str, &str)] = &[
    (CUDA_PRELUDE, CUDA),
    ("gridlock_libc.h", LIBC),
    ("cuda_runtime.h", CUDA_RUNTIME),
    ("cuda_runtime_api.h", CUDA_RUNTIME),
    ("cuda.h", CUDA_RUNTIME),
    ("device_launch_parameters.h", CUDA_RUNTIME),
    ("device_functions.h", CUDA_RUNTIME),
    ("assert.h", ASSERT),
    ("cassert", ASSERT),
    ("float.h", FLOAT),
    ("cfloat", FLOAT),
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
    Ok(())
}
