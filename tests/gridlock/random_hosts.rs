//! Random host programs through every target: lowered, lifted back and judged against what they were. And
//! the check can fail: with one constant of the lifted text changed it does.

use gridlock_generation::effort;
use serde_json::Value as Json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// SplitMix64.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn of<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len() as u64) as usize]
    }

    fn step(&mut self, depth: u32) -> String {
        let (device, other, host) = (
            self.of(&["d", "e"]),
            self.of(&["d", "e"]),
            self.of(&["a", "b"]),
        );
        let bytes = self.of(&["8 * sizeof(int)", "n * sizeof(int)", "sizeof(int) * 4"]);
        let grid = self.of(&["1", "2", "(n + 3) / 4"]);
        match self.below(if depth == 0 { 7 } else { 9 }) {
            0 => format!("cudaMemcpy({device}, {host}, {bytes}, cudaMemcpyHostToDevice);"),
            1 => format!("cudaMemcpy({host}, {device}, {bytes}, cudaMemcpyDeviceToHost);"),
            2 if device != other => {
                format!("cudaMemcpy({device}, {other}, {bytes}, cudaMemcpyDeviceToDevice);")
            }
            3 => format!("fill<<<{grid}, 4>>>({device}, n + {});", self.below(9)),
            4 => format!("{host}[{}] = {host}[n - 1] * 2 - n;", self.below(8)),
            5 => format!("total = total + {host}[{}];", self.below(8)),
            7 => format!("if (total % 2 == 0) {{ {} }}", self.step(depth - 1)),
            8 => format!(
                "for (int i = 0; i < {}; i++) {{ {} }}",
                1 + self.below(3),
                self.step(depth - 1)
            ),
            _ => format!("add<<<{grid}, 4>>>({device}, total);"),
        }
    }

    fn function(&mut self, number: usize) -> String {
        let steps: Vec<String> = (0..3 + self.below(5)).map(|_| self.step(2)).collect();
        format!(
            "int f{number}(int *a, int *b, int n)\n{{\n\
             \x20   int *d = nullptr;\n    int *e = nullptr;\n    int total = 1;\n\
             \x20   cudaMalloc(&d, 8 * sizeof(int));\n    cudaMalloc(&e, 8 * sizeof(int));\n\
             \x20   cudaMemcpy(d, a, 8 * sizeof(int), cudaMemcpyHostToDevice);\n\
             \x20   cudaMemcpy(e, b, 8 * sizeof(int), cudaMemcpyHostToDevice);\n\
             \x20   {}\n\
             \x20   cudaMemcpy(a, d, 8 * sizeof(int), cudaMemcpyDeviceToHost);\n\
             \x20   cudaMemcpy(b, e, 8 * sizeof(int), cudaMemcpyDeviceToHost);\n\
             \x20   cudaFree(d);\n    cudaFree(e);\n    return total;\n}}\n",
            steps.join("\n    ")
        )
    }
}

const KERNELS: &str = "\
__global__ void fill(int *out, int c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 8)
        out[i] = c + i;
}

__global__ void add(int *out, int c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 8)
        out[i] = out[i] + c;
}
";

fn n_functions() -> usize {
    effort::cases(1, 6) as usize
}

fn gridlock(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
    command.args(["--format", "json"]).args(arguments);
    command.output().expect("it runs")
}

fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).expect("a report")
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a name")
}

fn succeeds(arguments: &[&str]) {
    let output = gridlock(arguments);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?}: {}",
        json(&output)
    );
}

/// Lowered to a target and lifted back; text of the runtime API needs no lifting.
fn there_and_back(program: &Path, target: &str, folder: &Path) -> PathBuf {
    if target == "host" {
        let host = folder.join("again.cu");
        succeeds(&[
            "lower",
            shown(program),
            "--target",
            target,
            "-o",
            shown(&host),
        ]);
        return host;
    }
    succeeds(&[
        "lower",
        shown(program),
        "--target",
        target,
        "-o",
        shown(folder),
    ]);
    let extension = if target == "csharp" { "cs" } else { "cpp" };
    let host = folder.join(format!("hosts.{extension}"));
    let lifted = folder.join("again.cu");
    succeeds(&[
        "lift",
        shown(&host),
        "--target",
        target,
        "-o",
        shown(&lifted),
    ]);
    lifted
}

fn verdict(program: &Path, other: &Path, function: &str) -> (String, Json) {
    let call = ["--arg", "n=5", "--extent", "a=8", "--extent", "b=8"];
    let sides = ["equiv", shown(program), shown(other), "--kernel", function];
    let report = json(&gridlock(&[&sides[..], &call].concat()));
    let properties = report["properties"].as_array();
    let found = properties.and_then(|all| all.iter().find(|p| p["kind"] == "equivalence"));
    let verdict = found.and_then(|p| p["verdict"].as_str()).unwrap_or("none");
    (verdict.to_owned(), report)
}

#[test]
fn random_programs_come_back_from_every_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("hosts.cu");
    let mut choices = Choices(6);
    let mut text = KERNELS.to_owned();
    for number in 0..n_functions() {
        let _ = write!(text, "\n{}", choices.function(number));
    }
    std::fs::write(&program, &text).expect("written");
    for target in ["host", "cuda-driver", "opencl-host", "csharp"] {
        let own = folder.path().join(target);
        std::fs::create_dir(&own).expect("a folder");
        let back = there_and_back(&program, target, &own);
        for number in 0..n_functions() {
            let (verdict, report) = verdict(&program, &back, &format!("f{number}"));
            let right = matches!(verdict.as_str(), "passed" | "proved");
            assert!(right, "{target} f{number}: {report:#}\n{text}");
        }
        let wrong = own.join("wrong.cu");
        let changed = std::fs::read_to_string(&back).expect("written");
        let faulty = changed.replacen("total = 1;", "total = 2;", 1);
        assert_ne!(faulty, changed, "{target}: nothing to change\n{changed}");
        std::fs::write(&wrong, faulty).expect("written");
        assert_eq!(verdict(&program, &wrong, "f0").0, "refuted", "{target}");
    }
}
