//! What cannot be lowered or lifted is refused with its place, and no file is left half written.

use super::support::{TARGETS, gridlock, json, lower, shown};

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let check = |arguments: &[&str], line: Option<u64>, message: &str| {
        let output = gridlock(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = &json(&output)["error"];
        assert_eq!(error["line"].as_u64(), line, "{arguments:?}: {error}");
        let said = error["message"].as_str().unwrap();
        assert!(said.contains(message), "{arguments:?}: {said}");
    };
    let moved = write(
        "moved.cu",
        "__global__ void k(int *a) { a[0] = 1; }\nvoid f(int *a)\n{\n    int *d;\n    \
         cudaMalloc(&d, 8);\n    k<<<1, 1>>>(d + 1);\n    cudaFree(d);\n}\n",
    );
    for (target, _) in TARGETS {
        let arguments = ["lower", shown(&moved), "--target", target];
        check(
            &arguments,
            Some(6),
            "a device pointer that is computed on the host",
        );
    }
    let wrong = write("wrong.patterns", "target t\nlanguage rust\n");
    let arguments = [
        "lower",
        "examples/tree-sum/tree_sum.cu",
        "--patterns",
        shown(&wrong),
    ];
    check(&arguments, Some(2), "language `rust`");
    check(
        &["lift", shown(&moved), "--target", "metal"],
        None,
        "no target `metal`",
    );
    check(
        &["lift", "none.cpp", "--target", "csharp"],
        None,
        "cannot read",
    );
    let streams = "tests/corpus/streams/upload.cu";
    let arguments = ["lower", streams, "--target", "opencl-host"];
    check(
        &arguments,
        Some(22),
        "a stream that the default stream waits for",
    );
    let managed = [
        "lower",
        "tests/targets/managed.cu",
        "--target",
        "opencl-host",
    ];
    check(&managed, Some(15), "managed memory");
    let mixed = write(
        "mixed.cu",
        "__global__ void k(int *a) { a[0] = 1; }\nvoid f(int *a)\n{\n    int *d, *m;\n    \
         cudaMalloc(&d, 8);\n    cudaMallocManaged(&m, 8);\n    \
         cudaMemcpy(m, a, 8, cudaMemcpyHostToDevice);\n    k<<<1, 1>>>(d);\n    \
         cudaFree(d);\n    cudaFree(m);\n}\n",
    );
    for target in ["cuda-driver", "csharp"] {
        let arguments = ["lower", shown(&mixed), "--target", target];
        check(&arguments, Some(7), "managed memory beside a device's own");
    }
    // What no pattern explains.
    let file = "tests/corpus/host/copied-back.cu";
    let host = lower(file, ["--target", "cuda-driver"], "cpp", folder.path());
    let text = std::fs::read_to_string(&host).unwrap();
    let at = text
        .lines()
        .position(|line| line.contains("cuMemcpyHtoD"))
        .unwrap();
    std::fs::write(&host, text.replace("cuMemcpyHtoD(a", "cuMemcpyHtoA(a, 0")).unwrap();
    let arguments = ["lift", shown(&host), "--target", "cuda-driver"];
    check(
        &arguments,
        Some(at as u64 + 1),
        "no pattern of `cuda-driver` explains",
    );
}

/// Nothing is left of files that could not all be written.
#[test]
fn no_file_is_left_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("copied-back.cu");
    std::fs::create_dir(&taken).unwrap();
    let file = "tests/corpus/host/copied-back.cu";
    let arguments = [
        "lower",
        file,
        "--target",
        "cuda-driver",
        "-o",
        shown(folder.path()),
    ];
    assert_eq!(gridlock(&arguments).status.code(), Some(2));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
