//! Facts about library functions that follow from their names alone.

/// Functions that assign the variable whose address is their first argument.
pub(crate) fn assigns_its_argument(name: &str) -> bool {
    matches!(
        name,
        "cudaMalloc"
            | "cudaMallocHost"
            | "cudaMallocManaged"
            | "cudaMallocAsync"
            | "cudaMallocPitch"
            | "posix_memalign"
            | "cudaGetDevice"
            | "cudaGetDeviceCount"
            | "cudaHostAlloc"
            | "cudaEventCreate"
            | "cudaEventCreateWithFlags"
            | "cudaStreamCreate"
            | "cudaStreamCreateWithFlags"
            | "cudaStreamCreateWithPriority"
            | "cudaEventElapsedTime"
    )
}

/// How many pointers a function that copies or sets bytes takes, if it is one.
pub(crate) fn copied(name: &str) -> Option<usize> {
    match name.strip_prefix("__builtin_").unwrap_or(name) {
        "memcpy" | "memmove" => Some(2),
        "memset" => Some(1),
        _ => None,
    }
}

/// Functions known by name whose results are arbitrary values.
pub(crate) fn is_known_to_ask(name: &str) -> bool {
    matches!(name, "clock" | "clock64" | "wait_group_events")
        || is_fetch(name)
        || is_host_value(name)
        || name.starts_with("curand")
        || name.starts_with("async_work_group_")
}

/// Functions that read a texture.
pub(crate) fn is_fetch(name: &str) -> bool {
    matches!(
        name,
        "tex1Dfetch"
            | "tex1D"
            | "tex2D"
            | "tex3D"
            | "tex1DLod"
            | "tex2DLod"
            | "tex3DLod"
            | "tex1DLayered"
            | "tex2DLayered"
            | "texCubemap"
    )
}

/// Host functions known by name whose results are arbitrary values.
pub(crate) fn is_host_value(name: &str) -> bool {
    matches!(
        name,
        "rand" | "random" | "lrand48" | "drand48" | "time" | "omp_get_wtime" | "gridlock_time"
    )
}
