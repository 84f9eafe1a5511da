//! Headers of the same repository, in folders that no option names.

use gridlock_frontend::{Assumed, ParseOptions, Parsed, parse_file};
use std::path::Path;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

/// The headers that are assumed to be in a folder, with the last part of its name; and those that are missing.
fn headers(parsed: &Parsed) -> (Vec<(String, String)>, Vec<String>) {
    let (mut nearby, mut missing) = (Vec::new(), Vec::new());
    for assumption in &parsed.assumptions {
        match &assumption.assumed {
            Assumed::HeaderNearby { header, folder } => {
                let last = folder.file_name().expect("a name").to_string_lossy();
                nearby.push((header.clone(), last.into_owned()));
            }
            Assumed::MissingHeader(header) => missing.push(header.clone()),
            _ => {}
        }
    }
    (nearby, missing)
}

const KERNEL: &str = "__global__ void k(int *a) { a[threadIdx.x] = TWICE(f(threadIdx.x)); }\n";

#[test]
fn a_header_of_the_repository_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root, ".git/HEAD", "");
    write(
        root,
        "include/p/f.cuh",
        "#include \"twice.h\"\n__device__ inline int f(int x) { return x + N; }\n",
    );
    write(
        root,
        "common/twice.h",
        "#define TWICE(x) (2 * (x))\n#define N 3\n",
    );
    write(
        root,
        "src/one/main.cu",
        &format!("#include <p/f.cuh>\n{KERNEL}"),
    );
    let file = root.join("src/one/main.cu");
    let parsed = parse_file(&file, &ParseOptions::default()).expect("it parses");
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    let found = |header: &str, folder: &str| (header.to_owned(), folder.to_owned());
    let both = vec![found("p/f.cuh", "include"), found("twice.h", "common")];
    assert_eq!(headers(&parsed), (both.clone(), vec![]));

    // Beside one that is nowhere.
    write(
        root,
        "src/one/main.cu",
        &format!("#include <nowhere/torch.h>\n#include <p/f.cuh>\n{KERNEL}"),
    );
    let parsed = parse_file(&file, &ParseOptions::default()).expect("it parses");
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    assert_eq!(headers(&parsed), (both, vec!["nowhere/torch.h".to_owned()]));

    let options = ParseOptions {
        require_includes: true,
        ..ParseOptions::default()
    };
    let refused = parse_file(&file, &options).expect_err("a header is missing");
    assert!(refused.message.contains("nowhere/torch.h"), "{refused}");

    // Which of two that differ is meant, only a build knows.
    write(
        root,
        "other/twice.h",
        "#define TWICE(x) (3 * (x))\n#define N 3\n",
    );
    let parsed = parse_file(&file, &ParseOptions::default()).expect("it parses");
    assert!(parsed.unsupported.iter().any(|u| u.proc == "k"));
}

#[test]
fn what_is_found_without_it_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root, ".git/HEAD", "");
    // The folder of the header that is missing has others, with names that are known without it.
    write(root, "src/common/u.h", "#define N 1\n");
    write(root, "src/common/math.h", "#error not this one\n");
    write(
        root,
        "src/a.cu",
        "#include <u.h>\n#include <math.h>\n__global__ void k(float *a) { a[N] = sqrtf(2.0f); }\n",
    );
    let parsed = parse_file(&root.join("src/a.cu"), &ParseOptions::default()).expect("it parses");
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
}

#[test]
fn errors_behind_it_are_those_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root, "inc/u.h", "#define N 1\n");
    write(
        root,
        "a.cu",
        "#include <u.h>\n__global__ void k(int *a) { a[N] = unknown; }\n__global__ void l(int *a) { a[N] = 1; }\n",
    );
    let parsed = parse_file(&root.join("a.cu"), &ParseOptions::default()).expect("it parses");
    let names: Vec<&str> = parsed.unsupported.iter().map(|u| u.proc.as_str()).collect();
    assert_eq!(names, ["k"]);
    assert!(parsed.unsupported[0].message.contains("unknown"));
    assert_eq!(headers(&parsed).1, Vec::<String>::new());
}

#[test]
fn a_header_with_kernels_is_cuda() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(
        root,
        "k.h",
        "template <class T> __global__ void k(T *a) { a[threadIdx.x] = 1; }\ntemplate __global__ void k<int>(int *);\n",
    );
    write(root, "c.h", "int *new(int *class) { return class; }\n");
    for (file, n) in [("k.h", 1), ("c.h", 1)] {
        let parsed = parse_file(&root.join(file), &ParseOptions::default()).expect("it parses");
        assert_eq!(parsed.program.procs.len(), n, "{file}");
    }
}

#[test]
fn a_header_that_cannot_be_read_here_is_not_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    // A bracket without its other half.
    write(root, "inc/u.h", "#define N 1\nstruct S {\n");
    write(
        root,
        "a.cu",
        &format!(
            "#include <u.h>\n{}",
            KERNEL.replace("TWICE(f(threadIdx.x))", "1")
        ),
    );
    let parsed = parse_file(&root.join("a.cu"), &ParseOptions::default()).expect("it parses");
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    assert_eq!(headers(&parsed), (vec![], vec!["u.h".to_owned()]));
}
