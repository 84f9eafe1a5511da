//! Names of the libraries of C and C++ that a file defines for itself, or uses without a header.

use gridlock_frontend::{Language, ParseOptions, parse_source};

/// Everything in the text is read.
fn check(text: &str) {
    let parsed = parse_source("test.cu", text, Language::Cuda, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(
        parsed.unsupported.is_empty(),
        "{text}\n{:?}",
        parsed.unsupported
    );
    assert!(
        parsed.assumptions.is_empty(),
        "{text}\n{:?}",
        parsed.assumptions
    );
}

#[test]
fn types_that_the_prelude_has() {
    let kernel = "__global__ void k(uint64_t *a, size_t n) { uint32_t i = threadIdx.x; if (i < n) a[i] = i; }\n";
    check(&format!("typedef unsigned long long uint64_t;\n{kernel}"));
    check(&format!(
        "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\ntypedef long long int64_t;\n\
         typedef unsigned char uint8_t;\ntypedef unsigned short uint16_t;\ntypedef unsigned uint32_t;\n\
         typedef unsigned long long uint64_t;\ntypedef unsigned long long uintptr_t;\n{kernel}"
    ));
    check(&format!(
        "using size_t = unsigned long long;\n#include <vector>\nusing uint64_t = unsigned long long;\n{kernel}"
    ));
    // Beside those of the library, which keep their names.
    check(&format!(
        "typedef unsigned long long uint64_t;\n#include <cstdint>\n{kernel}\
         __global__ void other(std::uint64_t *a) {{ a[0] = std::uint8_t(300); }}\n"
    ));
}

#[test]
fn another_type_of_that_name_is_a_mistake() {
    let text = "typedef int T;\ntypedef long T;\n__global__ void k(int *a) { a[0] = 1; }\n";
    let parsed = parse_source("test.cu", text, Language::Cuda, &ParseOptions::default());
    assert!(!parsed.expect("it is left out").assumptions.is_empty());
}

#[test]
fn the_library_without_its_headers() {
    check(
        "__global__ void k(float *a) {\n\
           static_assert(std::is_same_v<std::common_type_t<int, float>, float>);\n\
           static_assert(std::conjunction_v<std::is_integral<int>, std::negation<std::is_integral<float>>>);\n\
           static_assert(std::extent_v<int[3]> == 3 && std::is_constructible_v<int, float>);\n\
           float x = std::forward<float>(a[0]);\n\
           a[0] = std::numeric_limits<float>::max() - x;\n}\n",
    );
    check(
        "template <class T, std::size_t... i> __device__ T all(const T *a, std::index_sequence<i...>) { return (a[i] + ...); }\n\
           __global__ void k(int *a) { a[3] = all(a, std::make_index_sequence<3>{}); }\n",
    );
}
