//! Integer intrinsics of CUDA that `gridlock_integer.h` composes: what they compute, and that nothing of the header
//! shows.

use crate::reading::support::{check_kernels, parse, refusal};
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::TransitionSystem;
use std::sync::Arc;

/// A call of three numbers, and what it gives by the CUDA Math API, computed without wrapping.
type Case = (&'static str, fn(i128, i128, i128) -> i128);

fn low(x: i128, bits: u32) -> i128 {
    x & ((1 << bits) - 1)
}

/// The number of a type of so many bits with these low bits.
fn signed(x: i128, bits: u32) -> i128 {
    let low = low(x, bits);
    if low >> (bits - 1) == 1 {
        low - (1 << bits)
    } else {
        low
    }
}

fn joined(high: i128, below: i128) -> i128 {
    (low(high, 32) << 32) | low(below, 32)
}

fn byte(x: i128, n: u32) -> i128 {
    (x >> (8 * n)) & 0xff
}

fn permuted(x: i128, y: i128, s: i128) -> i128 {
    let chosen = |n: u32| byte(joined(y, x), ((s >> (4 * n)) & 7) as u32) << (8 * n);
    (0..4).map(chosen).sum()
}

/// Arguments come as `long long`, results too.
const CASES: &[Case] = &[
    ("__mulhi((int)a, (int)b)", |a, b, _| {
        (signed(a, 32) * signed(b, 32)) >> 32
    }),
    ("__umulhi((unsigned)a, (unsigned)b)", |a, b, _| {
        (low(a, 32) * low(b, 32)) >> 32
    }),
    ("__mul64hi(a, b)", |a, b, _| (a * b) >> 64),
    ("(long long)__umul64hi((WIDE)a, (WIDE)b)", |a, b, _| {
        let product = (low(a, 64) as u128) * (low(b, 64) as u128);
        signed((product >> 64) as i128, 64)
    }),
    ("__sad((int)a, (int)b, (unsigned)c)", |a, b, c| {
        low((signed(a, 32) - signed(b, 32)).abs() + low(c, 32), 32)
    }),
    (
        "__usad((unsigned)a, (unsigned)b, (unsigned)c)",
        |a, b, c| low((low(a, 32) - low(b, 32)).abs() + low(c, 32), 32),
    ),
    ("__hadd((int)a, (int)b)", |a, b, _| {
        (signed(a, 32) + signed(b, 32)) >> 1
    }),
    ("__rhadd((int)a, (int)b)", |a, b, _| {
        (signed(a, 32) + signed(b, 32) + 1) >> 1
    }),
    ("__uhadd((unsigned)a, (unsigned)b)", |a, b, _| {
        (low(a, 32) + low(b, 32)) >> 1
    }),
    ("__urhadd((unsigned)a, (unsigned)b)", |a, b, _| {
        (low(a, 32) + low(b, 32) + 1) >> 1
    }),
    (
        "__byte_perm((unsigned)a, (unsigned)b, (unsigned)c)",
        permuted,
    ),
    (
        "__funnelshift_l((unsigned)a, (unsigned)b, (unsigned)c)",
        |a, b, c| low((joined(b, a) << (c & 31)) >> 32, 32),
    ),
    (
        "__funnelshift_lc((unsigned)a, (unsigned)b, (unsigned)c)",
        |a, b, c| low((joined(b, a) << low(c, 32).min(32)) >> 32, 32),
    ),
    (
        "__funnelshift_r((unsigned)a, (unsigned)b, (unsigned)c)",
        |a, b, c| low(joined(b, a) >> (c & 31), 32),
    ),
    (
        "__funnelshift_rc((unsigned)a, (unsigned)b, (unsigned)c)",
        |a, b, c| low(joined(b, a) >> low(c, 32).min(32), 32),
    ),
    ("__dp4a((int)a, (int)b, (int)c)", |a, b, c| {
        let product = |n| signed(byte(a, n), 8) * signed(byte(b, n), 8);
        signed((0..4).map(product).sum::<i128>() + c, 32)
    }),
    (
        "__dp4a((unsigned)a, (unsigned)b, (unsigned)c)",
        |a, b, c| {
            let product = |n| byte(a, n) * byte(b, n);
            low((0..4).map(product).sum::<i128>() + c, 32)
        },
    ),
];

/// One call of each, of the first three numbers, for one thread.
fn kernel() -> Arc<Program> {
    let calls = CASES.iter().enumerate();
    let calls: String = calls
        .map(|(index, (call, _))| format!("  to[{index}] = {call};\n"))
        .collect();
    let text = format!(
        "#define WIDE unsigned long long\n__global__ void k(long long *to, const long long *from) {{\n  \
         long long a = from[0], b = from[1], c = from[2];\n{calls}}}\n"
    );
    let parsed = parse(&text, Language::Cuda);
    assert_eq!(parsed.unsupported, vec![]);
    Arc::new(parsed.program)
}

/// What the kernel leaves of these numbers.
fn run(program: &Arc<Program>, numbers: [i64; 3]) -> Vec<i128> {
    let array = |name: &str, values: Vec<Value>| ArrayArg {
        name: name.into(),
        elem: ScalarType::I64,
        extent: Some(values.len() as u64),
        contents: Contents::Values(values),
        observed: name == "to",
    };
    let value = |n: i64| Value::int(ScalarType::I64, i128::from(n));
    let setup = Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: program.find_proc("k").expect("the kernel is there"),
        launch: Some(Launch {
            grid: [1, 1, 1],
            block: [1, 1, 1],
            shared_bytes: 0,
        }),
        args: vec![Arg::Array(0), Arg::Array(1)],
        arrays: vec![
            array("to", vec![value(0); CASES.len()]),
            array("from", numbers.map(value).to_vec()),
        ],
    };
    let profile = Profile::named("cuda").expect("there is such a profile");
    let system = ProgramSystem::new(program.clone(), setup, profile).expect("a setup that fits");
    let mut state = system.initial().remove(0);
    while !system.is_final(&state) {
        assert!(state.fault().is_none(), "{:?}", state.fault());
        let mut next = Vec::new();
        system.successors(&state, &mut next);
        state = next.swap_remove(0).1;
    }
    let left = system.observe(&state);
    let cells = left.arrays[0].cells.iter();
    let number = |cell: &Value| cell.as_integer().expect("a number");
    cells.map(number).collect()
}

