//! Launches in host code that is not read as a program: in wrappers, in benchmark drivers, among calls that are not
//! supported. Which launches are found, how they are told, that they are tried first, and that a defect at a launch
//! which none of them makes stands apart. A verdict never hangs on them.

use gridlock::input::request::{EntryRequest, Request};
use gridlock::input::source::launch_from_headers;
use gridlock::judge::check::check_parsed;
use gridlock::report::render::json;
use gridlock::subject;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::host_launch::{Caller, HostLaunch};
use gridlock_checker::verdict::Verdict;
use gridlock_frontend::{Language, ParseOptions, Parsed, parse_source};
use gridlock_generation::effort;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::Launch;

fn read(text: &str, argv: &[&str]) -> Parsed {
    let options = ParseOptions {
        argv: argv.iter().map(|a| (*a).to_owned()).collect(),
        ..ParseOptions::default()
    };
    parse_source("host.cu", text, Language::Cuda, &options).expect("reads")
}

/// `function: grid; block; shared; args; if conditions`, one line a launch.
fn told(parsed: &Parsed, kernel: &str) -> Vec<String> {
    let entry = EntryRequest::default();
    let entry = launch_from_headers(&entry, parsed).expect("no header");
    let proc = parsed.program.find_proc(kernel).expect("a kernel");
    let point = subject::resolve_entry(&parsed.program, proc, &entry, None).expect("resolves");
    subject::described(&point).iter().map(line).collect()
}

fn line(launch: &HostLaunch) -> String {
    let part = if launch.in_part { "?" } else { "" };
    let mut text = format!("{}{part}: {}", launch.site.function, launch.grid.join(" "));
    text += &format!("; {}", launch.block.join(" "));
    text += &format!("; {}", launch.shared.as_deref().unwrap_or("0"));
    let args = launch
        .args
        .iter()
        .map(|(name, text)| format!("{name} = {text}"));
    text += &format!("; {}", args.collect::<Vec<_>>().join(", "));
    if !launch.conditions.is_empty() {
        text += &format!("; if {}", launch.conditions.join(", "));
    }
    text
}

const HOST: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#define BLOCK 16
#define CHECK(call) { cudaError_t e = (call); if (e != cudaSuccess) { printf("no"); exit(1); } }
struct Sizes { int rows, columns; };
template <class T> T ceil_div(T a, T b) { return (a + b - 1) / b; }
int not_here(int);
void measure(void (*f)(int));

__global__ void wrapped(int *p, int n, int c) { p[0] = n + c; }
__global__ void plane(float *p, int w, int h) { p[0] = w + h; }
__global__ void halved(int *p, int k) { p[0] = k; }
__global__ void table(int *p, int n) { p[0] = n; }
__global__ void chosen(int *p, int n) { p[0] = n; }
__global__ void given(int *p, int n) { p[0] = n; }
__global__ void asserted(int *p, int n) { p[0] = n; }
__global__ void counted(int *p, int i, int n) { p[0] = i + n; }
__global__ void outside(int *p, int n) { p[0] = n; }
__global__ void returned(int *p, unsigned n) { p[0] = n; }
__global__ void floats(int *p, int n) { p[0] = n; }
__global__ void switched(int *p, int n) { p[0] = n; }
__global__ void never(int *p) { p[0] = 1; }

void wrapper(int *d, int B, int T, int C, const int block_size) {
  const int N = B * T;
  const int grid_size = ceil_div(N, block_size);
  wrapped<<<grid_size, block_size, block_size * sizeof(float)>>>(d, N, C);
  CHECK(cudaGetLastError());
}
static void on_plane(float *d, Sizes s) {
  dim3 threads(BLOCK, BLOCK);
  dim3 blocks((s.columns + threads.x - 1) / threads.x, ceil_div(s.rows, BLOCK));
  measure(0);
  plane<<<blocks, threads>>>(d, s.columns, s.rows);
}
static void halve(int *d, int n) {
  for (int k = n / 2; k > 0; k >>= 1) halved<<<k, 64>>>(d, k);
}
static void sizes_of(int n, int &blocks, int *threads) {
  *threads = n < 128 ? n : 128;
  blocks = (n + *threads - 1) / *threads;
}
void with_assert(int *d, int n, int block_size) {
  assert(block_size % 32 == 0);
  if (n <= 0) return;
  asserted<<<1, block_size>>>(d, n);
}
void with_library(int *d) {
  int n = not_here(3);
  outside<<<n, 32>>>(d, n);
}
unsigned int rounded(unsigned int n) { unsigned int p = 1; while (p < n) p *= 2; return p; }
void by_kind(int *d, int kind) {
  int n = 10;
  switch (kind) {
    case 1: n = 20; break;
    case 2: switched<<<2, 64>>>(d, kind);
    default: return;
  }
  switched<<<1, n>>>(d, kind);
}

