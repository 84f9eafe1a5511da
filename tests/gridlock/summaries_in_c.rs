//! Formulas are C: of random kernels they are compiled, and give what the kernel itself gives when it is compiled.
//! Neither side is read by the front end, so that a cast, a sign or a parenthesis that is missing shows.

use crate::tool::run;
use gridlock_generation::effort;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Kernels that are compiled as one program.
const AT_ONCE: usize = 12;
/// Threads, each of which writes its own cell.
const THREADS: usize = 8;
const INTEGERS: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "long long",
    "unsigned long long",
];
const FLOATS: &[&str] = &["float", "float", "double"];

/// What formulas and kernels are compiled with. What differs is told by number.
const HEAD: &str = r#"
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define __global__ static
static struct { unsigned x; } threadIdx;
static int bits(float x) { int n; memcpy(&n, &x, 4); return n; }
static int64_t bits(double x) { int64_t n; memcpy(&n, &x, 8); return n; }
static int __float_as_int(float x) { int n; memcpy(&n, &x, 4); return n; }
static float __int_as_float(int n) { float x; memcpy(&x, &n, 4); return x; }
static float of_bits(uint32_t n) { float x; memcpy(&x, &n, 4); return x; }
static float of_bits(int n) { float x; memcpy(&x, &n, 4); return x; }
static double of_bits(uint64_t n) { double x; memcpy(&x, &n, 8); return x; }
static double of_bits(int64_t n) { double x; memcpy(&x, &n, 8); return x; }
static float max(float a, float b) { return fmaxf(a, b); }
static float min(float a, float b) { return fminf(a, b); }
template <typename A, typename B> static auto max(A a, B b) { decltype(0 ? a : b) x = a, y = b; return x < y ? y : x; }
template <typename A, typename B> static auto min(A a, B b) { decltype(0 ? a : b) x = a, y = b; return y < x ? y : x; }
template <typename A, typename B, typename C, typename... More> static auto max(A a, B b, C c, More... more) { return max(max(a, b), c, more...); }
template <typename A, typename B, typename C, typename... More> static auto min(A a, B b, C c, More... more) { return min(min(a, b), c, more...); }
template <typename T> static bool same(T a, T b) { return a == b || (a != a && b != b); }
static uint64_t seed = 88172645463325252u;
static uint64_t below(uint64_t n) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return (seed >> 11) % n; }
template <typename T> static T any(T) {
  uint64_t n = seed; below(2);
  T few[] = {0, 1, 2, (T)-1, (T)-7, 100, (T)((uint64_t)1 << (8 * sizeof(T) - 1)), (T)(((uint64_t)1 << (8 * sizeof(T) - 1)) - 1)};
  return below(2) ? few[below(8)] : (T)n;
}
static float any(float) { float few[] = {0, -0.0f, 1, -2.5f, 3e38f, INFINITY, NAN, 1e-40f}; return below(2) ? few[below(8)] : (float)(int)below(4000) / 16 - 100; }
static double any(double) { double few[] = {0, -0.0, 1, -2.5, 1e308, INFINITY, NAN, 16777217}; return below(2) ? few[below(8)] : (double)(int)below(4000) / 16 - 100; }
template <typename T> static void fill(T &x) { x = any(T()); }
"#;

struct Source {
    seed: u64,
    /// Names of what has a value, and whether that is an integer.
    leaves: Vec<(String, bool)>,
}

/// What is done to a formula before it is compiled.
type Change = fn(&str) -> String;

/// A kernel: its parameters, and its text.
struct Kernel {
    name: String,
    /// Types of `a`, `b`, of the arguments `n` and `x`, and of `o`.
    types: [&'static str; 5],
    text: String,
}

impl Source {
    fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn ty(&mut self) -> &'static str {
        match self.below(3) {
            0 => self.pick(FLOATS),
            _ => self.pick(INTEGERS),
        }
    }

