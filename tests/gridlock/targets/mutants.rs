//! Faults planted in the patterns of a target, on the way there and on the way back.

use super::programs::PROGRAMS;
use super::support::{TARGETS, judged, lift, lower, root, runtime, shown};
use gridlock_lowering::patterns;
use serde_json::Value as Json;

/// A fault in a target's patterns.
pub(super) struct Mutant {
    pub target: &'static str,
    pub what: &'static str,
    from: &'static str,
    to: &'static str,
    /// Index of the program that shows it.
    pub program: usize,
}

pub(super) const MUTANTS: [Mutant; 21] = [
    Mutant {
        target: "cuda-runtime",
        what: "copies back where it should copy there",
        from: "CHECK(cudaMemcpy($to, $from, $bytes, cudaMemcpyHostToDevice));",
        to: "CHECK(cudaMemcpy($from, $to, $bytes, cudaMemcpyDeviceToHost));",
        program: 0,
    },
    Mutant {
        target: "cuda-runtime",
        what: "half of what is copied back",
        from: "CHECK(cudaMemcpy($to, $from, $bytes, cudaMemcpyDeviceToHost));",
        to: "CHECK(cudaMemcpy($to, $from, ($bytes) / 2, cudaMemcpyDeviceToHost));",
        program: 0,
    },
    Mutant {
        target: "cuda-driver",
        what: "copies back where it should copy there",
        from: "CHECK(cuMemcpyHtoD($to:name, $from, $bytes));",
        to: "CHECK(cuMemcpyDtoH($from, $to:name, $bytes));",
        program: 0,
    },
    Mutant {
        target: "cuda-driver",
        what: "a number of elements for one of bytes",
        from: "CHECK(cuMemcpyDtoH($to, $from:name, $bytes));",
        to: "CHECK(cuMemcpyDtoH($to, $from:name, ($bytes) / 4));",
        program: 0,
    },
    Mutant {
        target: "cuda-driver",
        what: "grid and block exchanged",
        from: "$grid:extents, $block:extents, $shared, nullptr, arguments",
        to: "$block:extents, $grid:extents, $shared, nullptr, arguments",
        program: 2,
    },
    Mutant {
        target: "cuda-driver",
        what: "x and y of extents exchanged",
        from: "extents($x, $y, $z) <=> $x, $y, $z",
        to: "extents($x, $y, $z) <=> $y, $x, $z",
        program: 0,
    },
    Mutant {
        target: "opencl-host",
        what: "reads where it should write",
        from: "CHECK(clEnqueueWriteBuffer(queue, $to:name,",
        to: "CHECK(clEnqueueReadBuffer(queue, $to:name,",
        program: 0,
    },
    Mutant {
        target: "opencl-host",
        what: "source and target of a copy on the device exchanged",
        from: "CHECK(clEnqueueCopyBuffer(queue, $from:name, $to:name,",
        to: "CHECK(clEnqueueCopyBuffer(queue, $to:name, $from:name,",
        program: 8,
    },
    Mutant {
        target: "opencl-host",
        what: "half of the buffer",
        from: "    | $p:name = clCreateBuffer(context, CL_MEM_READ_WRITE, $bytes,",
        to: "    | $p:name = clCreateBuffer(context, CL_MEM_READ_WRITE, ($bytes) / 2,",
        program: 0,
    },
    Mutant {
        target: "opencl-host",
        what: "half of the groups",
        from: "block[0] * unsigned($gx)",
        to: "block[0] * unsigned(($gx) / 2)",
        program: 2,
    },
    Mutant {
        target: "csharp",
        what: "copies back where it should copy there",
        from: "CHECK(cuMemcpyHtoD_v2($to:name, $from, $bytes));",
        to: "CHECK(cuMemcpyDtoH_v2($from, $to:name, $bytes));",
        program: 0,
    },
    Mutant {
        target: "csharp",
        what: "half of the memory",
        from: "    | CHECK(cuMemAlloc_v2(out $p:name, $bytes));",
        to: "    | CHECK(cuMemAlloc_v2(out $p:name, ($bytes) / 2));",
        program: 0,
    },
    Mutant {
        target: "csharp",
        what: "grid and block exchanged",
        from: "$grid:extents, $block:extents, $shared, IntPtr.Zero",
        to: "$block:extents, $grid:extents, $shared, IntPtr.Zero",
        program: 2,
    },
    Mutant {
        target: "cuda-driver",
        what: "another stream waits for an event",
        from: "(CUstream)($s), (CUevent)($e), CU_EVENT_WAIT",
        to: "(CUstream)(($s) * 0), (CUevent)($e), CU_EVENT_WAIT",
        program: 9,
    },
    Mutant {
        target: "cuda-driver",
        what: "half of managed memory",
        from: "(CUdeviceptr *)&$p:name, $bytes, CU_MEM",
        to: "(CUdeviceptr *)&$p:name, ($bytes) / 2, CU_MEM",
        program: 10,
    },
    Mutant {
        target: "opencl-host",
        what: "an event is recorded in another queue",
        from: "event_record($e, queue_of($s));",
        to: "event_record($e, queue_of(($s) * 0));",
        program: 9,
    },
    Mutant {
        target: "opencl-host",
        what: "another queue waits for an event",
        from: "stream_wait(queue_of($s), $e);",
        to: "stream_wait(queue_of(($s) * 0), $e);",
        program: 9,
    },
    Mutant {
        target: "opencl-host",
        what: "reads in another queue",
        from: "queue_of($stream), $from:name, CL_FALSE",
        to: "queue_of(($stream) * 0), $from:name, CL_FALSE",
        program: 9,
    },
    Mutant {
        target: "csharp",
        what: "records an event where it should wait for it",
        from: "CHECK(cuEventSynchronize($e));",
        to: "CHECK(cuEventRecord($e, 0));",
        program: 9,
    },
    Mutant {
        target: "csharp",
        what: "launches in another stream",
        from: "(IntPtr)(long)($stream)",
        to: "(IntPtr)(long)(($stream) * 0)",
        program: 9,
    },
    Mutant {
        target: "csharp",
        what: "half of managed memory",
        from: "(void **)&$p:name, $bytes, 1",
        to: "(void **)&$p:name, ($bytes) / 2, 1",
        program: 10,
    },
];