int main(int argc, char **argv) {
  int *d; float *f;
  void *unknown = fopen("x", "r");
  CHECK(cudaMalloc((void **)&d, 4096));
  CHECK(cudaMalloc((void **)&f, 4096));
  Sizes s = {30, 100};
  on_plane(f, s);
  halve(d, 8);
  int block_sizes[] = {32, 64, 1024};
  for (int j = 0; j < not_here(1); j++) {
    int block_size = block_sizes[j];
    table<<<1024 / block_size, block_size>>>(d, block_size);
  }
  int blocks = 0, threads = 0;
  sizes_of(1000, blocks, &threads);
  chosen<<<blocks, threads>>>(d, 1000);
  int n = 256;
  if (argc > 1) n = atoi(argv[1]);
  given<<<n / 64, 64>>>(d, n);
  for (int i = 0; i < n * 1000; i += 2) counted<<<1, 32>>>(d, i, n);
  returned<<<1, rounded(100)>>>(d, rounded(7));
  int m = 1000;
  floats<<<(int)ceil((double)m / 96), 96>>>(d, m);
  if (sizeof(int) == 8) never<<<1, 1>>>(d);
  return 0;
}
"#;

#[test]
fn launches_are_read_off_host_code_that_is_not_supported() {
    let parsed = read(HOST, &[]);
    let check = |kernel: &str, expected: &[&str]| {
        assert_eq!(told(&parsed, kernel), expected, "{kernel}");
    };
    check(
        "wrapped",
        &[
            "wrapper: (B * T + block_size - 1) / block_size 1 1; block_size 1 1; \
           block_size * 4; c = C, n = B * T",
        ],
    );
    // A struct by value, extents from each other.
    check("plane", &["on_plane: 7 2 1; 16 16 1; 0; h = 30, w = 100"]);
    check(
        "halved",
        &[
            "halve: 4 1 1; 64 1 1; 0; k = 4",
            "halve: 2 1 1; 64 1 1; 0; k = 2",
            "halve: 1 1 1; 64 1 1; 0; k = 1",
        ],
    );
    check(
        "table",
        &["main: 1024 / block_sizes[…] 1 1; block_sizes[…] 1 1; 0; n = block_sizes[…]"],
    );
    check("chosen", &["main: 8 1 1; 128 1 1; 0; n = 1000"]);
    // With no argument, and with any.
    check(
        "given",
        &[
            "main: 4 1 1; 64 1 1; 0; n = 256",
            "main: (argc > 1 ? n : 256) / 64 1 1; 64 1 1; 0; n = argc > 1 ? n : 256",
        ],
    );
    check(
        "asserted",
        &["with_assert: 1 1 1; block_size 1 1; 0; n = n; if block_size % 32 == 0, !(n <= 0)"],
    );
    check("outside", &["with_library: n 1 1; 32 1 1; 0; n = n"]);
    check("returned", &["main: 1 1 1; 128 1 1; 0; n = 8"]);
    check("floats", &["main: 11 1 1; 96 1 1; 0; n = 1000"]);
    check(
        "switched",
        &[
            "by_kind: 2 1 1; 64 1 1; 0; n = kind; if !(kind == 1), kind == 2",
            "by_kind: 1 1 1; 20 1 1; 0; n = kind; if kind == 1",
        ],
    );
    check("never", &[]);
    // Launches of a loop that goes on for long: the first, and what all have in common.
    let counted = told(&parsed, "counted");
    assert_eq!(counted[0], "main: 1 1 1; 32 1 1; 0; i = 0, n = 256");
    let with_argument = read(HOST, &["640"]);
    assert_eq!(
        told(&with_argument, "chosen"),
        ["main: 8 1 1; 128 1 1; 0; n = 1000"]
    );
}