    fn leaf(&mut self, is_integer: bool) -> String {
        let fitting = self.leaves.iter().filter(|(_, is)| *is == is_integer);
        let fitting: Vec<String> = fitting.map(|(name, _)| name.clone()).collect();
        if fitting.is_empty() || self.below(4) == 0 {
            let integers = [
                "3",
                "-1",
                "200",
                "70000",
                "0x80000000u",
                "5u",
                "-3ll",
                "(i + 2)",
                "6ull",
            ];
            let floats = ["0.5f", "-2.0f", "3.0", "(float)i", "1e-3f"];
            return self
                .pick(if is_integer { &integers[..] } else { &floats })
                .to_owned();
        }
        let at = self.below(fitting.len());
        fitting[at].clone()
    }

    fn condition(&mut self, depth: usize) -> String {
        let is_integer = self.below(3) > 0;
        let (a, b) = (
            self.number(depth, is_integer),
            self.number(depth, is_integer),
        );
        let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let compared = format!("({a} {op} {b})");
        match self.below(6) {
            0 if depth > 0 => {
                let other = self.condition(depth - 1);
                let op = self.pick(&["&&", "||"]);
                format!("({compared} {op} {other})")
            }
            1 => format!("!{compared}"),
            _ => compared,
        }
    }

    /// Nothing that C leaves open: shifts are short, divisors are odd, and a float becomes no integer, but its bits. They are
    /// those of an argument: which bits a result has that is no number is the processor's choice.
    fn number(&mut self, depth: usize, is_integer: bool) -> String {
        if depth == 0 || self.below(5) == 0 {
            return self.leaf(is_integer);
        }
        let d = depth - 1;
        let kind = self.below(10);
        if kind == 0 {
            let (cond, a, b) = (
                self.condition(d),
                self.number(d, is_integer),
                self.number(d, is_integer),
            );
            return format!("({cond} ? {a} : {b})");
        }
        if kind == 1 {
            let ty = self.pick(if is_integer { INTEGERS } else { FLOATS });
            return match self.below(4) {
                0 if is_integer => format!("((int){})", self.condition(d)),
                1 if is_integer => "__float_as_int(y)".to_owned(),
                1 => format!("__int_as_float((int){})", self.number(d, true)),
                2 if !is_integer => format!("(({ty}){})", self.number(d, true)),
                _ => format!("(({ty}){})", self.number(d, is_integer)),
            };
        }
        let (a, b) = (self.number(d, is_integer), self.number(d, is_integer));
        match (is_integer, kind) {
            (true, 2) => format!("({a} << ({b} & 7))"),
            (true, 3) => format!("({a} >> ({b} & 7))"),
            (true, 4) => format!("({a} / (({b} & 6) | 1))"),
            (true, 5) => format!("({a} % (({b} & 6) | 1))"),
            (true, 6) => format!("({} {a})", self.pick(&["-", "~", "(int)!"])),
            (true, _) => format!("({a} {} {b})", self.pick(&["+", "-", "*", "&", "|", "^"])),
            (false, 2) => format!("(- {a})"),
            (false, 3) => format!("{}((float){a}, (float){b})", self.pick(&["fminf", "fmaxf"])),
            (false, 4) => format!("fabsf((float){a})"),
            (false, _) => format!("({a} {} {b})", self.pick(&["+", "-", "*", "/"])),
        }
    }

    fn kernel(seed: u64) -> Kernel {
        let mut source = Source {
            seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            leaves: vec![],
        };
        let [a, b, n, o] = [0; 4].map(|_| source.ty());
        let x = source.pick(FLOATS);
        let is_integer = |ty: &str| INTEGERS.contains(&ty);
        let leaf = |name: &str, ty: &str| (name.to_owned(), is_integer(ty));
        source.leaves = vec![
            leaf("a[i]", a),
            leaf("a[i + 1]", a),
            leaf("b[i]", b),
            leaf("n", n),
            leaf("x", x),
            leaf("y", "float"),
        ];
        let name = format!("k{seed}");
        let mut text = format!(
            "__global__ void {name}(const {a} *a, const {b} *b, {n} n, {x} x, float y, {o} *o) {{\n  int i = threadIdx.x;\n"
        );
        for local in ["v", "w"] {
            let ty = source.ty();
            let value = source.number(3, is_integer(ty));
            let _ = writeln!(text, "  {ty} {local} = {value};");
            source.leaves.push(leaf(local, ty));
        }
        // Both come into what is left.
        let mut value = source.number(3, is_integer(o));
        for (local, is_whole) in source.leaves.split_off(source.leaves.len() - 2) {
            let op = source.pick(&["+", "-", "*"]);
            value = match is_whole || !is_integer(o) {
                true => format!("({value} {op} {local})"),
                false => format!("({value} {op} ({local} < 1.0f))"),
            };
        }
        let _ = writeln!(text, "  o[i] = {value};\n}}");
        Kernel {
            name,
            types: [a, b, n, x, o],
            text,
        }
    }
}

