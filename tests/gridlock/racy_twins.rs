//! What judging the racy kernels of `benches/oclgrind` costs, counted: complete runs and their transitions, transitions
//! replayed, pairs of lines named. How fast they are is measured there; that no run and no replay is added unseen is
//! held here. `tests/racy-twins.txt` has the counts.

use crate::labelled::assert_table;
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

const HEAD: &str = "\
# What `check --no-proof` of the racy kernels of benches/oclgrind costs at a small launch: complete runs, their transitions
# in all, transitions replayed on the reference, pairs of lines that race.
# Written by: INSTA_UPDATE=always cargo test --test gridlock racy_twins::

";

/// Kernel, blocks, threads of a block, arrays with the numbers of their elements, scalars.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// Blocks of several warps, so that replays have something to leave out.
const CASES: [Case; 12] = [
    ("tree-sum", "4", "256", &["in=1024", "out=4"], &[]),
    ("scan", "4", "256", &["in=1024", "out=1024"], &[]),
    (
        "transpose",
        "2,2",
        "32,8",
        &["in=4096", "out=4096"],
        &["n=64"],
    ),
    (
        "matrix-product",
        "2,2",
        "16,16",
        &["a=1024", "b=1024", "c=1024"],
        &["n=32"],
    ),
    ("stencil", "4", "256", &["a=1024"], &["n=1024"]),
    ("histogram", "4", "256", &["in=1024", "bins=64"], &[]),
    (
        "dot-product",
        "4",
        "256",
        &["x=4096", "y=4096", "result=1"],
        &["n=4096"],
    ),
    ("bitonic-sort", "4", "256", &["a=1024"], &[]),
    ("prefix", "2", "256", &["a=1024"], &[]),
    // More locations than are kept at once.
    ("prefix", "160", "256", &["a=81920"], &[]),
    ("jacobi", "2,2", "16,16", &["a=1024"], &["n=32"]),
    (
        "saxpy",
        "2",
        "256",
        &["x=2048", "y=2048"],
        &["a=2", "n=2048"],
    ),
];

fn row((name, grid, block, arrays, scalars): &Case) -> String {
    let file = format!("benches/oclgrind/kernels/{name}-racy.cu");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
    command.args(["check", &file, "--no-proof", "--format", "json"]);
    command.args(["--grid", grid, "--block", block]);
    for array in *arrays {
        let (name, _) = array.split_once('=').unwrap();
        command.args(["--extent", array, "--contents"]);
        command.arg(format!("{name}=range:3:1"));
    }
    for scalar in *scalars {
        command.args(["--arg", scalar]);
    }
    let output = command
        .env("GRIDLOCK_LOG", "gridlock_checker=trace")
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).expect(&log);
    assert_eq!(report["verdict"], "refuted", "{name}: {report:#}");
    let (runs, replays) = (
        transitions(&log, "complete run"),
        transitions(&log, "replay"),
    );
    let defects = report["defects"].as_array().expect("defects");
    let pairs: BTreeSet<String> = defects.iter().map(|d| lines_of(d).join("-")).collect();
    let pairs: Vec<String> = pairs.into_iter().collect();
    format!(
        "{name:15} {:2} runs {:8} transitions {:8} replayed  {}",
        runs.len(),
        runs.iter().sum::<u64>(),
        replays.iter().sum::<u64>(),
        pairs.join(" ")
    )
}

/// The transitions of each run of a kind, from the log.
fn transitions(log: &str, what: &str) -> Vec<u64> {
    let lines = log.lines().filter(|line| line.contains(what));
    let number = |line: &str| {
        let (_, rest) = line.split_once("transitions=").expect(line);
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
        digits.expect(line).parse().expect(line)
    };
    lines.map(number).collect()
}

