//! Targets as pattern files, end to end: a program is lowered to each, lifted back and judged against
//! the original; a fault planted in a target's patterns is refuted; what is printed compiles, and
//! over OpenCL it runs.

use crate::labelled;

use gridlock_frontend::{ParseOptions, parse_file};
use gridlock_lowering::device::interpreter::Interpreter;
use gridlock_lowering::{nvcc, patterns};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Setup, random_cell};
use serde_json::Value as Json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn gridlock(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
    command.current_dir(root()).args(["--format", "json"]);
    command.args(arguments).output().unwrap()
}

fn json(output: &Output) -> Json {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A host program and the call that is judged.
#[derive(Clone, Copy)]
struct Program {
    file: &'static str,
    call: &'static [&'static str],
}

const PROGRAMS: [Program; 11] = [
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
    fn is_for(&self, target: &str) -> bool {
        target != "opencl-host" || !self.file.ends_with("managed.cu")
    }
}

/// Targets of two files, with a host file's extension.
const TARGETS: [(&str, &str); 3] = [
    ("cuda-driver", "cpp"),
    ("opencl-host", "cpp"),
    ("csharp", "cs"),
];

/// `lower` as `how` says; the host's file.
fn lower(file: &str, how: [&str; 2], extension: &str, folder: &Path) -> PathBuf {
    let output = gridlock(&["lower", file, how[0], how[1], "-o", shown(folder)]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{file} {how:?}: {}",
        json(&output)
    );
    let stem = Path::new(file).file_stem().unwrap().to_str().unwrap();
    folder.join(format!("{stem}.{extension}"))
}

/// `lift` of a target; an error's message if it fails.
fn lift(host: &Path, how: [&str; 2]) -> Result<PathBuf, String> {
    let lifted = host.with_extension("lifted.cu");
    let output = gridlock(&["lift", shown(host), how[0], how[1], "-o", shown(&lifted)]);
    match output.status.code() {
        Some(0) => Ok(lifted),
        _ => Err(json(&output)["error"]["message"]
            .as_str()
            .unwrap()
            .to_owned()),
    }
}

/// The verdict of `equiv`, and the report.
fn judged(program: &Program, lifted: &Path) -> (String, Json) {
    let mut arguments = vec!["equiv", program.file, shown(lifted)];
    arguments.extend(program.call);
    let report = json(&gridlock(&arguments));
    let properties = report["properties"].as_array();
    let found = properties.and_then(|all| all.iter().find(|p| p["kind"] == "equivalence"));
    let verdict = found.and_then(|p| p["verdict"].as_str()).unwrap_or("none");
    (verdict.to_owned(), report)
}