/// Small, large, close to the edges of a type, or any.
fn number(state: &mut u64) -> i64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    let near = (x >> 8 & 3) as i64 - 2;
    match x % 8 {
        0 => (x >> 8 & 63) as i64,
        1 => near,
        2 => (1 << 31) + near,
        3 => i64::MIN.wrapping_add(near),
        4 => (1 << 32) + near,
        _ => x as i64,
    }
}

#[test]
fn they_compute_what_the_math_api_says() {
    let program = kernel();
    let mut state = 1;
    for _ in 0..300 {
        let numbers = [0; 3].map(|_| number(&mut state));
        let found = run(&program, numbers);
        let [a, b, c] = numbers.map(i128::from);
        for ((call, expected), found) in CASES.iter().zip(found) {
            assert_eq!(found, expected(a, b, c), "{call} of {numbers:?}");
        }
    }
}

#[test]
fn a_call_is_its_expression_where_it_stands() {
    let program = kernel();
    let names: Vec<&str> = program.procs.iter().map(|proc| &*proc.name).collect();
    assert_eq!(names, ["k"]);
    for var in &program.procs[0].vars {
        let own = ["to", "from", "a", "b", "c"].contains(&&*var.name);
        assert!(own || var.name.starts_with("temporary"), "{}", var.name);
    }
    program.procs[0].body.walk(&mut |op| {
        let is_here = op.span.file.0 == 0 && op.span.line <= 4 + CASES.len() as u32;
        assert!(is_here, "{op:?}");
    });
    let mut files = program.files.iter();
    assert!(!files.any(|file| file.name.contains("gridlock_integer")));
    check_kernels(
        "",
        &[
            (
                "a[0] = __mulhi(a[1], n);",
                "temporary = a[1]; a[0] = (int)((long long)temporary * (long long)n >> 32u);",
            ),
            (
                "a[0] = __hadd(__hadd(n, 2), n);",
                "temporary = (int)((long long)n + 2ll >> 1u); a[0] = (int)((long long)temporary + (long long)n >> 1u);",
            ),
        ],
    );
}

#[test]
fn arguments_have_no_order() {
    let text = "__global__ void k(int *a, int n) { a[0] = __mulhi(n++, n); }";
    let expected =
        "1:56: operands that the language puts in no order: one changes `n`, which another uses";
    assert_eq!(refusal(text, Language::Cuda, "k"), expected);
}
