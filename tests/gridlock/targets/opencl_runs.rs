//! Programs over OpenCL run, and give what the canonical run gives.

use super::compiled::{STRICT, compiled};
use super::support::{lower, root, shown};
use gridlock_frontend::{ParseOptions, parse_file};
use gridlock_generation::effort;
use gridlock_lowering::device::interpreter::Interpreter;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Setup, random_cell};
use std::path::Path;
use std::process::Command;

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
            observed: Default::default(),
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
        if !effort::is_next_done(3) {
            continue;
        }
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
