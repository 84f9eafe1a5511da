//! Several sources a call, standard input, compile commands and project files.

use crate::tool::{Run, run_in, run_with_input};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

const RACE: &str = "__global__ void race(int *a) { a[threadIdx.x / N] = threadIdx.x; }\n";
const FINE: &str =
    "__global__ void fine(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";

/// A folder with these files; names may have folders in them.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> Run {
    run_in(
        folder,
        &[&["check", "--property", "races"], arguments].concat(),
    )
}

/// Of a report of several files: name, verdict (or kind of error) and exit status of each.
fn rows(report: &Value) -> Vec<(String, String, u64)> {
    let row = |file: &Value| {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let verdict = text(&file["verdict"]).or_else(|| text(&file["error"]["kind"]));
        let status = file["exit_status"].as_u64().unwrap();
        (text(&file["file"]).unwrap(), verdict.unwrap(), status)
    };
    report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(row)
        .collect()
}

#[test]
fn a_folder_is_judged_file_by_file() {
    let folder = folder(&[
        ("src/a.cu", &RACE.replace('N', "2")),
        ("src/deep/b.cu", FINE),
        ("src/none.cu", "int x;\n"),
        ("src/wrong.cu", "__global__ void k(int *a) { a[0] = ; }\n"),
        ("src/notes.txt", "no source"),
        ("src/.hidden/c.cu", "not even C"),
    ]);
    let told = check(folder.path(), &["src", "--format", "json"]);
    assert_eq!(told.status, 1, "{}", told.stderr);
    let report = told.json();
    let expected = [
        ("src/a.cu", "refuted", 1),
        ("src/deep/b.cu", "proved", 0),
        ("src/none.cu", "unsupported", 0),
        ("src/wrong.cu", "syntax", 2),
    ];
    let expected = expected.map(|(file, verdict, n)| (file.to_owned(), verdict.to_owned(), n));
    assert_eq!(rows(&report), expected);
    assert_eq!(report["verdict"], "refuted");
    let totals = &report["totals"];
    assert_eq!(
        (&totals["refuted"], &totals["proved"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        (&totals["not_read"], &totals["nothing"]),
        (&json!(1), &json!(1))
    );
    // Fields of a report of one file are those it has alone.
    let alone = check(folder.path(), &["src/a.cu", "--format", "json"]).json();
    for (field, value) in alone.as_object().unwrap() {
        let is_own = ["schema", "tool", "version", "command"].contains(&field.as_str());
        if !is_own && field != "statistics" {
            assert_eq!(&report["files"][0][field], value, "{field}");
        }
    }

    let text = check(folder.path(), &["src"]);
    assert_eq!(text.status, 1);
    assert!(text.stdout.contains("data-race: "), "{}", text.stdout);
    assert!(
        !text.stdout.contains("fine in src/deep/b.cu"),
        "only reports with a defect"
    );
    assert!(
        text.stdout
            .contains("src/wrong.cu:1:36: expected expression"),
        "{}",
        text.stdout
    );
    assert!(
        text.stdout
            .contains("4 files: 1 refuted, 1 not read, 1 proved, 1 without a kernel")
    );
    let all = check(folder.path(), &["src/deep", "--all-reports"]);
    assert_eq!(all.status, 0);
    assert!(
        all.stdout.contains("fine in src/deep/b.cu"),
        "{}",
        all.stdout
    );
}

/// The least of them decides, and a file that the user named has to be read.
/// A file of declarations that is read only where another one includes it.
#[test]
fn a_line_is_that_of_its_source_where_an_included_file_is_wrong() {
    let folder = folder(&[
        (
            "src/part.cuh",
            "__global__ void k(number *a) { a[0] = 1; }\n",
        ),
        ("src/whole.cu", "#include \"part.cuh\"\n"),
        ("src/fine.cu", FINE),
    ]);
    let told = check(folder.path(), &["src"]);
    let line = "  not read  src/whole.cu: src/part.cuh:1:19: ";
    assert!(told.stdout.contains(line), "{}", told.stdout);
}

/// Declarations that need a header which is not there are left out: what is left has the names that the user knows.
#[test]
fn an_included_file_is_named_from_the_working_directory() {
    let race = RACE.replace('N', "2");
    let text = "#include \"absent.h\"\n#include \"race.cuh\"\nvoid host() { absent(); }\n";
    let folder = folder(&[("src/k.cu", text), ("src/race.cuh", &race)]);
    let told = check(folder.path(), &["src/k.cu", "--block", "4", "--grid", "1"]);
    assert_eq!(told.status, 1, "{}{}", told.stdout, told.stderr);
    assert!(
        told.stdout.contains(" src/race.cuh:1:32 "),
        "{}",
        told.stdout
    );
    let whole = folder.path().to_str().unwrap();
    assert!(!told.stdout.contains(whole), "{}", told.stdout);
}

#[test]
fn files_named_one_by_one() {
    let folder = folder(&[
        ("a.cu", FINE),
        ("--b.cu", FINE),
        ("none.cu", "int x;\n"),
        ("w/a.cu", &RACE.replace('N', "2")),
    ]);
    let fine = check(
        folder.path(),
        &["--format", "json", "a.cu", "./--b.cu", "a.cu"],
    );
    assert_eq!(fine.status, 0, "{}", fine.stdout);
    assert_eq!(rows(&fine.json()).len(), 2, "the same file twice is one");
    let named = check(folder.path(), &["a.cu", "none.cu"]);
    assert_eq!(named.status, 2, "{}", named.stdout);
    let missing = check(folder.path(), &["a.cu", "no-such.cu"]);
    assert_eq!(missing.status, 2);
    assert!(missing.stdout.contains("cannot read"), "{}", missing.stdout);
    let witnesses = check(folder.path(), &["a.cu", "w", "--witness-dir", "out"]);
    assert_eq!(witnesses.status, 1);
    assert!(
        folder
            .path()
            .join("out/w-a.cu/race-data-race-1.json")
            .is_file()
    );
    let one = check(folder.path(), &["a.cu", "w", "--save-witness", "w.json"]);
    assert_eq!(one.status, 2);
    assert!(one.stderr.contains("--witness-dir"), "{}", one.stderr);
}

#[test]
fn standard_input_is_a_source() {
    let race = RACE.replace('N', "2");
    let dir = tempfile::tempdir().unwrap();
    let witness = dir.path().join("w.json");
    let witness = witness.to_str().unwrap();
    let arguments = [
        "check",
        "-",
        "--block",
        "2",
        "--property",
        "races",
        "--save-witness",
        witness,
    ];
    let told = run_with_input(&arguments, &race);
    assert_eq!(told.status, 1, "{}{}", told.stdout, told.stderr);
    assert!(
        told.stdout.contains("race in <stdin>, profile cuda"),
        "{}",
        told.stdout
    );
    assert!(
        told.stdout.contains("╭─[ <stdin>:1:32 ]"),
        "{}",
        told.stdout
    );
    assert!(
        told.stdout.contains("a[threadIdx.x / 2]"),
        "the line is shown"
    );
    let again = run_with_input(&["replay", witness, "--print"], "");
    assert_eq!(
        again.status, 0,
        "the witness has the program: {}",
        again.stderr
    );

    let opencl = "__kernel void k(__global int *a) { a[get_global_id(0) / 2] = 1; }\n";
    let named = [
        "check",
        "-",
        "--stdin-filename",
        "dir/k.cl",
        "--block",
        "2",
        "--property",
        "races",
    ];
    let told = run_with_input(&named, opencl);
    assert_eq!(told.status, 1, "{}{}", told.stdout, told.stderr);
    assert!(
        told.stdout.contains("k in dir/k.cl, profile opencl"),
        "{}",
        told.stdout
    );

    let wrong = run_with_input(&["check", "-"], "__global__ void k( {\n");
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.stderr.starts_with("<stdin>:1:21: "),
        "{}",
        wrong.stderr
    );
    let both = run_with_input(&["check", "-", "tests/input/race.cu"], &race);
    assert_eq!(both.status, 2);
    assert!(both.stderr.contains("is judged alone"), "{}", both.stderr);
}

#[test]
fn compile_commands_say_how_sources_are_read() {
    let including = format!("#include \"n.h\"\n{RACE}");
    let folder = folder(&[
        ("src/a.cu", &including),
        ("inc/n.h", "#define N 2\n"),
        ("one/n.h", "#define N 1\n"),
        ("build/o.rsp", "-I../inc"),
    ]);
    let arguments = [
        "--",
        "nvcc",
        "-Iinc",
        "-O3",
        "-arch=sm_80",
        "-c",
        "src/a.cu",
        "-o",
        "a.o",
    ];
    let told = check(folder.path(), &arguments);
    assert_eq!(told.status, 1, "{}{}", told.stdout, told.stderr);
    assert!(
        told.stdout
            .contains("the option `-arch=sm_80` of the compile command"),
        "{}",
        told.stdout
    );
    assert!(!told.stdout.contains("-O3"));
    let nothing = check(folder.path(), &["--", "nvcc", "-c", "main.o"]);
    assert_eq!(nothing.status, 2);
    assert!(
        nothing.stderr.contains("names no source"),
        "{}",
        nothing.stderr
    );

    let entry = |command: &str| {
        let directory = folder.path().join("build");
        json!({"directory": directory, "file": "../src/a.cu", "command": command})
    };
    // Two ways to compile one source, and a command that would do harm if it were run.
    let commands = json!([
        entry("nvcc --options-file o.rsp -c ../src/a.cu"),
        entry("nvcc -I../one -c ../src/a.cu"),
        entry("sh -c 'touch harm' ; nvcc -I../one -c ../src/a.cu -O2"),
    ]);
    let file = folder.path().join("build/compile_commands.json");
    std::fs::write(file, commands.to_string()).unwrap();
    for arguments in [
        &["--compile-commands", "build"][..],
        &["--compile-commands", "build", "src/a.cu"],
    ] {
        let launch = ["--format", "json", "--grid", "1", "--block", "4"];
        let told = check(folder.path(), &[arguments, &launch].concat());
        assert_eq!(told.status, 1, "{}{}", told.stdout, told.stderr);
        let report = told.json();
        let verdicts: Vec<_> = rows(&report)
            .into_iter()
            .map(|row| (row.0, row.1))
            .collect();
        let of = |verdict: &str| ("src/a.cu".to_owned(), verdict.to_owned());
        assert_eq!(verdicts, [of("refuted"), of("proved")]);
    }
    assert!(!folder.path().join("harm").exists() && !folder.path().join("build/harm").exists());
}

#[test]
fn a_project_says_how_its_sources_are_read_and_launched() {
    let toml = "[source]\ndefine = [\"N=2\"]\n[check]\nfiles = [\"src\"]\nexclude = [\"src/old\"]\n\
                profile = \"cuda-hw\"\n[kernel.race]\ngrid = 1\nblock = 2\nextents = { a = 2 }\n";
    let folder = folder(&[
        ("gridlock.toml", toml),
        ("src/a.cu", RACE),
        ("src/b.cu", FINE),
        ("src/old/c.cu", "no C"),
    ]);
    let told = check(folder.path(), &["--format", "json"]);
    assert_eq!(told.status, 1, "{}{}", told.stdout, told.stderr);
    let report = told.json();
    assert_eq!(rows(&report).len(), 2, "{report}");
    let first = &report["files"][0];
    assert_eq!(first["profile"]["name"], "cuda-hw");
    assert_eq!(first["subjects"][0]["launch"]["block"], json!([2, 1, 1]));
    let kinds = first["assumed"].as_array().unwrap().iter();
    let said: Vec<_> = kinds
        .filter(|one| one["kind"] == "project-options")
        .collect();
    assert_eq!(said[0]["arguments"]["options"], "-D N=2");
    // What the command line says counts more.
    let own = check(
        &folder.path().join("src"),
        &["a.cu", "-D", "N=1", "--profile", "cuda", "--block", "4"],
    );
    assert_eq!(own.status, 0, "{}{}", own.stdout, own.stderr);
    assert!(
        own.stdout.contains("../gridlock.toml gives: -D N=2"),
        "{}",
        own.stdout
    );
    assert!(own.stdout.contains("block 4"), "{}", own.stdout);
    let without = check(folder.path(), &["src/a.cu", "--no-config"]);
    assert_eq!(without.status, 2, "N is not defined: {}", without.stdout);
    let equiv = ["equiv", "src/a.cu", "src/a.cu", "--property", "races"];
    let equiv = run_in(folder.path(), &equiv[..3]);
    assert_ne!(equiv.status, 2, "N is defined: {}", equiv.stderr);
    let witness = ["src/a.cu", "--save-witness", "w.json"];
    assert_eq!(check(folder.path(), &witness).status, 1);
    let replayed = run_in(folder.path(), &["replay", "w.json", "--print"]);
    assert_eq!(replayed.status, 0, "{}", replayed.stderr);
    std::fs::write(
        folder.path().join("gridlock.toml"),
        "[source]\nclang = \"./evil\"\n",
    )
    .unwrap();
    let evil = check(folder.path(), &["src/a.cu"]);
    assert_eq!(evil.status, 2);
    assert!(
        evil.stderr
            .starts_with("gridlock.toml:2:1: unknown field `clang`"),
        "{}",
        evil.stderr
    );
}

#[test]
fn a_name_that_is_not_there_is_answered_with_the_nearest() {
    let text = "__device__ int scam(int x) { return x; }\n\
                __global__ void copy(int *a) { a[0] = scam(1); }\n\
                __global__ void scan_add(int *a) {}\n__global__ void scan(int *a) {}\n";
    let folder = folder(&[("k.cu", text)]);
    let told = check(folder.path(), &["k.cu", "--kernel", "Scna"]);
    assert_eq!(told.status, 2);
    let listed = "(the file has: scan, copy, scan_add)";
    assert!(told.stderr.contains(listed), "{}", told.stderr);
}

#[test]
fn a_template_is_found_by_its_name() {
    let text = "template <int N> __global__ void k(int *a) { a[blockIdx.x * N + threadIdx.x] = 1; }\n\
                template <int N> __global__ void two(int *a) { a[threadIdx.x] = N; }\n\
                void f(int *a) { k<32><<<4, 32>>>(a); two<1><<<1, 1>>>(a); two<2><<<1, 1>>>(a); }\n";
    let folder = folder(&[("k.cu", text)]);
    let told = check(folder.path(), &["k.cu", "--kernel", "k"]);
    assert!(
        told.stdout.starts_with("k_32 in k.cu"),
        "{}{}",
        told.stdout,
        told.stderr
    );
    let told = check(folder.path(), &["k.cu", "--kernel", "two"]);
    assert_eq!(told.status, 2);
    let several = "`two` is a template with several instances; choose one of: two_1, two_2";
    assert!(told.stderr.contains(several), "{}", told.stderr);
}

/// Names that read as options, limits of input, and what a project or a compile command must not reach.
#[test]
fn nothing_that_comes_with_an_input_is_an_option() {
    let folder = folder(&[
        ("in/-stats-file=victim.cu", FINE),
        ("in/@options.cu", FINE),
        ("victim.cu", "precious"),
        ("options.cu", "-o victim.cu"),
    ]);
    let directory = folder.path().join("in");
    let entry = |file: &str, more: &[&str]| {
        let words = [&["nvcc"], more, &["-c", file]].concat();
        json!({"directory": directory, "file": file, "arguments": words})
    };
    // Words for clang's own options stay here.
    let plugin = [
        "-Xclang",
        "-load",
        "-fplugin=./evil.so",
        "-stats-file=../victim.cu",
    ];
    let commands = json!([
        entry("./-stats-file=victim.cu", &[]),
        entry("./@options.cu", &plugin),
    ]);
    let file = folder.path().join("compile_commands.json");
    std::fs::write(file, commands.to_string()).unwrap();
    let launch = ["--grid", "1", "--block", "4", "--format", "json"];
    for given in [&["--compile-commands", "."][..], &["in"]] {
        let told = check(folder.path(), &[given, &launch].concat());
        let judged = rows(&told.json());
        assert_eq!((told.status, judged.len()), (0, 2), "{judged:?}");
    }
    let victim = std::fs::read_to_string(folder.path().join("victim.cu")).unwrap();
    assert_eq!(victim, "precious");

    let long = "/".repeat(2 << 20);
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .args(["check", "-"])
        .env("GRIDLOCK_INPUT_BYTES", "1000")
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .and_then(|mut child| {
            use std::io::Write;
            // The tool may have had enough.
            let _ = child.stdin.take().unwrap().write_all(long.as_bytes());
            child.wait_with_output()
        })
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        said.contains("standard input has more than 1000 bytes"),
        "{said}"
    );
}
