//! Arrays of two dimensions whose sizes nobody gave: `row * width + column`, where it is required that all cells together
//! are few enough for an index.

use super::support::Is::{self, Proved};
use super::support::{is, parse};
use gridlock_checker::verdict::Property;
use gridlock_generation::effort;
use gridlock_proofs::{ExtentTerm, ProofRequest, prove_kernel};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::profile::Profile;

/// Of what must not be proved a short run judges one in so many.
const SHARE: usize = 9;

/// Races and bounds of a kernel that requires `required`, at every launch, of an array of `width * height` elements.
fn judged(required: &str, guard: &str, index: &str) -> [Is; 2] {
    let program = parse(&format!(
        "__global__ void k(float *a, int width, int height, int pitch) {{
            __requires({required});
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if ({guard}) a[{index}] = 2 * a[{index}];
        }}"
    ));
    let mut request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
    request.properties = vec![Property::Races, Property::Bounds];
    // Tests run on busy machines.
    request.total_timeout *= 10;
    request.budget.query = 600_000;
    let [width, height] = [1, 2].map(|var| Expr::var(VarId(var), Type::I32).cast(Type::I64));
    let cells = Expr::binary(BinaryOp::Mul, width, height);
    request.extents = [(VarId(0), ExtentTerm::Of(cells))].into();
    let kernel = program.procs_of_kind(ProcKind::Kernel).next();
    let outcome = prove_kernel(&program, kernel.expect("a kernel"), &request);
    request
        .properties
        .iter()
        .map(|p| is(&outcome, *p))
        .collect::<Vec<Is>>()
        .try_into()
        .expect("two")
}

const CELLS: &str = "width >= 0 && height >= 0 && (long long)width * height < 2147483648";
const INSIDE: &str = "x < width && y < height";

#[test]
fn a_cell_is_told_by_its_row_and_lies_inside() {
    let is_proved = |required, guard, index| judged(required, guard, index) == [Proved, Proved];
    assert!(is_proved(CELLS, INSIDE, "y * width + x"));
    let unsigned = "(unsigned long long)height * width <= 2147483647";
    assert!(is_proved(unsigned, INSIDE, "x + width * y"));
    let next = "x < width && y + 1 < height";
    assert!(is_proved(CELLS, next, "(y + 1) * width + x"));
}

#[test]
fn what_is_not_required_is_not_taken_for_granted() {
    let twice = "(long long)width * height <= 2 * 2147483648";
    let cases = [
        // A row too many, which no other cell has, and a column too many.
        (CELLS, "x < width && y <= height", "y * width + x", true),
        (CELLS, "x <= width && y < height", "y * width + x", false),
        // The product may wrap around, or an index does.
        (
            "width * height < 2147483647",
            INSIDE,
            "y * width + x",
            false,
        ),
        (twice, INSIDE, "y * width + x", true),
        // Of other rows than those of the array.
        (
            "(long long)pitch * height < 2147483648",
            INSIDE,
            "y * pitch + x",
            false,
        ),
        (
            "(long long)width * pitch < 2147483648",
            INSIDE,
            "y * width + x",
            false,
        ),
    ];
    for (case, (required, guard, index, races)) in cases.into_iter().enumerate() {
        // What comes after these is of the same kind.
        if !effort::is_done(case + 1, SHARE) {
            continue;
        }
        let [of_races, of_bounds] = judged(required, guard, index);
        assert_ne!(of_bounds, Proved, "{required}, {guard}, {index}");
        assert!(races || of_races != Proved, "{required}, {guard}, {index}");
    }
    // Rows that are longer than what is written of each are apart, and may reach beyond the array.
    let required = "pitch >= width && (long long)pitch * height < 2147483648";
    let [races, bounds] = judged(required, INSIDE, "y * pitch + x");
    assert_eq!(races, Proved);
    assert_ne!(bounds, Proved);
}
