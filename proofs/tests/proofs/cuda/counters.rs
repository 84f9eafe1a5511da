//! Counters of loops: which may wrap around, and what is assumed of the others.

use super::support::Is::{Proved, Suspected};
use super::support::{Is, is, line, parse};
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::verdict::Property;
use gridlock_generation::effort;
use gridlock_proofs::{ProofRequest, prove_kernel};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;

/// What is proved of `body` in a kernel of `int *a, int *r, unsigned n, int m`, with `n` given or not,
/// and what was assumed of counters.
fn of_counters(body: &str, n: Option<i128>, property: Property) -> (Is, Vec<String>) {
    let source = format!(
        "__global__ void k(int *a, int *r, unsigned n, int m) {{ __shared__ float s[1024]; {body} }}"
    );
    let program = parse(&source);
    let mut request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
    request.properties = vec![property];
    request.total_timeout *= 10;
    if let Some(n) = n {
        request.launch = line(4, 1);
        let n = Value::int(ScalarType::U32, n);
        request.scalars = [(VarId(2), n), (VarId(3), Value::i32(7))].into();
    }
    let kernel = program.procs_of_kind(ProcKind::Kernel).next();
    let outcome = prove_kernel(&program, kernel.expect("a kernel"), &request);
    let of_a_counter = |a: &&Assumption| {
        matches!(
            a,
            Assumption::CounterHasRoom { .. } | Assumption::CountersDoNotOverflow { .. }
        )
    };
    let assumed = outcome.assumptions.iter().filter(of_a_counter);
    let assumed = assumed.map(Assumption::to_string).collect();
    (is(&outcome, property), assumed)
}

#[test]
fn loops_over_counters_that_do_not_wrap_end_without_assumption() {
    for body in [
        "for (unsigned i = 0; i < n; i++) a[0];",
        "for (int i = 0; i < m; i++) a[0];",
        "for (int i = m; i >= 0; i--) a[0];",
        "for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) a[0];",
        "for (unsigned d = 1; d < blockDim.x; d *= 2) a[0];",
        "for (unsigned long i = threadIdx.x; i < n; i += blockDim.x) a[0];",
        "for (unsigned char i = 0; i < 100; i += 50) a[0];",
        "for (short i = 0; i < 100; i++) a[0];",
        // It wraps, and ends.
        "for (unsigned i = n; i - n < 7; i++) a[0];",
        "for (unsigned i = 0; i != n; i++) a[0];",
    ] {
        let found = of_counters(body, None, Property::Deadlock);
        assert_eq!(found, (Proved, vec![]), "{body}");
    }
}

#[test]
fn what_is_assumed_of_counters_is_said_with_its_line() {
    for (body, words) in [
        (
            "for (int i = threadIdx.x; i < m; i += blockDim.x) a[0];",
            "line 1: `m` leaves room for one more step of `i` in its 32 signed bits",
        ),
        (
            "for (int i = r[0]; i < r[threadIdx.x]; i += 32) a[0];",
            "no signed counter of a loop overflows in the loop's own step: `i` at line 1",
        ),
    ] {
        let found = of_counters(body, None, Property::Deadlock);
        assert_eq!(found, (Proved, vec![words.to_owned()]), "{body}");
    }
}

/// The wrap of an unsigned counter is defined, so that no run of a kernel may be left out for it.
#[test]
fn nothing_is_assumed_of_unsigned_counters() {
    let stride = |ty: &str, head: &str, cond: &str| {
        format!(
            "{head} for ({ty} i = blockIdx.x * blockDim.x + threadIdx.x; {cond}; i += gridDim.x * blockDim.x) a[i] = 1;"
        )
    };
    for property in [Property::Deadlock, Property::Races] {
        // A signed bound is converted.
        for cond in ["i < n", "i <= n", "i < m"] {
            if !effort::is_next_done(3) {
                continue;
            }
            let (found, assumed) = of_counters(&stride("unsigned", "", cond), None, property);
            assert_ne!(found, Proved, "{cond}");
            assert_eq!(assumed, Vec::<String>::new(), "{cond}");
        }
        for (head, cond) in [
            ("__requires(n <= 2147483647);", "i < n"),
            ("__requires(m >= 0);", "i < m"),
            ("if (n > 1u << 31) return;", "i < n"),
        ] {
            if !effort::is_next_done(3) {
                continue;
            }
            let found = of_counters(&stride("unsigned", head, cond), None, property);
            assert_eq!(found, (Proved, vec![]), "{head}");
        }
        // 64 bits have room for any number of 32.
        let found = of_counters(&stride("unsigned long", "", "i < n"), None, property);
        assert_eq!(found, (Proved, vec![]));
        // With room, nothing is open where the number is given; without, it wraps.
        let body = stride("unsigned", "", "i < n");
        assert_eq!(of_counters(&body, Some(100), property), (Proved, vec![]));
    }
    let body = stride("unsigned", "", "i < n");
    let (found, _) = of_counters(&body, Some(u32::MAX as i128), Property::Deadlock);
    assert_ne!(found, Proved);
}