/// `for i in 0..=7 for j in 0..=i` as loops.
fn loops(ranges: &str) -> Option<String> {
    let mut text = String::new();
    for range in ranges.split("for ").skip(1) {
        let (name, bounds) = range.split_once(" in ")?;
        let (first, last) = bounds.trim().split_once("..=")?;
        let _ = write!(
            text,
            "for (int {name} = {first}; {name} <= {last}; {name}++) "
        );
    }
    Some(text)
}

/// A function that compares a kernel with its formulas; `None`: a formula has ranges of its own.
fn compared(kernel: &Kernel, number: usize, report: &Value, change: Change) -> Option<String> {
    let Kernel { name, types, .. } = kernel;
    let [a, b, n, x, o] = types;
    let cells = THREADS + 1;
    let mut text = format!(
        "static void compare_{name}() {{\n  {a} a[{cells}]; {b} b[{cells}]; {n} n; {x} x; float y; \
         {o} o[{cells}], after[{cells}]; bool named[{cells}] = {{}};\n  \
         fill(n); fill(x); fill(y);\n  for (auto &cell : a) fill(cell);\n  for (auto &cell : b) fill(cell);\n  \
         for (auto &cell : o) fill(cell);\n  memcpy(after, o, sizeof o);\n  \
         for (threadIdx.x = 0; threadIdx.x < {THREADS}; threadIdx.x++) {name}(a, b, n, x, y, after);\n  bool good = true;\n"
    );
    for group in report["arrays"]
        .as_array()?
        .iter()
        .flat_map(|array| array["groups"].as_array().unwrap())
    {
        let part = |key: &str| group[key].as_str().unwrap_or_default();
        let (cell, formula) = (part("cell"), part("formula"));
        if formula.contains(" for ") || formula.contains(" operations]") {
            return None;
        }
        let index = cell.strip_prefix("o[")?.strip_suffix(']')?;
        let formula = change(formula);
        let _ = writeln!(
            text,
            "  {}{{ {o} said = {formula}; good &= same(said, after[{index}]); named[{index}] = true; }}",
            loops(part("ranges"))?
        );
    }
    let _ = writeln!(
        text,
        "  for (int i = 0; i < {cells}; i++) good &= named[i] || same(o[i], after[i]);\n  \
         if (!good) printf(\"{number}\\n\");\n}}"
    );
    Some(text)
}

