//! What the headers of well-known libraries may define: macros whose names begin as the library's do. Any other header
//! that is missing may define whatever it likes.

/// The beginnings of headers' names, and of the names of the macros that these headers define.
const LIBRARIES: &[(&[&str], &[&str])] = &[
    (&["cublas", "nvblas"], &["CUBLAS", "CUDA", "cublas"]),
    (&["cufft"], &["CUFFT", "CUDA", "MAX_CUFFT"]),
    (&["cusparse"], &["CUSPARSE", "CUDA"]),
    (&["cusolver"], &["CUSOLVER", "CUBLAS", "CUSPARSE", "CUDA"]),
    (&["curand"], &["CURAND", "CUDA", "MTGP32", "QUALIFIERS"]),
    (
        &["cudnn.h", "cudnn_ops", "cudnn_cnn", "cudnn_adv"],
        &["CUDNN", "CUDA"],
    ),
    (
        &["nvrtc.h", "nvJitLink.h", "nvml.h"],
        &["NVRTC", "NVJITLINK", "NVML", "CUDA"],
    ),
    (
        &[
            "nppi.h",
            "npps.h",
            "npp.h",
            "nppi_",
            "npps_",
            "nppcore.h",
            "nppdefs.h",
        ],
        &["NPP", "NV_NPP", "CUDA"],
    ),
    (&["nccl.h"], &["NCCL", "CUDA"]),
    (
        &["mma.h", "cuda_fp8.h", "cuda_pipeline.h", "cuda_awbarrier.h"],
        &["CUDA"],
    ),
    (
        &["cub/", "thrust/", "cuda/", "nv/target"],
        &["CUB", "THRUST", "CCCL", "LIBCUDACXX", "CUDA", "NV_"],
    ),
    (&["papi.h"], &["PAPI"]),
    (
        &[
            "GL/gl",
            "GL/freeglut",
            "GLUT/",
            "OpenGL/",
            "GLFW/",
            "GLES",
            "helper_gl.h",
            "cuda_gl_interop.h",
        ],
        &[
            "GL",
            "FREEGLUT",
            "FREE_GLUT",
            "APIENTRY",
            "WINGDIAPI",
            "CALLBACK",
            "KHRONOS",
            "HELPER_GL",
            "CUDA_GL",
        ],
    ),
];

/// Whether a header that is missing may define a macro.
pub(super) fn may_define(header: &str, name: &str) -> bool {
    let named = |beginnings: &[&str], what: &str| beginnings.iter().any(|b| what.starts_with(b));
    let library = LIBRARIES.iter().find(|(headers, _)| named(headers, header));
    library.is_none_or(|(_, macros)| named(macros, name) || is_standard(name))
}

/// Whether a macro may be one of a compiler's or of the standard libraries', whose headers others include.
fn is_standard(name: &str) -> bool {
    let whole = [
        "NULL", "NAN", "INFINITY", "EOF", "NDEBUG", "BUFSIZ", "assert", "errno", "min", "max",
    ];
    name.starts_with('_')
        || name.starts_with("M_")
        || name.ends_with("_MAX")
        || name.ends_with("_MIN")
        || name.ends_with("_BIT")
        || whole.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::may_define;

    #[test]
    fn libraries_define_their_own_names() {
        assert!(may_define("cublas_v2.h", "CUBLAS_VER_MAJOR"));
        assert!(may_define("cublas_v2.h", "__CUDACC_VER_MAJOR__"));
        assert!(may_define("cub/cub.cuh", "M_PI"));
        assert!(!may_define("cublas_v2.h", "ENABLE_BF16"));
        assert!(!may_define("GL/glut.h", "USE_SHARED"));
        assert!(may_define("mine/cublas_v2.h", "ENABLE_BF16"));
        assert!(may_define("config.h", "ENABLE_BF16"));
    }
}