#[test]
fn what_keeps_an_unsigned_counter_in_its_range_is_named() {
    for (ty, cond, words) in [
        ("unsigned n", "i < n", "__requires(n <= 2147483647)"),
        ("int n", "i < n", "__requires(n >= 0)"),
    ] {
        let text = |head: &str| {
            format!(
                "__global__ void k(int *a, {ty}) {{ {head}\n for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; {cond}; i += gridDim.x * blockDim.x) a[i] = 1; }}"
            )
        };
        let prove = |head: &str| {
            let program = parse(&text(head));
            let request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
            let kernel = program.procs_of_kind(ProcKind::Kernel).next();
            prove_kernel(&program, kernel.expect("a kernel"), &request)
        };
        let outcome = prove("");
        let named = outcome.remarks.iter().any(|remark| {
            matches!(remark, Remark::CounterWrapsAround { line: 2, counter, requires, .. }
                if counter == "i" && *words == format!("__requires({requires})"))
        });
        assert!(named, "{:?}", outcome.remarks);
        let outcome = prove(&format!("{words};"));
        assert_eq!(is(&outcome, Property::Races), Proved);
        assert!(outcome.remarks.is_empty(), "{:?}", outcome.remarks);
    }
}

/// What is asked of a parameter at the beginning says nothing of what the kernel made of it.
#[test]
fn no_condition_is_named_on_a_parameter_that_changes() {
    let body = "n = n * 2 + 1; for (unsigned i = threadIdx.x; i < n; i += 4) a[i] = 1;";
    let program = parse(&format!(
        "__global__ void k(int *a, unsigned n) {{ {body} }}"
    ));
    let request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
    let kernel = program.procs_of_kind(ProcKind::Kernel).next();
    let outcome = prove_kernel(&program, kernel.expect("a kernel"), &request);
    assert_ne!(is(&outcome, Property::Races), Proved);
    let named = |remark: &Remark| matches!(remark, Remark::CounterWrapsAround { .. });
    assert!(!outcome.remarks.iter().any(named), "{:?}", outcome.remarks);
}

#[test]
fn loops_that_a_wrap_keeps_going_are_not_proved_to_end() {
    for body in [
        "for (unsigned i = threadIdx.x; i >= 0; i--) a[0];",
        "for (unsigned char i = 0; i < m; i++) a[0];",
        "for (unsigned i = n; i > 0; i -= 2) a[0];",
        "for (int i = 0; i < 2147483647; i += 2) a[0];",
        "for (int i = 0; i <= 2147483647; i++) a[0];",
        "for (short i = threadIdx.x; i < 100; i += blockDim.x * 64) a[0];",
        "for (int i = 0; i < n; i += m) a[0];",
    ] {
        let (found, _) = of_counters(body, None, Property::Deadlock);
        assert_ne!(found, Proved, "{body}");
    }
}

#[test]
fn a_counter_that_wraps_meets_what_lies_at_the_beginning() {
    let writes = "if (threadIdx.x == 1) a[0] = 2;";
    let body =
        format!("if (threadIdx.x == 0) for (unsigned i = n; i - n < 4; i++) a[i] = 1; {writes}");
    let (found, _) = of_counters(&body, Some(4294967294), Property::Races);
    assert_ne!(found, Proved);
    let (found, _) = of_counters(&body, Some(4294967288), Property::Races);
    assert_eq!(found, Proved);
    let narrow = format!(
        "if (threadIdx.x == 0) for (unsigned char i = 250; i != 4; i++) a[i] = 1; {writes}"
    );
    let (found, _) = of_counters(&narrow, Some(1), Property::Races);
    assert_eq!(found, Suspected);
    let short = "for (unsigned char i = 250; i != 0; i++) if (threadIdx.x == 0) a[i] = 1;";
    let (found, _) = of_counters(&format!("{short} {writes}"), Some(1), Property::Races);
    assert_eq!(found, Proved);
}