/// Compiles and runs: the numbers of the kernels that differ.
fn differing(folder: &Path, kernels: &[Kernel], functions: &[(usize, String)]) -> Vec<usize> {
    let mut text = HEAD.to_owned();
    for kernel in kernels {
        text += &kernel.text;
    }
    for (_, function) in functions {
        text += function;
    }
    text += "int main() {\n  for (int run = 0; run < 100; run++) {\n";
    for (number, _) in functions {
        let _ = writeln!(text, "    compare_{}();", kernels[*number].name);
    }
    text += "  }\n}\n";
    let (source, binary) = (folder.join("compared.cpp"), folder.join("compared"));
    std::fs::write(&source, &text).unwrap();
    let clang = std::env::var("GRIDLOCK_CLANG").unwrap_or_else(|_| "clang-19".into());
    let compiled = Command::new(clang)
        .args([
            "-std=c++17",
            "-O0",
            "-w",
            "-fwrapv",
            "-ffp-contract=off",
            "-lm",
            "-o",
        ])
        .args([&binary, &source])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}\n{text}");
    let output = Command::new(&binary).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let mut numbers: Vec<usize> = lines.lines().map(|line| line.parse().unwrap()).collect();
    // It may divide by zero, or read beyond an array.
    if !output.status.success() {
        numbers.extend(functions.iter().map(|(number, _)| *number));
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The kernels from a seed on, with the report of each.
fn summarised(folder: &Path, seeds: std::ops::Range<u64>) -> (Vec<Kernel>, Vec<Value>) {
    let kernels: Vec<Kernel> = seeds.map(Source::kernel).collect();
    let file = folder.join("kernels.cu");
    let text: String = kernels.iter().map(|kernel| kernel.text.as_str()).collect();
    std::fs::write(&file, &text).unwrap();
    let file = file.display().to_string();
    let threads = THREADS.to_string();
    let report = |kernel: &Kernel| {
        let entry = ["--kernel", &kernel.name, "--grid", "1", "--block", &threads];
        let ran = run(&[&["summarise", &file, "--format", "json"][..], &entry].concat());
        assert_eq!(
            ran.status, 0,
            "{}\n{}{}",
            kernel.text, ran.stdout, ran.stderr
        );
        ran.json()
    };
    let reports = kernels.iter().map(report).collect();
    (kernels, reports)
}

/// The kernels whose formulas, changed so, give something else, and how many were compared.
fn wrong(
    folder: &Path,
    kernels: &[Kernel],
    reports: &[Value],
    change: Change,
) -> (Vec<usize>, usize) {
    let function = |number: usize| {
        let function = compared(&kernels[number], number, &reports[number], change)?;
        Some((number, function))
    };
    let functions: Vec<(usize, String)> = (0..kernels.len()).filter_map(function).collect();
    (differing(folder, kernels, &functions), functions.len())
}

#[test]
fn compiled_formulas_give_what_compiled_kernels_give() {
    let (first, count) = (effort::first(1), effort::cases(12, 1_000));
    let mut n_compared = 0;
    for start in (first..first + count).step_by(AT_ONCE) {
        let folder = tempfile::tempdir().unwrap();
        let seeds = start..(start + AT_ONCE as u64).min(first + count);
        let (kernels, reports) = summarised(folder.path(), seeds);
        let (wrong, n) = wrong(folder.path(), &kernels, &reports, str::to_owned);
        n_compared += n;
        let shown = wrong.iter().map(|number| {
            format!(
                "{}{:#}\n",
                kernels[*number].text, reports[*number]["arrays"]
            )
        });
        assert!(wrong.is_empty(), "{}", shown.collect::<String>());
    }
    assert!(
        n_compared as u64 * 10 >= count * 9,
        "{n_compared} of {count}"
    );
}

/// Without the first parentheses that are neither a cast's nor a call's.
fn without_parentheses(formula: &str) -> String {
    let before = |at: usize| formula[..at].chars().next_back().unwrap_or(' ');
    let is_group = |at: usize| matches!(before(at), ' ' | '(' | '-' | '!');
    for (open, _) in formula.match_indices('(').filter(|(at, _)| is_group(*at)) {
        let mut depth = 0;
        let close = formula[open..].find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let Some(close) = close.map(|at| open + at) else {
            break;
        };
        let inner = &formula[open + 1..close];
        if inner.contains(" ? ") || inner.contains(" - ") || inner.contains(" & ") {
            return format!("{}{inner}{}", &formula[..open], &formula[close + 1..]);
        }
    }
    formula.to_owned()
}

#[test]
fn a_cast_a_suffix_or_a_parenthesis_less_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (kernels, reports) = summarised(folder.path(), 1..25);
    let changes: [(&str, Change); 5] = [
        ("sign", |of| {
            of.replace("(unsigned)", "")
                .replace("(int)", "")
                .replace("(uint32_t)", "")
        }),
        ("narrow", |of| {
            of.replace("(uint8_t)", "").replace("(int16_t)", "")
        }),
        ("wide", |of| {
            of.replace("(int64_t)", "").replace("(uint64_t)", "")
        }),
        ("suffix", |of| {
            of.replace(".0f", ".0").replace("0.001f", "0.001")
        }),
        ("parentheses", without_parentheses),
    ];
    let mut seen = Vec::new();
    for (what, change) in changes {
        let (wrong, n) = wrong(folder.path(), &kernels, &reports, change);
        println!("{what}: {} of {n} differ", wrong.len());
        seen.push((what, !wrong.is_empty()));
    }
    assert!(seen.iter().all(|(_, seen)| *seen), "{seen:?}");
}