/// A program's text over the CUDA runtime, which needs no lifting: the front end reads it.
fn runtime(program: &Program, how: [&str; 2], folder: &Path) -> PathBuf {
    let stem = Path::new(program.file).file_stem().unwrap();
    let host = folder.join(format!("{}.cu", stem.to_str().unwrap()));
    let to = match how[0] {
        "--patterns" => folder,
        _ => &host,
    };
    let output = gridlock(&["lower", program.file, how[0], how[1], "-o", shown(to)]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{how:?}: {report}");
    host
}

/// Lowered to the target and read back.
fn there_and_back(program: &Program, target: &str, folder: &Path) -> PathBuf {
    let Some((_, extension)) = TARGETS.iter().find(|(name, _)| *name == target) else {
        return runtime(program, ["--target", "host"], folder);
    };
    let host = lower(program.file, ["--target", target], extension, folder);
    lift(&host, ["--target", target]).expect(program.file)
}

const TABLE: &str = "\
## Targets

Host code by pattern files (`lowering/targets/`): a program is lowered, lifted back and judged against the original
under `cuda`. A mutant is a pattern with one thing wrong.

";

/// The section of `docs/transformations.md` on targets: `INSTA_UPDATE=always cargo test --test gridlock targets::`,
/// then `transformations::`.
#[test]
fn every_target_gives_the_program_back_and_its_faults_are_refuted() {
    let mut text = TABLE.to_owned();
    text.push_str("| target | example | call | verdict | assumes |\n|---|---|---|---|---|\n");
    let names = ["cuda-runtime", "cuda-driver", "opencl-host", "csharp"];
    for target in names {
        for program in PROGRAMS.iter().filter(|p| p.is_for(target)) {
            let folder = tempfile::tempdir().unwrap();
            let lifted = there_and_back(program, target, folder.path());
            let (verdict, report) = judged(program, &lifted);
            assert!(
                matches!(verdict.as_str(), "passed" | "proved"),
                "{target} {}: {report:#}",
                program.file
            );
            let assumed: Vec<&str> = report["assumptions"]
                .as_array()
                .map(|all| all.iter().filter_map(Json::as_str).collect())
                .unwrap_or_default();
            let assumed = match assumed.is_empty() {
                true => "nothing".to_owned(),
                false => assumed.join("; "),
            };
            let stem = Path::new(program.file).file_stem().unwrap();
            let _ = writeln!(
                text,
                "| `{target}` | `{}` | `{}` | cuda: {verdict} | {assumed} |",
                stem.to_str().unwrap(),
                program.call[1..].join(" ")
            );
        }
    }
    text.push_str(
        "\n| target | example | mutant | refuted | counterexample |\n|---|---|---|---|---|\n",
    );
    for mutant in &MUTANTS {
        let (kind, size) = refuted(mutant);
        let stem = Path::new(PROGRAMS[mutant.program].file)
            .file_stem()
            .unwrap();
        let _ = writeln!(
            text,
            "| `{}` | `{}` | {} | cuda: {kind} | {size} |",
            mutant.target,
            stem.to_str().unwrap(),
            mutant.what
        );
    }
    labelled::assert_table("tests/targets/table.md", &text);
}

/// What the target's text says once it is lifted is what it said before: lowered again, it is the
/// same text. (The runtime's text is C++, whose arithmetic C# would write otherwise.)
#[test]
fn lifted_programs_lower_to_the_same_text() {
    for (target, extension) in TARGETS.into_iter().filter(|(_, e)| *e == "cpp") {
        let kinds = [&PROGRAMS[..3], &PROGRAMS[9..]].concat();
        for program in kinds.iter().filter(|p| p.is_for(target)) {
            let folder = tempfile::tempdir().unwrap();
            let host = lower(program.file, ["--target", target], extension, folder.path());
            let before = std::fs::read_to_string(&host).unwrap();
            let lifted = lift(&host, ["--target", target]).expect(program.file);
            let again = folder.path().join("again");
            let stem = host.file_stem().unwrap().to_str().unwrap();
            let renamed = folder.path().join(format!("{stem}.cu"));
            std::fs::rename(&lifted, &renamed).unwrap();
            let host = lower(shown(&renamed), ["--target", target], extension, &again);
            assert_eq!(std::fs::read_to_string(host).unwrap(), before, "{target}");
        }
    }
}

/// A fault in a target's patterns.
struct Mutant {
    target: &'static str,
    what: &'static str,
    from: &'static str,
    to: &'static str,
    /// Index of the program that shows it.
    program: usize,
}

const MUTANTS: [Mutant; 21] = [
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
fn refuted(mutant: &Mutant) -> (String, String) {
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

/// Runs a compiler on a file in a folder.
fn compiled(compiler: &str, folder: &Path, arguments: &[&str]) {
    let output = Command::new(compiler)
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap_or_else(|e| panic!("{compiler}: {e}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {arguments:?}: {said}");
}

const STRICT: [&str; 5] = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];

#[test]
fn driver_programs_compile() {
    let nvcc = match nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(_) if std::env::var_os("GRIDLOCK_NO_NVCC").is_some() => return,
        Err(error) => panic!("{error}; or set GRIDLOCK_NO_NVCC where there is none"),
    };
    let toolkit = nvcc.path.parent().and_then(Path::parent).unwrap();
    let include = format!("-I{}/include", toolkit.display());
    for program in &PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let host = lower(
            program.file,
            ["--target", "cuda-driver"],
            "cpp",
            folder.path(),
        );
        let arguments = [&STRICT[..], &[&include, shown(&host)]].concat();
        compiled("g++", folder.path(), &arguments);
    }
}

/// A function over arrays of `int`, with their lengths, and the numbers behind them.
struct Run {
    file: &'static str,
    function: &'static str,
    arrays: &'static [usize],
    number: i32,
    returns: bool,
}

const RUNS: [Run; 6] = [
    Run {
        file: "tests/corpus/host/copied-back.cu",
        function: "run",
        arrays: &[6],
        number: 6,
        returns: false,
    },
    Run {
        file: "examples/tree-sum/tree_sum.cu",
        function: "sum_slices",
        arrays: &[128, 128],
        number: 128,
        returns: false,
    },
    Run {
        file: "tests/targets/matrix.cu",
        function: "multiply",
        arrays: &[16, 16, 16],
        number: 4,
        returns: false,
    },
    Run {
        file: "tests/targets/bitonic.cu",
        function: "sort",
        arrays: &[16],
        number: 16,
        returns: false,
    },
    Run {
        file: "tests/targets/sums.cu",
        function: "sum",
        arrays: &[21],
        number: 21,
        returns: true,
    },
    Run {
        file: "tests/targets/streams.cu",
        function: "combine",
        arrays: &[6, 6],
        number: 6,
        returns: false,
    },
];

impl Run {
    fn cells(&self, array: usize) -> Vec<Value> {
        let cell = |at| random_cell(array as u64 + 5, at, ScalarType::I32);
        (0..self.arrays[array] as u64).map(cell).collect()
    }

    /// What the canonical run leaves in the arrays, then the result.
    fn expected(&self) -> Vec<i128> {
        let parsed = parse_file(&root().join(self.file), &ParseOptions::default()).unwrap();
        let arrays = (0..self.arrays.len()).map(|array| ArrayArg {
            name: format!("a{array}").into(),
            elem: ScalarType::I32,
            extent: Some(self.arrays[array] as u64),
            contents: Contents::Values(self.cells(array)),
            observed: true,
        });
        let mut args: Vec<Arg> = (0..self.arrays.len()).map(Arg::Array).collect();
        args.push(Arg::Scalar(Value::i32(self.number)));
        let setup = Setup {
            declared: Default::default(),
            device: Default::default(),
            entry: parsed.program.find_proc(self.function).unwrap(),
            launch: None,
            args,
            arrays: arrays.collect(),
        };
        let seen = Interpreter::new(&parsed.program)
            .unwrap()
            .observe(&setup)
            .unwrap();
        let cells = seen.arrays.iter().flat_map(|array| &array.cells);
        let all = cells
            .chain(&seen.result)
            .map(|cell| cell.as_integer().unwrap());
        all.collect()
    }

    /// A `main` that calls the function and prints the same.
    fn main(&self, host: &Path) -> String {
        let mut text = format!("#include \"{}\"\n\nint main()\n{{\n", host.display());
        let mut args = Vec::new();
        let mut prints = String::new();
        for array in 0..self.arrays.len() {
            let cells = self.cells(array);
            let list: Vec<String> = cells
                .iter()
                .map(|cell| cell.as_integer().unwrap().to_string())
                .collect();
            text.push_str(&format!(
                "    static int a{array}[] = {{{}}};\n",
                list.join(", ")
            ));
            prints.push_str(&format!(
                "    for (int cell : a{array})\n        printf(\"%d\\n\", cell);\n"
            ));
            args.push(format!("a{array}"));
        }
        args.push(self.number.to_string());
        let call = format!("{}({})", self.function, args.join(", "));
        match self.returns {
            true => {
                text.push_str(&format!("    int result = {call};\n"));
                prints.push_str("    printf(\"%d\\n\", result);\n");
            }
            false => text.push_str(&format!("    {call};\n")),
        }
        text + &prints + "}\n"
    }
}

/// On PoCL where there is no GPU, without its optimiser (see `tests/findings/`).
#[test]
fn opencl_programs_give_what_the_canonical_run_gives() {
    if std::env::var_os("GRIDLOCK_NO_OPENCL").is_some() {
        return;
    }
    for run in &RUNS {
        let folder = tempfile::tempdir().unwrap();
        let host = lower(run.file, ["--target", "opencl-host"], "cpp", folder.path());
        let main = folder.path().join("main.cpp");
        std::fs::write(&main, run.main(&host)).unwrap();
        let options = "-DCL_OPTIONS=\"-cl-std=CL1.2 -cl-opt-disable\"";
        let arguments = [
            &STRICT[..4],
            &[options, shown(&main), "-lOpenCL", "-o", "program"],
        ]
        .concat();
        compiled("g++", folder.path(), &arguments);
        let output = Command::new(folder.path().join("program"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", run.file);
        let printed = String::from_utf8_lossy(&output.stdout);
        let seen: Vec<i128> = printed.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(seen, run.expected(), "{}", run.file);
    }
}

#[test]
fn csharp_programs_compile() {
    if std::env::var_os("GRIDLOCK_NO_MCS").is_some() {
        return;
    }
    let found = Command::new("mcs").arg("--version").output();
    found.expect("a C# compiler (mono-mcs), or GRIDLOCK_NO_MCS set");
    for program in &PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let host = lower(program.file, ["--target", "csharp"], "cs", folder.path());
        let arguments = ["-unsafe", "-target:library", "-out:out.dll", shown(&host)];
        compiled("mcs", folder.path(), &arguments);
    }
}

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