/// Host code that clang rejects in part: a launch in it is told as read in part, and nothing is said to stand apart.
#[test]
fn what_clang_rejects_is_read_in_part() {
    let text = "
#include <no_such_header.h>
__global__ void k(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[n - 1] = i; }
void run(int *d) {
  undeclared_type x = make(d);
  int n = 100;
  k<<<(n + 31) / 32, 32>>>(d, n);
  x.finish();
}
";
    let parsed = read(text, &[]);
    assert_eq!(told(&parsed, "k"), ["run?: 4 1 1; 32 1 1; 0; n = 100"]);
    assert!(parsed.other_launches.contains("k"));
}

/// Where there is no `main`, each function may be called; else what `main` comes to counts.
#[test]
fn every_function_with_a_launch_is_one_that_makes_it() {
    let text = "__global__ void k(int *a) { a[threadIdx.x] = 1; }
        void one(int *a) { k<<<1, 32>>>(a); }
        void other(int *a) { k<<<2, 64>>>(a); }
        void both(int *a) { one(a); k<<<3, 96>>>(a); }";
    let found = told(&read(text, &[]), "k");
    assert_eq!(found.len(), 3, "{found:#?}");
    for grid in ["1 1 1; 32 1 1", "2 1 1; 64 1 1", "3 1 1; 96 1 1"] {
        assert!(found.iter().any(|line| line.contains(grid)), "{found:#?}");
    }
    let with_main = format!("{text} int main() {{ int *a = 0; one(a); return 0; }}");
    let found = told(&read(&with_main, &[]), "k");
    assert_eq!(found, ["one: 1 1 1; 32 1 1; 0; "]);
}

fn judged(text: &str) -> Judgement {
    let parsed = read(text, &[]);
    check_parsed(
        "host.cu",
        parsed,
        &EntryRequest::default(),
        // Who comes to a defect is asked, not what excludes it.
        &Request {
            conditional: false,
            ..Request::default()
        },
    )
    .expect("good input")
}

fn callers(judgement: &Judgement) -> Vec<(&'static str, Option<&Caller>)> {
    let defects = judgement.defects.iter();
    defects
        .map(|d| (d.kind.name(), d.grade.caller.as_ref()))
        .collect()
}

