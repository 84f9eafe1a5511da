//! Whether a file names what of the C++ library it does not include: nvcc's own headers include a part of it, and which
//! part depends on the version. Where clang complains of a name of `std`, all that is declared here is there.

/// Whether clang complains of one.
pub(super) fn is_missing(said: &str) -> bool {
    let of_library = [
        "in namespace 'std'",
        "undeclared identifier 'std'",
        "'std' is not a class",
    ];
    said.lines()
        .any(|line| of_library.iter().any(|words| line.contains(words)))
}
