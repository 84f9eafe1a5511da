//! The host programs that go to every target.

/// A host program and the call that is judged.
#[derive(Clone, Copy)]
pub(super) struct Program {
    pub file: &'static str,
    pub call: &'static [&'static str],
}

pub(super) const PROGRAMS: [Program; 11] = [
    Program {
        file: "tests/corpus/host/copied-back.cu",
        call: &["--kernel", "run", "--arg", "n=6", "--extent", "numbers=n"],
    },
    Program {
        file: "tests/corpus/papers/double-buffer-tail.cu",
        call: &[
            "--kernel",
            "run",
            "--arg",
            "chunks=3",
            "--extent",
            "data=chunks",
            "--extent",
            "result=chunks",
        ],
    },
    Program {
        file: "examples/tree-sum/tree_sum.cu",
        call: &[
            "--kernel",
            "sum_slices",
            "--arg",
            "n=128",
            "--extent",
            "numbers=n",
            "--extent",
            "partial=n",
        ],
    },
    Program {
        file: "tests/targets/saxpy.cu",
        call: &[
            "--kernel", "of_float", "--arg", "n=11", "--arg", "a=3", "--extent", "x=n", "--extent",
            "y=n",
        ],
    },
    Program {
        file: "tests/targets/saxpy.cu",
        call: &[
            "--kernel",
            "of_double",
            "--arg",
            "n=11",
            "--arg",
            "a=3",
            "--extent",
            "x=n",
            "--extent",
            "y=n",
        ],
    },
    Program {
        file: "tests/targets/saxpy.cu",
        call: &[
            "--kernel",
            "of_unsigned",
            "--arg",
            "n=11",
            "--arg",
            "a=3",
            "--extent",
            "x=n",
            "--extent",
            "y=n",
        ],
    },
    Program {
        file: "tests/targets/matrix.cu",
        call: &[
            "--kernel", "multiply", "--arg", "n=4", "--extent", "a=n*n", "--extent", "b=n*n",
            "--extent", "c=n*n",
        ],
    },
    Program {
        file: "tests/targets/bitonic.cu",
        call: &["--kernel", "sort", "--arg", "n=8", "--extent", "a=n"],
    },
    Program {
        file: "tests/targets/sums.cu",
        call: &["--kernel", "sum", "--arg", "n=21", "--extent", "numbers=n"],
    },
    Program {
        file: "tests/targets/streams.cu",
        call: &[
            "--kernel", "combine", "--arg", "n=6", "--extent", "x=n", "--extent", "y=n",
        ],
    },
    Program {
        file: "tests/targets/managed.cu",
        call: &[
            "--kernel",
            "squares",
            "--arg",
            "n=6",
            "--extent",
            "numbers=n",
        ],
    },
];

impl Program {
    /// OpenCL 1.2 has no memory that the host touches as its own.
    pub fn is_for(&self, target: &str) -> bool {
        target != "opencl-host" || !self.file.ends_with("managed.cu")
    }
}