/// The kernel is wrong where a block has not `n` threads; `BLOCK` is what the host launches.
const SUM: &str = "
__global__ void sum(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[n - 1 - t];
}
void host(int *out, const int *in) { fopen(\"x\", \"r\"); sum<<<1, BLOCK>>>(out, in, 64); }
";

#[test]
fn a_defect_that_no_caller_comes_to_stands_apart_and_still_refutes() {
    let judgement = judged(&format!(
        "#include <stdio.h>\n{}",
        SUM.replace("BLOCK", "64")
    ));
    assert_eq!(judgement.verdict, Verdict::Refuted);
    assert!(!judgement.defects.is_empty());
    for (kind, caller) in callers(&judgement) {
        assert_eq!(caller, Some(&Caller::NoneInSight), "{kind}");
    }
    let tried = judgement.subjects[0]
        .host_tried
        .as_ref()
        .expect("the launch was run");
    assert_eq!((tried.launches, tried.failing), (1, 0));
    let report = json::judgement(&judgement);
    assert_eq!(report["subjects"][0]["verdict"], "refuted");
    assert_eq!(report["defects"][0]["caller"]["kind"], "none-in-sight");
    assert!(report["defects"][0]["launch"]["block"].is_array());
}

#[test]
fn a_defect_at_the_launch_of_the_host_is_found_there() {
    let judgement = judged(&format!(
        "#include <stdio.h>\n{}",
        SUM.replace("BLOCK", "96")
    ));
    assert_eq!(judgement.verdict, Verdict::Refuted);
    let all = callers(&judgement);
    let of_host = |caller: &&Caller| {
        matches!(
            caller,
            Caller::HostCode {
                is_certain: true,
                ..
            }
        )
    };
    assert!(all[0].1.filter(of_host).is_some(), "{all:?}");
    let launch = judgement.defects[0]
        .grade
        .launch
        .as_ref()
        .expect("a launch");
    assert_eq!(
        (launch.grid, launch.block),
        (Some([1; 3]), Some([96, 1, 1]))
    );
    assert_eq!(launch.args["n"], "64");
}

#[test]
fn a_kernel_that_is_named_otherwise_has_callers_that_are_not_seen() {
    let text = "
#include <stdio.h>
__global__ void k(int *p, int n) { p[threadIdx.x % n] = threadIdx.x; }
void host(int *d) { k<<<1, 1>>>(d, 1); void *f = (void *)k; printf(\"%p\", f); }
";
    let judgement = judged(text);
    assert_eq!(judgement.verdict, Verdict::Refuted);
    for (kind, caller) in callers(&judgement) {
        assert_ne!(caller, Some(&Caller::NoneInSight), "{kind}");
    }
}

/// Random host code, walked and run: no launch that it makes is said to be none of those that were read off, and most
/// are found among them.
#[test]
fn what_host_code_launches_was_read_off() {
    let n_programs = effort::cases(16, 2_000);
    let (mut n_launches, mut n_found) = (0, 0);
    for seed in 0..n_programs {
        let mut program = Random::new(20_261_125 + seed);
        let statements = program.statements(3);
        let text = program.text(&statements);
        let parsed = read(&text, &[]);
        for launch in program.run(&statements) {
            let entry = EntryRequest::default();
            let entry = launch_from_headers(&entry, &parsed).expect("no header");
            let kernel = parsed.program.find_proc(&launch.kernel).expect("a kernel");
            let mut point =
                subject::resolve_entry(&parsed.program, kernel, &entry, None).expect("resolves");
            let n = parsed.program.proc(kernel).params[1];
            point.scalars.insert(n, Value::i32(launch.n));
            let own = Launch {
                grid: [launch.grid, 1, 1],
                block: [launch.block, 1, 1],
                shared_bytes: 0,
            };
            let sampling = Request::default().sampling;
            let setup = subject::sampled_setup(&parsed.program, &point, Some(own), sampling, 0)
                .expect("a run");
            let caller = subject::caller(&parsed.program, &point, &setup);
            n_launches += 1;
            n_found += u32::from(matches!(caller, Some(Caller::HostCode { .. })));
            assert_ne!(
                caller,
                Some(Caller::NoneInSight),
                "{launch:?} of\n{text}\nread off: {:#?}",
                subject::described(&point)
            );
        }
    }
    assert!(u64::from(n_launches) > 5 * n_programs / 2, "{n_launches}");
    assert!(n_found * 4 > n_launches * 3, "{n_found} of {n_launches}");
}

/// A launch that random host code made.
#[derive(Debug)]
struct Made {
    kernel: String,
    grid: u32,
    block: u32,
    n: i32,
}

enum Statement {
    /// A variable gets a value below 64.
    Assign(usize, Number),
    If(Number, Vec<Statement>, Vec<Statement>),
    /// So many rounds, counted by a variable.
    For(usize, i32, Vec<Statement>),
    Leave(Number),
    Launch(usize, Number, Number, Number),
}

enum Number {
    Constant(i32),
    Variable(usize),
    /// The result of a function without a body.
    Opaque(i32),
    Of(char, Box<Number>, Box<Number>),
}

/// Random host code: the function `host(a, b)` with four variables, two of which are parameters.
struct Random {
    state: u64,
    n_launches: usize,
}

impl Random {
    fn new(seed: u64) -> Random {
        Random {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            n_launches: 0,
        }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % n
    }

    fn number(&mut self, depth: u32) -> Number {
        match (self.below(7), depth) {
            (0 | 1, _) => Number::Constant(self.below(40) as i32),
            (2 | 3, _) | (4.., 0) => Number::Variable(self.below(4) as usize),
            (4, _) if self.below(3) == 0 => Number::Opaque(self.below(9) as i32),
            _ => {
                let op = ['+', '-', '*', '<'][self.below(4) as usize];
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                Number::Of(op, Box::new(a), Box::new(b))
            }
        }
    }

    fn statements(&mut self, depth: u32) -> Vec<Statement> {
        let n = 2 + self.below(3);
        (0..n).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> Statement {
        match (self.below(8), depth) {
            (0..=2, _) | (4..=6, 0) => Statement::Assign(self.below(4) as usize, self.number(2)),
            (4 | 5, _) => Statement::If(
                self.number(1),
                self.statements(depth - 1),
                match self.below(2) {
                    0 => Vec::new(),
                    _ => self.statements(depth - 1),
                },
            ),
            (6, _) => {
                let rounds = [1, 2, 3, 200][self.below(4) as usize];
                Statement::For(depth as usize, rounds, self.statements(depth - 1))
            }
            (7, _) if self.below(3) == 0 => Statement::Leave(self.number(1)),
            _ => {
                self.n_launches += 1;
                let (grid, block, n) = (self.number(1), self.number(1), self.number(1));
                Statement::Launch(self.n_launches - 1, grid, block, n)
            }
        }
    }

    fn text(&self, statements: &[Statement]) -> String {
        let mut text = "int opaque(int);\n".to_owned();
        for kernel in 0..self.n_launches {
            text += &format!("__global__ void k{kernel}(int *p, int n) {{ p[0] = n; }}\n");
        }
        text += "void host(int *d, int v0, int v1) {\n  int v2 = 5, v3 = v0 + 1;\n";
        in_c(statements, 1, &mut text);
        text + "}\n"
    }

    fn run(&mut self, statements: &[Statement]) -> Vec<Made> {
        let (a, b) = (self.below(20) as i32, self.below(20) as i32);
        let mut run = Run {
            values: [a, b, 5, a + 1],
            made: Vec::new(),
        };
        run.block(statements);
        run.made
    }
}

impl Number {
    fn c(&self) -> String {
        match self {
            Number::Constant(n) => n.to_string(),
            Number::Variable(v) => format!("v{v}"),
            Number::Opaque(n) => format!("opaque({n})"),
            Number::Of(op, a, b) => format!("({} {op} {})", a.c(), b.c()),
        }
    }

    fn value(&self, values: &[i32; 4]) -> i32 {
        match self {
            Number::Constant(n) => *n,
            Number::Variable(v) => values[*v],
            Number::Opaque(n) => n * 7 % 13,
            Number::Of(op, a, b) => {
                let (a, b) = (a.value(values), b.value(values));
                match op {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    _ => i32::from(a < b),
                }
            }
        }
    }
}

fn in_c(statements: &[Statement], depth: usize, text: &mut String) {
    let pad = "  ".repeat(depth);
    for statement in statements {
        match statement {
            Statement::Assign(v, n) => *text += &format!("{pad}v{v} = {} & 63;\n", n.c()),
            Statement::If(condition, then, otherwise) => {
                *text += &format!("{pad}if ({} & 1) {{\n", condition.c());
                in_c(then, depth + 1, text);
                *text += &format!("{pad}}} else {{\n");
                in_c(otherwise, depth + 1, text);
                *text += &format!("{pad}}}\n");
            }
            Statement::For(level, rounds, body) => {
                *text +=
                    &format!("{pad}for (int i{level} = 0; i{level} < {rounds}; i{level}++) {{\n");
                *text += &format!("{pad}  v2 = (v2 + i{level}) & 63;\n");
                in_c(body, depth + 1, text);
                *text += &format!("{pad}}}\n");
            }
            Statement::Leave(n) => *text += &format!("{pad}if ({} == 11) return;\n", n.c()),
            Statement::Launch(kernel, grid, block, n) => {
                let (grid, block, n) = (grid.c(), block.c(), n.c());
                *text += &format!(
                    "{pad}k{kernel}<<<1 + ({grid} & 3), dim3(1 + ({block} & 31))>>>(d, {n});\n"
                );
            }
        }
    }
}

struct Run {
    values: [i32; 4],
    made: Vec<Made>,
}

impl Run {
    /// False if the function has ended.
    fn block(&mut self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| self.step(statement))
    }

    fn step(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Assign(v, n) => self.values[*v] = n.value(&self.values) & 63,
            Statement::If(condition, then, otherwise) => {
                return match condition.value(&self.values) & 1 {
                    1 => self.block(then),
                    _ => self.block(otherwise),
                };
            }
            Statement::For(_, rounds, body) => {
                for i in 0..*rounds {
                    self.values[2] = (self.values[2] + i) & 63;
                    if !self.block(body) {
                        return false;
                    }
                }
            }
            Statement::Leave(n) => return n.value(&self.values) != 11,
            Statement::Launch(kernel, grid, block, n) => {
                if self.made.len() < 60 {
                    self.made.push(Made {
                        kernel: format!("k{kernel}"),
                        grid: 1 + (grid.value(&self.values) & 3) as u32,
                        block: 1 + (block.value(&self.values) & 31) as u32,
                        n: n.value(&self.values),
                    });
                }
            }
        }
        true
    }
}
