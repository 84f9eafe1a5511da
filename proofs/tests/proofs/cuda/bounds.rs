//! Indices within the extents of arrays.

use super::support::Is::{Open, Proved, Suspected};
use super::support::{check, is, parse};
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::verdict::{Property, Reason};
use gridlock_generation::effort;
use gridlock_proofs::{ExtentTerm, ProofRequest, prove_kernel};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::profile::Profile;

#[test]
fn an_index_that_an_unsigned_number_took_below_0_is_not_in_bounds() {
    let bounds = |body: &str, a_has_extent: bool| {
        let source = format!("__global__ void k(int *a, int *o) {{ {body} }}");
        let program = parse(&source);
        let mut request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
        request.properties = vec![Property::Bounds];
        request.total_timeout *= 10;
        request.extents = [(VarId(1), ExtentTerm::Elements(1024))].into();
        if a_has_extent {
            request.extents.insert(VarId(0), ExtentTerm::Elements(1024));
        }
        let kernel = program.procs_of_kind(ProcKind::Kernel).next();
        let outcome = prove_kernel(&program, kernel.expect("a kernel"), &request);
        let first = Assumption::FirstElements {};
        let said = outcome.assumptions.iter().any(|a| *a == first);
        (is(&outcome, Property::Bounds), said)
    };
    let signed = "int i = threadIdx.x - 1; o[threadIdx.x] = a[i];";
    assert_eq!(bounds(signed, false), (Suspected, true));
    assert_eq!(bounds(signed, true), (Suspected, false));
    let unsigned = "o[threadIdx.x] = a[threadIdx.x - 1];";
    assert_eq!(bounds(unsigned, false), (Open(Reason::Inconclusive), false));
    assert_eq!(bounds(unsigned, true), (Suspected, false));
    let guarded = "if (threadIdx.x > 0) o[threadIdx.x] = a[threadIdx.x - 1];";
    assert_eq!(bounds(guarded, false), (Proved, false));
    assert_eq!(bounds(guarded, true), (Proved, false));
    let plain = "o[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];";
    assert_eq!(bounds(plain, false), (Proved, false));
}

/// Products of unknowns have large circuits. Defects that small numbers show are found among those: in steps that
/// a processor does in a second, not in tens of them.
#[test]
fn what_hangs_on_products_of_small_numbers_is_found_among_them() {
    const STEPS: u64 = 2_000_000;
    let head = "__global__ void k(float *a, int w, int h, int pitch) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;";
    let [width, height, pitch] = [1, 2, 3].map(VarId);
    let extent = |by: VarId| {
        let long = |var| Expr::var(var, Type::I32).cast(Type::I64);
        ExtentTerm::Of(Expr::binary(BinaryOp::Mul, long(by), long(height)))
    };
    for guard in ["", "if (x < w && y < h)", "if (x < w)", "if (y < h)"] {
        for by in [width, pitch] {
            if !effort::is_next_done(3) {
                continue;
            }
            let program = parse(&format!("{head} {guard} a[y * pitch + x] = 1; }}"));
            let mut request = ProofRequest::all_sizes(Profile::named("cuda").unwrap());
            request.total_timeout *= 10;
            request.properties = vec![Property::Races, Property::Bounds];
            request.extents = [(VarId(0), extent(by))].into();
            let kernel = program.procs_of_kind(ProcKind::Kernel).next().unwrap();
            let outcome = prove_kernel(&program, kernel, &request);
            let what = format!("{guard}, {by:?}: {} steps", outcome.steps);
            assert_eq!(is(&outcome, Property::Races), Suspected, "{what}");
            assert_eq!(is(&outcome, Property::Bounds), Suspected, "{what}");
            assert!(outcome.steps > 0 && outcome.steps < STEPS, "{what}");
        }
    }
    // Nothing is taken from what no small number shows: this is beyond them all.
    let source = "__global__ void k(int *a, unsigned n, unsigned m) {
        if (n > 100 && m > 100 && n < 200 && m < 200 && n * m == 10403) a[0] = 1; }";
    check(source, Suspected, Proved);
}
