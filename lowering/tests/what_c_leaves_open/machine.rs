//! The same functions compiled by clang, with its checks of undefined behaviour that trap.

use super::rows::{Held, ROWS, Row};
use super::semantics::{self, Judged, second};
use super::values::{bits, scalar};
use gridlock_semantics::algebra::types::ScalarType;
use std::fmt::Write;
use std::process::Command;

/// Signed arithmetic wraps (`-fwrapv`), so its overflow is not among the checks; a division that
/// overflows is stopped by the processor.
const FLAGS: &[&str] = &[
    "-std=gnu17",
    "-O0",
    "-w",
    "-fwrapv",
    "-ffp-contract=off",
    "-fsanitize-trap=all",
    "-fsanitize=shift-exponent,integer-divide-by-zero,float-cast-overflow",
];

const HARNESS: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static float as_float(uint64_t x) { uint32_t y = x; float f; memcpy(&f, &y, 4); return f; }
static double as_double(uint64_t x) { double f; memcpy(&f, &x, 8); return f; }
static uint64_t of_float(float f)
{ uint32_t x; memcpy(&x, &f, 4); return f != f ? 0x7fc00000u : x; }
static uint64_t of_double(double f)
{ uint64_t x; memcpy(&x, &f, 8); return f != f ? 0x7ff8000000000000ULL : x; }
static void show(uint64_t value) { printf("%llu\n", (unsigned long long)value); fflush(stdout); }
/* Whether `call` ends the process by a signal. */
static void show_trap(uint64_t (*call)(uint64_t, uint64_t), uint64_t a, uint64_t b)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        call(a, b);
        _exit(0);
    }
    waitpid(child, &status, 0);
    printf("%s\n", WIFSIGNALED(status) ? "trap" : "no trap");
    fflush(stdout);
}
"#;

fn from_bits(c_type: &str, name: &str) -> String {
    match scalar(c_type) {
        ScalarType::F32 => format!("as_float({name})"),
        ScalarType::F64 => format!("as_double({name})"),
        _ => format!("({c_type}){name}"),
    }
}

fn to_bits(c_type: &str, call: &str) -> String {
    match scalar(c_type) {
        ScalarType::F32 => format!("of_float({call})"),
        ScalarType::F64 => format!("of_double({call})"),
        int => format!("(uint64_t){call} & {}ULL", u64::MAX >> (64 - int.bits())),
    }
}

/// How many values clang agreed on, and traps. Panics at a difference.
pub fn compare(judged: &[(&'static Row, Vec<Judged>)]) -> usize {
    let numbered: Vec<(usize, &Row)> = ROWS.iter().enumerate().collect();
    let mut text = semantics::text(&numbered, semantics::C);
    text.push_str(HARNESS);
    let mut main = String::from("int main(void)\n{\n");
    let mut expected = Vec::new();
    for (row, cases) in judged.iter().filter(|(row, _)| row.held != Held::Fault) {
        for judged in cases {
            let case = &judged.case;
            let (a, b) = (from_bits(case.first, "a"), from_bits(second(case), "b"));
            let call = format!("{}({a}, {b})", judged.name);
            let _ = writeln!(
                text,
                "static uint64_t call_{}(uint64_t a, uint64_t b) {{ return {}; }}",
                judged.name,
                to_bits(case.result, &call)
            );
            for input in &judged.inputs {
                let (a, b) = (bits(input.a), bits(input.b));
                let name = &judged.name;
                let _ = match &input.result {
                    Ok(_) => writeln!(main, "    show(call_{name}({a}ULL, {b}ULL));"),
                    Err(_) => writeln!(main, "    show_trap(call_{name}, {a}ULL, {b}ULL);"),
                };
                let line = match &input.result {
                    Ok(value) => bits(*value).to_string(),
                    Err(_) => "trap".to_owned(),
                };
                expected.push((row.what, judged.body, input, line));
            }
        }
    }
    text.push_str(&main);
    text.push_str("    return 0;\n}\n");
    let output = run(&text);
    let lines: Vec<&str> = output.lines().collect();
    for (line, (what, body, input, wanted)) in lines.iter().zip(&expected) {
        assert!(
            line == wanted,
            "{what}: clang gives {line}, expected {wanted}: {body} at {input:?}"
        );
    }
    if let Some((what, body, input, _)) = expected.get(lines.len()) {
        panic!("{what}: clang traps: {body} at {input:?}");
    }
    expected.len()
}

fn run(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, binary) = (folder.path().join("rows.c"), folder.path().join("rows"));
    std::fs::write(&source, text).expect("writes");
    let clang = std::env::var("GRIDLOCK_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let build = Command::new(clang)
        .args(FLAGS)
        .arg("-o")
        .args([&binary, &source])
        .arg("-lm")
        .output()
        .expect("clang runs");
    let log = String::from_utf8_lossy(&build.stderr);
    assert!(build.status.success(), "{log}");
    let run = Command::new(&binary).output().expect("runs");
    String::from_utf8_lossy(&run.stdout).into_owned()
}
