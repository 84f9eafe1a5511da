//! Facts about library functions that follow from their names alone.

/// Which lane of a warp stores a matrix (`mma.h`).
pub(crate) const CHOICE: &str = "gridlock_choice_of_lane";

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

/// Functions that read what their argument points to, whatever cache it goes through.
pub(crate) fn reads_through(name: &str) -> bool {
    matches!(
        name,
        "__ldg" | "__ldca" | "__ldcg" | "__ldcs" | "__ldlu" | "__ldcv"
    )
}

/// Functions known by name whose results are arbitrary values.
pub(crate) fn is_known_to_ask(name: &str) -> bool {
    matches!(name, "clock" | "clock64" | "wait_group_events")
        || gives_texture(name)
        || name == CHOICE
        || name == IN_PLACE
        || is_host_value(name)
        || name.starts_with("curand")
        || name.starts_with("async_work_group_")
        || copies_asynchronously(name)
        || name.starts_with("gridlock_barrier_")
}

/// Functions of stand-in headers that begin asynchronous copies or wait for them.
pub(crate) fn copies_asynchronously(name: &str) -> bool {
    matches!(
        name,
        "gridlock_copy_begin"
            | "gridlock_copies_commit"
            | "gridlock_copies_wait"
            | "gridlock_copies_arrive"
    )
}

/// Whether a function of CUDA may put accesses of its thread in order with those of others, by its name.
pub(crate) fn may_order(name: &str) -> bool {
    name.starts_with("__sync")
        || name.starts_with("__barrier_sync")
        || name.starts_with("__threadfence")
        || name.starts_with("atomic")
        || matches!(name, "sync" | "synchronize")
}

/// What a function of a stand-in header calls to be read in place, so that its accesses have the place of its call.
pub(crate) const IN_PLACE: &str = "gridlock_in_place";

/// Functions of `gridlock_texture.h` that give the arrays of a texture or a surface.
pub(crate) fn gives_texture(name: &str) -> bool {
    matches!(
        name,
        "gridlock_texels" | "gridlock_shape" | "gridlock_cells_of" | "gridlock_shape_of"
    )
}

/// Host functions known by name whose results are arbitrary values.
pub(crate) fn is_host_value(name: &str) -> bool {
    matches!(
        name,
        "rand" | "random" | "lrand48" | "drand48" | "time" | "omp_get_wtime" | "gridlock_time"
    ) || is_query(name)
}

/// Whether a stream or an event has done its work.
pub(crate) fn is_query(name: &str) -> bool {
    matches!(name, "cudaStreamQuery" | "cudaEventQuery")
}