/// The kind of defect that a fault in the patterns leads to, and how large its counterexample is.
pub(super) fn refuted(mutant: &Mutant) -> (String, String) {
    let path = root().join(format!("lowering/targets/{}.patterns", mutant.target));
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        text.contains(mutant.from),
        "{}: nothing to change",
        mutant.what
    );
    let folder = tempfile::tempdir().unwrap();
    let patterns = folder.path().join("mutant.patterns");
    std::fs::write(&patterns, text.replace(mutant.from, mutant.to)).unwrap();
    let program = &PROGRAMS[mutant.program];
    let output = folder.path().join("lowered");
    std::fs::create_dir(&output).unwrap();
    let how = ["--patterns", shown(&patterns)];
    let lifted = match TARGETS.iter().find(|(name, _)| *name == mutant.target) {
        None => runtime(program, how, &output),
        Some((_, extension)) => {
            let host = lower(program.file, how, extension, &output);
            let lifted = lift(&host, ["--target", mutant.target]);
            lifted.unwrap_or_else(|e| panic!("{}: {e}", mutant.what))
        }
    };
    let (verdict, report) = judged(program, &lifted);
    let (target, what) = (mutant.target, mutant.what);
    assert_eq!(verdict, "refuted", "{target} {what}: {report:#}");
    let defect = &report["defects"][0];
    let witness = &defect["witness"];
    let sum = |all: &Json, of: &str| -> u64 {
        let all = all.as_array().map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(|one| one[of].as_u64()).sum()
    };
    let steps = match sum(&witness["schedule"], "steps") {
        0 => "the canonical schedule".to_owned(),
        n => format!("{n} transitions"),
    };
    let cells = sum(&witness["setup"]["arrays"], "extent");
    let kind = defect["kind"].as_str().unwrap().to_owned();
    (kind, format!("{cells} cells, {steps}"))
}

/// The same fault on the way back.
#[test]
fn faults_in_lifting_are_refuted() {
    let from = "copy_back($to, $from, $bytes) <=> CHECK(cuMemcpyDtoH($to, $from:name, $bytes));";
    let to = "copy_back($to, $from, $bytes) <=> CHECK(cuMemcpyDtoH($from:name, $to, $bytes));";
    let text = patterns::built_in_text("cuda-driver").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mutant = folder.path().join("mutant.patterns");
    std::fs::write(&mutant, text.replace(from, to)).unwrap();
    let program = &PROGRAMS[0];
    let host = lower(
        program.file,
        ["--target", "cuda-driver"],
        "cpp",
        folder.path(),
    );
    let lifted = lift(&host, ["--patterns", shown(&mutant)]).unwrap();
    assert_eq!(judged(program, &lifted).0, "refuted");
}