/// What a host program does after a launch that races is not run to show the race, and what the kernel does not touch is not
/// in the witness.
#[test]
fn a_long_host_program_ends_with_the_launch_that_races() {
    let text = "
        __global__ void turn(int *a, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i + 1 < n) a[i] = a[i + 1];
        }
        int main() {
            const int n = 250000;
            int *h = new int[n], *d;
            for (int i = 0; i < n; i++) h[i] = (i * 7 + i / 3) % 1000;
            cudaMalloc(&d, n * sizeof(int));
            cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
            turn<<<4, 32>>>(d, n);
            cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
            int sum = 0;
            for (int r = 0; r < 8; r++)
                for (int i = 0; i < n; i++) sum = (sum + h[i]) % 1000;
            cudaFree(d);
            delete[] h;
            return sum;
        }";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.cu");
    std::fs::write(&file, text).unwrap();
    let witness = folder.path().join("witness.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
    command.arg("check").arg(&file);
    command.args([
        "--entry",
        "main",
        "--format",
        "json",
        "--limit-seconds",
        "600",
    ]);
    command.arg("--save-witness").arg(&witness);
    let output = command
        .env("GRIDLOCK_LOG", "gridlock_checker=debug")
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).expect(&log);
    assert_eq!(report["defects"][0]["kind"], "data-race", "{report:#}");
    // All of it would be more than two million.
    let longest = transitions(&log, "complete run").into_iter().max();
    assert!(longest.is_some_and(|n| n < 300_000), "{longest:?}");
    let held: Value = serde_json::from_slice(&std::fs::read(&witness).unwrap()).unwrap();
    let array = &held["setup"]["arrays"][0];
    assert_eq!(array["extent"], 250_000);
    let cells = array["contents"]["cells"]
        .as_object()
        .map(|cells| cells.len());
    assert!(cells.is_some_and(|n| (1..=1_024).contains(&n)), "{array:#}");
    let replayed = Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .arg("replay")
        .arg(&witness)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&replayed.stdout);
    assert!(said.contains("reproduced: "), "{said}");
}

/// Where two threads race after what all of them had to do first, the two accesses come last, and only they are looked at.
#[test]
fn the_accesses_of_a_long_race_come_last() {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("witness.json");
    let gridlock = |command: &str, file: &str, more: &[&str]| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_gridlock"));
        run.arg(command).arg(file).args(more);
        String::from_utf8(run.output().unwrap().stdout).unwrap()
    };
    let path = witness.to_str().unwrap();
    gridlock(
        "check",
        "tests/language/long-before-a-race-broken.cu",
        &["--entry", "main", "--save-witness", path],
    );
    let held: Value = serde_json::from_slice(&std::fs::read(&witness).unwrap()).unwrap();
    let steps = |entry: &Value| {
        let times = entry["each"].as_u64().unwrap_or(1);
        times * entry["steps"].as_u64().unwrap()
    };
    let whole: u64 = held["schedule"].as_array().unwrap().iter().map(steps).sum();
    let led = held["led"].as_u64().unwrap();
    // 128 threads with 200 rounds of two accesses come to a barrier before.
    assert!(led > 128 * 200 * 2 && whole - led < 10, "{led} of {whole}");
    let said = gridlock("replay", path, &[]);
    assert!(
        said.contains(&format!("{led} steps lead to the first of these")),
        "{said}"
    );
    assert!(said.contains("reproduced: "), "{said}");
    assert_eq!(said.matches("writes last[0]").count(), 2, "{said}");
}

/// Of the two accesses, in order.
fn lines_of(defect: &Value) -> Vec<String> {
    let accesses = defect["accesses"].as_array().into_iter().flatten();
    let mut lines: Vec<u64> = accesses.filter_map(|a| a["line"].as_u64()).collect();
    lines.sort_unstable();
    lines.iter().map(u64::to_string).collect()
}

#[test]
fn no_run_and_no_replay_is_added() {
    let rows: Vec<String> = CASES.par_iter().map(row).collect();
    let mut text = HEAD.to_owned();
    for row in rows {
        let _ = writeln!(text, "{row}");
    }
    assert_table("tests/racy-twins.txt", &text);
}
